/** The modules that the SDK has of the templates: their fields with types and docstrings, and the words of a language. */
import { type DataPointList, rangeOf } from '../openapi/src/index.ts';
import { type Language, languages, localeOf, wordsOf } from '../server/src/languages/languages.ts';

import { safetyFields, sectionOf, sectionOrder } from '../server/src/site/sections.ts';
import {
  type Described,
  type Template,
  type TemplateField,
  templateKeys,
  templateOf,
} from '../server/src/templates/catalogue.ts';

/** The TypeScript type of a field's value. Add a case for each new kind of field. */
function typeOf({ type, options = [], items, members }: Shape): string {
  switch (type) {
    case 'string':
    case 'text':
    case 'url':
    case 'date':
    case 'country_code':
    case 'contact':
    case 'phone':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'list':
      return `readonly ${itemsType(items, members)}[]`;
    case 'object':
      return members ? membersType(members) : `Readonly<Record<string, ${items ? memberType(items) : 'unknown'}>>`;
    case 'enum':
      return options.map(({ code }) => textOf(code)).join(' | ');
    default:
      throw new Error(`The templates have a field of the type ${type}. Add its TypeScript type to tools/templates.ts.`);
  }
}

type Shape = Pick<TemplateField, 'type' | 'options' | 'items' | 'members'>;

function itemsType(items: Shape['items'], members: Shape['members']): string {
  const types = [...(items ? [typeOf(items)] : []), ...(members ? [membersType(members)] : [])];
  return types.length > 1 ? `(${types.join(' | ')})` : (types[0] ?? 'unknown');
}

function membersType(members: NonNullable<Shape['members']>): string {
  return `Members<{ ${members.map((member) => `${member.key}: ${memberType(member)}`).join('; ')} }>`;
}

const memberType = (member: Shape): string => (member.type === 'number' ? 'Measure' : typeOf(member));

const textOf = (text: string) => JSON.stringify(text);
const keyOf = (key: string) => (/^[a-z]\w*$/i.test(key) ? key : textOf(key));

/** An object literal without quotes around its keys, on one line. Absent members are left out. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{ ${members.map(([key, member]) => `${keyOf(key)}: ${literal(member)}`).join(', ')} }`;
}

/** What the SDK has of a field. */
function fieldOf(field: TemplateField): string {
  const { key, access_level, required, points, unique, section, options, items, members } = field;
  return literal({
    ...{ key, ...partOf(field), access_level, required, points, unique, section },
    options: options?.map(({ code }) => code),
    items: items && partOf(items),
    members: members?.map((member) => ({ key: member.key, ...partOf(member) })),
  });
}

function partOf({ type, unit, minimum, maximum, code }: Described): object {
  return { type, unit, minimum, maximum, code };
}

/** What an editor shows of a field. */
function docstring(field: TemplateField): string {
  const { label, unit, meaning, required, access_level } = field;
  const range = rangeOf(field);
  const sentences = [
    `${label.en}${unit === null ? '' : `, in ${unit}`}${range === undefined ? '' : `, ${range}`}.`,
    meaning?.en,
    required ? 'Required.' : undefined,
    access_level === 'public' ? undefined : `Access level: \`${access_level}\`.`,
  ];
  return `/** ${sentences.filter(Boolean).join(' ')} */`;
}

/** The access levels that hide a value at least as well as its template wants. */
const levels = { restricted: `'restricted' | 'authority'`, authority: `'authority'` };

/** A module with a constant for each product group, and the types of their values. */
export function templatesModule(): string {
  const groups = templateKeys.map(templateOf);
  return [
    `import type { Measure, Members, Template } from '../check.ts';`,
    ...groups.map(constant),
    `/** The template of each product group, and \`undefined\` for any other text. */
export type Templates = { readonly [Group in keyof Fields]: Template<Group> } & {
  readonly [group: string]: Template | undefined;
};`,
    `/** All templates, by their key: for programs that read the group from a product. They bundle every template. */
export const templates: Templates = {
${templateKeys.map((key) => `  ${key},`).join('\n')}
};`,
    ...interfacesOf(groups),
  ].join('\n\n');
}

function constant({ key, version, title, scans, fields, rules, data_points }: Template): string {
  return `/** The template \`${key}\`: ${title.en}. */
export const ${key}: Template<'${key}'> = { key: '${key}', version: ${version}${scans ? '' : ', scans: false'}, fields: [
${fields.map((field) => `  ${fieldOf(field)},`).join('\n')}
], rules: [
${rules.map(({ why: _, ...rule }) => `  ${literal(rule)},`).join('\n')}
]${data_points ? `, data_points: ${listOf(data_points)}` : ''} };`;
}

function listOf({ points, ...about }: DataPointList): string {
  return `{ ...${literal(about)}, points: [
${points.map((point) => `  ${literal(point)},`).join('\n')}
] }`;
}

function interfacesOf(groups: readonly Template[]): string[] {
  const table = (name: string, about: string, lines: (field: TemplateField) => string[]) => {
    const entries = groups.map(({ key, fields }) => {
      const inside = fields.flatMap(lines);
      return inside.length === 0
        ? `  ${key}: Record<never, never>;`
        : `  ${key}: {\n${inside.map((line) => `    ${line}`).join('\n')}\n  };`;
    });
    return `/** ${about} */\nexport interface ${name} {\n${entries.join('\n')}\n}`;
  };
  return [
    table('Fields', 'The types of the values, by group and field.', (field) => [
      docstring(field),
      `${field.key}: ${typeOf(field)};`,
    ]),
    table('Levels', 'The access levels of the fields that are not public.', ({ key, access_level }) =>
      access_level === 'public' ? [] : [`${key}: ${levels[access_level]};`],
    ),
    table('Units', 'The units of the fields that have one.', ({ key, unit }) =>
      unit === null ? [] : [`${key}: ${textOf(unit)};`],
    ),
  ];
}

/** Types whose texts have words of their own. */
const spelled: readonly string[] = ['country_code', 'date'];

/** A module that says where and how a passport shows each field. A field is the same in every group that has it. */
export function presentationModule(): string {
  const groups = templateKeys.map(templateOf);
  const fields = new Map(groups.flatMap((group) => group.fields).map((field) => [field.key, field]));
  const sections = Object.fromEntries(
    sectionOrder.map((section) => {
      const own = [...fields.values()].filter((field) => sectionOf(field.key, field.section) === section);
      const keys = section === 'safety' ? safetyFields : own.map(({ key }) => key);
      return [section, keys.join(' ')];
    }),
  );
  // Of two groups, the one with a list or an object has more to say.
  const all = groups.flatMap((group) => group.fields).toSorted((a, b) => Number(!!b.members) - Number(!!a.members));
  const described = [...Map.groupBy(all, ({ key }) => key).values()].flatMap(([field]) => {
    if (!field) return [];
    const { key, type, words, code, items, members } = field;
    const ofMembers = members?.flatMap(({ key, type, unit, words, code }) => {
      const about = { ...(spelled.includes(type) && { type }), unit: unit ?? undefined, words, code };
      return Object.values(about).some(Boolean) ? [[key, about] as const] : [];
    });
    const about = {
      type: spelled.includes(type) || (words && type === 'text') ? type : undefined,
      words,
      code,
      items: items?.words ? { ...items, type: undefined } : undefined,
      members: ofMembers?.length ? Object.fromEntries(ofMembers) : undefined,
    };
    return Object.values(about).some(Boolean) ? [`  ${key}: ${literal(about)},`] : [];
  });
  return [
    `/** The sections of a passport in their order, each with the keys of its fields. */
export const sections = ${literal(sections).replaceAll('", ', '",\n  ')} as const;`,
    `/** What the words of a value depend on, in addition to its JSON: by field, or by item or member of a field. */
export const described = {\n${described.join('\n')}\n};`,
  ].join('\n\n');
}

/** The languages of the server. Each is a module of the SDK. */
export { languages };

/** A module with the words of a language, with English in place of each word that its file lacks. */
export function languageModule(language: Language): string {
  const { page, fields, meanings, options, members, units, groups, words } = wordsOf(language);
  const { sections, values } = page;
  const named = { fields, meanings, options, members, units, groups, sections, values, words };
  const about: Record<keyof typeof named, string> = {
    fields: 'Labels of fields. `textile.field_key` is the label in one group, `field_key` that in all others.',
    meanings: 'What a field means, where its label does not say it.',
    options: 'The values of enumerations, by field.',
    members: 'Members of lists and objects.',
    units: 'Units written as words, by the plural category of the number. `#` stands for the number.',
    groups: 'Product groups.',
    sections: 'Sections of a passport.',
    values: 'What stands in place of a value.',
    words: 'Vocabularies for texts that many products share, such as fibres, by the text as it stands in a passport.',
  };
  return [
    `import type { Words } from '../../show.ts';`,
    `/** The locale of numbers, dates and countries. */\nexport const locale = '${localeOf(language)}';`,
    ...Object.entries(named).map(
      ([name, tree]) =>
        `/** ${about[name as keyof typeof named]} */\nexport const ${name}: Words['${name}'] = ${JSON.stringify(tree, null, 2)};`,
    ),
  ].join('\n\n');
}

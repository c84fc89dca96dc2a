import { dayOf, didYouMean, type Readiness, readinessOn } from '@product-passport/openapi';
import { InvalidArgumentError } from 'commander';
import type { Knex } from 'knex';
import { commandHint } from '../database/address.ts';
import { walkValues } from '../passports/store.ts';
import { walkProducts } from '../products/list.ts';
import type { ProductStatus } from '../products/store.ts';
import {
  aboutOf,
  belongsTo,
  blockingIn,
  citationOf,
  conditionOf,
  kindOf,
  partsOf,
  rangesOf,
  remarkOn,
  requirementOf,
  ruleWords,
  type Template,
  templateKeys,
  templateOf,
} from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { blankCommand } from './blank.ts';
import { argument, command, dayOption, flag, jsonFlag, type Noun, option } from './command.ts';
import { counted, csvLine, type Progress, section, wrapped } from './output.ts';

const groupArgument = argument('<group>', 'product group', templateOfGroup);

/** How many products of a group have what their template requires on a day. */
const readiness = command({
  name: 'readiness',
  about: 'tenant',
  open: { unlimited: true },
  progress: 'products',
  summary: 'count the products of a group that have what their template requires on a day',
  description:
    'count the products of a group that have a value for everything that their template requires on a day, and whose values ' +
    'fit it: what they miss, by data point or field, and the products that miss the most. It does not check whether values ' +
    'are true.',
  example: 'template readiness battery --tenant my-shop --on 2027-02-18',
  arguments: [groupArgument],
  options: {
    on: dayOption,
    status: option('--status <status>', 'status of the products', ['draft', 'active', 'archived'], 'active'),
    csv: flag('--csv', 'print rows of comma-separated values instead of text').conflicts('json'),
  },
  run({ database, tenant, options, progress }, template) {
    const { status, on = dayOf(new Date()) } = options;
    const passports = walkPassports(database, tenant, template, status, progress);
    return readinessOn(template, passports, on, ({ values, confirmed }) => {
      return blockingIn(template, values, on, confirmed).length > 0;
    });
  },
  json: (readiness, { options }, template) => asJson(template, options.status, readiness),
  text: (readiness, { options: { csv, status } }, template) =>
    csv ? csvOf(template, readiness) : readinessLines(template, status, readiness),
});

export const commands: Noun = {
  name: 'template',
  description: 'list the product groups, and show the fields that the passport of each should have',
  commands: [
    command({
      name: 'list',
      about: 'nothing',
      description: 'list the product groups: the values of product_group in the API',
      example: 'template list',
      options: { json: jsonFlag },
      run: () =>
        templateKeys.map(templateOf).map(({ key, version, title, fields }) => ({
          key,
          version,
          title,
          fields: fields.length,
          required_fields: fields.filter(({ required }) => required).length,
        })),
      table: {
        header: ['GROUP', 'FIELDS', 'REQUIRED', 'VERSION', 'TITLE'],
        row: (each) => [
          each.key,
          String(each.fields),
          String(each.required_fields),
          String(each.version),
          each.title.en,
        ],
        empty: () => 'There are no templates.',
      },
    }),
    command({
      name: 'show',
      about: 'nothing',
      description:
        'show the fields of a product group: key, label, type, possible values, whether it is required, for which category, ' +
        'and who may see it',
      example: 'template show textile',
      arguments: [groupArgument],
      options: { json: jsonFlag },
      run: (_context, template) => template,
      text: linesOf,
    }),
    blankCommand(groupArgument),
    readiness,
  ],
};

function linesOf(template: Template): string[] {
  const { key, version, title, scans, fields, rules, data_points: list } = template;
  const rows = fields.map((field) => [
    field.key,
    kindOf({ type: field.type, unit: field.unit }),
    requirementOf(field, template),
    ...(list ? [field.points?.join(', ') ?? ''] : []),
    field.belongs.to,
    field.access_level,
    field.label.en,
    field.source,
  ]);
  const values = fields.flatMap((field) => {
    const options = field.options
      ?.map(({ code }) => [code, remarkOn(field, code, template)].filter(Boolean).join(': '))
      .join(', ');
    const shape = field.items || field.members ? kindOf(field) : undefined;
    const parts = partsOf(field, template).map((part, index) => `(${String.fromCharCode(97 + index)}) ${part}`);
    const texts = [options, shape, ...rangesOf(field), ...parts].filter((text) => text !== undefined);
    return texts.length > 0 ? [[field.key, texts.join('; ')]] : [];
  });
  return [
    `${key}: ${title.en}, version ${version}`,
    ...section(['FIELD', 'TYPE', 'REQUIRED', ...(list ? ['POINT'] : []), 'OF', 'ACCESS', 'LABEL', 'SOURCE HINT'], rows),
    ...section(['FIELD', 'VALUES'], values),
    ...section(
      ['FIELD', 'CONDITIONAL: IT APPLIES'],
      fields.map((field) => [field.key, conditionOf(field, template)]).filter(([, when]) => when !== ''),
    ),
    ...section(
      ['RULE', 'KIND', 'REASON'],
      rules.map((rule) => [ruleWords(rule), rule.blocks ? 'finding' : 'note', rule.why]),
    ),
    ...(list ? ['', ...wrapped(citationOf(list))] : []),
    '',
    ...wrapped(
      `Your server shows an example of each value, and a body that completes a passport, at /docs/fields/${key}.`,
    ),
    ...(scans ? [] : ['Views of its passports are not counted: the law forbids to track their use.']),
    'A source hint says where the idea of a field comes from. It is not legal advice.',
  ];
}

/** @param group the key of a template */
function templateOfGroup(group: string): Template {
  if (templateKeys.includes(group)) return templateOf(group);
  throw new InvalidArgumentError(
    `List the product groups with ${commandHint('template list', undefined)}.${didYouMean(group, templateKeys)}`,
  );
}

async function* walkPassports(
  database: Knex,
  tenant: Tenant,
  { key }: Template,
  status: ProductStatus,
  progress: Progress,
) {
  let done = 0;
  for await (const products of walkProducts(database, tenant.id, { status, group: key })) {
    for await (const { row, ...passport } of walkValues(database, tenant.id, products)) {
      yield { product: row, ...passport };
      progress.report(++done);
    }
  }
}

function asJson({ key, version, data_points: list }: Template, status: ProductStatus, readiness: Readiness): object {
  return {
    ...{ product_group: key, template_version: version, status },
    ...readiness,
    /** The official list whose rules decide; `null`: the template has none. */
    data_points: list ? aboutOf(list) : null,
  };
}

function readinessLines(template: Template, status: ProductStatus, readiness: Readiness): string[] {
  const { on, products, ready, with_findings, incomplete, share, categories, requirements, most_missing } = readiness;
  const { key, version, title, data_points: list } = template;
  const needing = list ? ` that ${products === 1 ? 'needs' : 'need'} a passport` : '';
  return [
    `${key}: ${title.en}, version ${version}, ${status} products on ${on}`,
    '',
    `Ready: ${ready} of ${counted(products, 'product')}${needing}${share === null ? '' : `, ${share} %`}`,
    `Complete, but with values that do not fit the template: ${with_findings}`,
    `Incomplete: ${incomplete}`,
    ...section(
      ['CATEGORY', 'PRODUCTS', 'READY', 'WITH FINDINGS', 'INCOMPLETE'],
      categories.map(({ category, exempt, ...count }) => [
        ...[category ?? 'none, or not in the list', String(count.products)],
        ...(exempt ? ['needs no passport'] : [count.ready, count.with_findings, count.incomplete].map(String)),
      ]),
    ),
    ...section(
      [...(list ? ['POINT'] : []), 'MISSED BY', 'OF', 'FIELDS', ...(list ? ['LEGAL REFERENCE'] : [])],
      requirements.map(({ point, source, fields, products, missing }) => [
        ...(list ? [String(point ?? '-')] : []),
        ...[String(missing), String(products), fields.join(' ')],
        ...(list ? [source ?? '-'] : []),
      ]),
    ),
    ...section(
      ['PRODUCTS THAT MISS THE MOST', 'MISSING'],
      most_missing.map(({ slug, missing }) => [slug, String(missing)]),
    ),
    ...mendingLines(template, requirements),
    '',
    ...wrapped(
      'A product is ready if each required field has a value, and the values fit the template. Whether they are true is not ' +
        'checked. `product show` lists what does not fit.',
    ),
    ...(list ? wrapped(citationOf(list)) : []),
  ];
}

/** The commands that write missing fields to many passports. */
function mendingLines(template: Template, requirements: Readiness['requirements']): string[] {
  const missed = new Set(requirements.filter(({ missing }) => missing > 0).flatMap(({ fields }) => fields));
  const lineOf = (to: 'model' | 'item', how: string) => {
    const fields = [...missed].filter((key) => belongsTo(template, key) === to);
    if (fields.length === 0) return [];
    const more = fields.length > maxMended ? ` and ${fields.length - maxMended} more` : '';
    return wrapped(`Write ${fields.slice(0, maxMended).join(', ')}${more} ${how}.`);
  };
  const lines = [
    ...lineOf('model', 'to a model and all its items with `item set MODEL FILE`'),
    ...lineOf('item', 'to many items with `passport import FILE`'),
  ];
  return lines.length > 0 ? ['', ...lines] : [];
}

/** Fields that a sentence names. */
const maxMended = 5;

/** One table for spreadsheets. `kind` says what a row is. */
function csvOf({ key, data_points: list }: Template, readiness: Readiness): string[] {
  const { on, products, with_findings, incomplete, categories, requirements, most_missing } = readiness;
  const rows = [
    ['kind', 'name', 'fields', 'legal_reference', 'products', 'missing', 'with_findings'],
    ['group', `${key} on ${on}`, '', '', products, incomplete, with_findings],
    ...categories.map(({ category, exempt, products, incomplete, with_findings }) => [
      ...[exempt ? 'category without passport' : 'category', category ?? 'none', '', '', products],
      ...(exempt ? ['', ''] : [incomplete, with_findings]),
    ]),
    ...requirements.map(({ point, source, fields, products, missing }) => [
      ...[
        point === null ? 'field' : 'data point',
        point ?? fields[0],
        fields.join(' '),
        source ?? '',
        products,
        missing,
        '',
      ],
    ]),
    ...most_missing.map(({ slug, missing }) => ['product', slug, '', '', '', missing, '']),
    ...(list ? [['source', citationOf(list), '', '', '', '', '']] : []),
  ];
  return rows.map(csvLine);
}

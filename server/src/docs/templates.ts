/** The fields of each product group in the reference, and a request body that completes its passport. */
import { readFileSync } from 'node:fs';
import { placeholders, requirementsOn } from '@product-passport/openapi';
import {
  conditionOf,
  kindOf,
  partsOf,
  rangesOf,
  remarkOn,
  requirementOf,
  ruleWords,
  type TemplateField,
  templateKeys,
  templateOf,
} from '../templates/catalogue.ts';
import { keyVariable } from './examples.ts';

const read = <Data>(name: string): Data =>
  JSON.parse(readFileSync(new URL(`../../data/${name}.json`, import.meta.url), 'utf8'));

interface Demo {
  products: { product_group: string; values: { field_key: string; value: unknown; is_unknown?: boolean }[] }[];
}

/** Finds example values: of the category, of the group, of the group's products in the demo, or of any group. */
function exampleValues(): (group: string, field: TemplateField, category?: string) => unknown {
  const examples = read<Record<string, Record<string, unknown>>>('examples');
  const { products } = read<Demo>('demo_products');
  return (group, field, category) => {
    const demo = products
      .filter(({ product_group }) => product_group === group)
      .flatMap(({ values }) => values)
      .find(({ field_key, value, is_unknown }) => field_key === field.key && !is_unknown && value !== null);
    const { [`${group}.${category}`]: special, [group]: own, any } = examples;
    const known = [special, own, demo && { [field.key]: demo.value }, any];
    const values = known.find((each) => each && Object.hasOwn(each, field.key));
    return values ? values[field.key] : otherwise(field);
  };
}

/** A value by the type alone. */
function otherwise({ key, type, options = [] }: TemplateField): unknown {
  const [first] = options;
  if (first) return first.code;
  if (type === 'boolean') return true;
  if (type === 'country_code') return 'DE';
  throw new Error(`server/data/examples.json has no example of ${key}.`);
}

/** What to send for a field. An absent access level is public, and an absent unit is none. */
function elementOf(field: TemplateField, value: unknown) {
  return {
    field_key: field.key,
    value,
    ...(field.unit === null ? {} : { unit: field.unit }),
    ...(field.access_level === 'public' ? {} : { access_level: field.access_level }),
  };
}

/** A value on one line. JSON has no line break inside a text. */
const jsonLine = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');

/**
 * The content of every group's page, in the order of the catalogue.
 *
 * @param day the day on which the bodies are complete
 */
export function groupPages(siteUrl: string, titleOf: (section: string) => string, day: string) {
  const exampleOf = exampleValues();
  return templateKeys.map((key) => {
    const template = templateOf(key);
    const { title, version, fields, rules, data_points: list } = template;
    // By the list, each category needs other fields.
    const bodies = Object.keys(list?.points[0]?.rules ?? { '': '' }).map((category) => {
      const elements = fields.map((field) => elementOf(field, exampleOf(key, field, category)));
      const { required } = requirementsOn(template, elements, day);
      const keys = required.map((field) => field.key);
      const lines = elements.filter(({ field_key }) => keys.includes(field_key)).map((one) => `  ${jsonLine(one)}`);
      const options = fields.find((field) => field.key === list?.category)?.options;
      const title = options?.find(({ code }) => code === category)?.label.en;
      return { category, title, required: lines.length, text: `[\n${lines.join(',\n')}\n]` };
    });
    const listed = fields.map((field) => ({
      ...field,
      // In words: `number, kg`.
      kind: kindOf(field),
      ranges: rangesOf(field),
      example: jsonLine(elementOf(field, exampleOf(key, field))),
      // By category if an official list decides.
      requirement: requirementOf(field, template),
      condition: conditionOf(field, template),
      parts: partsOf(field, template),
      remarkOn: (code: string) => remarkOn(field, code, template),
    }));
    const sections = Map.groupBy(listed, ({ section }) => section);
    return {
      key,
      title: title.en,
      version,
      sections: [...sections].map(([section, own]) => ({ title: titleOf(section), fields: own })),
      rules: rules.map((rule) => ({ ...rule, words: ruleWords(rule) })),
      placeholders: Object.values(placeholders).join(', '),
      total: fields.length,
      // Why fields belong to the model or to the item, each once.
      reasons: [...new Set(fields.map(({ belongs }) => belongs.why))],
      // The official list that decides what counts.
      list,
      // The bodies of a `PUT` that complete a passport on the day: one, or one for each category.
      bodies,
      day,
      ...calls(key, siteUrl),
    };
  });
}

/** The two calls of a first passport. */
function calls(group: string, siteUrl: string) {
  const products = `${siteUrl}/api/v1/products`;
  const key = `-H "Authorization: Bearer $${keyVariable}"`;
  const json = `-H 'Content-Type: application/json'`;
  const slug = `my-${group.replaceAll('_', '-')}`;
  const product = JSON.stringify({ name: `My ${group.replaceAll('_', ' ')}`, slug, product_group: group });
  return {
    create: [`curl ${products}`, key, json, `-d '${product}'`].join(' \\\n  '),
    put: [`curl -X PUT ${products}/${slug}/passport`, key, json, '-d @passport.json'].join(' \\\n  '),
  };
}

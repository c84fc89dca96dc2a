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

interface Values {
  products: { product_group: string; values: { field_key: string; value: unknown; is_unknown?: boolean }[] }[];
}

const read = <Data>(name: string): Data =>
  JSON.parse(readFileSync(new URL(`../../data/${name}.json`, import.meta.url), 'utf8'));

/** Finds example values: those of the demo's products, and others for fields that the demo does not have. */
function exampleValues(): (group: string, field: TemplateField) => unknown {
  const { products } = read<Values>('demo_products');
  const written = new Map(Object.entries(read<Record<string, unknown>>('examples')));
  const known = new Map<string, unknown>();
  for (const { product_group, values } of products) {
    for (const { field_key, value, is_unknown } of values) {
      if (is_unknown || value === null) continue;
      for (const name of [`${product_group}.${field_key}`, field_key]) if (!known.has(name)) known.set(name, value);
    }
  }
  return (group, field) => {
    const named = [`${group}.${field.key}`, field.key];
    const name = named.find((one) => written.has(one) || known.has(one)) ?? '';
    const value = written.get(name) ?? known.get(name);
    const isOption = field.options?.some(({ code }) => code === value) ?? true;
    return value === undefined || !isOption ? otherwise(field) : value;
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
    const elements = new Map(fields.map((field) => [field, elementOf(field, exampleOf(key, field))]));
    const { required, category = '' } = requirementsOn(template, [...elements.values()], day);
    const listed = fields.map((field) => ({
      ...field,
      // In words: `number, kg`.
      kind: kindOf(field),
      ranges: rangesOf(field),
      example: jsonLine(elements.get(field)),
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
      required: required.length,
      total: fields.length,
      // Why fields belong to the model or to the item, each once.
      reasons: [...new Set(fields.map(({ belongs }) => belongs.why))],
      // The official list that decides what counts, and what the body is complete for.
      list: list && { ...list, category_of_body: category, day },
      // The body of a `PUT` that completes a passport.
      body: `[\n${required.map((field) => `  ${jsonLine(elements.get(field))}`).join(',\n')}\n]`,
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

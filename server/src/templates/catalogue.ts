import { readFileSync } from 'node:fs';

export interface TemplateField {
  key: string;
  label: { en: string; de?: string };
  type: string;
  unit: string | null;
  access_level: 'public' | 'restricted' | 'authority';
  required: boolean;
  section: string;
}

/** The fields that the passport of a product group should have. */
export interface Template {
  key: string;
  version: number;
  title: { en: string; de?: string };
  fields: TemplateField[];
}

const catalogue: Template[] = JSON.parse(readFileSync(new URL('../../data/templates.json', import.meta.url), 'utf8'));
const byKey = new Map(catalogue.map((template) => [template.key, template]));

/** The keys of all templates, in the catalogue's order. */
export const templateKeys = [...byKey.keys()];

/** The template of a product group. Without a group, `other` applies. */
export function templateOf(productGroup: string | null): Template {
  const template = byKey.get(productGroup ?? 'other');
  if (!template) throw new Error(`There is no template ${productGroup}.`);
  return template;
}

import { readFile } from 'node:fs/promises';

interface Template {
  key: string;
  fields: { key: string; type: string; unit: string | null; options?: string[] }[];
}

/** The TypeScript type of a field's value. Add a case for each new kind of field. */
function typeOf({ type, options = [] }: Template['fields'][number]): string {
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
      return 'readonly unknown[]';
    case 'object':
      return 'Readonly<Record<string, unknown>>';
    case 'enum':
      return options.map((option) => JSON.stringify(option)).join(' | ');
    default:
      throw new Error(
        `The templates have a field of the type ${type}. Add its TypeScript type to tools/field-types.ts.`,
      );
  }
}

/** A module with the keys of each group's fields, for checks at run time. */
export async function fieldKeys(templates: URL): Promise<string> {
  const groups: Template[] = JSON.parse(await readFile(templates, 'utf8'));
  const entries = groups.map(({ key, fields }) => `  ${key}: '${fields.map((field) => field.key).join(' ')}',`);
  return `export const fieldKeys = {\n${entries.join('\n')}\n} as const;\n`;
}

/**
 * An interface with an entry for each product group, which has the types of the group's fields.
 *
 * @param english the words of the English pages, for the docstrings
 */
export async function fieldTypes(templates: URL, english: URL): Promise<string> {
  const groups: Template[] = JSON.parse(await readFile(templates, 'utf8'));
  const { fields: labels }: { fields: Record<string, string> } = JSON.parse(await readFile(english, 'utf8'));
  const labelOf = (group: string, key: string) => labels[`${group}.${key}`] ?? labels[key];
  const lines = groups.flatMap(({ key, fields }) => [
    `  ${key}: {`,
    ...fields.flatMap((field) => [
      `    /** ${labelOf(key, field.key)}${field.unit ? `, in ${field.unit}` : ''}. */`,
      `    ${field.key}: ${typeOf(field)};`,
    ]),
    '  };',
  ]);
  return `export interface Fields {\n${lines.join('\n')}\n}\n`;
}

/** The schemas of the contract in words: types, limits, and the fields of objects. */
import {
  allBelow,
  below,
  type ContractNode,
  isRecord,
  keyword,
  limitsOf as limitsInWords,
  type Schema,
} from '@product-passport/openapi';
import type { Markdown } from './markdown.ts';

/** A parameter or a field. Texts are HTML. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  limits: string[];
  /** The fields of an object, or of the objects in an array. */
  fields: Field[];
}

/** How a schema is described. */
export interface Describe {
  markdown: Markdown;
  /** The address of a named schema. */
  addressOfSchema: (name: string) => string;
}

/** The name of a schema under `components/schemas`, or `undefined`. */
export function schemaName({ steps }: ContractNode): string | undefined {
  const [first, second, name, ...rest] = steps;
  return first === 'components' && second === 'schemas' && rest.length === 0 ? name : undefined;
}

/** The schemas that a combining keyword lists. */
function listedBelow(schema: ContractNode, name: string): ContractNode[] {
  return allBelow(below(schema, name)).map(([, node]) => node);
}

/** The type in words, with links to named schemas. */
export function typeOf(schema: ContractNode, describe: Describe): string {
  const name = schemaName(schema);
  return name === undefined ? ownType(schema, describe) : `<a href="${describe.addressOfSchema(name)}">${name}</a>`;
}

/** The type of a schema without its own name. */
export function ownType(schema: ContractNode, describe: Describe): string {
  const combined = [...listedBelow(schema, 'oneOf'), ...listedBelow(schema, 'anyOf')];
  if (combined.length > 0) return combined.map((one) => typeOf(one, describe)).join(' or ');
  const type = keyword(schema, 'type');
  const items = below(schema, 'items');
  if (type === 'array' && items) return `array of ${typeOf(items, describe)}`;
  if (Array.isArray(type)) return type.join(' or ');
  const [whole] = listedBelow(schema, 'allOf');
  if (typeof type !== 'string' && whole) return typeOf(whole, describe);
  const constant = keyword(schema, 'const') ?? member0(keyword(schema, 'enum'));
  return String(type ?? (constant === undefined ? 'any JSON value' : typeof constant));
}

const member0 = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** The limits of a schema, and the codes of the errors when a value breaks one. */
export function limitsOf(schema: ContractNode, { markdown }: Describe): string[] {
  const limits = limitsInWords(schema.value as Schema).map(({ text }) => inline(markdown, text));
  const codes = keyword(schema, 'x-error-codes');
  const distinct = isRecord(codes) ? [...new Set(Object.values(codes))] : [];
  if (distinct.length === 0) return limits;
  return [...limits, `otherwise ${distinct.map((one) => inline(markdown, `\`${one}\``)).join(' or ')}`];
}

/** One line of Markdown without its paragraph. */
export function inline(markdown: Markdown, text: string): string {
  return markdown(text).replace(/^<p>|<\/p>\s*$/g, '');
}

/** The fields of an object, of the elements of an array, and of everything that `allOf` adds. Named schemas are links. */
export function fieldsOf(schema: ContractNode, describe: Describe): Field[] {
  const required = keyword(schema, 'required');
  const names = Array.isArray(required) ? required : [];
  const own = allBelow(below(schema, 'properties')).map(([name, node]) =>
    fieldOf(name, node, names.includes(name), describe),
  );
  const parts = [...listedBelow(schema, 'allOf'), ...[below(schema, 'items') ?? []].flat()];
  return [...own, ...parts.flatMap((part) => (schemaName(part) === undefined ? fieldsOf(part, describe) : []))];
}

/** A named schema is described on its own, so only its name and first limits appear here. */
function fieldOf(name: string, schema: ContractNode, isRequired: boolean, describe: Describe): Field {
  const isNamed = schemaName(schema) !== undefined;
  return {
    name,
    type: typeOf(schema, describe),
    isRequired,
    description: describe.markdown(String(keyword(schema, 'description') ?? '')),
    limits: limitsOf(schema, describe),
    fields: isNamed ? [] : fieldsOf(schema, describe),
  };
}

/** A parameter of an operation. */
export function parameterOf(parameter: ContractNode, describe: Describe): Field {
  const schema = below(parameter, 'schema');
  if (!schema) throw new Error(`openapi.yaml has a parameter without a schema: ${parameter.steps.join('/')}.`);
  return {
    name: String(keyword(parameter, 'name')),
    type: `${typeOf(schema, describe)} in the ${keyword(parameter, 'in')}`,
    isRequired: keyword(parameter, 'required') === true,
    description: describe.markdown(String(keyword(parameter, 'description') ?? '')),
    limits: limitsOf(schema, describe),
    fields: [],
  };
}

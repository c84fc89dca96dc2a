/** What a later version of the contract may add to responses: a field in each object, and values of open sets. */
import { isRecord, type Schema } from '@product-passport/openapi';
import type { Disturbance } from './disturbances.ts';

const addedField = 'added_later';
const addedValue = 'added_later';

/** A program may have sent it, and may compare it with the response. */
const unchanged = new Set(['product_group']);

/** The body with additions. `schema` is that of the response. */
export function withAdditions(body: unknown, schema: Schema, kinds: ReadonlySet<Disturbance>): unknown {
  if (Array.isArray(body)) {
    return body.map((element) => (schema.items ? withAdditions(element, schema.items, kinds) : element));
  }
  if (isRecord(body)) return objectWithAdditions(body, schema, kinds);
  const isOpen = schema['x-extensible-enum'] !== undefined && typeof body === 'string';
  return isOpen && kinds.has('values') ? addedValue : body;
}

function objectWithAdditions(
  body: Readonly<Record<string, unknown>>,
  schema: Schema,
  kinds: ReadonlySet<Disturbance>,
): unknown {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  if (names.length === 0) return body;
  const members = Object.entries(body).map(([name, value]): [string, unknown] => {
    const member = properties[name];
    return [name, member === undefined || unchanged.has(name) ? value : withAdditions(value, member, kinds)];
  });
  // A program may add up the numbers of such an object.
  const isTable = Object.values(body).every((value) => typeof value === 'number');
  if (kinds.has('fields') && !isTable) members.unshift([addedField, { since: 'a later version' }]);
  return Object.fromEntries(members);
}

function propertiesOf({ properties = {}, allOf = [] }: Schema): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...allOf.map(propertiesOf), properties);
}

/** A request body without the added fields: a program may send back what it read. */
export function withoutAdditions(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutAdditions);
  if (!isRecord(body)) return body;
  const members = Object.entries(body).filter(([name]) => name !== addedField);
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'value' ? value : withoutAdditions(value)]));
}

/**
 * Turns the contract's schemas into checks. The schemas are open, so that v1 can grow. A check closes them, so that an
 * undocumented field does not leak unnoticed.
 */

import { isRecord, mapValues, member, type Schema } from '@product-passport/openapi';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { shown } from './finding.ts';

/**
 * `reference` applies the whole contract, and no list of known values may grow. `description` leaves out everything
 * that `x-origin` marks:
 * - A marked field may have any value or be absent, and its object may have other fields.
 * - A field that is marked in `required` may be absent or null.
 * - A list of values may have other values if one of them is marked, or if the list may grow.
 */
export type Rules = 'reference' | 'description';

export interface Reading {
  readonly rules: Rules;
  /** `closed`: an undocumented field is a violation. `open`: it is ignored, as the reference server does in requests. */
  readonly objects: 'closed' | 'open';
}

export const closed: Reading = { rules: 'reference', objects: 'closed' };

/** The schema as JSON Schema 2020-12, with the contract's `x-` keywords. */
function readSchema(schema: Schema, reading: Reading): Schema {
  const parts = readParts(schema, reading);
  const close = reading.objects === 'closed' && describesObject(parts) && !(isLax(reading) && hasMarkedField(schema));
  return close ? { ...parts, unevaluatedProperties: false } : parts;
}

/** A function that returns all violations of a schema. It compiles each schema once. */
export function violationsBy(reading: Reading): (schema: Schema, value: unknown) => readonly ErrorObject[] {
  const checks = new WeakMap<Schema, ValidateFunction>();
  return (schema, value) => {
    const check = checks.get(schema) ?? ajv.compile(readSchema(schema, reading));
    checks.set(schema, check);
    return check(value) ? [] : relevant(check.errors ?? []);
  };
}

/** At one place, a wrong type hides the other violations, and a short list of values a longer one. */
function relevant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  const shortest = new Map<string, number>();
  for (const error of errors) {
    const { instancePath } = error;
    shortest.set(instancePath, Math.min(allowed(error), shortest.get(instancePath) ?? Number.POSITIVE_INFINITY));
  }
  return errors.filter((error) => {
    const { keyword, instancePath } = error;
    if (keyword === 'enum') return !mistyped.has(instancePath) && allowed(error) === shortest.get(instancePath);
    return keyword === 'type' || !mistyped.has(instancePath);
  });
}

/** The number of values that a `const` or an `enum` allows. */
function allowed({ keyword, params }: ErrorObject): number {
  if (keyword === 'const') return 1;
  return keyword === 'enum' ? params.allowedValues.length : Number.POSITIVE_INFINITY;
}

/** The place of a violation, as a JSON pointer into the value, and a description. */
export function describeError(error: ErrorObject): { readonly where: string; readonly what: string } {
  const { keyword, params, instancePath, data } = error;
  const child = (name: unknown) => `${instancePath}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (keyword) {
    case 'required':
      return { where: child(params.missingProperty), what: 'is missing' };
    case 'unevaluatedProperties':
      return { where: child(params.unevaluatedProperty), what: 'is not declared in the contract' };
    case 'const':
      return { where: instancePath, what: `must be ${shown(params.allowedValue)}, is ${shown(data)}` };
    case 'enum':
      return { where: instancePath, what: `must be one of ${shown(params.allowedValues)}, is ${shown(data)}` };
    default:
      return { where: instancePath, what: `${error.message ?? `breaks ${keyword}`}, is ${shown(data)}` };
  }
}

/** The number of nested arrays and objects: 0 for a scalar, 1 for `[]`. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The number of arrays, objects and scalars in a value, including the value. */
function nodesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((nodes: number, part) => nodes + nodesOf(part), 1);
}

const ajv = new Ajv2020({ allErrors: true, verbose: true, strictTypes: false, strictRequired: false });
addFormats.default(ajv);
ajv.addVocabulary(['x-origin', 'x-clamp', 'x-error-codes', 'x-demands', 'x-extensible-enum']);
ajv.addKeyword({
  keyword: 'x-max-depth',
  schemaType: 'number',
  validate: (max: number, value: unknown) => depthOf(value) <= max,
});
ajv.addKeyword({
  keyword: 'x-max-nodes',
  schemaType: 'number',
  validate: (max: number, value: unknown) => nodesOf(value) <= max,
});
ajv.addKeyword({
  keyword: 'x-trim',
  type: 'string',
  schemaType: 'boolean',
  before: 'maxLength',
  modifying: true,
  validate: (trim: boolean, value: string, _schema, context) => {
    if (trim && context !== undefined) context.parentData[context.parentDataProperty] = value.trim();
    return true;
  },
});

/** Keywords with several schemas for one value. The fields of all of them are allowed, so none is closed alone. */
const inPlace = ['allOf', 'anyOf', 'oneOf'];

/** Keywords that closing does not support: fields could leak through them, or `not` could reverse the check. */
const unsupported = ['$ref', 'not', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems', 'contains'];

function readParts(schema: Schema, reading: Reading): Schema {
  const found = unsupported.filter((keyword) => keyword in schema);
  if (found.length > 0) throw new Error(`The judge does not support ${found.join(', ')} in a schema.`);
  if (isLax(reading) && isMarked(schema)) return {};
  const binding = isLax(reading) ? withoutMarks(schema) : schema;
  const { 'x-extensible-enum': known, ...rest } = foldNull(binding);
  const parts = Object.entries(rest).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'properties' && isRecord(value)) return [keyword, mapValues(value, read)];
    if ((keyword === 'items' || keyword === 'additionalProperties') && isRecord(value)) return [keyword, read(value)];
    if (inPlace.includes(keyword) && Array.isArray(value))
      return [keyword, value.map((part) => readParts(part, reading))];
    return [keyword, value];
  });
  return { ...Object.fromEntries(parts), ...(known === undefined ? {} : knownValues(known, rest, reading)) };

  function read(part: unknown): Schema {
    return readSchema(part as Schema, reading);
  }
}

function knownValues(known: readonly string[], schema: Schema, reading: Reading): Schema {
  const nullable = Array.isArray(schema.type) && schema.type.includes('null');
  if (isLax(reading)) return { 'x-extensible-enum': known };
  return { 'x-extensible-enum': known, enum: [...known, ...(nullable ? [null] : [])] };
}

/** Merges `oneOf: [X, null]` into one schema, so that a finding names the violation of X and not of the `oneOf`. */
function foldNull(schema: Schema): Schema {
  const { oneOf, ...outer } = schema;
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return schema;
  const inner: unknown = oneOf.find((choice) => choice.type !== 'null');
  const hasNull = oneOf.some((choice) => choice.type === 'null');
  if (!hasNull || !isRecord(inner) || typeof inner.type !== 'string' || 'enum' in inner) return schema;
  return { ...inner, ...outer, type: [inner.type, 'null'] };
}

function isLax({ rules }: Reading): boolean {
  return rules === 'description';
}

/** Whether the whole part is marked, and not single keywords of it. */
export function isMarked(part: unknown): boolean {
  return member(part, 'x-origin') === 'reference';
}

/** The service's own description has no lengths, depths and clamps, so these keywords need no mark. */
const unmarked = ['minLength', 'maxLength', 'minItems', 'x-clamp', 'x-max-depth', 'x-max-nodes', 'x-trim'];

/** The schema without its marked keywords (`x-origin: {pattern: reference}`), values and fields. */
export function withoutMarks(schema: Schema): Schema {
  const marks = isRecord(schema['x-origin']) ? schema['x-origin'] : {};
  const marked = (name: string) => marks[name] === 'reference';
  const parts = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (unmarked.includes(keyword) || marked(keyword)) return [];
    if (keyword === 'enum' && Array.isArray(value) && value.some(marked)) return [];
    if (keyword === 'required' && Array.isArray(value)) {
      return [[keyword, value.filter((name) => !marked(name) && !isMarked(member(schema.properties, name)))]];
    }
    if (keyword === 'properties' && isRecord(value)) return [[keyword, withNull(value, marked)]];
    if (keyword === 'x-error-codes' && isRecord(value)) {
      return [[keyword, Object.fromEntries(Object.entries(value).filter(([name]) => !marked(`${keyword}.${name}`)))]];
    }
    return [[keyword, value]];
  });
  return Object.fromEntries(parts);
}

/** Fields that are marked in `required` may be null. */
function withNull(
  fields: Readonly<Record<string, unknown>>,
  marked: (name: string) => boolean,
): Readonly<Record<string, unknown>> {
  const nullable = (field: unknown) => {
    const types = [member(field, 'type') ?? []].flat();
    return isRecord(field) && types.length > 0 ? { ...field, type: [...new Set([...types, 'null'])] } : field;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, marked(name) ? nullable(field) : field]),
  );
}

function hasMarkedField(schema: Schema): boolean {
  const fields = isRecord(schema.properties) ? Object.values(schema.properties) : [];
  return fields.some(isMarked) || partsOf(schema).some(hasMarkedField);
}

/** The schemas inside `allOf`, `anyOf` and `oneOf`. */
function partsOf(schema: Schema): Schema[] {
  return inPlace.flatMap((keyword) => (schema[keyword] ?? []) as Schema[]);
}

/** A schema with fields but without a type narrows another part of an `allOf`, which closes the object. */
function describesObject(schema: Schema): boolean {
  const type = schema.type;
  if (type === 'object' || (Array.isArray(type) && type.includes('object'))) return true;
  return partsOf(schema).some(describesObject);
}

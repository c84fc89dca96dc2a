/**
 * How a schema of the contract is read by one who judges. The contract's schemas are open, so that v1 can grow; a
 * judge closes them, so that nothing leaks unseen.
 */

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord, mapValues, member, type Schema } from './contract.ts';

/**
 * `reference` takes every word of the contract as binding and every set of known values as complete. `description`
 * leaves out what `x-origin` marks: a field that is marked whole may be anything and be absent, and the object that it
 * stands in stays open, since its other names are not known; a set of which a value is marked stays open too, and so
 * does one that may grow.
 */
export type Profile = 'reference' | 'description';

export interface Reading {
  readonly profile: Profile;
  /** `closed`: a field that no schema names is a violation. `open`: it is ignored, as in requests. */
  readonly objects: 'closed' | 'open';
}

export const closed: Reading = { profile: 'reference', objects: 'closed' };

/** The schema as plain JSON Schema 2020-12 (with the contract's `x-` keywords left in). */
export function readSchema(schema: Schema, reading: Reading): Schema {
  const parts = readParts(schema, reading);
  const close = reading.objects === 'closed' && describesObject(parts) && !(isLax(reading) && hasMarkedField(schema));
  return close ? { ...parts, unevaluatedProperties: false } : parts;
}

/** A compiled check of a schema that was read. `errorsOf` gives its violations in a value, all of them. */
export function compile(schema: Schema): ValidateFunction {
  return ajv.compile(schema);
}

/** The violations of a value, of which a wrong type hides the others at its place. */
export function errorsOf(check: ValidateFunction, value: unknown): readonly ErrorObject[] {
  if (check(value)) return [];
  const errors = check.errors ?? [];
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  return errors.filter(({ keyword, instancePath }) => keyword === 'type' || !mistyped.has(instancePath));
}

/** Where in the value the violation is, as a JSON pointer, and what it is. */
export function describeError(error: ErrorObject): { readonly where: string; readonly what: string } {
  const { keyword, params, instancePath, data } = error;
  const beneath = (name: unknown) => `${instancePath}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  switch (keyword) {
    case 'required':
      return { where: beneath(params.missingProperty), what: 'is missing' };
    case 'unevaluatedProperties':
      return { where: beneath(params.unevaluatedProperty), what: 'is not declared in the contract' };
    case 'const':
      return { where: instancePath, what: `must be ${shown(params.allowedValue)}, is ${shown(data)}` };
    case 'enum':
      return { where: instancePath, what: `must be one of ${shown(params.allowedValues)}, is ${shown(data)}` };
    default:
      return { where: instancePath, what: `${error.message ?? `breaks ${keyword}`}, is ${shown(data)}` };
  }
}

/** A value in a finding: enough to recognise it by. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Arrays and objects inside one another: 0 for a scalar, 1 for `[]`. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Every array, object and scalar of a value, itself included. */
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
  validate: (most: number, value: unknown) => depthOf(value) <= most,
});
ajv.addKeyword({
  keyword: 'x-max-nodes',
  schemaType: 'number',
  validate: (most: number, value: unknown) => nodesOf(value) <= most,
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

/** Applicators of one value, which together say what it may have: none of them may be closed alone. */
const inPlace = ['allOf', 'anyOf', 'oneOf'];

/** Through these a field could leak unseen, or a closed schema mean its contrary: better to fail than to guess. */
const notRead = ['$ref', 'not', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems', 'contains'];

function readParts(schema: Schema, reading: Reading): Schema {
  const unknown = notRead.filter((keyword) => keyword in schema);
  if (unknown.length > 0) throw new Error(`The judge does not know how to read ${unknown.join(', ')}.`);
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

function knownValues(known: unknown, schema: Schema, reading: Reading): Schema {
  const nullable = Array.isArray(schema.type) && schema.type.includes('null');
  if (!Array.isArray(known) || isLax(reading)) return { 'x-extensible-enum': known };
  return { 'x-extensible-enum': known, enum: nullable ? [...known, null] : known };
}

/** `oneOf: [X, null]` as one schema, so that a violation is X's own and not that of a choice. */
function foldNull(schema: Schema): Schema {
  const { oneOf, ...outer } = schema;
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return schema;
  const inner: unknown = oneOf.find((choice) => choice.type !== 'null');
  const hasNull = oneOf.some((choice) => choice.type === 'null');
  if (!hasNull || !isRecord(inner) || typeof inner.type !== 'string' || 'enum' in inner) return schema;
  return { ...inner, ...outer, type: [inner.type, 'null'] };
}

function isLax({ profile }: Reading): boolean {
  return profile === 'description';
}

/** Whether a part of the contract is marked whole. */
export function isMarked(part: unknown): boolean {
  return member(part, 'x-origin') === 'reference';
}

/** Without what `x-origin` marks one by one: keywords, as in `{maxLength: reference}`, values, and whole fields. */
function withoutMarks(schema: Schema): Schema {
  const marks = isRecord(schema['x-origin']) ? schema['x-origin'] : {};
  const marked = (name: string) => marks[name] === 'reference';
  const parts = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (marked(keyword) || (keyword === 'enum' && Array.isArray(value) && value.some(marked))) return [];
    if (keyword !== 'required' || !Array.isArray(value)) return [[keyword, value]];
    return [[keyword, value.filter((name) => !marked(name) && !isMarked(member(schema.properties, name)))]];
  });
  return Object.fromEntries(parts);
}

function hasMarkedField(schema: Schema): boolean {
  const fields = isRecord(schema.properties) ? Object.values(schema.properties) : [];
  return fields.some(isMarked) || partsOf(schema).some(hasMarkedField);
}

/** The schemas that together say what one value may have. */
function partsOf(schema: Schema): Schema[] {
  return inPlace.flatMap((keyword) => (schema[keyword] ?? []) as Schema[]);
}

function describesObject(schema: Schema): boolean {
  const type = schema.type;
  if (type === 'object' || (Array.isArray(type) && type.includes('object')) || 'properties' in schema) return true;
  return partsOf(schema).some(describesObject);
}

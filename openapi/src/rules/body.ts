import type Joi from 'joi';
import { mustBeOneOf } from './closest.ts';
import { requireSupport, type Schema } from './contract.ts';
import { ContractError, type ErrorCode, type Path, place, type Violation } from './errors.ts';
import { exceededExtent } from './passport.ts';
import { readJson } from './read-json.ts';
import type { ServedOperation } from './side.ts';

export { faultForm } from './fault-form.ts';

/** Reads the bodies of an operation. Both methods throw a `ContractError` for the violation that comes first in the contract. */
export interface BodyReader {
  /** Reads JSON in UTF-8. */
  ofBytes(bytes: Uint8Array, headers: BodyHeaders, pause?: Pause): Promise<unknown>;
  /** Checks a parsed value. */
  ofValue(given: unknown): Promise<unknown>;
}

interface BodyHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/** Lets other work run before a long check continues. */
type Pause = () => Promise<void>;

const noPause: Pause = async () => {};

/** How many elements are checked between two pauses. */
const elementsAtOnce = 100;

const jsonType = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?(?:;[\t ]*)?$/i;

/** Joi's own messages quote the input, and take long to make. As `prefs` of a schema these options would slow the start. */
const options: Joi.ValidationOptions = { abortEarly: false, errors: { render: false } };

/** What a check of a body found. */
interface Checked {
  readonly body: unknown;
  readonly violations: Violation[];
}

/**
 * Makes the reader of a body, which may be an array or an object (`oneOf`).
 *
 * @param order the codes of the operation's 400, in the order of the checks
 */
export function bodyReader(joi: Joi.Root, schema: Schema, order: readonly string[]): BodyReader {
  const { oneOf: forms = [schema], 'x-max-nodes': maxNodes } = schema;
  const checks = forms.map((form) => ({ isArray: form.type === 'array', ...bodyCheck(joi, form) }));
  const [first] = checks;
  if (!first || checks.length > 2 || checks[1]?.isArray === first.isArray)
    throw new Error('openapi.yaml: the body of a request may be an array or an object, and nothing else.');
  const limits = { members: new Set(checks.flatMap(({ members }) => [...members])), maxNodes };
  const check = (given: unknown, pause: Pause): Promise<Checked> => {
    const { check } = checks.find(({ isArray }) => isArray === Array.isArray(given)) ?? first;
    return check(given, pause);
  };

  return {
    async ofBytes(bytes, headers, pause = noPause) {
      requireJsonType(bytes, headers);
      const { value, violations: others } = readJson(bytes, limits);
      const { body, violations } = await check(value, pause);
      // A body with too many nodes was not parsed: its elements are not known.
      const isRead = !others.some(({ isWhole }) => isWhole);
      const known = isRead ? violations : violations.filter(({ code }) => code !== 'invalid_request');
      throwFirst([...known, ...others], order);
      return body;
    },
    async ofValue(given) {
      const { body, violations } = await check(given, noPause);
      throwFirst(violations, order);
      return body;
    },
  };
}

/** The check of one form of a body. Elements of an array are checked one by one, once the array itself is valid. */
function bodyCheck(joi: Joi.Root, schema: Schema) {
  const { items, 'x-max-nodes': _, ...shell } = schema;
  const outer = joiSchema(joi, shell);
  const element = items && joiSchema(joi, items, [0]);
  const members = new Set(Object.keys((items ?? schema).properties ?? {}));

  /** An object without unknown members. Joi would take longer than parsing to drop them. */
  const known = (given: unknown): unknown => {
    // An object whose members the contract does not name may have any.
    if (typeof given !== 'object' || given === null || Array.isArray(given) || members.size === 0) return given;
    if (Object.keys(given).every((name) => members.has(name))) return given;
    return Object.fromEntries(Object.entries(given).filter(([name]) => members.has(name)));
  };

  async function check(given: unknown, pause: Pause): Promise<Checked> {
    const { value, error } = outer.validate(known(given), options);
    if (!element || error) return { body: value, violations: violationsOf(schema, error) };
    const body: unknown[] = [];
    const violations: Violation[] = [];
    for (const [index, one] of (given as unknown[]).entries()) {
      if (index > 0 && index % elementsAtOnce === 0) await pause();
      const { value, error } = element.validate(known(one), options);
      body.push(value);
      violations.push(...violationsOf(schema, error, [index]));
    }
    return { body, violations };
  }

  return { members, check };
}

/** The reader of the body of an operation. */
export function bodyReaderOf(
  joi: Joi.Root,
  { operations }: { readonly operations: readonly Pick<ServedOperation, 'operationId' | 'body' | 'codes'>[] },
  operationId: string,
): BodyReader {
  const { body, codes = [] } = operations.find((operation) => operation.operationId === operationId) ?? {};
  if (!body) throw new Error(`openapi.yaml has no body of ${operationId}.`);
  return bodyReader(joi, body.schema, codes);
}

function requireJsonType(bytes: Uint8Array, headers: BodyHeaders): void {
  if (bytes.length === 0) throw new ContractError('invalid_json', 'The request body is empty: send JSON.');
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!jsonType.test(type) || encoding.toLowerCase() !== 'identity') throw new ContractError('unsupported_media_type');
}

/** Throws the violation to report: one of the whole body first, then by the contract's order of codes. */
export function throwFirst(violations: readonly Violation[], order: readonly string[]): void {
  const rank = ({ isWhole, code }: Violation): number => (isWhole ? -1 : order.indexOf(code));
  const [first] = [...violations].sort((one, other) => rank(one) - rank(other));
  if (first) throw new ContractError(first.code, first.message);
}

/** The keywords that each type supports. A whole body may also have `x-max-nodes`. */
export const bodyKeywords: Readonly<Record<string, readonly string[]>> = {
  boolean: [],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
  string: ['maxLength', 'pattern', 'enum', 'x-extensible-enum', 'x-trim'],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required'],
  any: ['x-max-depth', 'x-max-nodes'],
};

/**
 * Makes a Joi schema from a schema of the contract. It drops unknown fields, converts values only by `x-trim` and
 * `default`, and counts lengths in code points.
 *
 * @throws for an unknown keyword, so that no rule of the contract is skipped unnoticed
 */
function joiSchema(joi: Joi.Root, schema: Schema, at: Path = []): Joi.Schema {
  const { base, isNullable } = flatten(schema, at);
  const type = String(base.type ?? 'any');
  requireSupport(place(at), base, bodyKeywords[type]);
  const made = ofType(joi, type, base, at);
  const nullable = isNullable ? made.allow(null) : made;
  return base.default === undefined ? nullable : nullable.default(base.default);
}

function ofType(joi: Joi.Root, type: string, base: Schema, at: Path): Joi.Schema {
  const custom = <Value>(made: Joi.Schema, faultOf: (value: Value) => string | undefined): Joi.Schema =>
    made.custom((value, { error }) => {
      const keyword = faultOf(value);
      return keyword === undefined ? value : error(keyword);
    });
  switch (type) {
    case 'boolean':
      return joi.boolean().strict();
    case 'integer':
    case 'number':
      return numberSchema(joi, type, base);
    case 'string': {
      // Without a minimum Joi refuses an empty text before it calls the rules.
      const text = joi.string().min(0);
      return custom(base['x-trim'] ? text.trim() : text, textFault(base));
    }
    case 'array': {
      const list = joi.array().items(base.items ? joiSchema(joi, base.items, [...at, 0]) : joi.any());
      const filled = base.minItems === undefined ? list : list.min(base.minItems);
      return base.maxItems === undefined ? filled : filled.max(base.maxItems);
    }
    case 'object': {
      const members = Object.entries(base.properties ?? {}).map(([name, property]) => {
        const made = joiSchema(joi, property, [...at, name]);
        return [name, base.required?.includes(name) ? made.required() : made];
      });
      return members.length === 0 ? joi.object().unknown() : joi.object(Object.fromEntries(members));
    }
    default:
      return custom(joi.any(), (value) => exceededExtent(value, base['x-max-depth'], base['x-max-nodes']));
  }
}

/** The reader of JSON has refused what a double does not carry, so a large number is safe here. */
function numberSchema(joi: Joi.Root, type: string, { minimum, maximum }: Schema): Joi.Schema {
  const any = joi.number().strict().unsafe();
  const made = type === 'integer' ? any.integer() : any;
  const bounded = minimum === undefined ? made : made.min(minimum);
  return maximum === undefined ? bounded : bounded.max(maximum);
}

/** Merges `oneOf` with null, `allOf` with one schema, and a type list with null into one schema. */
function flatten(schema: Schema, at: Path = []): { base: Schema; isNullable: boolean } {
  const { oneOf, allOf, ...own } = schema;
  const isValue = (type: unknown): boolean => type !== 'null';
  const [only, ...others] = (oneOf ?? allOf ?? [own]).filter(({ type }) => isValue(type));
  const types = [own.type ?? []].flat();
  const [type = only?.type, second] = types.filter(isValue);
  if (!only || others.length > 0 || second)
    throw new Error(`openapi.yaml: ${place(at)} of a request allows several types.`);
  const base = { ...only, ...own, ...(type === undefined ? {} : { type }) };
  return { base, isNullable: types.includes('null') || (oneOf?.length ?? 1) > 1 };
}

/** Makes the function that returns the keyword that a text violates. */
function textFault(schema: Schema): (text: string) => string | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, pattern, enum: known, 'x-extensible-enum': extensible } = schema;
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (text) => {
    if (expression && !expression.test(text)) return 'pattern';
    if (known && !known.includes(text)) return 'enum';
    if (extensible && !extensible.includes(text)) return 'x-extensible-enum';
    return isLonger(text, maxLength) ? 'maxLength' : undefined;
  };
}

/** Whether a text has more code points than a limit. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}

/** The violations that Joi found, in the words of the contract. */
export function violationsOf(schema: Schema, error: Joi.ValidationError | undefined, at: Path = []): Violation[] {
  return (error?.details ?? []).map(({ type, path: below, context }) => {
    const path = [...at, ...below];
    const violated = schemaAt(schema, path);
    const keyword = keywordOf(type, context?.value);
    // For an element of a list, null is a wrong type like any other.
    const isElement = typeof path.at(-1) !== 'string';
    const said = (of: Readonly<Record<string, string>> = {}): string | undefined =>
      of[keyword] ?? (keyword === 'null' && isElement ? of.type : undefined);
    return {
      code: (said(violated['x-error-codes']) ?? 'invalid_request') as ErrorCode,
      message: `${place(path)} ${said(violated['x-demands']) ?? demand(keyword, violated, context?.value)}.`,
      isWhole: path.length === 0,
    };
  });
}

/** The keyword of the contract for an error of Joi; `absent` for `required`, and `null` for the type if the value is null. */
function keywordOf(type: string, value: unknown): string {
  const keyword = type.endsWith('.base') ? 'type' : (keywordsByType[type] ?? type);
  return keyword === 'type' && value === null ? 'null' : keyword;
}

/** The types of Joi's errors that do not have the name of their keyword. */
const keywordsByType: Readonly<Record<string, string>> = {
  'any.required': 'absent',
  'array.min': 'minItems',
  'array.max': 'maxItems',
  'number.integer': 'type',
  'number.infinity': 'type',
  'number.min': 'minimum',
  'number.max': 'maximum',
};

function schemaAt(schema: Schema, path: Path): Schema {
  return path.reduce<Schema>((at, step) => {
    const next = typeof step === 'number' ? at.items : at.properties?.[step];
    return next ? flatten(next).base : at;
  }, flatten(schema).base);
}

function demand(keyword: string, schema: Schema, value: unknown): string {
  switch (keyword) {
    case 'absent':
      return 'is required';
    case 'null':
    case 'type':
      return `must be ${/^[aeiou]/.test(String(schema.type)) ? 'an' : 'a'} ${schema.type}`;
    case 'enum':
    case 'x-extensible-enum':
      return mustBeOneOf((schema[keyword] ?? []).map(String), String(value));
    case 'maxLength':
      return `must have at most ${schema.maxLength} characters`;
    case 'minimum':
      return `must be at least ${schema.minimum}`;
    case 'maximum':
      return `must be at most ${schema.maximum}`;
    case 'minItems':
      return `must have at least ${schema.minItems} element${schema.minItems === 1 ? '' : 's'}`;
    case 'maxItems':
      return `must have at most ${schema.maxItems} elements`;
    case 'x-max-depth':
      return `must have at most ${schema['x-max-depth']} levels`;
    case 'x-max-nodes':
      return `must have at most ${schema['x-max-nodes']} nodes`;
    default:
      return 'is not valid';
  }
}

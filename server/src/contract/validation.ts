import Joi from 'joi';
import type { Schema } from './document.ts';
import { ContractError, type ErrorCode } from './errors.ts';

/** What is wrong with a request, where, and the code that the contract gives it. */
export interface Violation {
  code: ErrorCode;
  message: string;
  /** It concerns the whole body, and not one of its parts. */
  whole: boolean;
}

/** Of several violations, the one to report: of the whole body first, then in the contract's order of codes. */
export function throwFirst(violations: Violation[], order: readonly string[]): void {
  const rank = (violation: Violation): number => (violation.whole ? -1 : order.indexOf(violation.code));
  const first = violations.toSorted((a, b) => rank(a) - rank(b))[0];
  if (first) throw new ContractError(first.code, first.message);
}

/** How Joi names the violation of each keyword. */
const keywords: Record<string, string> = {
  'any.required': 'absent',
  'string.base': 'type',
  'boolean.base': 'type',
  'object.base': 'type',
  'array.base': 'type',
  'array.max': 'maxItems',
};

/** Keywords that say nothing of the value itself. */
const silent = new Set([
  'description',
  'default',
  'format',
  'x-error-codes',
  'x-demands',
  'x-origin',
  'type',
  'oneOf',
  'allOf',
]);

/**
 * Makes a Joi schema from a schema of the contract. Unknown fields are dropped, nothing is converted but what
 * `x-trim` and `default` say, and lengths count code points.
 *
 * @throws for a keyword it does not know, so that no rule of the contract is silently left out.
 */
export function toJoi(schema: Schema): Joi.Schema {
  const { base, nullable } = flatten(schema);
  const rules = new Set(Object.keys(base).filter((keyword) => !silent.has(keyword)));
  const take = <K extends keyof Schema>(keyword: K): Schema[K] => {
    rules.delete(keyword);
    return base[keyword];
  };

  let joi: Joi.Schema;
  switch (base.type) {
    case 'object': {
      const required = new Set(take('required'));
      const properties = Object.entries(take('properties') ?? {}).map(([name, property]) => {
        const made = toJoi(property);
        return [name, required.has(name) ? made.required() : made] as const;
      });
      joi = Joi.object(Object.fromEntries(properties));
      break;
    }
    case 'array': {
      const items = take('items');
      joi = Joi.array().items(items ? toJoi(items) : Joi.any());
      const maxItems = take('maxItems');
      if (maxItems !== undefined) joi = (joi as Joi.ArraySchema).max(maxItems);
      break;
    }
    case 'boolean':
      joi = Joi.boolean();
      break;
    case 'string':
      // Not `allow('')`: what is allowed by value passes without the rules that follow.
      joi = Joi.string().min(0).custom(stringRule(take));
      break;
    case undefined:
      joi = Joi.any().custom(extentRule(take('x-max-depth'), take('x-max-nodes')));
      break;
    default:
      throw new Error(`The contract uses the type ${base.type}, which validation does not know.`);
  }
  if (rules.size > 0) throw new Error(`The contract uses ${[...rules].join(', ')}, which validation does not know.`);
  if (nullable) joi = joi.allow(null);
  if (base.default !== undefined) joi = joi.default(base.default);
  return joi;
}

/** `oneOf` with null, `allOf` of one, and type lists with null, as one schema that may be null. */
function flatten(schema: Schema): { base: Schema; nullable: boolean } {
  if (schema.oneOf) {
    const others = schema.oneOf.filter((option) => option.type !== 'null');
    const [only] = others;
    if (!only || others.length > 1) throw new Error('The contract uses oneOf with several types.');
    return { base: { ...only, ...schema }, nullable: others.length < schema.oneOf.length };
  }
  if (schema.allOf) {
    const [only, second] = schema.allOf;
    if (!only || second) throw new Error('A request of the contract uses allOf with several schemas.');
    return { base: { ...only, ...schema }, nullable: false };
  }
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((name) => name !== 'null');
    if (!type || others.length > 0) throw new Error('The contract uses several types.');
    return { base: { ...schema, type }, nullable: schema.type.includes('null') };
  }
  return { base: schema, nullable: false };
}

function stringRule(take: <K extends keyof Schema>(keyword: K) => Schema[K]): Joi.CustomValidator<string> {
  const trim = take('x-trim');
  const minLength = take('minLength') ?? 0;
  const maxLength = take('maxLength') ?? Number.POSITIVE_INFINITY;
  const pattern = take('pattern');
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const known = take('enum');
  const extensible = take('x-extensible-enum');
  return (given, helpers) => {
    const text = trim ? given.trim() : given;
    if (expression && !expression.test(text)) return helpers.error('pattern');
    if (known && !known.includes(text)) return helpers.error('enum');
    if (extensible && !extensible.includes(text)) return helpers.error('x-extensible-enum');
    const length = codePoints(text, maxLength);
    if (length < minLength) return helpers.error('minLength');
    if (length > maxLength) return helpers.error('maxLength');
    return text;
  };
}

/** The number of code points, counted no further than it takes to see that they are more than `enough`. */
function codePoints(text: string, enough: number): number {
  if (text.length <= enough) return text.length;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > enough) break;
  }
  return count;
}

function extentRule(
  mostLevels = Number.POSITIVE_INFINITY,
  mostNodes = Number.POSITIVE_INFINITY,
): Joi.CustomValidator<unknown> {
  return (value, helpers) => {
    const exceeded = exceededExtent(value, mostLevels, mostNodes);
    return exceeded ? helpers.error(exceeded) : value;
  };
}

/** The limit that a value exceeds. Walks level by level, without recursion: the input may have any depth. */
function exceededExtent(
  value: unknown,
  mostLevels: number,
  mostNodes: number,
): 'x-max-depth' | 'x-max-nodes' | undefined {
  let level = [value];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > mostNodes) return 'x-max-nodes';
    const inside = level.filter((node) => typeof node === 'object' && node !== null);
    if (inside.length > 0 && depth >= mostLevels) return 'x-max-depth';
    level = inside.flatMap((node) => Object.values(node as object));
  }
  return undefined;
}

/** A Joi schema of the contract, ready to judge bodies. */
export interface BodyValidation {
  /** The body as the contract reads it, and everything that is wrong with it. */
  judge(body: unknown): { body: unknown; violations: Violation[] };
}

/**
 * Validation of a request body. A body whose shape is wrong as a whole (its type, its number of elements) is judged
 * no further.
 */
export function bodyValidation(schema: Schema): BodyValidation {
  const outer = toJoi(schema.type === 'array' ? { ...schema, items: {} } : { ...schema, properties: {}, required: [] });
  const whole = toJoi(schema);
  const options: Joi.ValidationOptions = { convert: false, stripUnknown: { objects: true }, errors: { render: false } };
  return {
    judge(given) {
      const shape = outer.validate(given, { ...options, allowUnknown: true, stripUnknown: false });
      if (shape.error)
        return { body: given, violations: shape.error.details.map((detail) => violation(schema, detail)) };
      const { value, error } = whole.validate(given, { ...options, abortEarly: false });
      return { body: value, violations: (error?.details ?? []).map((detail) => violation(schema, detail)) };
    },
  };
}

function violation(schema: Schema, detail: Joi.ValidationErrorItem): Violation {
  const at = schemaAt(schema, detail.path);
  const keyword = keywords[detail.type] ?? detail.type;
  const violated = keyword === 'type' && detail.context?.value === null ? 'null' : keyword;
  // An element that is null is as little a passport value as one that is a number.
  const said = (of: Record<string, string> = {}): string | undefined =>
    of[violated] ?? (violated === 'null' && isElement(detail) ? of.type : undefined);
  return {
    code: (said(at['x-error-codes']) ?? 'invalid_request') as ErrorCode,
    message: `${place(detail.path)} ${said(at['x-demands']) ?? demand(violated, at)}.`,
    whole: detail.path.length === 0,
  };
}

function isElement(detail: Joi.ValidationErrorItem): boolean {
  return typeof detail.path.at(-1) === 'number' || detail.path.length === 0;
}

function schemaAt(schema: Schema, path: readonly (string | number)[]): Schema {
  let at = flatten(schema).base;
  for (const step of path) {
    const next = typeof step === 'number' ? at.items : at.properties?.[step];
    if (!next) return at;
    at = flatten(next).base;
  }
  return at;
}

/** Names the place of a violation. It is made of the contract's own names and of numbers, never of the input. */
export function place(path: readonly (string | number)[]): string {
  const [first, ...rest] = path;
  if (first === undefined) return 'The body';
  if (typeof first === 'number') return rest.length > 0 ? `Element ${first}: ${rest.join('.')}` : `Element ${first}`;
  return path.join('.');
}

function demand(keyword: string, schema: Schema): string {
  switch (keyword) {
    case 'absent':
      return 'is required';
    case 'null':
    case 'type':
      return `must be ${article(flatten(schema).base.type)}`;
    case 'enum':
      return `must be one of: ${schema.enum?.join(', ')}`;
    case 'maxLength':
      return `must have at most ${schema.maxLength} characters`;
    case 'minLength':
      return `must have at least ${schema.minLength} characters`;
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

function article(type: string | string[] | undefined): string {
  return type === 'array' || type === 'object' || type === 'integer' ? `an ${type}` : `a ${type}`;
}

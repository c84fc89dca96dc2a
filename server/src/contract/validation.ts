import type { MediaType, Schema } from '@product-passport/openapi';
import Joi from 'joi';
import { ContractError, type ErrorCode } from './errors.ts';
import type { Work } from './slices.ts';

/** One violation of the contract by a request. */
export interface Violation {
  code: ErrorCode;
  /** The place and the rule. */
  message: string;
  /** Whether it concerns the body itself, and not one of its parts. */
  whole: boolean;
}

/** Throws the violation to report: one of the whole body first, then by the contract's order of codes. */
export function throwFirst(violations: Violation[], order: readonly string[]): void {
  const rank = (violation: Violation): number => (violation.whole ? -1 : order.indexOf(violation.code));
  const first = violations.toSorted((a, b) => rank(a) - rank(b))[0];
  if (first) throw new ContractError(first.code, first.message);
}

/** The contract's keyword for each type of Joi error. The other errors carry the keyword's own name. */
const keywords: Record<string, string> = {
  'any.required': 'absent',
  'string.base': 'type',
  'boolean.base': 'type',
  'object.base': 'type',
  'array.base': 'type',
  'array.max': 'maxItems',
};

/** Keywords that `toJoi` may leave unread: they describe the schema, or are read before the rules. */
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
 * Makes a Joi schema from a schema of the contract. It drops unknown fields, converts values only by `x-trim` and
 * `default`, and counts lengths in code points.
 *
 * @throws for an unknown keyword, so that no rule of the contract is skipped unnoticed.
 */
export function toJoi(schema: Schema): Joi.Schema {
  const { base, nullable } = flatten(schema);
  const rules = new Set(Object.keys(base).filter((keyword) => !silent.has(keyword)));
  const take = <K extends string>(keyword: K): Schema[K] => {
    rules.delete(keyword);
    return base[keyword];
  };

  let joi: Joi.Schema;
  switch (base.type) {
    case 'object': {
      const required = new Set(take('required'));
      const properties = take('properties');
      const members = Object.entries(properties ?? {}).map(([name, property]) => {
        const made = toJoi(property);
        return [name, required.has(name) ? made.required() : made] as const;
      });
      joi = Joi.object(properties && Object.fromEntries(members));
      // The reader of the body counts its nodes.
      take('x-max-nodes');
      break;
    }
    case 'array': {
      const items = take('items');
      joi = items ? Joi.array().items(toJoi(items)) : Joi.array();
      take('x-max-nodes');
      const maxItems = take('maxItems');
      if (maxItems !== undefined) joi = (joi as Joi.ArraySchema).max(maxItems);
      break;
    }
    case 'boolean':
      joi = Joi.boolean();
      break;
    case 'string':
      // Not `allow('')`: Joi skips the other rules for a value that it allows.
      joi = Joi.string().min(0).custom(stringRule(take));
      break;
    case undefined:
      joi = Joi.any().custom(extentRule(take('x-max-depth'), take('x-max-nodes')));
      break;
    default:
      throw new Error(`openapi.yaml: a request has the type ${base.type}, which validation does not support.`);
  }
  if (rules.size > 0)
    throw new Error(`openapi.yaml: a request uses ${[...rules].join(', ')}, which validation does not support.`);
  if (nullable) joi = joi.allow(null);
  if (base.default !== undefined) joi = joi.default(base.default);
  return joi;
}

/** Merges `oneOf` with null, `allOf` with one schema, and a type list with null into one schema. */
function flatten(schema: Schema): { base: Schema; nullable: boolean } {
  if (schema.oneOf) {
    const others = schema.oneOf.filter((option) => option.type !== 'null');
    const [only] = others;
    if (!only || others.length > 1) throw new Error('openapi.yaml: a request uses oneOf with several types.');
    return { base: { ...only, ...schema }, nullable: others.length < schema.oneOf.length };
  }
  if (schema.allOf) {
    const [only, second] = schema.allOf;
    if (!only || second) throw new Error('openapi.yaml: a request uses allOf with several schemas.');
    return { base: { ...only, ...schema }, nullable: false };
  }
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((name) => name !== 'null');
    if (!type || others.length > 0) throw new Error('openapi.yaml: a request uses several types for one value.');
    return { base: { ...schema, type }, nullable: schema.type.includes('null') };
  }
  return { base: schema, nullable: false };
}

function stringRule(take: <K extends string>(keyword: K) => Schema[K]): Joi.CustomValidator<string> {
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

/** The number of code points in a text. Counting stops when it exceeds the limit. */
function codePoints(text: string, limit: number): number {
  if (text.length <= limit) return text.length;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) break;
  }
  return count;
}

function extentRule(
  maxLevels = Number.POSITIVE_INFINITY,
  maxNodes = Number.POSITIVE_INFINITY,
): Joi.CustomValidator<unknown> {
  return (value, helpers) => {
    const exceeded = exceededExtent(value, maxLevels, maxNodes);
    return exceeded ? helpers.error(exceeded) : value;
  };
}

/** The limit that a value exceeds. It walks level by level, because deep input would overflow a recursion. */
export function exceededExtent(
  value: unknown,
  maxLevels: number,
  maxNodes: number,
): 'x-max-depth' | 'x-max-nodes' | undefined {
  let level = [value];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > maxNodes) return 'x-max-nodes';
    const inside = level.filter((node) => typeof node === 'object' && node !== null);
    if (inside.length > 0 && depth >= maxLevels) return 'x-max-depth';
    level = inside.flatMap((node) => Object.values(node as object));
  }
  return undefined;
}

export interface BodyValidation {
  readonly shape: BodyShape;
  /** Returns the body, trimmed and with its defaults, and all its violations. */
  judge(body: unknown): Work<Judgement>;
}

/** What the contract reads of a body. */
export interface BodyShape {
  isArray: boolean;
  /** The members of the body, or of each of its elements, with the most nodes that each may have. */
  members: ReadonlyMap<string, number>;
  /** The most nodes of the whole body. */
  maxNodes: number;
}

interface Judgement {
  body: unknown;
  violations: Violation[];
}

/** Validates a request body. Validation stops when the body has the wrong type or too many elements. */
export function bodyValidation({ schema }: MediaType): BodyValidation {
  const { items, properties: _, required: __, ...shell } = schema;
  const outer = toJoi(shell);
  const part = items ?? schema;
  const joi = toJoi(part);
  const options: Joi.ValidationOptions = { convert: false, stripUnknown: { objects: true }, errors: { render: false } };

  /** @param path the place of the part */
  const judgePart = (given: unknown, path: readonly number[]): Judgement => {
    const { value, error } = joi.validate(given, { ...options, abortEarly: false });
    const details = error?.details ?? [];
    return {
      body: value,
      violations: details.map((detail) => violation(schema, { ...detail, path: [...path, ...detail.path] })),
    };
  };
  return {
    shape: shapeOf(schema),
    *judge(given) {
      const shape = outer.validate(given, { ...options, allowUnknown: true, stripUnknown: false });
      if (shape.error)
        return { body: given, violations: shape.error.details.map((detail) => violation(schema, detail)) };
      if (!items) return judgePart(given, []);
      const body: unknown[] = [];
      const violations: Violation[] = [];
      for (const [index, element] of (given as unknown[]).entries()) {
        const judged = judgePart(element, [index]);
        body.push(judged.body);
        violations.push(...judged.violations);
        yield;
      }
      return { body, violations };
    },
  };
}

function shapeOf(schema: Schema): BodyShape {
  const { properties = {} } = flatten(schema.items ?? schema).base;
  const most = (property: Schema): number => (property.type === undefined ? Number.POSITIVE_INFINITY : 1);
  return {
    isArray: schema.type === 'array',
    members: new Map(
      Object.entries(properties).map(([name, each]) => {
        const { base } = flatten(each);
        return [name, base['x-max-nodes'] ?? most(base)];
      }),
    ),
    maxNodes: schema['x-max-nodes'] ?? Number.POSITIVE_INFINITY,
  };
}

function violation(schema: Schema, detail: Joi.ValidationErrorItem): Violation {
  const at = schemaAt(schema, detail.path);
  const keyword = keywords[detail.type] ?? detail.type;
  const violated = keyword === 'type' && detail.context?.value === null ? 'null' : keyword;
  // For an element of a list, null is a wrong type like any other.
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

/** Names the place of a violation, with names from the contract and numbers. It never repeats the input. */
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
    case 'x-extensible-enum':
      return `must be one of: ${schema['x-extensible-enum']?.join(', ')}`;
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

function article(type: Schema['type']): string {
  return type === 'array' || type === 'object' || type === 'integer' ? `an ${type}` : `a ${type}`;
}

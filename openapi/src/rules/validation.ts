import type { MediaType, Schema } from '../elements.ts';
import { isRecord } from '../json.ts';
import { mustBeOneOf } from './closest.ts';
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
  const first = [...violations].sort((a, b) => rank(a) - rank(b))[0];
  if (first) throw new ContractError(first.code, first.message);
}

/** A place in a body. */
type Path = readonly (string | number)[];

/** A keyword of the contract that a value violates. */
interface Fault {
  /** `absent` for `required`. */
  readonly keyword: string;
  readonly path: Path;
  readonly isNull: boolean;
  /** The text that is not one of the known ones. */
  readonly unknown?: string;
}

/** Returns the value, trimmed and with its defaults, and adds its faults. */
export type Validator = (value: unknown, path: Path, faults: Fault[]) => unknown;

/** Keywords that `validatorOf` may leave unread: they describe the schema, or are read before the rules. */
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

type Take = <K extends string>(keyword: K) => Schema[K];

/**
 * Makes a validator from a schema of the contract. It drops unknown fields, converts values only by `x-trim` and
 * `default`, and counts lengths in code points.
 *
 * @throws for an unknown keyword, so that no rule of the contract is skipped unnoticed.
 */
export function validatorOf(schema: Schema): Validator {
  const { base, nullable } = flatten(schema);
  const rules = new Set(Object.keys(base).filter((keyword) => !silent.has(keyword)));
  const take: Take = (keyword) => {
    rules.delete(keyword);
    return base[keyword];
  };
  const validate = validatorOfType(base.type, take);
  if (rules.size > 0)
    throw new Error(`openapi.yaml: a request uses ${[...rules].join(', ')}, which validation does not support.`);
  return (value, path, faults) => {
    if (value === undefined) return base.default;
    return value === null && nullable ? null : validate(value, path, faults);
  };
}

function validatorOfType(type: Schema['type'], take: Take): Validator {
  switch (type) {
    case 'object':
      return objectValidator(take);
    case 'array':
      return arrayValidator(take);
    case 'boolean':
      return typed((value) => typeof value === 'boolean');
    case 'string':
      return stringValidator(take);
    case undefined:
      return anyValidator(take('x-max-depth'), take('x-max-nodes'));
    default:
      throw new Error(`openapi.yaml: a request has the type ${type}, which validation does not support.`);
  }
}

function typed(isOfType: (value: unknown) => boolean, validate: Validator = (value) => value): Validator {
  return (value, path, faults) => {
    if (isOfType(value)) return validate(value, path, faults);
    faults.push({ keyword: 'type', path, isNull: value === null });
    return value;
  };
}

function objectValidator(take: Take): Validator {
  const required = new Set(take('required'));
  const members = Object.entries(take('properties') ?? {}).map(([name, property]) => ({
    name,
    isRequired: required.has(name),
    validate: validatorOf(property),
  }));
  // The reader of the body counts its nodes.
  take('x-max-nodes');
  if (members.length === 0) return typed(isRecord);
  return typed(isRecord, (value, path, faults) => {
    const validated: Record<string, unknown> = {};
    for (const { name, isRequired, validate } of members) {
      const given = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
      if (given === undefined && isRequired) faults.push({ keyword: 'absent', path: [...path, name], isNull: false });
      const member = validate(given, [...path, name], faults);
      if (member !== undefined) validated[name] = member;
    }
    return validated;
  });
}

function arrayValidator(take: Take): Validator {
  const items = take('items');
  const validate = items && validatorOf(items);
  take('x-max-nodes');
  const maxItems = take('maxItems') ?? Number.POSITIVE_INFINITY;
  return typed(Array.isArray, (value, path, faults) => {
    const elements = value as unknown[];
    if (elements.length > maxItems) faults.push({ keyword: 'maxItems', path, isNull: false });
    return validate ? elements.map((element, index) => validate(element, [...path, index], faults)) : elements;
  });
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

function stringValidator(take: Take): Validator {
  const trim = take('x-trim');
  const minLength = take('minLength') ?? 0;
  const maxLength = take('maxLength') ?? Number.POSITIVE_INFINITY;
  const pattern = take('pattern');
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const known = take('enum');
  const extensible = take('x-extensible-enum');
  const faultOf = (text: string): string | undefined => {
    if (expression && !expression.test(text)) return 'pattern';
    if (known && !known.includes(text)) return 'enum';
    if (extensible && !extensible.includes(text)) return 'x-extensible-enum';
    const length = codePoints(text, maxLength);
    if (length < minLength) return 'minLength';
    return length > maxLength ? 'maxLength' : undefined;
  };
  return typed(
    (value) => typeof value === 'string',
    (value, path, faults) => {
      const text = trim ? (value as string).trim() : (value as string);
      const keyword = faultOf(text);
      const isUnknown = keyword === 'enum' || keyword === 'x-extensible-enum';
      if (keyword !== undefined) faults.push({ keyword, path, isNull: false, ...(isUnknown && { unknown: text }) });
      return text;
    },
  );
}

function anyValidator(maxLevels = Number.POSITIVE_INFINITY, maxNodes = Number.POSITIVE_INFINITY): Validator {
  return (value, path, faults) => {
    const keyword = exceededExtent(value, maxLevels, maxNodes);
    if (keyword !== undefined) faults.push({ keyword, path, isNull: false });
    return value;
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

/** The limit that a value exceeds. It walks level by level, because deep input would overflow a recursion. */
export function exceededExtent(
  value: unknown,
  maxLevels: number,
  maxNodes: number,
): 'x-max-depth' | 'x-max-nodes' | undefined {
  let level = isNested(value) ? [value] : [];
  let nodes = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxLevels) return 'x-max-depth';
    const children = level.flatMap((node) => Object.values(node));
    nodes += children.length;
    if (nodes > maxNodes) return 'x-max-nodes';
    level = children.filter(isNested);
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
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
export function bodyValidation({ schema }: Pick<MediaType, 'schema'>): BodyValidation {
  const { items, properties: _, required: __, ...shell } = schema;
  const outer = validatorOf(shell);
  const part = validatorOf(items ?? schema);
  const judged = (validate: Validator, given: unknown, path: Path): Judgement => {
    const faults: Fault[] = [];
    const body = validate(given, path, faults);
    return { body, violations: faults.map((fault) => violation(schema, fault)) };
  };
  return {
    shape: shapeOf(schema),
    *judge(given) {
      const shell = judged(outer, given, []);
      if (shell.violations.length > 0) return shell;
      if (!items) return judged(part, given, []);
      const body: unknown[] = [];
      const violations: Violation[] = [];
      for (const [index, element] of (given as unknown[]).entries()) {
        const one = judged(part, element, [index]);
        body.push(one.body);
        violations.push(...one.violations);
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

function violation(schema: Schema, { keyword, path, isNull, unknown }: Fault): Violation {
  const at = schemaAt(schema, path);
  const violated = isNull ? 'null' : keyword;
  // For an element of a list, null is a wrong type like any other.
  const said = (of: Record<string, string> = {}): string | undefined =>
    of[violated] ?? (violated === 'null' && isElement(path) ? of.type : undefined);
  return {
    code: (said(at['x-error-codes']) ?? 'invalid_request') as ErrorCode,
    message: `${place(path)} ${said(at['x-demands']) ?? demand(violated, at, unknown)}.`,
    whole: path.length === 0,
  };
}

function isElement(path: Path): boolean {
  return typeof path.at(-1) === 'number' || path.length === 0;
}

function schemaAt(schema: Schema, path: Path): Schema {
  let at = flatten(schema).base;
  for (const step of path) {
    const next = typeof step === 'number' ? at.items : at.properties?.[step];
    if (!next) return at;
    at = flatten(next).base;
  }
  return at;
}

/** Names the place of a violation, as in `[3].unit`, with names from the contract and numbers from 0. It never repeats the input. */
export function place(path: Path): string {
  if (path.length === 0) return 'The body';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step)).join('');
}

function demand(keyword: string, schema: Schema, unknown = ''): string {
  switch (keyword) {
    case 'absent':
      return 'is required';
    case 'null':
    case 'type':
      return `must be ${article(flatten(schema).base.type)}`;
    case 'enum':
    case 'x-extensible-enum':
      return mustBeOneOf(knownValues(schema), unknown);
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

function knownValues(schema: Schema): readonly string[] {
  return (schema.enum ?? schema['x-extensible-enum'] ?? []).map(String);
}

function article(type: Schema['type']): string {
  return type === 'array' || type === 'object' || type === 'integer' ? `an ${type}` : `a ${type}`;
}

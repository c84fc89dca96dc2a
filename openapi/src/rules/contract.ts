/** The parts of openapi.yaml that our code reads, with every reference resolved, and the types of bodies. */
import type { components, operations } from '../generated/types.ts';

/** A JSON Schema of the contract. The named keywords are those that our code reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly string[];
  readonly 'x-clamp'?: { readonly minimum: number; readonly maximum: number };
  readonly 'x-trim'?: boolean;
  readonly 'x-max-depth'?: number;
  readonly 'x-max-nodes'?: number;
  readonly 'x-error-codes'?: Readonly<Record<string, string>>;
  readonly 'x-demands'?: Readonly<Record<string, string>>;
  readonly 'x-origin'?: unknown;
  readonly [keyword: string]: unknown;
}

/** Keywords that describe a schema, or that are read for every type. */
const annotationKeywords = 'description examples format x-origin x-error-codes x-demands default type'.split(' ');

/**
 * @param name of the value in the request
 * @param supported the keywords that validation supports for the type. `undefined`: it does not support the type.
 * @throws for a type or a keyword without support, so that no rule of the contract is skipped unnoticed
 */
export function requireSupport(name: string, schema: Schema, supported: readonly string[] | undefined): void {
  const unknown = Object.keys(schema).filter(
    (each) => !supported?.includes(each) && !annotationKeywords.includes(each),
  );
  if (supported && unknown.length === 0) return;
  const what = supported ? unknown.join(', ') : `the type ${schema.type}`;
  const known = supported?.length ? ` It supports ${supported.join(', ')}.` : '';
  throw new Error(`openapi.yaml: ${name} of a request has ${what}, which validation does not support.${known}`);
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
  readonly 'x-origin'?: unknown;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-origin'?: unknown;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly 'x-origin'?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  /** Given twice, it is an error. */
  readonly 'x-given-once'?: boolean;
}

/**
 * The contract's types for a service. A reader must expect new values of an enumeration that may grow, so its type
 * there is `'a' | 'b' | (string & {})`. A service sends only the known values.
 */
export type Schemas = Known<components['schemas']>;
export type Operations = Known<operations>;

type Known<Type> =
  | KnownText<Extract<Type, string>>
  | (Type extends string ? never : Type extends object ? KnownMembers<Type> : Type);

/** Without `string & {}`, if there are known values, too. */
type KnownText<Text extends string> = [Literals<Text>] extends [never] ? Text : Literals<Text>;
type Literals<Text extends string> = Text extends unknown ? (string extends Text ? never : Text) : never;

type KnownMembers<Type> = { [Name in keyof Type]: Known<Type[Name]> };

/** With commas between thousands. `toLocaleString` would load the locale's data, which takes 15 ms of a server's start. */
const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const listed = (values: readonly unknown[]): string => values.map(code).join(', ');

/**
 * The limits of a schema in words, in the order in which a reader needs them: the API reference lists them, and the generated
 * docstrings end with them. Each is Markdown, with the keyword that has it.
 */
export function limitsOf(schema: Schema): { keyword: string; text: string }[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema as Readonly<Record<string, number>>;
  const clamp = schema['x-clamp'];
  const texts: Record<string, string | undefined> = {
    enum: schema.enum && `one of ${listed(schema.enum)}`,
    'x-extensible-enum': schema['x-extensible-enum'] && `known values: ${listed(schema['x-extensible-enum'])}`,
    const: schema.const === undefined ? undefined : `always ${code(schema.const)}`,
    format: typeof schema.format === 'string' ? `format ${schema.format}` : undefined,
    maxLength: minLength === 1 && maxLength === undefined ? 'not empty' : range(minLength, maxLength, 'character'),
    pattern: schema.pattern === '\\S' ? 'not blank' : schema.pattern && `matches ${code(schema.pattern)}`,
    maximum: minimum === 0 && maximum === undefined ? undefined : range(minimum, maximum),
    maxItems: range(minItems, maxItems, 'element'),
    'x-max-depth': range(undefined, schema['x-max-depth'], 'level'),
    'x-max-nodes': range(undefined, schema['x-max-nodes'], 'node'),
    'x-clamp':
      clamp &&
      `${range(clamp.minimum, clamp.maximum)}${schema.default === undefined ? '' : `, default ${schema.default}`}; the service moves other numbers to the nearest bound`,
    'x-trim': schema['x-trim'] ? 'the service removes white space at both ends' : undefined,
    default: clamp || schema.default === undefined ? undefined : `default ${code(schema.default)}`,
  };
  return Object.entries(texts).flatMap(([keyword, text]) => (text === undefined ? [] : [{ keyword, text }]));
}

function range(minimum: number | undefined, maximum: number | undefined, noun?: string): string | undefined {
  const unit = noun === undefined ? '' : ` ${noun}${(maximum ?? minimum) === 1 ? '' : 's'}`;
  if (maximum === undefined) return minimum === undefined ? undefined : `at least ${count(minimum)}${unit}`;
  if (minimum === undefined) return `at most ${count(maximum)}${unit}`;
  return minimum === maximum ? `exactly ${count(maximum)}${unit}` : `${count(minimum)} to ${count(maximum)}${unit}`;
}

/** The limits of a schema in words: the API reference lists them, and the generated docstrings end with them. */
import type { Schema } from './elements.ts';

/** A limit as Markdown, and the keyword that has it. */
export interface Limit {
  readonly keyword: string;
  readonly text: string;
}

/** With commas between thousands. `toLocaleString` would load the locale's data, which takes 15 ms of a server's start. */
const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const listed = (values: readonly unknown[]): string => values.map(code).join(', ');

/** In the order in which a reader needs them. */
export function limitsOf(schema: Schema): Limit[] {
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
    'x-clamp': clamp && `${range(clamp.minimum, clamp.maximum)}${ofDefault(schema)}; ${clampWords}`,
    'x-trim': schema['x-trim'] ? 'the service removes white space at both ends' : undefined,
    default: clamp || schema.default === undefined ? undefined : `default ${code(schema.default)}`,
  };
  return Object.entries(texts).flatMap(([keyword, text]) => (text === undefined ? [] : [{ keyword, text }]));
}

const clampWords = 'the service moves other numbers to the nearest bound';

function ofDefault({ default: value }: Schema): string {
  return value === undefined ? '' : `, default ${value}`;
}

function range(minimum: number | undefined, maximum: number | undefined, noun?: string): string | undefined {
  const unit = noun === undefined ? '' : ` ${noun}${(maximum ?? minimum) === 1 ? '' : 's'}`;
  if (maximum === undefined) return minimum === undefined ? undefined : `at least ${count(minimum)}${unit}`;
  if (minimum === undefined) return `at most ${count(maximum)}${unit}`;
  return minimum === maximum ? `exactly ${count(maximum)}${unit}` : `${count(minimum)} to ${count(maximum)}${unit}`;
}

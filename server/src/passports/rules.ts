import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { components } from '../contract/generated/openapi.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';

export type PassportValue = components['schemas']['PassportValue'];
export type PassportValueInput = components['schemas']['PassportValueInput'];

/** The largest number of values in a passport. */
export const maxValues = 5000;

/** The largest size of a passport's values as RFC 8785 JSON, in bytes (2 MiB). */
const maxBytes = 2 * 1024 * 1024;

/** Orders values by `field_key`, then `locale`, in UTF-16 code units. */
export function compareValues(
  a: Pick<PassportValue, 'field_key' | 'locale'>,
  b: Pick<PassportValue, 'field_key' | 'locale'>,
): number {
  return compare(a.field_key, b.field_key) || compare(a.locale, b.locale);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A value before a write. Without `value` the passport did not have it. */
export interface ReplacedValue extends Pick<PassportValue, 'field_key' | 'locale'> {
  value?: PassportValue;
}

export interface Merge {
  /** All values of the passport after the write, in order. */
  values: PassportValue[];
  /** The values that are new or different. */
  changed: PassportValue[];
  /** What `changed` replaces, in the same order. */
  replaced: ReplacedValue[];
  /** The number of distinct fields in the input. */
  named: number;
}

/**
 * Merges input into the stored values. An absent `access_level` or `unit` keeps the one of an existing field; other
 * absent members take their defaults. If the input has several values for one field, each is merged into the one before.
 */
export function mergeValues(
  stored: PassportValue[],
  inputs: PassportValueInput[],
  locale: string,
  time: string,
): Merge {
  const merged = new Map(stored.map((value) => [identity(value), value]));
  const named = new Map<string, PassportValue>();
  for (const input of inputs) {
    const id = identity({ field_key: input.field_key, locale });
    const before = named.get(id) ?? merged.get(id);
    const value: PassportValue = {
      field_key: input.field_key,
      value: input.value,
      unit: input.unit === undefined ? (before?.unit ?? null) : input.unit,
      source: input.source ?? 'import',
      access_level: input.access_level ?? before?.access_level ?? 'public',
      is_unknown: input.is_unknown ?? false,
      needs_review: input.needs_review ?? false,
      locale,
      updated_at: time,
    };
    named.set(id, value);
  }
  const changed: PassportValue[] = [];
  const replaced: ReplacedValue[] = [];
  for (const [id, value] of named) {
    const before = merged.get(id);
    if (before && canonicalContent(before) === canonicalContent(value)) continue;
    merged.set(id, value);
    changed.push(value);
    replaced.push({ field_key: value.field_key, locale, ...(before ? { value: before } : {}) });
  }
  return { values: [...merged.values()].sort(compareValues), changed, replaced, named: named.size };
}

function identity({ field_key, locale }: Pick<PassportValue, 'field_key' | 'locale'>): string {
  return JSON.stringify([field_key, locale]);
}

/**
 * The RFC 8785 form of a value's content, which the content hash covers: all members except the time. The merge, the
 * size and the hash all need it, so it is kept. Its members stand here in their order, because sorting them with the
 * library takes 3.8 times as long (hashes of 5,000 values).
 */
function canonicalContent(value: PassportValue): string {
  const kept = canonicalContents.get(value);
  if (kept !== undefined) return kept;
  const { access_level, field_key, is_unknown, locale, needs_review, source, unit } = value;
  const rest = `"needs_review":${needs_review},"source":"${source}","unit":${JSON.stringify(unit)}`;
  const text = `{"access_level":"${access_level}","field_key":${JSON.stringify(field_key)},"is_unknown":${is_unknown},"locale":${JSON.stringify(locale)},${rest},"value":${canonicalValue(value)}}`;
  canonicalContents.set(value, text);
  return text;
}

const canonicalContents = new WeakMap<PassportValue, string>();
const canonicalInner = new WeakMap<PassportValue, string>();

/** The RFC 8785 form of the `value` member alone. */
function canonicalValue(value: PassportValue): string {
  const text = canonicalInner.get(value) ?? canonical(value.value);
  canonicalInner.set(value, text);
  return text;
}

/** The RFC 8785 form of the array of values that the content hash covers. */
function canonicalValues(values: PassportValue[]): string {
  return `[${values.map(canonicalContent).join(',')}]`;
}

/** The problem if a passport is too large after a write. One that was too large before the limit existed may shrink. */
export function sizeProblem(before: PassportValue[], after: PassportValue[]): string | undefined {
  const bytes = byteLength(after);
  if (bytes <= maxBytes || bytes < byteLength(before)) return undefined;
  return `The values of a passport can have at most ${maxBytes} bytes as RFC 8785 JSON. After this write they would have ${bytes} bytes.`;
}

/** The length of `canonicalValues` in bytes. Joining the texts first would take five times as long. */
function byteLength(values: PassportValue[]): number {
  const brackets = 2;
  const commas = Math.max(values.length - 1, 0);
  return values.reduce((sum, value) => sum + Buffer.byteLength(canonicalContent(value)), brackets + commas);
}

function canonical(value: unknown): string {
  // RFC 8785 takes the form of everything but objects and arrays from JSON.stringify.
  const text = typeof value === 'object' ? canonicalize(value) : JSON.stringify(value);
  if (text === undefined) throw new Error('A value without a JSON form cannot be hashed.');
  return text;
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of `{salt, template_version, values}`, as the contract defines
 * `content_hash`.
 *
 * @param values in their order
 */
export function contentHash(salt: string, template_version: number, values: PassportValue[]): string {
  return createHash('sha256')
    .update(`{"salt":${canonical(salt)},"template_version":${template_version},"values":${canonicalValues(values)}}`)
    .digest('hex');
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of the public values alone, as the contract defines
 * `dpp:publicContentHash`. It can be computed from the public document.
 *
 * @param values in their order, of every access level
 */
export function publicContentHash(values: PassportValue[]): string {
  const open = values
    .filter((value) => value.access_level === 'public')
    .map((value) => {
      const { field_key, is_unknown, locale, unit } = value;
      const shown = is_unknown ? 'null' : canonicalValue(value);
      return `{"field_key":${JSON.stringify(field_key)},"is_unknown":${is_unknown},"locale":${JSON.stringify(locale)},"unit":${JSON.stringify(unit)},"value":${shown}}`;
    });
  return createHash('sha256')
    .update(`[${open.join(',')}]`)
    .digest('hex');
}

/** `floor(100 × answered required fields / required fields)` of the template. */
export function completeness(template: Template, values: PassportValue[]): number {
  const required = template.fields.filter((field) => field.required).length;
  if (required === 0) return 100;
  return Math.floor((100 * (required - missingFields(template, values).length)) / required);
}

/** The required fields of the template that have no answer. */
export function missingFields(template: Template, values: PassportValue[]): TemplateField[] {
  const answered = new Set(values.filter(isAnswered).map((value) => value.field_key));
  return template.fields.filter((field) => field.required && !answered.has(field.key));
}

/** An empty array is an answer: "checked, none". */
function isAnswered({ value, is_unknown }: PassportValue): boolean {
  if (is_unknown || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value !== 'object' || Array.isArray(value) || Object.keys(value).length > 0;
}

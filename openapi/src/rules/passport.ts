import type { Schemas } from './contract.ts';

export type PassportValue = Schemas['PassportValue'];
export type PassportValueInput = Schemas['PassportValueInput'];

/** The maximum number of values in a passport. */
export const maxValues = 5000;

/** The maximum size of a passport's values as RFC 8785 JSON, in bytes (2 MiB). */
export const maxBytes = 2 * 1024 * 1024;

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
  /** The fields of the input. */
  named: ReadonlySet<string>;
}

/**
 * Merges input into the stored values. An absent `access_level` or `unit` keeps the one of an existing field; other
 * absent members take their defaults. If the input has several values for one field, each is merged into the one before.
 */
export function mergeValues(
  stored: readonly PassportValue[],
  inputs: PassportValueInput[],
  locale: string,
  time: string,
): Merge {
  const known = new Map(stored.map((value) => [keyOf(value), value]));
  const named = new Map<string, PassportValue>();
  for (const input of inputs) {
    const { field_key } = input;
    const before = named.get(field_key) ?? known.get(keyOf({ field_key, locale }));
    named.set(field_key, merged(before, input, locale, time));
  }
  const changed: PassportValue[] = [];
  const replaced: ReplacedValue[] = [];
  const gone = new Set<PassportValue>();
  for (const value of named.values()) {
    const before = known.get(keyOf(value));
    if (before && textsOfValue(before).content === textsOfValue(value).content) continue;
    changed.push(value);
    replaced.push({ field_key: value.field_key, locale, ...(before ? { value: before } : {}) });
    if (before) gone.add(before);
  }
  const kept = stored.filter((value) => !gone.has(value));
  return { values: [...kept, ...changed].sort(compareValues), changed, replaced, named: new Set(named.keys()) };
}

/** @param before the value of the field, if it has one */
function merged(
  before: PassportValue | undefined,
  input: PassportValueInput,
  locale: string,
  updated_at: string,
): PassportValue {
  return {
    field_key: input.field_key,
    value: input.value,
    unit: input.unit === undefined ? (before?.unit ?? null) : input.unit,
    source: input.source ?? 'import',
    access_level: input.access_level ?? before?.access_level ?? 'public',
    is_unknown: input.is_unknown ?? false,
    needs_review: input.needs_review ?? false,
    locale,
    updated_at,
  };
}

/** No locale has a line break. */
function keyOf({ field_key, locale }: Pick<PassportValue, 'field_key' | 'locale'>): string {
  return `${locale}\n${field_key}`;
}

/** The RFC 8785 texts of a value. */
export interface HashedTexts {
  /** All members except the time: what the content hash covers. */
  readonly content: string;
  /** What the public hash covers; empty if the value is not public. */
  readonly open: string;
}

/** The texts of values in their order. The size and both hashes need them. */
export function hashedTextsOf(values: readonly PassportValue[]): HashedTexts[] {
  return values.map(textsOfValue);
}

/**
 * The members stand here in their order, because sorting them with the library takes 3.8 times as long (hashes of 5,000
 * values).
 */
function textsOfValue(given: PassportValue): HashedTexts {
  const { access_level, is_unknown, needs_review, source } = given;
  const [field_key, locale] = [JSON.stringify(given.field_key), JSON.stringify(given.locale)];
  const unit = JSON.stringify(given.unit);
  const value = canonical(given.value);
  const rest = `"needs_review":${needs_review},"source":"${source}","unit":${unit},"value":${value}`;
  const content = `{"access_level":"${access_level}","field_key":${field_key},"is_unknown":${is_unknown},"locale":${locale},${rest}}`;
  if (access_level !== 'public') return { content, open: '' };
  const shown = is_unknown ? 'null' : value;
  const open = `{"field_key":${field_key},"is_unknown":${is_unknown},"locale":${locale},"unit":${unit},"value":${shown}}`;
  return { content, open };
}

/** The problem if a passport has too many bytes after a write. */
export function sizeProblem(bytes: number): string | undefined {
  if (bytes <= maxBytes) return undefined;
  return `The values of a passport can have at most ${maxBytes} bytes as RFC 8785 JSON. After this write they would have ${bytes} bytes.`;
}

/** The size of the values as one RFC 8785 array, in bytes. Joining the texts first would take five times as long. */
export function byteLength(texts: readonly HashedTexts[], bytesOf: (text: string) => number): number {
  const commas = Math.max(texts.length - 1, 0);
  return texts.reduce((sum, { content }) => sum + bytesOf(content), '[]'.length + commas);
}

/** The RFC 8785 form of `{salt, template_version, values}`, whose SHA-256 is `content_hash`. */
export function hashedContent(salt: string, template_version: number, texts: readonly HashedTexts[]): string {
  const contents = texts.map(({ content }) => content);
  return `{"salt":${JSON.stringify(salt)},"template_version":${template_version},"values":[${contents.join(',')}]}`;
}

/** The RFC 8785 form of the public values alone, whose SHA-256 is `dpp:publicContentHash`. */
export function hashedPublicContent(texts: readonly HashedTexts[]): string {
  const open = texts.map(({ open }) => open).filter((text) => text !== '');
  return `[${open.join(',')}]`;
}

/** GS1's character set 82. The tpx (235) has at most 28 characters, the other qualifiers 20. */
export const keyQualifier = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,28}$/;

const languages: Record<string, string> = {
  DE: 'de',
  AT: 'de',
  FR: 'fr',
  IT: 'it',
  ES: 'es',
  NL: 'nl',
  PL: 'pl',
};

/** The language of a new tenant's texts, by its country. */
export function defaultLocale(country: string): string {
  return languages[country] ?? 'en';
}

/**
 * The RFC 8785 (JCS) form of a value from `JSON.parse`: members sorted, numbers and strings as ECMAScript writes them.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)}}`;
}

/** The SHA-256 of a text, as 64 lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The limit that a value exceeds. It walks level by level, because deep input would overflow a recursion. */
export function exceededExtent(
  value: unknown,
  maxLevels = Number.POSITIVE_INFINITY,
  maxNodes = Number.POSITIVE_INFINITY,
): 'x-max-depth' | 'x-max-nodes' | undefined {
  const isNested = (node: unknown): node is object => typeof node === 'object' && node !== null;
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

/** Who may see a value, the most readers first. */
const levels = ['public', 'restricted', 'authority'] as const satisfies readonly AccessLevel[];

export type AccessLevel = Schemas['PassportValue']['access_level'];

/** Whether a level shows a value to more readers than the template wants. An unknown level does. */
export function isTooPublic(level: string, wanted: AccessLevel): boolean {
  return (levels as readonly string[]).indexOf(level) < levels.indexOf(wanted);
}

/** The roles that an access token can grant. */
export const tokenRoles = ['recycler', 'inspector'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/** The role in which a passport is viewed. Without a valid token it is `consumer`. */
export type ViewRole = 'consumer' | TokenRole;

const visible: Record<ViewRole, readonly AccessLevel[]> = {
  consumer: ['public'],
  recycler: ['public', 'restricted'],
  inspector: ['public', 'restricted', 'authority'],
};

/** The values that a role may see. The server must not reveal that the others exist. */
export function visibleValues<Value extends { access_level: AccessLevel }>(
  values: readonly Value[],
  role: ViewRole,
): Value[] {
  return values.filter((value) => visible[role].includes(value.access_level));
}

/** The UTC day of a moment, as in `2027-02-18`. */
export function dayOf(moment: string | Date): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The last `days` dates in UTC, oldest first, including the date of `now`. */
export function lastDays(now: Date, days: number): string[] {
  const today = Date.parse(dayOf(now));
  return Array.from({ length: days }, (_, index) => dayOf(new Date(today - (days - 1 - index) * 86_400_000)));
}

/** The time of a change. It is later than the last change, even if the clock went back. */
export function timeOfChange(now: Date, before: string): string {
  return new Date(Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();
}

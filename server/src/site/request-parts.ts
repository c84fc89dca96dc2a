/** The per-request parts of a passport page: the access token, and the key qualifiers of the scanned code. */
import { randomBytes } from 'node:crypto';
import { type KeyQualifier, keyQualifiers, type opensAs, type QueryPart, scannedIn } from '@product-passport/openapi';
import { type Encoded, Gapped } from '../http/encoded.ts';
import { fill, type Language, texts } from '../languages/languages.ts';

export type RequestParts = Partial<Record<'zugang' | KeyQualifier, string>>;

/**
 * Where the cached page has gaps for the parts: their query in a link, the token in the address of a document, and the
 * sentences about the scanned code, also those of a model whose items have passports. Otherwise anybody could make the server
 * render by making up serial numbers.
 */
type Gap = 'query' | 'token' | 'scanned' | 'unregistered';

/** Nobody outside can write a placeholder into a passport, because it is random. */
const random = randomBytes(16).toString('hex');

/** A placeholder for a gap. */
export const gapOf = (gap: Gap): string => `${random}-${gap}`;

/** A query writes a name without a value with `=`. */
const gaps = new RegExp(`${random}-(query|token|scanned|unregistered)=?`);

/** Cuts a page at its placeholders. */
export function withGaps(page: string): Gapped<Gap> {
  return Gapped.of(page, gaps);
}

/** The parts of a query. */
export function requestPartsOf(query: readonly QueryPart[], zugang: string | undefined): RequestParts {
  return { ...(zugang === undefined ? {} : { zugang }), ...scannedIn(query) };
}

/** Whether the page shows a single variant, batch or item, and not only the model. */
export function isOfItem(parts: RequestParts): boolean {
  return keyQualifiers.some((name) => parts[name] !== undefined);
}

/** What the sentences about the product and the scanned code need as well as the code. */
interface Scanned {
  language: Language;
  group: string | null;
  opens: ReturnType<typeof opensAs>;
  /** Of the product, if the page is that of an item. */
  serial: string | null;
}

/** Fills the gaps of a page. */
export function withRequestParts(page: Gapped<Gap>, parts: RequestParts, scanned: Scanned): Encoded<string> {
  const filling: Record<Gap, () => string> = {
    query: () => escaped(String(new URLSearchParams(parts))),
    token: () => escaped(encodeURIComponent(parts.zugang ?? '')),
    scanned: () => sentencesOf(parts, scanned),
    unregistered: () => sentencesOf(parts, scanned, true),
  };
  return page.filled((gap) => filling[gap]());
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped as the views escape. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/**
 * Says what the passport of the page is about, and what was scanned, as HTML.
 *
 * @param hasItems the items of the model have passports of their own, or need one
 */
export function sentencesOf(
  parts: RequestParts,
  { language, group, opens, serial }: Scanned,
  hasItems = false,
): string {
  const text = texts[language].scanned;
  const codeOf = (code = ''): string => `<bdi class="code">${escaped(code)}</bdi>`;
  const words: Partial<Record<string, string>> = text.items;
  const itemOf = (code: string | undefined): string =>
    fill(escaped(words[group ?? ''] ?? text.items.other), { serial: codeOf(code) });
  const unregistered = fill(escaped(text.unregistered), { item: itemOf(parts.serial) });
  if (opens === 'other item') return unregistered;
  if (opens === 'model' && hasItems && parts.serial !== undefined) return `${unregistered} ${escaped(text.ofModel)}`;
  const named = keyQualifiers.filter((name) => parts[name] !== undefined && (opens === 'model' || name !== 'serial'));
  const codes = named.map((name) => fill(escaped(text[name]), { code: codeOf(parts[name]) }));
  const list = new Intl.ListFormat(language).format(codes);
  const scanned = codes.length === 0 ? [] : [fill(escaped(text.codes), { codes: list })];
  if (opens === 'model') return [...scanned, escaped(text.forModel)].join(' ');
  const own = serial === null ? escaped(text.single) : fill(escaped(text.item), { item: itemOf(serial) });
  return [own, ...scanned].join(' ');
}

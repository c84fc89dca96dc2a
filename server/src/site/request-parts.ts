/** The per-request parts of a passport page: the access token, and the key qualifiers of the scanned code. */
import { randomBytes } from 'node:crypto';
import { type KeyQualifier, keyQualifiers, type QueryPart, scannedIn } from '@product-passport/openapi';
import { type Encoded, Gapped } from '../http/encoded.ts';
import { fill, type Language, texts } from '../languages/languages.ts';

export type RequestParts = Partial<Record<'zugang' | KeyQualifier, string>>;

/**
 * Where the cached page has gaps for the parts: their query in a link, the token in the address of a document, and the
 * sentence about the scanned code. Otherwise anybody could make the server render by making up serial numbers.
 */
type Gap = 'query' | 'token' | 'scanned';

/** Nobody outside can write a placeholder into a passport, because it is random. */
const random = randomBytes(16).toString('hex');

/** A placeholder for a gap. */
export const gapOf = (gap: Gap): string => `${random}-${gap}`;

/** A query writes a name without a value with `=`. */
const gaps = new RegExp(`${random}-(query|token|scanned)=?`);

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

/** What the sentence about the scanned code needs as well as the code. */
interface Scanned {
  language: Language;
  group: string | null;
  /** The passport is that of the scanned item alone. */
  isItem: boolean;
}

/** Fills the gaps of a page. */
export function withRequestParts(page: Gapped<Gap>, parts: RequestParts, scanned: Scanned): Encoded<string> {
  const filling: Record<Gap, () => string> = {
    query: () => escaped(String(new URLSearchParams(parts))),
    token: () => escaped(encodeURIComponent(parts.zugang ?? '')),
    scanned: () => sentenceOf(parts, scanned),
  };
  return page.filled((gap) => filling[gap]());
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped as the views escape. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The sentence about the scanned code, as HTML. */
function sentenceOf(parts: RequestParts, { language, group, isItem }: Scanned): string {
  const text = texts[language].scanned;
  const codeOf = (name: KeyQualifier): string => `<bdi class="code">${escaped(parts[name] ?? '')}</bdi>`;
  if (isItem) {
    const words: Partial<Record<string, string>> = text.items;
    const item = fill(escaped(words[group ?? ''] ?? text.items.other), { serial: codeOf('serial') });
    return fill(escaped(text.item), { item });
  }
  const codes = keyQualifiers
    .filter((name) => parts[name] !== undefined)
    .map((name) => fill(escaped(text[name]), { code: codeOf(name) }));
  return fill(escaped(text.sentence), { codes: new Intl.ListFormat(language).format(codes) });
}

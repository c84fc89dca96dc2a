import { randomBytes } from 'node:crypto';
import { type KeyQualifier, keyQualifiers, type QueryPart, scannedIn } from '@product-passport/openapi';
import { Encoded } from '../http/handlers.ts';

/**
 * The per-request parts of a cached page: the access token, and the key qualifiers of the scanned code. The cache has a
 * placeholder for each. A page with a serial number takes 1.6 ms of processor time instead of 4, and one of
 * 4,000 values 15 ms instead of 65: otherwise anybody could make the server render by making up serial numbers.
 */
export type RequestParts = Partial<Record<'zugang' | KeyQualifier, string>>;

/** Begins a placeholder. Nobody outside can write it into a passport, because it is random. */
const random = randomBytes(16).toString('hex');

const placeholders = new RegExp(`${random}-(zugang|${keyQualifiers.join('|')})(-text)?`, 'g');

/** The parts of a query. */
export function requestPartsOf(query: readonly QueryPart[], zugang: string | undefined): RequestParts {
  return { ...(zugang === undefined ? {} : { zugang }), ...scannedIn(query) };
}

/** Whether the page shows a single variant, batch or item, and not only the model. */
export function isOfItem(parts: RequestParts): boolean {
  return keyQualifiers.some((name) => parts[name] !== undefined);
}

/** The same parts, with a placeholder instead of each. */
export function placeholdersOf(parts: RequestParts): RequestParts {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, `${random}-${name}`]));
}

/** A placeholder in a text. Any other one is in the query of a link. */
export function inText(placeholder: string): string {
  return `${placeholder}-text`;
}

/** Replaces the placeholders. */
export function withRequestParts(page: Encoded<string>, parts: RequestParts): Encoded<string> {
  if (Object.keys(parts).length === 0) return page;
  return Encoded.of(
    page.bytes.toString().replaceAll(placeholders, (_, name: keyof RequestParts, text: string | undefined) => {
      const part = parts[name] ?? '';
      return text ? `<bdi class="code">${escaped(part)}</bdi>` : escaped(encodeURIComponent(part));
    }),
  );
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped as the views escape. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

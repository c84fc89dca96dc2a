import { randomBytes } from 'node:crypto';
import { Encoded } from '../http/encoded.ts';
import type { QueryPart } from '../http/query.ts';

/**
 * What a page has of one request only: its access token, and the batch and the serial number of the scanned code. The
 * pages in memory have a mark in the place of each.
 */
export type OwnParts = Partial<Record<'zugang' | 'batch' | 'serial', string>>;

/** Begins a mark. Nobody outside can write it into a passport, because it is random. */
const random = randomBytes(16).toString('hex');

const marks = new RegExp(`${random}-(zugang|batch|serial)(-text)?`, 'g');

/** GS1's character set 82. */
const keyQualifier = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/;

/** The parts of a query. A batch or a serial number that GS1 does not allow is left out. */
export function ownPartsOf(query: readonly QueryPart[], zugang: string | undefined): OwnParts {
  const qualifiers = (['batch', 'serial'] as const).flatMap((name) => {
    const value = query.find((part) => part.name === name)?.value;
    return value !== undefined && keyQualifier.test(value) ? [[name, value]] : [];
  });
  return { ...(zugang === undefined ? {} : { zugang }), ...Object.fromEntries(qualifiers) };
}

/** Whether the page shows a single item or batch, and not only the model. */
export function isOfItem({ batch, serial }: OwnParts): boolean {
  return batch !== undefined || serial !== undefined;
}

/** The same parts, with a mark instead of each. */
export function marked(parts: OwnParts): OwnParts {
  return Object.fromEntries(Object.keys(parts).map((name) => [name, `${random}-${name}`]));
}

/** A mark in a text. Any other mark is in the query of a link. */
export function inText(mark: string): string {
  return `${mark}-text`;
}

/** Puts the parts of a request in the places of their marks. */
export function withOwnParts(page: Encoded<string>, parts: OwnParts): Encoded<string> {
  if (Object.keys(parts).length === 0) return page;
  return Encoded.of(
    page.bytes.toString().replaceAll(marks, (_, name: keyof OwnParts, text: string | undefined) => {
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

/**
 * `@product-passport/sdk/gs1`: GTINs and GS1 Digital Links, for programs that make or read data carriers. It sends no
 * requests.
 */
import { hasValidCheckDigit as isValid } from '../../openapi/src/rules/product.ts';
import { rootOf, webAddress } from './address.ts';
import { ArgumentError } from './errors.ts';

export { ArgumentError } from './errors.ts';

/**
 * The GTIN in its 14-digit form, padded with zeros on the left. Digital Links use this form; compare GTINs in it too.
 * Throws an `ArgumentError` unless the GTIN has 8, 12, 13 or 14 digits. The check digit is not checked.
 */
export function gtin14(gtin: string): string {
  if (typeof gtin !== 'string' || !/^(\d{8}|\d{12,14})$/.test(gtin)) {
    throw new ArgumentError('gtin', 'must be text of 8, 12, 13 or 14 digits');
  }
  return gtin.padStart(14, '0');
}

/**
 * Whether the last digit is the check digit of the others (GS1 General Specifications, 7.9). The service accepts a GTIN
 * with a wrong check digit; a shop's scanner may not. Throws an `ArgumentError` as `gtin14` does.
 */
export function hasValidCheckDigit(gtin: string): boolean {
  return isValid(gtin14(gtin));
}

/** The key qualifiers and their application identifiers, in GS1's order. */
const qualifiers = [
  ['cpv', 22],
  ['batch', 10],
  ['serial', 21],
  ['tpx', 235],
] as const;

/** The parts of a GS1 Digital Link of a GTIN. A qualifier has 1 to 20 characters of GS1's set 82, `tpx` up to 28. */
export interface DigitalLink {
  /** The part before `/01/`, without a trailing slash: `https://id.example.com`. */
  readonly siteUrl: string;
  /** `parseDigitalLink` gives the 14-digit form; `buildDigitalLink` takes any. */
  readonly gtin: string;
  /** Consumer product variant, `/22/`. */
  readonly cpv?: string | undefined;
  /** Batch or lot, `/10/`. */
  readonly batch?: string | undefined;
  /** Serial number, `/21/`. */
  readonly serial?: string | undefined;
  /** Third-party controlled extension, `/235/`. It cannot be combined with the others. */
  readonly tpx?: string | undefined;
  /** The part after the `?`, unchanged. */
  readonly query?: string | undefined;
}

const segment = '((?:[^/%]|%[2-7][\\da-f])+)'; // encoded characters are ASCII, like all of set 82
const form = RegExp(`^(.*?)/01/(\\d+)${qualifiers.map(([, ai]) => `(?:/${ai}/${segment})?`).join('')}/?$`, 'i');

/**
 * Parses a scanned GS1 Digital Link: `https://id.example.com/01/09520001200045/21/SN-1?17=271231`. Any path may precede
 * `/01/`. The key qualifiers are 22, 10 and 21 in this order, or 235 alone. It sends no requests and does not check the
 * check digit.
 *
 * Throws an `ArgumentError` for any other text, for more than 2,048 characters, and for a link with a user or a
 * password. The error does not quote the text.
 */
export function parseDigitalLink(link: string): DigitalLink {
  const { origin, pathname, search } = webAddress('link', link);
  const [, prefix, gtin, ...values] = (link.length <= 2048 && form.exec(pathname)) || [];
  if (gtin === undefined) {
    throw new ArgumentError('link', 'must be a GS1 Digital Link: /01/, a GTIN, then 22, 10, 21 or 235');
  }
  const named = qualifiers.map(([name], index) => [name, values[index] && decodeURIComponent(values[index])]);
  const parts = { siteUrl: origin + prefix, gtin: gtin14(gtin), ...Object.fromEntries(named), query: search.slice(1) };
  buildDigitalLink(parts); // throws for an invalid part
  return parts;
}

/**
 * Builds the GS1 Digital Link for a data carrier, with the GTIN in its 14-digit form. `parseDigitalLink` returns the
 * same parts. Throws an `ArgumentError` for a part that a Digital Link cannot contain.
 */
export function buildDigitalLink(parts: DigitalLink): string {
  const { siteUrl, gtin, query = '', ...values } = parts;
  let path = '';
  for (const [name, ai] of qualifiers) {
    const value = values[name];
    if (value === undefined) continue;
    const isTpx = name === 'tpx';
    // A URL cannot hold a segment of one or two dots, not even encoded.
    if (!/^(?!\.\.?$)[!"%-?A-Z_a-z]{1,28}$/.test(value) || (isTpx ? path : value.length > 20)) {
      throw new ArgumentError(
        name,
        `must be 1 to ${isTpx ? 28 : 20} characters that GS1 allows${isTpx ? ', without other key qualifiers' : ''}`,
      );
    }
    path += `/${ai}/${encodeURIComponent(value)}`;
  }
  const url = new URL(`${rootOf('siteUrl', siteUrl)}/01/${gtin14(gtin)}${path}`);
  url.search = query;
  return url.href;
}

/**
 * `@product-passport/sdk/gs1`: GTINs and GS1 Digital Links, for programs that make or read data carriers. It sends no
 * requests.
 */
export { buildDigitalLink, type DigitalLink, parseDigitalLink } from './digital-link.ts';
export { ArgumentError } from './errors.ts';
export { gtin14, hasValidCheckDigit } from './gtin.ts';

import { hasValidCheckDigit as isValid } from '../../openapi/src/rules/product.ts';
import { ArgumentError } from './errors.ts';

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

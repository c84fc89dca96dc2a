import { hasValidCheckDigit } from '../products/rules.ts';
import { warn } from './output.ts';

/** The server accepts a GTIN with a wrong check digit, but a shop's scanner may reject it. */
export function warnOfCheckDigit(gtin: string): void {
  if (!hasValidCheckDigit(gtin)) warn(`the GTIN ${gtin} has a wrong check digit. Some scanners reject it.`);
}

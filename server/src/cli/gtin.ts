import { hasValidCheckDigit } from '../products/rules.ts';
import { warn } from './output.ts';

/** A wrong check digit is stored as given, but a scanner in a shop may refuse it. */
export function warnOfCheckDigit(gtin: string): void {
  if (!hasValidCheckDigit(gtin)) warn(`the last digit of the GTIN ${gtin} is not its check digit.`);
}

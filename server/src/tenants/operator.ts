/** The identifiers of an economic operator and of a facility, in the schemes that public descriptions of EN 18219 name. */
import { hasValidCheckDigit } from '@product-passport/openapi';

/** A VAT number of a member state or Northern Ireland: two letters, then up to 12 characters, of which one is a digit. */
const vat =
  /^0223:(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)(?=\D*\d)[0-9A-Z+*]{2,12}$/;

/** Characters of an identifier. */
const maxLength = 200;

/**
 * Whether a text is the identifier of an economic operator: `0088:` with a GLN, `0199:` with an LEI, `0223:` with a VAT number
 * (ICD of ISO 6523), a GS1 Digital Link with a party GLN (417), a DID, or a DOI. Nobody is asked whether it exists.
 */
export function isOperatorId(text: string): boolean {
  const [, lei] = /^0199:([0-9A-Z]{18}[0-9]{2})$/.exec(text) ?? [];
  return isPlaceId(text, '417') || (lei !== undefined && isLei(lei)) || vat.test(text);
}

/** Whether a text is the identifier of a facility: a GLN, a GS1 Digital Link with the GLN of a location (414), a DID, or a DOI. */
export function isFacilityId(text: string): boolean {
  return isPlaceId(text, '414');
}

function isPlaceId(text: string, key: '414' | '417'): boolean {
  if (text.length > maxLength) return false;
  const link = new RegExp(`^https?://[\\w.-]+(?::\\d+)?(?:/[\\w.~%-]+)*/${key}/(\\d{13})$`);
  const [, gln] = /^0088:(\d{13})$/.exec(text) ?? link.exec(text) ?? [];
  if (gln !== undefined) return hasValidCheckDigit(gln);
  return /^did:[a-z0-9]+:[\w.:%-]+$/.test(text) || /^(?:doi:|https:\/\/doi\.org\/)10\.\d{4,9}\/[!-~]+$/.test(text);
}

/** ISO 17442: letters count from 10, and the remainder by 97 is 1 (ISO/IEC 7064). */
function isLei(lei: string): boolean {
  const digits = lei.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));
  return BigInt(digits) % 97n === 1n;
}

/** Pads a GTIN with zeros on the left to 14 digits (GS1 General Specifications, 3.3.2). */
export function gtin14(gtin: string): string {
  return gtin.padStart(14, '0');
}

/** The GS1 Digital Link of a product, which all its carriers hold. */
export function digitalLink(siteUrl: string, gtin: string): string {
  return `${siteUrl}/01/${gtin14(gtin)}`;
}

/** Whether the last digit of a GTIN is its check digit (GS1 General Specifications, 7.9). */
export function hasValidCheckDigit(gtin: string): boolean {
  const sum = [...gtin14(gtin)].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}

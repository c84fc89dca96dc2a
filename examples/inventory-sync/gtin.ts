/** The fault of a GTIN, or `undefined`. The service checks the digits, but not the check digit. */
export function faultOfGtin(gtin: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(gtin)) {
    return `GTIN ${gtin}: a spreadsheet has rounded it; export the column as text`;
  }
  if (!/^[0-9]+$/.test(gtin)) return `GTIN ${gtin}: it has other characters than digits`;
  if (![8, 12, 13, 14].includes(gtin.length)) return `GTIN ${gtin}: it has ${gtin.length} digits, not 8, 12, 13 or 14`;
  const expected = checkDigit(gtin.slice(0, -1));
  if (gtin.at(-1) !== expected) return `GTIN ${gtin}: its check digit is wrong, ${expected} would be right`;
  return undefined;
}

/** GS1's check digit: from the right, the digits have the weights 3 and 1 in turn. */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

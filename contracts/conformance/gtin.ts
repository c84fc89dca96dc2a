/** A GTIN of GS1's prefix for demonstrations. It is random, because a provider may refuse a repeated one. */
export function newGtin(): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  const digits = `952${String(number % 1e9).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Statements of a label by code, as in `H317` and `P501`, some of which the supplier completes. Pure. */

/**
 * The statements with a gap or a choice: those with `…` or a name to fill in in Regulation (EC) No 1272/2008, Annexes III and
 * IV, Part 2, as of 1 September 2025, and P280 and P503 as Regulation (EU) 2019/521 has them.
 */
const withGap = new Set(
  'EUH208 P230 P231 P241 P250 P264 P280 P310 P311 P312 P320 P321 P352 P378 P401 P406 P411 P413 P501 P503'.split(' '),
);

/** Whether the supplier completes a statement, or a part of a combined one such as `P301+P310`. */
export function hasGap(code: string): boolean {
  return code.split('+').some((part) => withGap.has(part.trim().toUpperCase()));
}

/** The statement that an item of a list is: a code, or `{ code, text }` with the sentence of the label. */
export function statementOf(item: unknown): { code: string; text: string } | undefined {
  if (typeof item === 'string') return { code: item, text: '' };
  const { code, text, ...others } = Object(item) as Record<string, unknown>;
  const isStatement = typeof code === 'string' && ['string', 'undefined'].includes(typeof (text ?? undefined));
  return isStatement && Object.keys(others).length === 0 ? { code, text: `${text ?? ''}`.trim() } : undefined;
}

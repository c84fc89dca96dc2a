/** The values of each factor, by name. */
export type Factors = Readonly<Record<string, readonly string[]>>;
export type Combination<F extends Factors> = { readonly [Name in keyof F]: F[Name][number] };

/** Every combination of the factors' values. */
export function allCombinations<F extends Factors>(factors: F): Combination<F>[] {
  return Object.entries(factors).reduce<Record<string, string>[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((before) => values.map((value) => ({ ...before, [name]: value }))),
    [{}],
  ) as Combination<F>[];
}

/**
 * A small set of combinations in which every pair of values of two factors occurs. Each step adds the combination with
 * the most missing pairs.
 */
export function pairwise<F extends Factors>(factors: F): Combination<F>[] {
  const candidates = allCombinations(factors).map((combination) => ({ combination, pairs: pairsOf(combination) }));
  const missing = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Combination<F>[] = [];
  while (missing.size > 0) {
    const gains = candidates.map(({ pairs }) => pairs.filter((pair) => missing.has(pair)).length);
    const best = candidates[gains.indexOf(Math.max(...gains))];
    if (!best) break;
    for (const pair of best.pairs) missing.delete(pair);
    chosen.push(best.combination);
  }
  return chosen;
}

/** The pairs of values of a combination, each as one text. */
export function pairsOf(combination: Readonly<Record<string, string>>): string[] {
  const values = Object.entries(combination).map(([name, value]) => `${name}=${value}`);
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} ${other}`));
}

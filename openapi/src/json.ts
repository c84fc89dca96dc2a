/** Access to nodes of a parsed document, whose types are unknown. */

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object or the element of an array, or `undefined`. */
export function member(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[Number(key)];
  return isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

export function mapValues<Out>(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

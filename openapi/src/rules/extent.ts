/** The limit that a value exceeds. It walks level by level, because deep input would overflow a recursion. */
export function exceededExtent(
  value: unknown,
  maxLevels = Number.POSITIVE_INFINITY,
  maxNodes = Number.POSITIVE_INFINITY,
): 'x-max-depth' | 'x-max-nodes' | undefined {
  const isNested = (node: unknown): node is object => typeof node === 'object' && node !== null;
  let level = isNested(value) ? [value] : [];
  let nodes = 1;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxLevels) return 'x-max-depth';
    const children = level.flatMap((node) => Object.values(node));
    nodes += children.length;
    if (nodes > maxNodes) return 'x-max-nodes';
    level = children.filter(isNested);
  }
  return undefined;
}

/**
 * The RFC 8785 (JCS) form of a value from `JSON.parse`: members sorted, numbers and strings as ECMAScript writes them.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)}}`;
}

import { ArgumentError } from './errors.ts';

/** What a value is that JSON has no form for. `undefined` as a member is none: JSON leaves it out. */
function flaw(value: unknown, inList: boolean): string | undefined {
  // By its tag, which is the same for objects of another realm.
  const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (kind === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (kind === 'undefined') return inList ? kind : undefined;
  return /^(Object|Array|Null|string|boolean)$/.test(kind) ? undefined : `a ${kind}`;
}

/**
 * The JSON of a body. `JSON.stringify` alone makes `null` of NaN and `{}` of a Map, and a passport would be overwritten
 * with it; so what has no form in JSON is refused, with its place. Dates and all else with a `toJSON` are what that says.
 */
export function toJson(body: unknown): string {
  const above: unknown[] = [];
  const places: string[] = [];
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    const depth = above.indexOf(this) + 1;
    above.length = depth;
    const inList = Array.isArray(this);
    const place = (places[depth - 1] ?? '') + (inList ? `[${name}]` : name && `.${name}`);
    // The `toJSON` of an invalid date gives null, and a passport would lose a value.
    const isNoDate = value === null && (this as Record<string, unknown>)[name] instanceof Date;
    const what = isNoDate ? 'an invalid date' : value && above.includes(value) ? 'inside itself' : flaw(value, inList);
    if (what)
      throw new ArgumentError(place.replace(/^\./, '') || 'the body', `is ${what}, which cannot be sent as JSON`);
    above.push(value);
    places[depth] = place;
    return value;
  });
}

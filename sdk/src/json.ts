import { ArgumentError } from './errors.ts';

/** What a value is that JSON has no form for. `undefined` as a member is none: JSON leaves it out. */
function flaw(value: unknown, inList: boolean): string | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : String(value);
    case 'undefined':
      return inList ? 'undefined' : undefined;
    case 'object': {
      // By its tag, which is the same for objects of another realm.
      const kind = Object.prototype.toString.call(value).slice(8, -1);
      return /^(Object|Array|Null)$/.test(kind) ? undefined : `a ${kind}`;
    }
    default:
      return `a ${typeof value}`;
  }
}

/**
 * The JSON of a body. `JSON.stringify` alone makes `null` of NaN and `{}` of a Map, and a passport would be overwritten
 * with it; so what has no form in JSON is refused, with its place. Dates and all else with a `toJSON` are what that says.
 */
export function toJson(body: unknown): string {
  const above: { value: unknown; place: string }[] = [];
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    while (above.length > 0 && above.at(-1)?.value !== this) above.pop();
    const inList = Array.isArray(this);
    const place = (above.at(-1)?.place ?? '') + (inList ? `[${name}]` : name && `.${name}`);
    const what = above.some((outer) => outer.value === value) ? 'inside itself' : flaw(value, inList);
    if (what)
      throw new ArgumentError(place.replace(/^\./, '') || 'the body', `is ${what}, which cannot be sent as JSON`);
    if (typeof value === 'object') above.push({ value, place });
    return value;
  });
}

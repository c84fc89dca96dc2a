import { ArgumentError } from './errors.ts';

/** A body that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Names a value that JSON cannot express. A member that is `undefined` is allowed: JSON leaves it out. */
function flaw(value: unknown, inList: boolean, above: unknown[]): string | undefined {
  if (value && above.includes(value)) return 'inside itself';
  // By its tag, which is the same for objects of another realm.
  const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (kind === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (kind === 'undefined') return inList ? kind : undefined;
  return /^(Object|Array|Null|string|boolean)$/.test(kind) ? undefined : `a ${kind}`;
}

/**
 * The JSON of a body, or of one element of it. `JSON.stringify` alone turns NaN into `null` and a Map into `{}`, and a
 * passport would be overwritten with that; this refuses what JSON cannot express, and names its place. Dates and
 * everything else with a `toJSON` are sent as that says.
 *
 * @param start the place of the element: `[3]`
 */
export function toJson(body: unknown, start = ''): string {
  const above: unknown[] = [];
  const places: string[] = [];
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    const depth = above.indexOf(this) + 1;
    above.length = depth;
    const inList = depth ? Array.isArray(this) : start !== '';
    places[depth] = depth ? places[depth - 1] + (inList ? `[${name}]` : `.${name}`) : start;
    // The `toJSON` of an invalid date gives null, and a passport would lose a value.
    const isBadDate = value === null && Reflect.get(Object(this), name) instanceof Date;
    const what = isBadDate ? 'an invalid date' : flaw(value, inList, above);
    const place = places[depth].replace(/^\./, '') || 'the body';
    if (what) throw new ArgumentError(place, `is ${what}, which cannot be sent as JSON`);
    above.push(value);
    return value;
  });
}

import { ArgumentError } from './errors.ts';

/** A body that is already serialized as JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Describes a value that JSON cannot express. A member that is `undefined` is allowed: JSON leaves it out. */
function unsupported(value: unknown, inList: boolean, above: unknown[]): string | undefined {
  if (value && above.includes(value)) return 'a circular reference';
  // The tag is the same for objects of another realm; the constructor is not.
  const kind = typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  if (kind === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (kind === 'undefined') return inList ? kind : undefined;
  return /^(Object|Array|Null|string|boolean)$/.test(kind) ? undefined : `a ${kind}`;
}

/**
 * Serializes a body, or one element of it, as JSON. `JSON.stringify` alone turns NaN into `null` and a Map into `{}`,
 * and these would overwrite values of a passport. `toJson` throws an `ArgumentError` with the place of such a value.
 * Dates and other objects with a `toJSON` are sent as its result.
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
    // The `toJSON` of an invalid date returns null, which would delete a value of the passport.
    const isBadDate = value === null && Reflect.get(Object(this), name) instanceof Date;
    const reason = isBadDate ? 'an invalid date' : unsupported(value, inList, above);
    if (reason)
      throw new ArgumentError(places[depth].replace(/^\./, '') || 'the body', `is ${reason}, which cannot be sent`);
    above.push(value);
    return value;
  });
}

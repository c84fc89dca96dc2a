/** What programs rely on, as facts, so that one set of rules compares the contract and the exports of the SDK. */
import { isDeepStrictEqual } from 'node:util';

/**
 * By `DIRECTION OWNER KEYWORD`, as in `request createProduct body.name maxLength`. Every owner has the keyword `exists`.
 * A request is what programs send or pass in; a response is what they receive.
 */
export type Facts = Readonly<Record<string, unknown>>;

/** Whether everything that the inner value allows is allowed by the outer one. */
type Within = (inner: unknown, outer: unknown) => boolean;

const list = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());
const contains = (larger: unknown, smaller: unknown): boolean =>
  list(smaller).every((one) => list(larger).some((other) => isDeepStrictEqual(one, other)));
const isSubset: Within = (inner, outer) => outer === undefined || (inner !== undefined && contains(outer, inner));
const isNotMore: Within = (inner, outer) => Number(inner ?? Infinity) <= Number(outer ?? Infinity);
const isNotLess: Within = (inner, outer) => Number(inner ?? -Infinity) >= Number(outer ?? -Infinity);

/** Any other keyword must not change at all. */
const rules: Readonly<Record<string, Within>> = {
  type: isSubset,
  required: (inner, outer) => contains(inner, outer),
  maxLength: isNotMore,
  maximum: isNotMore,
  maxItems: isNotMore,
  'x-max-depth': isNotMore,
  'x-max-nodes': isNotMore,
  minLength: isNotLess,
  minimum: isNotLess,
  minItems: isNotLess,
};

/** One sentence for each fact that a program may rely on and that is no longer true. */
export function factBreaks(old: Facts, now: Facts): string[] {
  const gone = Object.keys(old).flatMap((key) => (key.endsWith(' exists') && !(key in now) ? [key.slice(0, -7)] : []));
  const isInside = (inner: string, outer: string) =>
    inner.startsWith(outer) && /[ .[(]/.test(inner[outer.length] ?? '');
  const roots = gone.filter((owner) => !gone.some((outer) => isInside(owner, outer)));
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...keys].filter((key) => {
    const exists = key.replace(/\S+$/, 'exists');
    return exists in old && exists in now && !isKept(key, old[key], now[key]);
  });
  return [
    ...roots.map((owner) => `${owner} is gone`),
    ...changed.map((key) => `${key} was ${shown(old[key])} and is now ${shown(now[key])}`),
  ];
}

/** Requests may become easier to send, and responses may only promise more. */
function isKept(key: string, old: unknown, now: unknown): boolean {
  const keyword = key.slice(key.lastIndexOf(' ') + 1);
  const isRequest = key.startsWith('request ');
  if (keyword === 'known') return contains(now, old);
  if (keyword === 'values') return isRequest ? isSubset(old, now) : contains(now, old) && contains(old, now);
  const rule = rules[keyword] ?? isDeepStrictEqual;
  return isRequest ? rule(old, now) : rule(now, old);
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

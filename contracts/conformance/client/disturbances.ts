/** What the service does to a program, and when. The same seed gives the same times. */
import { isRecord, type Schema } from '@product-passport/openapi';
import fc from 'fast-check';

/**
 * - `limits`: the fault `rate_limited`, for a request and every request until `Retry-After` has passed.
 * - `drops`: the fault `lose_response`, after a product was stored.
 * - `fields`: responses have a field that the contract does not have yet.
 * - `values`: responses have a value that the contract does not list yet.
 * - `pages`: a page has at most 50 products, and the list grows while it is read.
 * - `redirect`: a request gets 307 to another origin.
 */
export const disturbances = ['limits', 'drops', 'fields', 'values', 'pages', 'redirect'] as const;
export type Disturbance = (typeof disturbances)[number];

/** Longer than the pause of a program that waits a second after any failure. */
const retryAfterSeconds = 2;

/** The maximum number of 429 and of dropped connections in a run. */
const maxTimes = 3;

/** Whether it is time for a disturbance: at the call with this number, and twice more, so many calls later. */
function createOccasions(seed: number, first: number, [min, max]: readonly [number, number]): () => boolean {
  const gaps = fc.sample(fc.integer({ min, max }), { seed, numRuns: maxTimes - 1 });
  let left = first;
  return () => {
    left -= 1;
    if (left !== 0) return false;
    left = gaps.pop() ?? 0;
    return true;
  };
}

/** Returns the seconds that a request has to wait, or `undefined`. */
export function createLimiter(seed: number): (now: number) => number | undefined {
  const isTime = createOccasions(seed, 1 + Math.abs(seed % 2), [20, 59]);
  let endsAt = 0;
  return (now) => {
    if (now < endsAt) return Math.ceil((endsAt - now) / 1000);
    if (!isTime()) return undefined;
    endsAt = now + retryAfterSeconds * 1000;
    return retryAfterSeconds;
  };
}

/**
 * Whether the response to this creation is lost. The first one never is, so that a program that creates one product and
 * cannot look for it succeeds.
 *
 * @param body a body that was sent before is not lost, because the program may want two equal products
 */
export function createDropper(seed: number): (body: string) => boolean {
  const isTime = createOccasions(seed, 2, [5, 24]);
  const known = new Set<string>();
  return (body) => {
    if (known.has(body)) return false;
    known.add(body);
    return isTime();
  };
}

const addedField = 'added_later';
const addedValue = 'added_later';

/** A program may have sent it, and may compare it with the response. */
const unchanged = new Set(['product_group']);

/** The body with additions. `schema` is that of the response. */
export function withAdditions(body: unknown, schema: Schema, kinds: ReadonlySet<Disturbance>): unknown {
  if (Array.isArray(body)) {
    return body.map((element) => (schema.items ? withAdditions(element, schema.items, kinds) : element));
  }
  if (isRecord(body)) return objectWithAdditions(body, schema, kinds);
  const isOpen = schema['x-extensible-enum'] !== undefined && typeof body === 'string';
  return isOpen && kinds.has('values') ? addedValue : body;
}

function objectWithAdditions(
  body: Readonly<Record<string, unknown>>,
  schema: Schema,
  kinds: ReadonlySet<Disturbance>,
): unknown {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  if (names.length === 0) return body;
  const members = Object.entries(body).map(([name, value]): [string, unknown] => {
    const member = properties[name];
    return [name, member === undefined || unchanged.has(name) ? value : withAdditions(value, member, kinds)];
  });
  // A program may add up the numbers of such an object.
  const isTable = Object.values(body).every((value) => typeof value === 'number');
  if (kinds.has('fields') && !isTable) members.unshift([addedField, { since: 'a later version' }]);
  return Object.fromEntries(members);
}

function propertiesOf({ properties = {}, allOf = [] }: Schema): Readonly<Record<string, Schema>> {
  return Object.assign({}, ...allOf.map(propertiesOf), properties);
}

/** A request body without the added fields: a program may send back what it read. */
export function withoutAdditions(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutAdditions);
  if (!isRecord(body)) return body;
  const members = Object.entries(body).filter(([name]) => name !== addedField);
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'value' ? value : withoutAdditions(value)]));
}

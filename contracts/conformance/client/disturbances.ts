import { isRecord, type Schema } from '@product-passport/openapi';

/** What the service does to a program, and when. The same seed gives the same times. */

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

/** Returns the seconds that a request has to wait, or `undefined`. */
export function createLimiter(random: () => number): (now: number) => number | undefined {
  let untilNext = 1 + Math.floor(random() * 2);
  let times = 0;
  let endsAt = 0;
  return (now) => {
    if (now < endsAt) return Math.ceil((endsAt - now) / 1000);
    untilNext -= 1;
    if (untilNext > 0 || times === maxTimes) return undefined;
    times += 1;
    untilNext = 20 + Math.floor(random() * 40);
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
export function createDropper(random: () => number): (body: string) => boolean {
  const known = new Set<string>();
  let untilNext = 2;
  let times = 0;
  return (body) => {
    if (known.has(body)) return false;
    known.add(body);
    untilNext -= 1;
    if (untilNext > 0 || times === maxTimes) return false;
    times += 1;
    untilNext = 5 + Math.floor(random() * 20);
    return true;
  };
}

/** Numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
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

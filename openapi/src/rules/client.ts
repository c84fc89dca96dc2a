/** What a client must not do, judged by the requests that it sent. `verify client` and the sandbox share these rules. */
import type { Parameter } from './contract.ts';
import { canonical } from './passport.ts';
import type { Side } from './side.ts';

/** A request of a client, and what became of it. */
export interface SentRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** Whether the path needs a key. */
  secured: boolean;
  /** `undefined` for a request that the contract does not have. */
  operationId: string | undefined;
  /** Equal for requests that repeat each other: see `identityOf`. */
  identity: string;
  /** In milliseconds, on one clock for all requests. */
  arrivedAt: number;
  respondedAt: number;
  /** The seconds in Retry-After, if the response was 429. */
  retryAfter?: number | undefined;
  /** Whether the request was carried out, and its response never arrived. */
  isLost?: boolean | undefined;
}

/** Other requests may be under way when the response arrives, in milliseconds. */
const underWay = 500;
/** A timer may fire early, in milliseconds. */
const tolerance = 50;

/** Equal for requests that repeat each other, also with another order of the body's members. */
export function identityOf(method: string, path: string, body: string): string {
  try {
    return `${method} ${path} ${canonical(JSON.parse(body))}`;
  } catch {
    return `${method} ${path} ${body}`;
  }
}

/** The responses that began a pause: the first 429 of each. */
export function pausesIn<Sent extends SentRequest>(requests: readonly Sent[]): readonly Sent[] {
  let endsAt = 0;
  return requests.filter((one) => {
    if (one.retryAfter === undefined || one.arrivedAt < endsAt) return false;
    endsAt = one.respondedAt + one.retryAfter * 1000 - tolerance;
    return true;
  });
}

/** Requests to the API that came before the pause of a 429 had passed. */
export function earlyRequests<Sent extends SentRequest>(
  requests: readonly Sent[],
): { reason: string; request: Sent }[] {
  return pausesIn(requests).flatMap((pause) => {
    const seconds = pause.retryAfter ?? 0;
    const endsAt = pause.respondedAt + seconds * 1000 - tolerance;
    return requests
      .filter(({ identity, secured, arrivedAt }) => {
        const knownAt = pause.respondedAt + (identity === pause.identity ? 0 : underWay);
        return secured && arrivedAt > knownAt && arrivedAt < endsAt;
      })
      .map((request) => ({
        reason: `${lineOf(pause)} got 429 with Retry-After: ${seconds}. ${lineOf(request)} came before the ${seconds} seconds had passed.`,
        request,
      }));
  });
}

/** Creates that the client sent again after a lost response, without a look for the product. */
export function blindRepeats<Sent extends SentRequest>(requests: readonly Sent[]): { reason: string; request: Sent }[] {
  return requests
    .filter(({ isLost, operationId }) => isLost && operationId === 'createProduct')
    .flatMap((lost) => {
      const after = requests.filter(({ arrivedAt }) => arrivedAt > lost.respondedAt);
      const again = after.find(({ identity, retryAfter }) => retryAfter === undefined && identity === lost.identity);
      if (again === undefined) return [];
      const looked = after.some((one) => one.arrivedAt < again.arrivedAt && isLook(one));
      const how = looked
        ? 'The program looked for products, and then created it again. It did not look for this product.'
        : 'The program created it again without a look.';
      const reason = `The product of ${lineOf(lost)} was stored, but the connection closed. ${how} There are two products now.`;
      return [{ reason, request: again }];
    });
}

function isLook({ operationId, retryAfter, isLost }: SentRequest): boolean {
  return retryAfter === undefined && !isLost && (operationId === 'getProduct' || operationId === 'listProducts');
}

/** Parameters that the operation does not have, and numbers out of the bounds to which the service moves them. */
export function queryFaults(
  path: string,
  { parameters, side }: { readonly parameters: readonly Parameter[]; readonly side: Side },
): string[] {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  const beyond = parameters.flatMap(({ name, schema }) => {
    const { 'x-clamp': bounds } = schema;
    const sent = query.get(name);
    if (bounds === undefined || sent === null || !/^-?\d+$/.test(sent)) return [];
    const { minimum, maximum } = bounds;
    const isInside = Number(sent) >= minimum && Number(sent) <= maximum;
    return isInside
      ? []
      : [`${name} must be ${minimum} to ${maximum}, is ${sent}. The service uses the nearest bound.`];
  });
  const known = new Set(parameters.map(({ name }) => name));
  const unknown = side.secured ? [...new Set(query.keys())].filter((name) => !known.has(name)) : [];
  return [...beyond, ...unknown.map((name) => `the contract has no parameter ${name}.`)];
}

/** The parts of a request that have one of the keys outside of its header: logs and databases keep both parts. */
export function partsWithKey(path: string, body: string, keys: readonly string[]): string[] {
  const isIn = (text: string) => keys.some((key) => text.includes(key) || text.includes(encodeURIComponent(key)));
  return Object.entries({ 'the address': path, 'the body': body }).flatMap(([name, text]) =>
    isIn(text) ? [name] : [],
  );
}

/** `POST /api/v1/products` */
export function lineOf({ method, path }: Pick<SentRequest, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

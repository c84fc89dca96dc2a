/** The requests of the cases: the five reads of EN 18222, below an address that ends in /v1. */
import { isRecord } from '@product-passport/openapi';
import { type Ask, CaseFailure, type Context, check, NotTested, type Reply } from '../conformance/case.ts';
import type { Provider } from '../conformance/provider.ts';
import { shown } from '../judge/finding.ts';
import { type Batch, batchIn, dialects, encoded, errorFault, type Passport, passportIn } from './readings.ts';

/** What the suite knows of a provider's passports. */
export interface Facts extends NonNullable<Provider['dpp']> {
  /** The public values of the first passport, by element id, as the provider's JSON-LD has them. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** How many of the passports the caller named. The others come from the provider's JSON-LD. Default: 0. */
  readonly named?: number;
}

/** A passport that the provider returned. */
export interface Known {
  readonly id: string;
  readonly productId: string;
  readonly passport: Passport;
  readonly envelope: string | undefined;
}

export const byId = (id: string): string => `/dpps/${encoded(id)}`;
export const byProduct = (productId: string): string => `/dppsByProductId/${encoded(productId)}`;
export const byDate = (id: string): string => `/dppsByIdAndDate/${encoded(id)}`;
export const element = (id: string, path: string): string => `${byId(id)}/elements/${encoded(path)}`;

/** An identifier that no passport and no product has. */
export const unknownId = 'https://id.gs1.org/01/09529999999998/21/no-such-passport';

/** How many pages of the provider's own size a list of ids may have. */
export const maxPages = 20;

type Query = Readonly<Record<string, string>>;

export type Reads = ReturnType<typeof readsOf>;

export function readsOf(context: Context, facts: Facts) {
  const { send, sendFaulty, once, warn } = context;
  const headers = { accept: 'application/json', ...facts.headers };
  const ask = (path: string, query: Query = {}): Ask => ({ path, query, headers });

  /** The passport at an address. @throws CaseFailure unless the status is 200 and there is one. */
  async function passportAt(path: string, query?: Query): Promise<Passport> {
    return passportOf(await send(ask(path, query)), path).passport;
  }

  /** The response to the read of a passport. */
  async function read(index = 0) {
    const { id, product_id: productId } = facts.passports?.[index] ?? {};
    if (id === undefined && productId === undefined) throw new NotTested(index === 0 ? 'passport' : 'second passport');
    const path = id === undefined ? byProduct(productId ?? '') : byId(id);
    const reply = await once(`passport ${index}`, async (one) => one.send(ask(path)));
    return { id, productId, path, reply };
  }

  /** A passport of the provider, with its own identifiers. @throws NotTested if it was named and does not exist */
  async function known(index = 0): Promise<Known> {
    const { id, productId, path, reply } = await read(index);
    const isNamed = index < (facts.named ?? 0);
    if (isNamed && reply.status === 404 && errorFault(reply.json).fault === undefined)
      throw new NotTested('known passport');
    if (isClosed(reply) && facts.headers === undefined) throw new NotTested('key of the reads');
    const { passport, envelope } = passportOf(reply, path);
    const { digitalProductPassportId, uniqueProductIdentifier } = passport;
    return {
      id: id ?? String(digitalProductPassportId),
      productId: productId ?? String(uniqueProductIdentifier),
      ...{ passport, envelope },
    };
  }

  /** A POST of product ids, in the dialect that the provider accepts. */
  async function batchAsk(ids: readonly string[], page: Query = {}): Promise<Ask> {
    const { productId } = await known();
    const dialect = await once('batch', async (one) => {
      const refused: string[] = [];
      for (const dialect of dialects) {
        const reply = await one.sendFaulty(post(dialect.body([productId], {})));
        if (reply.status === 200 && batchIn(reply.json) !== undefined) return dialect;
        refused.push(`${reply.status} for the form of ${dialect.name}`);
      }
      throw new CaseFailure(
        `POST /dppsByProductIds must respond with 200 and a list of ids, gets ${refused.join(', ')}`,
      );
    });
    const isInBody = dialect.name === 'CIR4FUN';
    const { limit, ...rest } = page;
    const inBody = limit === undefined ? rest : { ...rest, limit: /^-?\d+$/.test(limit) ? Number(limit) : limit };
    return { ...post(dialect.body(ids, isInBody ? inBody : {})), query: isInBody ? {} : page };
  }

  const post = (json: unknown): Ask => ({ ...ask('/dppsByProductIds'), method: 'POST', json });

  async function batch(ids: readonly string[], page?: Query): Promise<Batch> {
    const reply = await send(await batchAsk(ids, page));
    check(reply.status === 200, `POST /dppsByProductIds must respond with 200, responds with ${reply.status}`);
    const found = batchIn(reply.json, reply.headers.link);
    check(
      found !== undefined,
      `POST /dppsByProductIds must respond with a list of ids, responds with ${shown(reply.json)}`,
    );
    return found;
  }

  /** The pages of a list of ids. @throws CaseFailure if a cursor comes again */
  async function* pagesOf(products: readonly string[], page: Query = {}): AsyncGenerator<Batch> {
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; cursors.add(cursor)) {
      const found = await batch(products, { ...page, ...(cursor !== undefined && { cursor }) });
      yield found;
      cursor = found.next?.cursor;
      if (cursor === undefined) return;
      check(!cursors.has(cursor), `the pages must end, and the cursor ${shown(cursor)} comes again`);
    }
  }

  /** The ids of all pages. @throws NotTested after 20 pages */
  async function batchAll(products: readonly string[]): Promise<Omit<Batch, 'next'>> {
    const ids: string[] = [];
    let pages = 0;
    for await (const { ids: more, at, next } of pagesOf(products)) {
      ids.push(...more);
      pages += 1;
      if (next === undefined) return { ids, ...(at && { at }) };
      if (pages === maxPages) throw new NotTested('fewer passports');
    }
    return { ids };
  }

  /**
   * `good` succeeds, and the same request with the fault is refused.
   *
   * @param open other statuses that a source names, each with what the sources say
   */
  async function refused(
    good: Ask,
    fault: Partial<Ask>,
    status: number | readonly number[],
    open: Readonly<Record<number, string>> = {},
  ): Promise<Reply> {
    const allowed = [...[status].flat(), ...Object.keys(open).map(Number)];
    const reply = await context.refused(good, fault, { status: allowed });
    const words = open[reply.status];
    if (words !== undefined) warn(words);
    return reply;
  }

  /** Checks the body of a refusal. */
  function checkError({ json, status }: Reply, path: string): void {
    const { fault, warning } = errorFault(json);
    check(fault === undefined, `GET ${path}: the body of the ${status} ${fault}`);
    if (warning !== undefined) warn(warning);
  }

  /** A read of the past. A provider may open it for known callers only. */
  async function dated(id: string, date: string, query: Query = {}): Promise<Reply> {
    const reply = await send(ask(byDate(id), { date, ...query }));
    if (isClosed(reply)) throw new NotTested('dated reads');
    return reply;
  }

  const batches = { batchAsk, batch, pagesOf, batchAll };
  return { ask, send, sendFaulty, warn, passportAt, read, known, ...batches, refused, checkError, dated };
}

/** Whether a read needs credentials. */
export const isClosed = ({ status }: Reply): boolean => status === 401 || status === 403;

export function passportOf({ status, json }: Reply, path: string) {
  check(status === 200, `GET ${path} must respond with 200, responds with ${status}`);
  const found = passportIn(json);
  const what = isRecord(json) ? 'an object without digitalProductPassportId' : shown(json);
  check(found !== undefined, `GET ${path} must respond with a passport, responds with ${what}`);
  return found;
}

/**
 * Which operations the provider has not built. Only requests without a fault decide, and only for products that the
 * provider itself returned. An operation is not built if each of them got 405, 501, or the 2xx, 3xx or 404 of an unknown
 * address.
 */
import { type Contract, gtin14, isRecord, type Operation, sideOf } from '@product-passport/openapi';
import { decoded, operationAt } from '../judge/operation-at.ts';
import type { Ask } from './api.ts';
import { CaseFailure } from './check.ts';
import { type Exchange, jsonIn, type WireRequest, type WireResponse } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { Result } from './result.ts';
import type { Session } from './session.ts';

interface TrackOptions {
  readonly contract: Contract;
  readonly provider: Provider;
  readonly session: Session;
}

export function trackBuilt({ contract, provider: { tenants = [] }, session }: TrackOptions) {
  const operations = contract.operations.filter(({ origin }) => origin === 'description');
  const isBuilt = new Map<string, boolean>();
  const unknown = new Map<string, Exchange | undefined>();
  /** Requests for what the provider may not have, that got the response of an unknown address. */
  const undecided = new Set<Exchange>();
  const returned = new Returned();
  let judged = 0;
  const missing = () => operations.filter(({ operationId }) => isBuilt.get(operationId) === false);

  return {
    /** Judges the requests that the session sent since the last call. */
    async update() {
      for (; judged < session.exchanges.length; judged += 1) await judge(session.exchanges[judged]);
    },
    /**
     * Asks again for what seems to be missing: a run of few cases may have met the only product that is not found. Asks for
     * putPassport once if no case wrote because no field key was found.
     */
    async confirm(results: readonly Result[]) {
      const [first] = tenants;
      const isUnsure = (operation: Operation): boolean =>
        !isBuilt.has(operation.operationId) && results.some((result) => needsKeysFor(operation, result));
      const open = [...missing(), ...operations.filter(isUnsure)];
      if (first === undefined || open.length === 0) return;
      const all = await listed(first.api_key, '');
      const active = open.every(({ side }) => side.secured) ? [] : await listed(first.api_key, '&status=active');
      // A creation would leave a product.
      for (const operation of open.filter(({ method }) => method !== 'POST')) {
        const products = operation.side.secured
          ? all.filter((product) => operation.method !== 'PUT' || isOwn(product))
          : active;
        // The oldest and the newest.
        for (const product of new Set([products.at(0), products.at(-1)])) {
          await judge(await asked(confirmation(operation, { tenant: first.slug, ...product })));
        }
      }
    },
    /** Cases of operations that are not built neither fail nor pass. */
    resultOf(result: Result): Result {
      const open = isUndecided(result) ? operations.filter(({ operationId }) => !isBuilt.has(operationId)) : missing();
      const notBuilt = open
        .filter((operation) =>
          result.status === 'skipped' ? needsKeysFor(operation, result) : isAbout(result, operation),
        )
        .map(({ operationId }) => operationId);
      if (notBuilt.length === 0) return result;
      return { ...result, status: 'skipped', notBuilt, warnings: [], reasons: [`Not built: ${notBuilt.join(', ')}.`] };
    },
  };

  async function judge(exchange: Exchange | undefined): Promise<void> {
    if (exchange?.purpose !== 'valid') return;
    const { request } = exchange;
    const at = operationAt(operations, request.method, request.path);
    // A service may have GET without HEAD.
    if (at === undefined || at.method !== request.method) return;
    const tenant = tenants.find(({ api_key }) => request.headers.authorization === `Bearer ${api_key}`);
    const built = isBuilt.get(at.operationId) || (await builtBy(exchange));
    const isKnown = returned.has(at.pathParameters, tenant);
    if (isKnown && built !== undefined) isBuilt.set(at.operationId, built);
    if (!isKnown && built === false) undecided.add(exchange);
    const isSource = ['listProducts', 'createProduct'].includes(at.operationId);
    if (isSource && tenant !== undefined) returned.add(productsIn(exchange.response), tenant);
  }

  /** Whether the response shows that the operation is built. `undefined` if it shows neither. */
  async function builtBy({ request, response }: Exchange): Promise<boolean | undefined> {
    if (response === undefined || response.unreadable !== undefined) return true;
    const { status } = response;
    if ([401, 403, 429, 503].includes(status)) return undefined;
    if ([405, 501].includes(status)) return false;
    if (status >= 400 && status !== 404) return true;
    const other = await unknownLike(request);
    return other?.status !== status || normalized(other, otherPath(request)) !== normalized(response, request.path);
  }

  /** The response to the same request for an address that the provider does not have. */
  async function unknownLike(request: WireRequest): Promise<WireResponse | undefined> {
    const { method, headers, body } = request;
    const path = otherPath(request);
    const name = `${method} ${path} ${JSON.stringify(headers)}`;
    if (!unknown.has(name)) unknown.set(name, await asked({ method, path, headers, ...(body && { raw: body }) }));
    return unknown.get(name)?.response;
  }

  /** Whether the case fails by nothing but such requests. */
  function isUndecided({ status, exchanges }: Result): boolean {
    return status === 'failed' && exchanges.length > 0 && exchanges.every((one) => undecided.has(one));
  }

  async function listed(key: string, filter: string): Promise<readonly Listed[]> {
    const exchange = await asked({ path: '/api/v1/products', query: `limit=200${filter}`, key });
    await judge(exchange);
    return productsIn(exchange?.response);
  }

  /** `undefined` if the session sends no more requests. */
  async function asked(ask: Ask): Promise<Exchange | undefined> {
    return session.ask(ask).catch((error) => {
      if (error instanceof CaseFailure) return undefined;
      throw error;
    });
  }
}

type Tenant = NonNullable<Provider['tenants']>[number];

/** The products that the provider returned in this run. */
class Returned {
  /** `KEY SLUG`, `/p/TENANT/SLUG`, and GTINs with 14 digits. */
  readonly #known = new Set<string | undefined>();

  add(products: readonly Listed[], { api_key, slug: tenant }: Tenant): void {
    for (const { slug, gtin, status } of products) {
      this.#known.add(`${api_key} ${slug}`);
      if (status !== 'active') continue;
      this.#known.add(`/p/${tenant}/${slug}`);
      if (typeof gtin === 'string') this.#known.add(gtin14(gtin));
    }
  }

  /** Whether the request names such a product, or none. A public one must name an active product. */
  has({ slug, tenant: owner, product, gtin }: Readonly<Record<string, string>>, tenant: Tenant | undefined): boolean {
    if (gtin !== undefined) return this.#known.has(gtin14(gtin));
    if (product !== undefined) return this.#known.has(`/p/${owner}/${product}`);
    return tenant !== undefined && (slug === undefined || this.#known.has(`${tenant.api_key} ${slug}`));
  }
}

function otherPath({ path }: WireRequest): string {
  const { code, root } = sideOf(path);
  return `${code === 'not_found' ? root : ''}/verify-unknown-address`;
}

/** A plain request of the operation for the product. */
function confirmation(
  { method, path }: Operation,
  { slug, tenant, gtin }: Listed & { tenant?: string | undefined },
): Ask {
  const values: Readonly<Record<string, unknown>> = { slug, product: slug, tenant, gtin };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])));
  return { method, path: filled, ...(method === 'PUT' && { json: [] }) };
}

function isAbout({ id, exchanges, stoppedAt }: Result, operation: Operation): boolean {
  const requests = [...exchanges.map(({ request }) => request), ...(stoppedAt === undefined ? [] : [stoppedAt])];
  const isNamed = id.split(/[.-]/).includes(operation.operationId);
  return isNamed || requests.some(({ method = 'GET', path }) => operationAt([operation], method, path) !== undefined);
}

/** Whether the case could not write: without a field key, no passport can be written. */
function needsKeysFor({ operationId }: Operation, { status, missing }: Result): boolean {
  return operationId === 'putPassport' && status === 'skipped' && missing.includes('field key');
}

/** A product that the suite created, in this run or an earlier one. Others are not written to. */
function isOwn({ name }: Listed): boolean {
  return typeof name === 'string' && name.startsWith('Verify ');
}

interface Listed {
  readonly name?: unknown;
  readonly slug?: string;
  readonly gtin?: unknown;
  readonly status?: unknown;
}

function productsIn(response: WireResponse | undefined): Listed[] {
  const json = response !== undefined && response.status < 300 ? jsonIn(response.text) : undefined;
  const products = isRecord(json) && Array.isArray(json.items) ? json.items : [json];
  return products.filter((product) => isRecord(product) && typeof product.slug === 'string');
}

/** Letters and digits of an id, a time or a number. */
const changing = /\b(?=[\w:.+-]*\d)[\w:.+-]+\b/g;

/** The response without what differs from request to request. */
function normalized({ headers, text }: WireResponse, path: string): string {
  const [address = ''] = path.split('?', 1);
  const paths = [path, address, decoded(address)].flatMap((one) => [one, one.slice(1)]);
  const same = paths.reduce((rest, one) => rest.replaceAll(one, ''), text.replaceAll('\\/', '/'));
  return `${headers['content-type']} ${headers.location} ${same.replace(changing, '')}`;
}

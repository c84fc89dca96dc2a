/**
 * What the state URL supplies: states that the operator did not supply, and that the API neither shows nor creates. Only
 * states with new data are set up. The first state of the pact, "a tenant with an API key", is never sent, because it
 * removes the data of the tenants that this run uses.
 */

import { isRecord } from '@product-passport/openapi';
import { type Ask, apiOf, newGtin, passportPath, type Reply } from '../api.ts';
import { itemsIn } from '../cases/digital-link.ts';
import { otherHidden } from '../cases/hidden-values.ts';
import { NotTested } from '../check.ts';
import type { Need } from '../claims.ts';
import { type Connection, NoResponse, openConnection } from '../http/connection.ts';
import { type Exchange, jsonIn, type WireResponse } from '../http/exchange.ts';
import { keyForm, type Provider } from '../provider.ts';
import { UsageError } from '../result.ts';
import { type ActiveProduct, createWorlds, type SetUp } from '../world.ts';

export interface Supplied extends SetUp {
  /** With the keys and tokens that the states returned. */
  readonly provider: Provider;
  /** Why a state could not be set up. */
  readonly faults: ReadonlyMap<Need, string>;
}

export interface SetUpOptions {
  readonly provider: Provider;
  readonly endpoint: StateEndpoint;
  /** What the cases of the run need. */
  readonly wanted: ReadonlySet<Need>;
  /** Sends a request to the API. */
  readonly send: (ask: Ask) => Promise<Reply>;
}

const tokenKinds = ['recycler', 'inspector', 'revoked'] as const;
const recycler: Grant = { role: 'recycler', revoked: false };

/** What else depends on the active product. */
const tokensAndOthers: readonly Need[] = [
  ...tokenKinds.map((kind) => `${kind} token` as const),
  'expired token',
  'token of one product',
  'second active product',
  'active product of another tenant',
  'product of one item',
];

/** Values of a product in the group `cable`, with a text of every access level. */
const values = [
  { field_key: 'cable_length', value: '2 m' },
  { field_key: 'halogen_free', value: 'yes, <b>verified</b>' },
  { field_key: 'voltage', value: 'verify restricted value', access_level: 'restricted' },
  { field_key: 'substances_of_concern', value: 'verify authority value', access_level: 'authority' },
];

export async function setUpStates({ provider, endpoint, wanted, send }: SetUpOptions): Promise<Supplied> {
  const needs = new Set<Need>();
  const faults = new Map<Need, string>();
  let known = provider;
  // New in every run, because the endpoint keeps the slugs of its tenants and products.
  const suffix = Date.now().toString(36);
  const api = apiOf(send);
  const world = () =>
    createWorlds({ provider: known, runId: suffix, send }).forCase({ needs: new Set(), states: new Set() });

  await supply(
    'second tenant',
    (provider.tenants ?? []).length < 2,
    async () => void (await addTenant('verify-other')),
  );
  await supply('revoked key', provider.revoked_api_key === undefined, addRevokedKey);
  await supply('publishing key', provider.publishing_api_key === undefined, addPublishingKey);
  await supply('active product', !(await isThere(activeProduct())), addActiveProduct);
  await supply('archived product', !(await isThere(world().archivedProduct())), addArchivedProduct);
  const withFieldKeys = (await isThere(world().fieldKey(1))) ? undefined : `verify-fields-${suffix}`;
  await supply('field key', withFieldKeys !== undefined, () => addProduct(`${withFieldKeys}`, {}, values.slice(0, 2)));
  const product = await foundProduct();
  if (product !== undefined) {
    await addTokens(product);
    const second = `verify-second-${suffix}`;
    await addOther('second active product', 'product', () => addProduct(second, { status: 'active' }, values));
    if (wanted.has('product of one item')) {
      const found = await itemsIn(world()).catch(() => null);
      await supply('product of one item', found?.length === 0, () => addItem(product));
    }
    await addOther('active product of another tenant', 'tenant', () => addForeignProduct(product));
  }
  return { provider: known, needs, faults, ...(needs.has('field key') && withFieldKeys ? { withFieldKeys } : {}) };

  async function addOther(need: Need, of: 'product' | 'tenant', add: () => Promise<void>): Promise<void> {
    if (!wanted.has(need)) return;
    const isMissing = (await otherHidden(world(), of).catch(() => null)) === undefined;
    await supply(need, isMissing, add);
  }

  async function supply(need: Need, isMissing: boolean, add: () => Promise<unknown>): Promise<void> {
    if (!wanted.has(need) || !isMissing) return;
    try {
      await add();
      needs.add(need);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      faults.set(need, error instanceof Error ? error.message : String(error));
    }
  }

  async function keyFrom(state: string, name: string, params: object): Promise<string> {
    const { [name]: key } = await endpoint.setUp(state, params);
    if (typeof key === 'string' && keyForm.test(key)) return key;
    throw new NotSetUp(`The state "${state}" returned no ${name}.`);
  }

  /** @returns the key of the new tenant */
  async function addTenant(product: string, facts: object = {}): Promise<string> {
    const slug = `verify-other-${known.tenants?.length}-${suffix}`;
    const key = await keyFrom('another tenant with a product', 'other_api_key', {
      tenant: { name: 'Verify other tenant', slug, country: 'DE', plan: 'business' },
      product: { name: 'Verify other product', slug: product, ...facts },
    });
    const { status } = await send({ path: '/api/v1/me', key });
    if (status !== 200) throw new NotSetUp(`The other_api_key of the state URL is not valid: GET /me gets ${status}.`);
    known = { ...known, tenants: [...(known.tenants ?? []), { slug, api_key: key }] };
    return key;
  }

  /** States add values to products of the first tenant only. The values of another tenant's product are written. */
  async function addForeignProduct({ slug }: ActiveProduct): Promise<void> {
    const key = await addTenant(slug, { product_group: 'cable', status: 'active' });
    const { status } = await send({ method: 'PUT', path: passportPath(slug), key, json: values });
    if (status !== 200) throw new NotSetUp(`The values of another tenant's product cannot be written: ${status}.`);
  }

  /** An item, then its model. The active product stays the one of this run. */
  async function addItem({ tenant, slug }: ActiveProduct): Promise<void> {
    known = { ...known, active_product: { tenant, slug } };
    const gtin = newGtin();
    const serial = { field_key: 'serial_number', value: 'VERIFY-1' };
    await addProduct(`verify-item-${suffix}`, { gtin, status: 'active' }, [serial]);
    await addProduct(`verify-model-${suffix}`, { gtin, status: 'active' }, []);
  }

  async function addRevokedKey(): Promise<void> {
    const key = await keyFrom('the tenant has revoked an API key', 'revoked_api_key', {});
    known = { ...known, revoked_api_key: key };
  }

  async function addPublishingKey(): Promise<void> {
    const key = await keyFrom('the tenant has an API key that may publish', 'publishing_api_key', {});
    known = { ...known, publishing_api_key: key };
  }

  /** An active product without a GTIN is of no use where a case needs one. */
  async function activeProduct(): Promise<unknown> {
    return wanted.has('GTIN') && provider.active_product === undefined ? world().gtin() : world().activeProduct();
  }

  async function addActiveProduct(): Promise<void> {
    const slug = `verify-active-${suffix}`;
    await addProduct(slug, { gtin: newGtin(), status: 'active' }, values);
    if ((await api.carriers(slug)).items.length === 0) {
      const carrier = { type: 'qr', nfc_tag_uid: null, status: 'active' };
      await endpoint.setUp('the product has a data carrier', { product: slug, carrier });
    }
    known = { ...known, active_product: { tenant: world().tenant().slug, slug } };
  }

  async function addArchivedProduct(): Promise<void> {
    await addProduct(`verify-archived-${suffix}`, { status: 'archived' }, []);
  }

  /** @throws NotSetUp unless the first tenant then has the product */
  async function addProduct(slug: string, facts: object, written: readonly object[]): Promise<void> {
    const product = { name: `Verify ${slug}`, slug, product_group: 'cable', ...facts };
    await endpoint.setUp('the tenant has a product', { product });
    if (written.length > 0) await endpoint.setUp('the product has passport values', { product: slug, values: written });
    const { status } = await send({ path: `/api/v1/products/${slug}` });
    if (status === 200) return;
    throw new NotSetUp(`The state URL set up the product ${slug} for another tenant than the first one of this run.`);
  }

  /** States belong to the first tenant, and tokens open one of its products. */
  async function addTokens(product: ActiveProduct): Promise<void> {
    if (product.tenant !== world().tenant().slug) return;
    for (const kind of tokenKinds) {
      const grant: Grant = { role: kind === 'revoked' ? 'recycler' : kind, revoked: kind === 'revoked' };
      await supply(`${kind} token`, !(await isThere(world().token(kind))), () => addToken(product, grant));
    }
    await supply('token of one product', !(await isThere(world().tokensOfOneProduct())), () =>
      addToken(product, recycler),
    );
    await supply('expired token', provider.expired_access_token === undefined, async () => {
      known = { ...known, expired_access_token: await tokenFor(product, recycler, true) };
    });
  }

  async function addToken(product: ActiveProduct, grant: Grant): Promise<void> {
    const token = await tokenFor(product, grant);
    const granted = { tenant: product.tenant, product: product.slug, ...grant, token };
    known = { ...known, access_tokens: [...(known.access_tokens ?? []), granted] };
  }

  async function foundProduct(): Promise<ActiveProduct | undefined> {
    const isWanted = tokensAndOthers.some((need) => wanted.has(need));
    return isWanted && (await isThere(world().activeProduct())) ? world().activeProduct() : undefined;
  }

  async function tokenFor({ slug }: ActiveProduct, grant: Grant, expired = false): Promise<string> {
    const params = { product: slug, ...grant, ...(expired ? { expired } : {}) };
    const { access_token: token, expired: hasExpired } = await endpoint.setUp(
      'the product has an access token',
      params,
    );
    // An endpoint that ignores the parameter returns a valid token.
    if (typeof token === 'string' && token !== '' && (hasExpired === true || !expired)) return token;
    const missing = expired ? 'access_token with "expired": true' : 'access_token';
    throw new NotSetUp(`The state "the product has an access token" returned no ${missing}.`);
  }
}

interface Grant {
  readonly role: 'recycler' | 'inspector';
  readonly revoked: boolean;
}

/** Whether the API shows the state, or the operator supplied it. Any other failure is the finding of a case. */
async function isThere(state: Promise<unknown>): Promise<boolean> {
  return state.then(
    () => true,
    (error) => !(error instanceof NotTested),
  );
}

/** The state cannot be set up. The message says what the endpoint responded. */
class NotSetUp extends Error {
  override readonly name = 'NotSetUp';
}

type StateEndpoint = ReturnType<typeof openStateEndpoint>;

/** Sends no key and follows no redirect. */
export function openStateEndpoint(stateUrl: string, timeout: number) {
  const { origin, pathname, search } = new URL(stateUrl);
  const connection = openConnection({ baseUrl: `${origin}/api/v1`, siteUrl: origin }, { timeout });
  const exchanges: Exchange[] = [];
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'product-passport-verify',
  };

  return {
    /** In the order in which they were sent. */
    exchanges: exchanges as readonly Exchange[],
    /**
     * @returns the return values of the state
     * @throws NotSetUp when the endpoint refuses the state
     * @throws UsageError when the address is not that of a state endpoint
     */
    async setUp(state: string, params: object) {
      const begin = performance.now();
      const body = Buffer.from(JSON.stringify({ action: 'setup', state, params }));
      const request = { method: 'POST', path: pathname, headers, body };
      const sentAt = new Date().toISOString();
      const response = await responseTo(connection, { ...request, path: `${pathname}${search}` }, stateUrl);
      const milliseconds = Math.round(performance.now() - begin);
      // The query is not recorded: it may hold a secret.
      exchanges.push({ caseId: 'STATE-URL', purpose: 'valid', origin, request, response, sentAt, milliseconds });
      return valuesIn(response, state, `${origin}${pathname}`);
    },
    close: () => connection.close(),
  };
}

async function responseTo(
  connection: Connection,
  request: Exchange['request'],
  stateUrl: string,
): Promise<WireResponse> {
  try {
    return await connection.send(request);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    const { origin, pathname } = new URL(stateUrl);
    throw new UsageError(`The state URL ${origin}${pathname} does not respond: ${error.message}.`);
  }
}

function valuesIn({ status, text }: WireResponse, state: string, address: string): Readonly<Record<string, unknown>> {
  const json = jsonIn(text);
  if (status >= 300 && status < 400) {
    throw new UsageError(`The state URL ${address} redirects (${status}). Use the address it leads to.`);
  }
  if (status >= 400 && status < 500 && status !== 404) {
    throw new NotSetUp(`The state URL refused the state "${state}" (${status}).${messageIn(json)}`);
  }
  if (status !== 200 || !isRecord(json)) {
    throw new UsageError(
      `The state URL ${address} must respond with 200 and a JSON object, responds with ${status}. Check the address.`,
    );
  }
  return json;
}

function messageIn(json: unknown): string {
  const error = isRecord(json) && isRecord(json.error) ? json.error.message : undefined;
  return typeof error === 'string' ? ` It says: ${error}` : '';
}

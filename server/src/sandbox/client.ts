import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
/** A sandbox as a program of a test uses it: the control operations over HTTP, typed. */
import type { Fault, OperationId, Schemas } from '@product-passport/openapi';
import type { ClientFinding, RecordedRequest } from './traffic.ts';

type Product = Schemas['Product'];

/** A product to create, in the contract's own shapes: the body of `createProduct`, its values, and its status. */
export type SeedProduct = Schemas['CreateProduct'] & {
  /** The body of `putPassport`. Default: no values. */
  values?: Schemas['PassportValueInput'][];
  /** Default `draft`. */
  status?: 'draft' | 'active' | 'archived';
};

export interface NewTenant {
  /** Part of public addresses: a to z, 0 to 9 and single hyphens. Default: a free one. */
  slug?: string;
  /** Default: the slug. */
  name?: string;
  /** Two capital letters (ISO 3166-1). Default `DE`. */
  country?: string;
  /** The language of its texts: the `locale` of its values. One of the EU, such as `en`. Default: by the country. */
  language?: string;
  /** Default `business`. */
  plan?: 'starter' | 'business' | 'enterprise';
  /** Whether its key may change the status of products. Default: false. */
  publish?: boolean;
}

export type SandboxFault = Fault<OperationId>;

export interface SandboxToken {
  role: 'recycler' | 'inspector';
  /** The slug of the only product that the token opens. Default: every product of the tenant. */
  product?: string;
  /** A negative number makes a token that is expired. Default: a year. */
  expiresInSeconds?: number;
  /** Default false. */
  revoked?: boolean;
}

export interface SandboxScans {
  /** 0 is today, in UTC. */
  daysAgo: number;
  /** Default `consumer`. */
  role?: 'consumer' | 'recycler' | 'inspector';
  /** Default 1. */
  count?: number;
}

/** A tenant of a sandbox. Everything here belongs to it alone, so each worker of a test runner can have its own. */
export interface SandboxTenant {
  readonly slug: string;
  readonly apiKey: string;
  /**
   * Creates products in this order, all or none, and returns them. Each GTIN is replaced by a free one of the same
   * length, so that tenants cannot collide; `keepGtins` keeps them.
   */
  seed(products: readonly SeedProduct[], options?: { keepGtins?: boolean }): Promise<Product[]>;
  /** @param options.shareGtin activates the product even if its GTIN is active under another tenant */
  activate(product: string, options?: { shareGtin?: boolean }): Promise<Product>;
  archive(product: string): Promise<Product>;
  /** Creates an access token: the value of the query parameter `zugang`. */
  createToken(token: SandboxToken): Promise<string>;
  /** Adds page views of a product on given days. */
  addScans(product: string, scans: readonly SandboxScans[]): Promise<void>;
  /**
   * Moves the tenant's clock forward: stored times and the expiry of tokens shift back by whole days.
   *
   * @returns the days that it was moved in all
   */
  advanceClock(by: { days: number }): Promise<number>;
  /** Adds faults for the tenant's next requests. Each request takes the first fault that fits. */
  fault(...faults: readonly SandboxFault[]): Promise<void>;
  /** Removes the faults that no request has taken. */
  clearFaults(): Promise<void>;
  /** The newest 1,000 requests of the tenant, oldest first. API keys and access tokens are masked. */
  requests(): Promise<RecordedRequest[]>;
  /**
   * What the tenant's client did against the contract in its newest 1,000 requests: a blind repeat of a create, a request
   * before the seconds of a 429 had passed, a key in an address, an undocumented parameter. The rules are those of
   * `verify client`.
   */
  findings(): Promise<ClientFinding[]>;
  /** Removes all products, tokens, scans, faults and recorded requests. The tenant and its key stay. */
  reset(): Promise<void>;
}

/** A running sandbox. */
export interface ConnectedSandbox {
  /** Address of the API, with `/api/v1`, as the SDK's `baseUrl` wants it. */
  readonly baseUrl: string;
  readonly controlToken: string;
  /** Address for a Pact verifier's `providerStatesSetupUrl`. */
  readonly stateUrl: string;
  /** @throws SandboxError with the status 409 if the slug is taken */
  createTenant(tenant?: NewTenant): Promise<SandboxTenant>;
}

/** A control request that the sandbox refused. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly status: number;
  readonly code: string;

  constructor(request: string, status: number, { code, message }: { code: string; message: string }) {
    super(`${request} → ${status} ${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/**
 * Connects to a sandbox that another process runs. Does not send a request yet.
 *
 * @param options.baseUrl `base_url` in the line of JSON that `serve --sandbox --json` prints
 * @param options.controlToken `control_token` in the same line
 */
export function connectSandbox({ baseUrl, controlToken }: { baseUrl: string; controlToken: string }): ConnectedSandbox {
  const control = new URL('/_sandbox', baseUrl).href;

  async function send<Result>(method: string, path: string, body?: object): Promise<Result> {
    const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(control + path, init);
    const json = await response.json();
    if (!response.ok) throw new SandboxError(`${method} /_sandbox${path}`, response.status, json.error);
    return json;
  }

  function tenantOf({ slug, api_key }: { slug: string; api_key: string }): SandboxTenant {
    const at = `/tenants/${slug}`;
    const ofProduct = (product: string) => `${at}/products/${encodeURIComponent(product)}`;
    return {
      slug,
      apiKey: api_key,
      async seed(products, { keepGtins } = {}) {
        return (await send<{ items: Product[] }>('POST', `${at}/products`, { products, keep_gtins: keepGtins })).items;
      },
      activate: (product, { shareGtin } = {}) =>
        send('POST', `${ofProduct(product)}/activate`, { share_gtin: shareGtin }),
      archive: (product) => send('POST', `${ofProduct(product)}/archive`),
      async createToken(token) {
        return (await send<{ token: string }>('POST', `${at}/tokens`, snakeCase(token))).token;
      },
      async addScans(product, scans) {
        await send('POST', `${ofProduct(product)}/scans`, { scans: scans.map(snakeCase) });
      },
      async advanceClock({ days }) {
        return (await send<{ days: number }>('POST', `${at}/clock`, { days })).days;
      },
      async fault(...faults) {
        await send('POST', `${at}/faults`, { faults });
      },
      async clearFaults() {
        await send('DELETE', `${at}/faults`);
      },
      async requests() {
        return (await send<{ items: RecordedRequest[] }>('GET', `${at}/requests`)).items;
      },
      async findings() {
        return (await send<{ items: ClientFinding[] }>('GET', `${at}/findings`)).items;
      },
      async reset() {
        await send('POST', `${at}/reset`);
      },
    };
  }

  return {
    baseUrl,
    controlToken,
    stateUrl: controlOf(baseUrl, controlToken).state_url,
    async createTenant(tenant = {}) {
      return tenantOf(await send('POST', '/tenants', tenant));
    },
  };
}

/** The members with the names of JSON: `delay_ms` for `delayMs`. */
function snakeCase(members: object): object {
  const named = ([name, value]: [string, unknown]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ];
  return Object.fromEntries(Object.entries(members).map(named));
}

/** What a sandbox announces. The address of the state endpoint has the token, because a Pact verifier sends no header. */
export function controlOf(address: string, controlToken: string): { control_token: string; state_url: string } {
  const { href } = new URL(`/_sandbox/pact/states?control_token=${controlToken}`, address);
  return { control_token: controlToken, state_url: href };
}

/** Why a sandbox may not listen on a host; `undefined` if it may. */
export function hostFault(host: string): string | undefined {
  if (host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))) return undefined;
  return `a sandbox listens only on this machine's own address, not on ${host}. Use 127.0.0.1.`;
}

/** A control token of 256 random bits. The server shows it once, when it starts. */
export function newControlToken(): string {
  return `sandbox_${randomBytes(32).toString('base64url')}`;
}

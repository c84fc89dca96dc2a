import type { IncomingMessage } from 'node:http';
import type { Plugin, Request } from '@hapi/hapi';
import { ContractError, keyIn, type Schemas } from '@product-passport/openapi';
import type { Limit } from './rate-limit.ts';

type Tenant = Schemas['Tenant'];

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The slug of the tenant whose key the request has. */
    tenant?: string;
    /** The look-up of the key. */
    keyTenant?: Promise<Tenant | undefined>;
  }
}

/** The key that a request carries, valid or not. */
export function bearerKey({ headers }: IncomingMessage): string | undefined {
  return keyIn(headers.authorization);
}

/** The tenant of a request's key, if it is valid now. */
export type TenantOf = (request: Request) => Promise<Tenant | undefined>;

/** Looks up the key of each request once, although admission and authentication both need its tenant. */
export function keyLookup(find: (key: string) => Promise<Tenant | undefined>): TenantOf {
  const lookUp = async (request: IncomingMessage): Promise<Tenant | undefined> => {
    const key = bearerKey(request);
    return key === undefined ? undefined : find(key);
  };
  return ({ app, raw }) => {
    app.keyTenant ??= lookUp(raw.req);
    return app.keyTenant;
  };
}

export interface AuthenticationOptions {
  tenantOf: TenantOf;
  /** Counts a request of a tenant. Default: no limit. */
  limitTenant?: Limit | undefined;
}

/** Looks up the bearer key of every request: a revoked key fails at once, on every instance. */
export const authenticationPlugin: Plugin<AuthenticationOptions> = {
  name: 'authentication',
  register(server, { tenantOf, limitTenant }) {
    server.auth.scheme('api-key', () => ({
      async authenticate(request, h) {
        const tenant = await tenantOf(request);
        if (!tenant) throw new ContractError('invalid_api_key');
        // Before the limit: the log names the tenant of a 429.
        request.app.tenant = tenant.slug;
        await limitTenant?.(tenant.id);
        return h.authenticated({ credentials: { tenant } });
      },
    }));
    server.auth.strategy('apiKey', 'api-key');
  },
};

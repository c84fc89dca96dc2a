import type { IncomingMessage } from 'node:http';
import type { Plugin } from '@hapi/hapi';
import { ContractError, keyIn, type Schemas } from '@product-passport/openapi';
import type { Limit } from './rate-limit.ts';

type Tenant = Schemas['Tenant'];

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The slug of the tenant whose key the request has. */
    tenant?: string;
  }
}

/** The key that a request carries, valid or not. */
export function bearerKey({ headers }: IncomingMessage): string | undefined {
  return keyIn(headers.authorization);
}

export interface AuthenticationOptions {
  /** The tenant of a request's key, if it is valid now. */
  tenantOf: (request: IncomingMessage) => Promise<Tenant | undefined>;
  /** Counts a request of a tenant. */
  limitTenant: Limit;
}

/** Looks up the bearer key on every request, so that a revoked key fails at once, on every instance. */
export const authenticationPlugin: Plugin<AuthenticationOptions> = {
  name: 'authentication',
  register(server, { tenantOf, limitTenant }) {
    server.auth.scheme('api-key', () => ({
      async authenticate(request, h) {
        const tenant = await tenantOf(request.raw.req);
        if (!tenant) throw new ContractError('invalid_api_key');
        // Before the limit, so that the log names the tenant of a 429.
        request.app.tenant = tenant.slug;
        await limitTenant(tenant.id);
        return h.authenticated({ credentials: { tenant } });
      },
    }));
    server.auth.strategy('apiKey', 'api-key');
  },
};

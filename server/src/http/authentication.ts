import type { Plugin } from '@hapi/hapi';
import type { Knex } from 'knex';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ContractError } from '../contract/errors.ts';
import { findTenantByKey } from '../tenants/keys.ts';

const bearer = /^bearer +([^ ]+) *$/i;

export interface AuthenticationOptions {
  database: Knex;
  /** Requests a minute that one tenant may make; 0 is no limit. */
  rateLimit: number;
}

/** Bearer key to tenant, on every request anew: a revoked key fails on the next one, on every instance. */
export const authenticationPlugin: Plugin<AuthenticationOptions> = {
  name: 'authentication',
  register(server, { database, rateLimit }) {
    const limiter = rateLimit > 0 ? new RateLimiterMemory({ points: rateLimit, duration: 60 }) : undefined;
    server.auth.scheme('api-key', () => ({
      async authenticate(request, h) {
        const [, key] = bearer.exec(request.raw.req.headers.authorization ?? '') ?? [];
        const tenant = key === undefined ? undefined : await findTenantByKey(database, key);
        if (!tenant) throw new ContractError('invalid_api_key');
        if (limiter) await spend(limiter, tenant.id);
        return h.authenticated({ credentials: { tenant } });
      },
    }));
    server.auth.strategy('apiKey', 'api-key');
  },
};

async function spend(limiter: RateLimiterMemory, tenantId: string): Promise<void> {
  try {
    await limiter.consume(tenantId);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new ContractError('rate_limited', undefined, { 'retry-after': String(seconds) });
  }
}

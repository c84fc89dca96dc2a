import type { Command } from 'commander';

/** A provider file whose comments say what each member is for. `verify` ignores lines that begin with `//`. */
const template = `{
  // The API's base address. It ends in /api/v1.
  "base_url": "http://127.0.0.1:3000/api/v1",

  // The root of the public pages, /p/... and /01/... Without it: base_url without /api/v1.
  "site_url": "http://127.0.0.1:3000",

  // The first tenant is used throughout: the suite creates products named verify-... in it.
  // The second tenant shows that tenants are kept apart. The suite creates one product in it.
  "tenants": [
    { "slug": "first-tenant", "api_key": "..." },
    { "slug": "second-tenant", "api_key": "..." }
  ],

  // A key that was valid and has been revoked.
  "revoked_api_key": "...",

  // An active product, best with a GTIN and with values of every access level.
  // Without it: the first active product in the list.
  "active_product": { "tenant": "first-tenant", "slug": "..." },

  // At least two field keys that passports accept. Without them: keys of existing passports.
  "field_keys": ["material", "weight"],

  // Tokens for the query parameter zugang. "product": null opens every product of the tenant.
  "access_tokens": [
    { "tenant": "first-tenant", "product": null, "role": "recycler", "token": "..." },
    { "tenant": "first-tenant", "product": null, "role": "inspector", "token": "..." },
    { "tenant": "first-tenant", "product": null, "role": "recycler", "token": "...", "revoked": true }
  ],

  // A token that has expired.
  "expired_access_token": "...",

  // The state endpoint of a test environment. It sets up what is missing above. Remove the line if there is none.
  "state_url": "http://127.0.0.1:3001"
}
`;

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('Print a commented template of the provider file.')
    .action(() => {
      process.stdout.write(template);
    });
}

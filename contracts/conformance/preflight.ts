/** One request before the run. Its failure is one sentence that says what to repair. */
import { type Connection, NoResponse } from './http/connection.ts';
import { addressesOf, keyVariable, type Provider } from './provider.ts';
import { UsageError } from './usage-error.ts';

/**
 * Checks the address and the key of every tenant.
 *
 * @returns the provider with the slugs of its tenants
 * @throws UsageError when the address is not that of this API, or a key is not valid
 */
export async function preflight(provider: Provider, connection: Connection): Promise<Provider> {
  const tenants = provider.tenants ?? [];
  if (tenants.length === 0) {
    throw new UsageError(
      `No API key. Set ${keyVariable}, or write a provider file with the command init and name it with --provider.`,
    );
  }
  const { baseUrl } = addressesOf(provider);
  const known = [];
  for (const [index, tenant] of tenants.entries()) {
    const slug = await slugOf(tenant.api_key, `tenants[${index}]`, baseUrl, connection);
    known.push({ ...tenant, slug: tenant.slug ?? slug });
  }
  return { ...provider, tenants: known };
}

async function slugOf(key: string, name: string, baseUrl: string, connection: Connection): Promise<string> {
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
  const response = await connection.send({ method: 'GET', path: '/api/v1/me', headers }).catch((error: unknown) => {
    if (error instanceof NoResponse) throw new UsageError(`${baseUrl} does not respond: ${error.message}.`);
    throw error;
  });
  const { status, text } = response;
  if (status === 401) throw new UsageError(`${baseUrl} refuses the API key of ${name} (401). Check key and address.`);
  if (status >= 300 && status < 400) {
    throw new UsageError(`${baseUrl}/me redirects (${status}). Keys follow no redirect: use the address it leads to.`);
  }
  if (/html/i.test(response.headers['content-type'] ?? '')) {
    throw new UsageError(`${baseUrl}/me responds with HTML (${status}), not with this API. Check the address.`);
  }
  if (status === 404) throw new UsageError(`${baseUrl}/me does not exist (404). Check the address.`);
  return slugIn(text);
}

/** A wrong response to `/me` is the finding of a case, so it does not stop the run here. */
function slugIn(text: string): string {
  try {
    return String(JSON.parse(text).tenant.slug);
  } catch {
    return '';
  }
}

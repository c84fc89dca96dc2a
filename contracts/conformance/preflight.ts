/** One request before the run. Its failure is one sentence that says what to repair. */
import { type Connection, NoResponse } from './http/connection.ts';
import { addressesOf, type Provider } from './provider.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError when the address is not that of this API, or the key is not valid. */
export async function preflight(provider: Provider, connection: Connection): Promise<void> {
  const { baseUrl } = addressesOf(provider);
  const key = provider.tenants?.[0]?.api_key;
  if (key === undefined) {
    throw new UsageError(
      'No API key. Set PRODUCT_PASSPORT_API_KEY, or write a provider file with the command init and name it with --provider.',
    );
  }
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
  const response = await connection.send({ method: 'GET', path: '/api/v1/me', headers }).catch((error: unknown) => {
    if (error instanceof NoResponse) throw new UsageError(`${baseUrl} does not respond: ${error.message}.`);
    throw error;
  });
  const type = response.headers['content-type'] ?? '';
  if (response.status === 401) {
    throw new UsageError(`${baseUrl} refuses the API key of the first tenant (401). Check the key and the address.`);
  }
  if (response.status >= 300 && response.status < 400) {
    throw new UsageError(`${baseUrl}/me redirects. Keys follow no redirect: use the address that it leads to.`);
  }
  if (/html/i.test(type)) {
    throw new UsageError(
      `${baseUrl}/me responds with HTML (${response.status}), not with this API. Check the address.`,
    );
  }
  if (response.status === 404) {
    throw new UsageError(`${baseUrl}/me does not exist (404). The base URL ends in /api/v1: check the address.`);
  }
}

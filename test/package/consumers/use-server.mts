/** Compiles against the types of the package. The compiler expects the errors. */
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import {
  connectSandbox,
  type RecordedRequest,
  type SandboxTenant,
  startSandbox,
  startServer,
  type TestServer,
} from '@product-passport/server/testing';

export async function address(options: Partial<AppOptions> = {}): Promise<string> {
  const app = await createApp({ ...options, database: await openDatabase(':memory:') });
  await app.start();
  return app.info.uri;
}

const server: TestServer = await startServer({ demo: true, port: 0 });
export const keys: readonly string[] = server.tenants.map(({ apiKey }) => apiKey);
await server.stop();

// @ts-expect-error There is no such option.
await startServer({ sandbox: true });

const { baseUrl, controlToken, stop } = await startSandbox();
const tenant: SandboxTenant = await connectSandbox({ baseUrl, controlToken }).createTenant({ country: 'FR' });
const [product] = await tenant.seed([{ name: 'Cup', values: [{ field_key: 'volume', value: 2 }], status: 'active' }]);
export const gtin: string | null | undefined = product?.gtin;
await tenant.fault({ operation: 'createProduct', status: 429, retryAfter: 2 }, { connection: 'lose_response' });
export const requests: readonly RecordedRequest[] = await tenant.requests();
await stop();

// @ts-expect-error The contract has no such operation.
await tenant.fault({ operation: 'createProducts', status: 429 });
// @ts-expect-error The clock moves by whole days.
await tenant.advanceClock({ hours: 2 });
// @ts-expect-error A product needs a name.
await tenant.seed([{ gtin: '9520001200045' }]);

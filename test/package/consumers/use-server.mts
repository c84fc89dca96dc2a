/** Compiles against the types of the package. The compiler expects the errors. */
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { startServer, type TestServer } from '@product-passport/server/testing';

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

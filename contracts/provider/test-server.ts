/**
 * The reference server for any Pact verifier: it keeps its address for all interactions, and has the state endpoint on
 * another port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstState } from '../states/catalogue.ts';
import { type Service, startService } from './service.ts';
import { respondToStateChange, setUp } from './state-endpoint.ts';
import { outOfReach } from './states.ts';

export interface TestServer {
  readonly url: string;
  readonly statesUrl: string;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const service = await startService();
  const endpoint = createServer((request, response) =>
    respondToStateChange(request, response, async (state, parameters) => {
      if (state === firstState) await removeTenants(service);
      return setUp(service, state, parameters);
    }),
  );
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${service.app.info.port}`,
    statesUrl: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    async stop() {
      endpoint.close();
      endpoint.closeAllConnections();
      await service.stop();
    },
  };
}

/** The tables of the tenants' data, each before the tables that it refers to. */
const tables = [
  'scan_counts',
  'scans',
  'carriers',
  'passport_versions',
  'passport_values',
  'access_tokens',
  'slug_counters',
  'products',
  'api_keys',
  'tenants',
] as const;

/** Removes what the states of earlier interactions made. */
async function removeTenants({ database, tenants }: Service): Promise<void> {
  if (await database.schema.hasTable(outOfReach)) await database.schema.renameTable(outOfReach, 'products');
  for (const table of tables) await database(table).delete();
  tenants.length = 0;
}

/** The reference server with the demo's data, for the tests of the cases. */
import { openConnection } from '../../contracts/conformance/http/connection.ts';
import { addressesOf, type Provider } from '../../contracts/conformance/provider.ts';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { openDatabase } from '../../server/src/index.ts';
import { type DatabaseKind, newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { startService } from '../support/service.ts';
import type { Started } from './cases.ts';

export async function startReference(kind: DatabaseKind): Promise<Started> {
  const database = await openDatabase(await newMigratedDatabase(kind));
  ending.defer(() => database.destroy());
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now: () => new Date() });
  if (keys === undefined) throw new Error('The new database is not empty.');
  const { port } = await startService(kind, { on: database });
  const site = `http://127.0.0.1:${port}`;
  const provider = { ...keys, base_url: `${site}/api/v1`, site_url: site };
  const connect = (to: Provider) => openConnection(addressesOf(to), { timeout: 10_000 });
  return { provider, connect, connection: connect(provider) };
}

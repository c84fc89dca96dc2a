/** The real server over an empty database in memory, for one interaction. */
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { createLog, type Tenant } from '@product-passport/server/testing';

type App = Awaited<ReturnType<typeof createApp>>;
export type Database = AppOptions['database'];

/** What the states work on. */
export interface Service {
  readonly app: App;
  readonly database: Database;
  /** One moment for states and server, so that no midnight falls between them. */
  readonly now: () => Date;
  readonly urnNamespace: string;
  /** The keys and access tokens that were issued, by the placeholders of the pact that stand for them. */
  readonly issuedKeys: Map<string, string>;
  /** The tenants that the states made; the first one is the one of the key. */
  readonly tenants: Tenant[];
  /** What the server logged. */
  readonly log: string[];
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const database = await openDatabase(':memory:');
  const log: string[] = [];
  const now = () => new Date('2026-11-20T12:00:00.000Z');
  const app = await createApp({ database, now, log: createLog('warn', { write: (line) => log.push(line) }) });
  await app.start();
  return {
    app,
    database,
    now,
    urnNamespace: 'dpp',
    issuedKeys: new Map(),
    tenants: [],
    log,
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
    },
  };
}

/** The real server with an empty database, for one interaction. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { createLog, type Tenant } from '../../server/src/internal.ts';

type App = Awaited<ReturnType<typeof createApp>>;
export type Database = AppOptions['database'];

/** The server that the state handlers work on. */
export interface Service {
  readonly app: App;
  readonly database: Database;
  /** A fixed time for states and server, so that midnight cannot pass between them. */
  readonly now: () => Date;
  readonly urnNamespace: string;
  /** The tenants that the states created. The first one has the API key. */
  readonly tenants: Tenant[];
  /** What the server logged. */
  readonly log: string[];
  stop(): Promise<void>;
}

/** The bytes of a SQLite file with all tables. Writing them is quicker than running the migrations for each service. */
let emptyDatabase: Promise<Buffer> | undefined;

export async function startService(): Promise<Service> {
  emptyDatabase ??= makeEmptyDatabase();
  const folder = await newFolder();
  const file = join(folder, 'passports.sqlite');
  await writeFile(file, await emptyDatabase);
  const database = await openDatabase(file, { migrate: 'none' });
  const log: string[] = [];
  const now = () => new Date('2026-11-20T12:00:00.000Z');
  const app = await createApp({ database, now, log: createLog('warn', { write: (line) => log.push(line) }) });
  await app.start();
  return {
    app,
    database,
    now,
    urnNamespace: 'dpp',
    tenants: [],
    log,
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
      await rm(folder, { recursive: true });
    },
  };
}

async function makeEmptyDatabase(): Promise<Buffer> {
  const folder = await newFolder();
  const file = join(folder, 'empty.sqlite');
  const database = await openDatabase(file);
  await database.destroy();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pact-provider-'));
}

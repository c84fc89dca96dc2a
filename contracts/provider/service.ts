/** The real server with an empty database, for one interaction. Its sandbox sets up the provider states. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { createLog } from '../../server/src/log/log.ts';

export interface Service {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly database: AppOptions['database'];
  /** The state endpoint, with its token. */
  readonly stateUrl: string;
  /** What the server logged. */
  readonly log: string[];
  stop(): Promise<void>;
}

/** It appears only in this process. */
const controlToken = 'the-control-token-of-the-provider-tests';

/** The bytes of a SQLite file with all tables. Writing them is quicker than running the migrations for each service. */
let emptyDatabase: Promise<Buffer> | undefined;

export async function startService(): Promise<Service> {
  emptyDatabase ??= makeEmptyDatabase();
  const folder = await newFolder();
  const file = join(folder, 'passports.sqlite');
  await writeFile(file, await emptyDatabase);
  const database = await openDatabase(file, { migrate: 'none', sandbox: true });
  const log: string[] = [];
  const app = await createApp({
    database,
    sandbox: { controlToken },
    // A fixed time, so that midnight cannot pass between a state and its request.
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    log: createLog('warn', { write: (line) => log.push(line) }),
  });
  await app.start();
  return {
    app,
    database,
    stateUrl: `http://127.0.0.1:${app.info.port}/_sandbox/pact/states?control_token=${controlToken}`,
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
  const database = await openDatabase(file, { sandbox: true });
  await database.destroy();
  const bytes = await readFile(file);
  await rm(folder, { recursive: true });
  return bytes;
}

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'pact-provider-'));
}

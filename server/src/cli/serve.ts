import type { Command } from 'commander';
import type { Knex } from 'knex';
import { createApp, localAddress } from '../app.ts';
import { type EffectiveConfiguration, unknownVariables } from '../config/read.ts';
import type { Configuration } from '../config/settings.ts';
import { openDatabase } from '../database/open.ts';
import { whenReachable } from '../database/patient.ts';
import { fillDemo } from '../demo/fill.ts';
import { MissingSwaggerUi } from '../docs/try-it.ts';
import { createLog, type Log } from '../log/log.ts';
import { StandardError } from '../log/standard-error.ts';
import { controlOf } from '../sandbox/client.ts';
import { newControlToken } from '../sandbox/control-token.ts';
import { hostFault } from '../sandbox/host.ts';
import { listTenants } from '../tenants/store.ts';
import { announce, type Listening } from './announcement.ts';
import { defaultDatabase } from './database.ts';
import { listen, stopReason } from './listen.ts';
import { CommandFailure, printJson } from './output.ts';
import { addSettings, configurationOf } from './settings.ts';

interface ServeOptions {
  demo?: boolean;
  docsTry?: boolean;
  sandbox?: boolean;
  json?: boolean;
  stopWithStdin?: boolean;
}

/** The file of a demo without --database. Every start creates its data anew. */
const demoDatabase = 'demo.sqlite';

export function addServeCommand(program: Command, version: string): void {
  addSettings(program.command('serve'))
    .description('start the server')
    .option(
      '--demo',
      `load demo data into an empty database; without --database, create a new ${demoDatabase} at every start`,
    )
    .option(
      '--docs-try',
      'serve /docs/try, a page from which its reader sends requests; it needs the npm package swagger-ui-dist',
    )
    .option(
      '--sandbox',
      'for tests: add /_sandbox/…, which creates tenants, seeds products and injects faults; the data is in memory unless you name a new file with --database',
    )
    .option('--json', 'print one line of JSON instead of text once the server listens')
    .option(
      '--stop-with-stdin',
      'stop when standard input closes; with a pipe, the server ends together with the program that started it',
    )
    .action((options: ServeOptions, command: Command) => serve(options, configurationOf(command), version));
}

async function serve(
  options: ServeOptions,
  { values, sources }: EffectiveConfiguration,
  version: string,
): Promise<void> {
  const sandbox = newSandbox(options, values);
  const namesDatabase = sources.database !== 'default';
  const address = namesDatabase ? values.database : usualDatabase(options);
  const isOwnDemo = options.demo === true && !options.sandbox && !namesDatabase;
  const output = new StandardError();
  // The person who tries the demo reads the announcement.
  const log = createLog(values.logLevel ?? (options.demo || options.sandbox ? 'warn' : 'info'), output);
  logCrash(log, output);
  for (const sentence of unknownVariables(process.env)) log.warn(sentence);
  const open = (): Promise<Knex> =>
    openDatabase(address, {
      demo: isOwnDemo,
      sandbox: options.sandbox === true,
      pool: values.databasePool,
      statementTimeout: values.statementTimeout,
      lockTimeout: values.lockTimeout,
      warn: (message) => log.warn(message),
      progress: (line) => log.info(`migrating: ${line}`),
      migrated: (names) => log.info(`migrations ran: ${names.join(', ')}`),
    });
  const database = await whenReachable(address, open, {
    wait: values.databaseWait,
    retrying: (about) => log.warn(about, 'the database is not available yet'),
  });
  // Before this line a signal ends the process at once. An interrupted migration resumes at the next start.
  const stopped = stopReason(options);
  try {
    const app = await createApp({
      ...values,
      database,
      timeouts: { head: values.headTimeout, body: values.bodyTimeout, keepAlive: values.keepAlive },
      docsTry: options.docsTry === true,
      sandbox,
      log,
    }).catch((error) => {
      throw error instanceof MissingSwaggerUi ? new CommandFailure(error.message) : error;
    });
    await listen(app, values);
    log.info({ version, address: localAddress(app) }, 'server started');
    try {
      // Only once the port is taken: a demo shows its keys once, and a failed start would lose them.
      const keys = await demoKeys(options, values, database);
      const site_url = values.siteUrl ?? localAddress(app);
      const listening: Listening = {
        base_url: `${site_url}/api/v1`,
        site_url,
        ...(sandbox && controlOf(localAddress(app), sandbox.controlToken)),
        ...keys,
      };
      if (options.json) printJson(listening);
      else await announce(listening, { version, database: address, local: localAddress(app), isNewDemo: isOwnDemo });
      log.info(await stopped, 'server stopping');
    } finally {
      await app.stop({ timeout: values.stopTimeout });
      // An open standard input would keep the process alive after a signal.
      if (options.stopWithStdin) process.stdin.destroy();
    }
  } finally {
    await database.destroy();
  }
  log.info('server stopped');
  output.finish();
}

function usualDatabase({ demo, sandbox }: ServeOptions): string {
  if (sandbox) return ':memory:';
  return demo ? demoDatabase : defaultDatabase;
}

function newSandbox({ sandbox }: ServeOptions, { host }: Configuration): { controlToken: string } | undefined {
  if (!sandbox) return undefined;
  const fault = hostFault(host);
  if (fault !== undefined) throw new CommandFailure(fault, 2);
  return { controlToken: newControlToken() };
}

/** Logs an uncaught error, then ends the process. */
function logCrash(log: Log, output: StandardError): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'server crashed');
    output.finish();
    process.exit(1);
  });
}

/** The demo's keys. The key of a tenant that already existed is `null`: only its hash is stored. */
async function demoKeys(
  { demo }: ServeOptions,
  { urnNamespace }: Configuration,
  database: Knex,
): Promise<Omit<Listening, 'base_url' | 'site_url'>> {
  const filled = demo ? await fillDemo({ database, urnNamespace, now: () => new Date() }) : undefined;
  if (filled) return filled;
  const tenants = await listTenants(database);
  return { tenants: tenants.map(({ slug }) => ({ slug, api_key: null })), revoked_api_key: null, access_tokens: [] };
}

import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { createApp, localAddress } from '../app.ts';
import { openDatabase } from '../database/open.ts';
import { fillDemo } from '../demo/fill.ts';
import { createLog, type Log } from '../log/log.ts';
import { StandardError } from '../log/standard-error.ts';
import { controlOf } from '../sandbox/client.ts';
import { newControlToken } from '../sandbox/control-token.ts';
import { hostFault } from '../sandbox/host.ts';
import { listTenants } from '../tenants/store.ts';
import { announce, type Listening } from './announcement.ts';
import { databaseOption, defaultDatabase } from './database.ts';
import { hostAddress, listen, stopReason } from './listen.ts';
import { CommandFailure, printJson } from './output.ts';
import { siteUrlOption } from './site-url.ts';
import { urnNamespaceOption } from './urn-namespace.ts';
import { wholeNumber } from './whole-number.ts';

interface ServeOptions {
  port: number;
  host: string;
  siteUrl?: string;
  database?: string;
  demo?: boolean;
  sandbox?: boolean;
  json?: boolean;
  rateLimit: number;
  publicRateLimit: number;
  trustProxy: number;
  keepScans: number;
  urnNamespace: string;
  redirectStatus: string;
  logLevel?: string;
  stopWithStdin?: boolean;
}

/** The file of a demo without --database. Every start creates its data anew. */
const demoDatabase = 'demo.sqlite';

/** Time for running requests to finish at a stop, in milliseconds. */
const stopTimeout = 10_000;

export function addServeCommand(program: Command, version: string): void {
  program
    .command('serve')
    .description('start the server')
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free port')
        .default(3000)
        .env('PORT')
        .argParser(wholeNumber(65_535)),
    )
    .addOption(
      new Option('--host <address>', 'address to listen on; 0.0.0.0 listens on all addresses')
        .default('127.0.0.1')
        .env('HOST')
        .argParser(hostAddress),
    )
    .addOption(
      siteUrlOption('public address of the site, used in links (default: the address that the server listens on)'),
    )
    .addOption(databaseOption())
    .option(
      '--demo',
      `load demo data into an empty database; without --database, create a new ${demoDatabase} at every start`,
    )
    .option(
      '--sandbox',
      'for tests: add /_sandbox/…, which creates tenants, seeds products and injects faults; the data is in memory unless you name a new file with --database',
    )
    .addOption(
      new Option('--rate-limit <number>', 'requests per minute that each tenant may send; 0 means no limit')
        .default(0)
        .env('PRODUCT_PASSPORT_RATE_LIMIT')
        .argParser(wholeNumber(1_000_000_000)),
    )
    .addOption(
      new Option(
        '--public-rate-limit <number>',
        'requests per minute without a key that each address may send; 0 means no limit',
      )
        .default(0)
        .env('PRODUCT_PASSPORT_PUBLIC_RATE_LIMIT')
        .argParser(wholeNumber(1_000_000_000)),
    )
    .addOption(
      new Option(
        '--trust-proxy <number>',
        'number of your own proxies in front of the server; each must add to X-Forwarded-For',
      )
        .default(0)
        .env('PRODUCT_PASSPORT_TRUST_PROXY')
        .argParser(wholeNumber(100)),
    )
    .addOption(
      new Option(
        '--keep-scans <days>',
        'days before today for which single scans are kept; the counts per day are kept forever',
      )
        .default(90)
        .env('PRODUCT_PASSPORT_KEEP_SCANS')
        .argParser(wholeNumber(36_500)),
    )
    .addOption(urnNamespaceOption())
    .addOption(
      new Option('--redirect-status <status>', 'HTTP status of Digital Link redirects')
        .choices(['302', '307'])
        .default('307'),
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'lowest level of the log on standard error (default: info, with --demo or --sandbox warn)',
      ).choices(['debug', 'info', 'warn', 'error', 'silent']),
    )
    .option('--json', 'print one line of JSON instead of text once the server listens')
    .option(
      '--stop-with-stdin',
      'stop when standard input closes; with a pipe, the server ends together with the program that started it',
    )
    .action((options: ServeOptions) => serve(options, version));
}

async function serve(options: ServeOptions, version: string): Promise<void> {
  const sandbox = newSandbox(options);
  const address = options.database ?? usualDatabase(options);
  const isOwnDemo = options.demo === true && !options.sandbox && options.database === undefined;
  const output = new StandardError();
  // The person who tries the demo reads the announcement.
  const log = createLog(options.logLevel ?? (options.demo || options.sandbox ? 'warn' : 'info'), output);
  logCrash(log, output);
  const database = await openDatabase(address, {
    demo: isOwnDemo,
    sandbox: options.sandbox === true,
    warn: (message) => log.warn(message),
    progress: (line) => log.info(`migrating: ${line}`),
    migrated: (names) => log.info(`migrations ran: ${names.join(', ')}`),
  });
  // Before this line a signal ends the process at once. An interrupted migration resumes at the next start.
  const stopped = stopReason(options);
  try {
    const app = await createApp({
      database,
      host: options.host,
      port: options.port,
      siteUrl: options.siteUrl,
      rateLimit: options.rateLimit,
      publicRateLimit: options.publicRateLimit,
      trustProxy: options.trustProxy,
      keepScans: options.keepScans,
      urnNamespace: options.urnNamespace,
      redirectStatus: options.redirectStatus === '302' ? 302 : 307,
      sandbox,
      log,
    });
    await listen(app, options);
    log.info({ version, address: localAddress(app) }, 'server started');
    try {
      // Only once the port is taken: a demo shows its keys once, and a failed start would lose them.
      const keys = await demoKeys(options, database);
      const site_url = options.siteUrl ?? localAddress(app);
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
      await app.stop({ timeout: stopTimeout });
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

function newSandbox({ sandbox, host }: ServeOptions): { controlToken: string } | undefined {
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
  { demo, urnNamespace }: ServeOptions,
  database: Knex,
): Promise<Omit<Listening, 'base_url' | 'site_url'>> {
  const filled = demo ? await fillDemo({ database, urnNamespace, now: () => new Date() }) : undefined;
  if (filled) return filled;
  const tenants = await listTenants(database);
  return { tenants: tenants.map(({ slug }) => ({ slug, api_key: null })), revoked_api_key: null, access_tokens: [] };
}

import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import v8 from 'node:v8';
import type { Server } from '@hapi/hapi';
import type { Knex } from 'knex';
import { revokeToken, walkTokens } from '../access/token.ts';
import { Readiness } from '../admin/admin.ts';
import { createApp, localAddress } from '../app.ts';
import type { AuditedRun } from '../audit/store.ts';
import { loseOutput } from '../command-line/streams.ts';
import { type Configuration, type EffectiveConfiguration, unknownVariables } from '../config/settings.ts';
import { commandLine, isPostgresAddress, shownAddress } from '../database/address.ts';
import { endLockWaits } from '../database/connection.ts';
import { findValue, setValue } from '../database/installation.ts';
import { openDatabase, whenReachable } from '../database/open.ts';
import { checkWrites, stateOf } from '../database/state.ts';
import type { DemoKeys } from '../demo/fill.ts';
import { createLog, type Log } from '../log/log.ts';
import { StandardError } from '../log/standard-error.ts';
import { OperatorError } from '../operator-error.ts';
import { controlOf, hostFault, newControlToken } from '../sandbox/client.ts';
import { revokeKey, walkKeys } from '../tenants/keys.ts';
import { findTenant, type Tenant, walkTenants } from '../tenants/store.ts';
import { command, flag, type Given } from './command.ts';
import { configurationOf, settingOptions } from './config.ts';
import { defaultDatabase } from './database.ts';
import { endListening, ignoreSignals, listen, stopOptions, stopReason } from './listen.ts';
import { printed, version } from './output.ts';

/** The file of a demo without --database. Every start creates new data. */
const demoDatabase = 'demo.sqlite';

const ownOptions = {
  demo: flag(
    '--demo',
    `load demo data into an empty database; without --database, create a new ${demoDatabase} at every start`,
  ),
  sandbox: flag(
    '--sandbox',
    'for tests: add /_sandbox/…, which creates tenants, seeds products and injects faults; the data is in memory unless you name a new file with --database',
  ),
  json: flag('--json', 'print one line of JSON instead of text once the server listens'),
  ...stopOptions,
};

type ServeOptions = Given<typeof ownOptions>;

export const commands = command({
  name: 'serve',
  about: 'nothing',
  description: 'start the server',
  example: 'serve --demo',
  options: { ...settingOptions, ...ownOptions },
  run: ({ options, command, audit }) => serve(options, configurationOf(command), audit),
});

async function serve(options: ServeOptions, configuration: EffectiveConfiguration, run: AuditedRun): Promise<void> {
  const { values } = configuration;
  const output = new StandardError();
  // The person who tries the demo reads the announcement.
  const log = createLog(values.logLevel ?? (options.demo || options.sandbox ? 'warn' : 'info'), output);
  ignoreSignals(log);
  const sandbox = newSandbox(options, values);
  logCrash(log, output);
  for (const sentence of unknownVariables(process.env)) log.warn(sentence);
  // First, so that probes see a server that waits for its database.
  const admin = await startAdmin(values, log);
  try {
    const chosen = databaseOf(options, configuration);
    const database = await openWhenReachable(chosen, options, values, log);
    // Before this line a signal ends the process at once. An interrupted migration changes nothing.
    const stopped = stopReason(options);
    let isLeftOpen = false;
    try {
      const app = await createApp({
        ...values,
        database,
        timeouts: { head: values.headTimeout, body: values.bodyTimeout, keepAlive: values.keepAlive },
        sandbox,
        log,
        metrics: admin.metrics,
        isStopping: () => admin.readiness.isStopping && !isLeftOpen,
      });
      await listen(app, values);
      keepYoungGeneration();
      log.info({ version, address: localAddress(app) }, 'server started');
      try {
        // Only once the port is taken: a demo shows its keys once, and a failed start would lose them.
        const { isKept = false, hasKey = false, ...keys } = await demoKeys(options, values, database, run);
        await keepSite(database, values, localAddress(app), log);
        const site_url = values.siteUrl ?? localAddress(app);
        const listening: Listening = {
          base_url: `${site_url}/api/v1`,
          site_url,
          ...(admin.url !== undefined && { admin_url: admin.url }),
          ...(sandbox && controlOf(localAddress(app), sandbox.controlToken)),
          ...keys,
        };
        // The cheapest look-up of all. No tenant has an empty slug.
        const look = () => findTenant(database, '');
        admin.readiness.serving(look, () => checkWrites(database), stateOf(database));
        const isLoopback = values.siteUrl === undefined && hostFault(values.host) === undefined;
        const environment = { local: localAddress(app), isLoopback, isKept, hasKey, ...chosen };
        serveDemoLinks(app, listening, environment);
        const lines = options.json ? [JSON.stringify(listening)] : announcement(listening, environment);
        if (!(await printed(...lines))) await revokeUnseen(database, listening);
        log.info(await stopped, 'server stopping');
        admin.readiness.stopping();
        await setTimeout(values.drainDelay);
        if (values.drainDelay > 0) {
          await endListening(app, (isOpen) => {
            isLeftOpen = isOpen;
          });
        }
      } finally {
        // Half of the time is left for the responses, and to close the database.
        endLockWaits(database, values.stopTimeout / 2);
        await app.stop({ timeout: values.stopTimeout });
        // An open standard input would keep the process alive after a signal.
        if (options.stopWithStdin) process.stdin.destroy();
      }
    } finally {
      await database.destroy();
    }
  } finally {
    await admin.stop();
  }
  log.info('server stopped');
  output.finish();
}

/** The address, and whether the database is a demo that this start creates. */
function databaseOf({ demo, sandbox }: ServeOptions, { values, sources }: EffectiveConfiguration) {
  const isNamed = sources.database !== 'default';
  if (sandbox && !isNamed) return { address: ':memory:', isNewDemo: false };
  const isNewDemo = demo === true && !isNamed;
  return { address: isNewDemo ? demoDatabase : values.database, isNewDemo };
}

function openWhenReachable(
  { address, isNewDemo }: ReturnType<typeof databaseOf>,
  { sandbox }: ServeOptions,
  { databasePool: pool, databaseMaxAge: maxAge, statementTimeout, lockTimeout, databaseWait: wait }: Configuration,
  log: Log,
): Promise<Knex> {
  const open = (): Promise<Knex> =>
    openDatabase(address, {
      demo: isNewDemo,
      sandbox: sandbox === true,
      pool,
      maxAge,
      statementTimeout,
      lockTimeout,
      warn: (message) => log.warn(message),
      migrated: (names) => log.info(`migrations ran: ${names.join(', ')}`),
    });
  const retrying = (about: object): void => log.warn(about, 'the database is not available yet');
  return whenReachable(address, open, wait, retrying);
}

function newSandbox({ sandbox }: ServeOptions, { host }: Configuration): { controlToken: string } | undefined {
  if (!sandbox) return undefined;
  const fault = hostFault(host);
  if (fault !== undefined) throw new OperatorError(fault, 2);
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
  run: AuditedRun,
): Promise<Omit<Listening, 'base_url' | 'site_url'> & { isKept?: boolean; hasKey?: boolean }> {
  if (demo) {
    const { fillDemo } = await import('../demo/fill.ts');
    const services = { database, urnNamespace, now: () => new Date() };
    const filled = await fillDemo(services, { filled: (transaction) => run.record(transaction) });
    if (filled) return filled;
  }
  const first = await walkTenants(database).next();
  const tenants = first.done ? [] : first.value.map(({ slug }) => ({ slug, api_key: null }));
  const hasKey = await hasLiveKey(database, first.value ?? []);
  const unknown = { publishing_api_key: null, revoked_api_key: null };
  return { tenants, ...unknown, access_tokens: [], isKept: demo === true, hasKey };
}

async function hasLiveKey(database: Knex, tenants: readonly Tenant[]): Promise<boolean> {
  for (const { id } of tenants) {
    for await (const keys of walkKeys(database, id)) if (keys.some((key) => key.revoked_at === null)) return true;
  }
  return false;
}

/** Revokes every key and token of a demo that this start created. */
async function revokeUnseen(database: Knex, { tenants, revoked_api_key }: Listening): Promise<void> {
  if (revoked_api_key === null) return;
  for (const { slug } of tenants) {
    const { id = '' } = (await findTenant(database, slug)) ?? {};
    const now = new Date();
    for await (const keys of walkKeys(database, id)) for (const key of keys) await revokeKey(database, id, key.id, now);
    for await (const tokens of walkTokens(database, id)) {
      for (const token of tokens) await revokeToken(database, id, token.id, now);
    }
  }
  loseOutput('The keys and tokens of the demo were revoked, because nobody has seen them.');
}

/** Stores the public address, which commands then use. */
async function keepSite(database: Knex, { siteUrl }: Configuration, local: string, log: Log): Promise<void> {
  const stored = await findValue(database, 'site_url');
  if (stored === (siteUrl ?? local)) return;
  if (siteUrl === undefined) {
    if (stored !== undefined)
      log.warn(`The database has ${stored}; this start uses ${local}. Add --site-url ${stored} to use it again.`);
    return;
  }
  if (stored !== undefined) {
    log.warn(
      `--site-url was ${stored} before and is ${siteUrl} now. Codes that are printed already have the old address.`,
    );
  }
  await database.transaction((transaction) => setValue(transaction, 'site_url', siteUrl));
}

/** Starts the admin listener if it has a port. Without one nothing is measured. */
async function startAdmin({ adminHost: host, adminPort: port }: Configuration, log: Log) {
  const readiness = new Readiness();
  if (port === undefined) return { readiness, metrics: undefined, url: undefined, stop: async () => {} };
  // Imported only here, so that other starts are quicker.
  const [{ createAdmin }, { Metrics }] = await Promise.all([
    import('../admin/admin.ts'),
    import('../metrics/metrics.ts'),
  ]);
  const metrics = new Metrics();
  const server = createAdmin({ host, port, readiness, metrics, log });
  await listen(server, { host, port }, { host: '--admin-host', port: '--admin-port' });
  const url = localAddress(server);
  log.info({ address: url }, 'admin listener started');
  return { readiness, metrics, url, stop: () => server.stop({ timeout: 0 }) };
}

/** In bytes. With 1 or 4 MiB a request costs a quarter more, with more than 8 MiB only the memory grows. */
const youngGeneration = 8 * 1024 * 1024;

/**
 * Lets V8's young generation grow to 8 MiB and no further; the modules of the start may have enlarged it to 16. Left alone, V8
 * shrinks it to 1 MiB when the server has little to do, and lets it grow to 134 MB under load. The growth factor is the only
 * limit of its size that V8 reads after the start of the process.
 */
function keepYoungGeneration(): void {
  let factor: number | undefined;
  const adjust = (): void => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (!young) return;
    const wanted = Math.max(1, Math.round(youngGeneration / (young.space_used_size + young.space_available_size)));
    if (wanted === factor) return;
    factor = wanted;
    v8.setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  };
  adjust();
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] });
}

/** The line of JSON that a server prints once it listens. */
interface Listening
  extends Pick<DemoKeys, 'access_tokens'>,
    Partial<Pick<DemoKeys, 'expired_access_token' | 'active_product'>> {
  base_url: string;
  site_url: string;
  /** The admin listener, if it has a port. */
  admin_url?: string;
  /** Only of a sandbox: the token for `/_sandbox`, and the address of the state endpoint for Pact. */
  control_token?: string;
  state_url?: string;
  /** At most 500. `api_key` is `null` for a tenant that already existed: a key is shown only when it is created. */
  tenants: { slug: string; api_key: string | null }[];
  /** Of the first tenant. It may change the status of products. */
  publishing_api_key: string | null;
  revoked_api_key: string | null;
}

interface Environment {
  /** Of the database. */
  address: string;
  /** The server's address for this machine. */
  local: string;
  /** The database is a demo that this start created. */
  isNewDemo: boolean;
  /** The database had data already, so that --demo has loaded none. */
  isKept: boolean;
  /** A tenant has a key already, so the first steps are done. */
  hasKey: boolean;
  /** Only this machine reaches the server, so links with access tokens may be shown. */
  isLoopback: boolean;
}

/** Where the server listens, and commands to try. They work as they are printed. */
function announcement(listening: Listening, environment: Environment): string[] {
  const { address, local, isNewDemo, isKept, hasKey } = environment;
  const { control_token, publishing_api_key, tenants } = listening;
  const next = hasKey ? [] : hints(listening, environment);
  const withKey = tenants.filter((tenant) => tenant.api_key !== null);
  return [
    '',
    `Product Passport reference server ${version}`,
    '',
    `  API       ${listening.base_url}`,
    `  Reference ${local}/docs`,
    ...pages(listening, environment),
    ...(listening.admin_url === undefined ? [] : [`  Admin     ${listening.admin_url}`]),
    `  Database  ${shownAddress(address)}${isNewDemo ? ' (new demo data)' : ''}`,
    ...(isKept ? ['            It has data already, so --demo loaded nothing.'] : []),
    ...(control_token === undefined ? [] : [`  Control   ${local}/_sandbox`, `  Token     ${control_token}`]),
    ...withKey.map(({ slug, api_key }) => `  Key       ${api_key}  (${slug})`),
    ...(publishing_api_key === null ? [] : [`  Key       ${publishing_api_key}  (${tenants[0]?.slug}, publishes)`]),
    '',
    ...(next.length === 0 ? [] : [...next, '']),
    `Ready in ${Math.round(performance.now())} ms. Press Ctrl+C to stop.`,
    '',
  ];
}

/** The passport page of the demo for a recycler and an inspector: its path, with an access token. */
function pagesForRoles(
  { active_product: product, access_tokens }: Listening,
  { isLoopback }: Environment,
): { role: string; path: string }[] {
  if (!isLoopback) return [];
  return ['recycler', 'inspector'].flatMap((role) => {
    const found = access_tokens.find((one) => one.tenant === product?.tenant && one.role === role && !one.revoked);
    return product && found ? [{ role, path: `/p/${product.tenant}/${product.slug}?zugang=${found.token}` }] : [];
  });
}

/** `/demo/recycler` and `/demo/inspector`: a token takes some lines. Only this machine may have them. */
function serveDemoLinks(app: Server, listening: Listening, environment: Environment): void {
  for (const { role, path } of pagesForRoles(listening, environment)) {
    app.route({
      method: 'GET',
      path: `/demo/${role}`,
      options: { app: { errors: 'preferred' } },
      handler: (_request, h) =>
        h
          .response()
          .code(302)
          .header('location', path)
          .header('cache-control', 'no-store')
          .header('referrer-policy', 'no-referrer'),
    });
  }
}

/** The addresses of a passport page, as everybody, a recycler and an inspector see it. */
function pages(listening: Listening, environment: Environment): string[] {
  const { local } = environment;
  const { active_product: product } = listening;
  if (product === undefined) return [];
  const forRoles = pagesForRoles(listening, environment);
  const named = ({ role }: { role: string }) => `${role.charAt(0).toUpperCase()}${role.slice(1)}`.padEnd(9);
  return [
    `  Passport  ${local}/p/${product.tenant}/${product.slug}`,
    ...forRoles.map((page) => `  ${named(page)} ${local}/demo/${page.role}`),
  ];
}

function hints({ tenants, control_token }: Listening, { address, local }: Environment): string[] {
  if (control_token !== undefined) {
    const create = `curl -X POST -H 'Authorization: Bearer ${control_token}' ${local}/_sandbox/tenants`;
    return ['Create a tenant with an API key:', '', `  ${create}`];
  }
  const key = tenants.find(({ api_key }) => api_key !== null)?.api_key;
  if (!key) return nextSteps(address, tenants[0]?.slug);
  return [
    'Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' ${local}/api/v1/me`,
    `  curl -H 'Authorization: Bearer ${key}' '${local}/api/v1/products?search=CABLE'`,
    `  curl -i ${local}/01/09520001200045`,
  ];
}

function nextSteps(database: string, tenant: string | undefined): string[] {
  if (database === ':memory:') {
    return ['No other command can write to a database in memory. Start with --demo, or name a file with --database.'];
  }
  // The commands do not name a PostgreSQL address, because it may hold a password.
  const needsVariable = isPostgresAddress(database);
  const named = database === defaultDatabase ? undefined : database;
  const create = commandLine("tenant create my-shop --name 'My Shop' --country DE", named);
  return [
    `Next, in another shell${needsVariable ? ' with the database address in PRODUCT_PASSPORT_DATABASE' : ''}:`,
    '',
    ...(tenant === undefined ? [`  ${create}`] : []),
    `  ${commandLine(`key create --tenant ${tenant ?? 'my-shop'}`, named)}`,
  ];
}

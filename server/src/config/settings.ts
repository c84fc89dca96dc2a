import { closest } from '@product-passport/openapi';
import { databaseLimits, isPostgresAddress } from '../database/address.ts';
import { OperatorError } from '../operator-error.ts';
import {
  databaseAddress,
  duration,
  type Format,
  flag,
  hostAddress,
  oneOf,
  readText,
  share,
  siteUrl,
  urnNamespace,
  wholeNumber,
} from './formats.ts';

/** Something that an operator of the server chooses. */
export interface Setting<Value, Default extends Value | undefined = Value | undefined> {
  /** In the help and the documentation. */
  meaning: string;
  format: Format<Value>;
  default: Default;
  /** What applies without a value. Only for a setting whose default is not one value. */
  otherwise?: string;
  /** The environment variable, if it is not `PRODUCT_PASSPORT_` and the name. */
  variable?: string;
  /** The value is, or holds, a secret: messages do not repeat it, and `format.show` leaves the secret out. */
  isSecret?: true;
}

function setting<Value, const Default extends Value | undefined>(
  row: Setting<Value, Default>,
): Setting<Value, Default> {
  return row;
}

/**
 * The configuration of `serve`. Each name gives the option (`keepScans`: `--keep-scans`) and the environment variable
 * (`PRODUCT_PASSPORT_KEEP_SCANS`). Help, checks, `product-passport config` and docs/reference/commands.md follow from it.
 */
export const settings = {
  port: setting({
    meaning: 'port to listen on; 0 picks a free port',
    format: wholeNumber(0, 65_535),
    default: 3000,
    variable: 'PORT',
  }),
  host: setting({
    meaning: 'address to listen on; 0.0.0.0 listens on all addresses',
    format: hostAddress,
    default: '127.0.0.1',
    variable: 'HOST',
  }),
  adminPort: setting({
    meaning: 'port of the admin listener with /healthz, /readyz and /metrics; 0 picks a free port',
    format: wholeNumber(0, 65_535),
    default: undefined,
    otherwise: 'no admin listener',
  }),
  adminHost: setting({
    meaning: 'address of the admin listener; it needs no key, so keep it out of reach of the public',
    format: hostAddress,
    default: '127.0.0.1',
  }),
  siteUrl: setting({
    meaning: 'public address of the site, used in links',
    format: siteUrl,
    default: undefined,
    otherwise: 'the address that the server listens on',
  }),
  trustProxy: setting({
    meaning: 'number of your own proxies in front of the server; each must add to X-Forwarded-For',
    format: wholeNumber(0, 100),
    default: 0,
  }),
  database: setting({
    meaning: 'SQLite file or postgres:// address',
    format: databaseAddress,
    default: 'product-passport.sqlite',
    isSecret: true,
  }),
  databaseWait: setting({
    meaning: 'how long the start waits for a PostgreSQL that is not reachable yet',
    format: duration('0s', '24h'),
    default: 30_000,
  }),
  databasePool: setting({
    meaning:
      'maximum number of PostgreSQL connections of this process; one tenant uses at most half of them, and so do all requests without a key',
    format: wholeNumber(2, 1000),
    default: databaseLimits.pool,
  }),
  databaseMaxAge: setting({
    meaning: 'how old a PostgreSQL connection gets; afterwards the name of the host is looked up again',
    format: duration('1s', '24h'),
    default: databaseLimits.maxAge,
  }),
  statementTimeout: setting({
    meaning: 'how long a statement may run before its request gets 503; the PostgreSQL address takes precedence',
    format: duration('100ms', '1h'),
    default: databaseLimits.statementTimeout,
  }),
  lockTimeout: setting({
    meaning: 'how long a PostgreSQL statement waits for a lock; the PostgreSQL address takes precedence',
    format: duration('100ms', '1h'),
    default: databaseLimits.lockTimeout,
  }),
  rateLimit: setting({
    meaning: 'requests per minute that each tenant may send; 0 means no limit',
    format: wholeNumber(0, 1_000_000_000),
    default: 0,
  }),
  publicRateLimit: setting({
    meaning: 'requests per minute without a valid key that each address may send; 0 means no limit',
    format: wholeNumber(0, 1_000_000_000),
    default: 0,
  }),
  maxConnections: setting({
    meaning:
      'maximum number of open connections, divided among addresses; further ones are closed at once; 0 means no limit',
    format: wholeNumber(0, 1_000_000),
    default: 20_000,
  }),
  maxRequests: setting({
    meaning: 'maximum number of requests in flight, half of them with a key; further ones get 503; 0 means no limit',
    format: wholeNumber(0, 1_000_000),
    // At the rate of one process, the last of them waits a few seconds.
    default: 2048,
  }),
  keepAlive: setting({
    meaning: 'how long an idle connection stays open; longer than the idle limit of the load balancer in front',
    format: duration('1s', '1h'),
    default: 72_000,
  }),
  headTimeout: setting({
    meaning: 'how long the headers of a request may take to arrive; then it gets 408',
    format: duration('100ms', '1h'),
    default: 60_000,
  }),
  bodyTimeout: setting({
    meaning: 'how long the body of a request may take to arrive after its headers; then it gets 408',
    format: duration('100ms', '1h'),
    default: 10_000,
  }),
  tenantWrites: setting({
    meaning:
      'writes of one tenant that run at a time, about four if they are large. On PostgreSQL at most half of the connections',
    format: wholeNumber(1, 1000),
    default: 32,
  }),
  countScans: setting({
    meaning: 'count the views of passport pages; false counts those of no tenant',
    format: flag,
    default: true,
  }),
  keepScans: setting({
    meaning: 'days before today for which single scans are kept; the counts per day are kept forever',
    format: wholeNumber(0, 36_500),
    default: 90,
  }),
  urnNamespace: setting({
    meaning: 'namespace in the URNs of new products',
    format: urnNamespace,
    default: 'dpp',
  }),
  redirectStatus: setting({
    meaning: 'HTTP status of Digital Link redirects',
    format: oneOf(302, 307),
    default: 307,
  }),
  drainDelay: setting({
    meaning: 'how long /readyz returns 503 before the server stops listening, so that a load balancer notices',
    format: duration('0s', '1h'),
    default: 0,
  }),
  stopTimeout: setting({
    meaning: 'how long running requests may take after the server stopped listening',
    format: duration('0s', '1h'),
    default: 10_000,
  }),
  logLevel: setting({
    meaning: 'lowest level of the log on standard error; info has a line for each request',
    format: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: undefined,
    otherwise: 'info; warn with --demo or --sandbox',
  }),
  logPublicSample: setting({
    meaning: 'share of successful requests without a key that get a line in the log; errors always get one',
    format: share,
    default: 1,
  }),
};

export type SettingName = keyof typeof settings;

/** The value of each setting. */
export type Configuration = {
  [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value, infer Default>
    ? Default extends undefined
      ? Value | undefined
      : Value
    : never;
};

export const settingNames = Object.keys(settings) as SettingName[];

/** `--keep-scans` */
export function optionOf(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `PRODUCT_PASSPORT_KEEP_SCANS` */
export function variableOf(name: SettingName): string {
  const { variable }: Setting<never> = settings[name] as Setting<never>;
  return variable ?? `PRODUCT_PASSPORT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Where a value comes from: `default`, or the name of its option or variable. */
type Source = 'default' | (string & {});

/** A text that was given for a setting, and the name of its option or variable. */
export interface Given {
  text: string;
  source: Source;
}

export interface EffectiveConfiguration {
  values: Configuration;
  sources: Record<SettingName, Source>;
}

/** Names every mistake of a configuration, and what to do about it. It holds no secret. */
function refuse(mistakes: string[]): never {
  const [first = ''] = mistakes;
  const lines = [`the configuration has ${mistakes.length} mistakes:`, ...mistakes.map((mistake) => `  ${mistake}`)];
  throw new OperatorError(mistakes.length === 1 ? first : lines.join('\n'), 2);
}

/**
 * Reads and checks every setting.
 *
 * @param given what was given for a setting, if anything
 * @throws OperatorError
 */
export function readConfiguration(given: (name: SettingName) => Given | undefined): EffectiveConfiguration {
  const values: Partial<Record<SettingName, unknown>> = {};
  const sources: Partial<Record<SettingName, Source>> = {};
  const mistakes: string[] = [];
  for (const name of settingNames) {
    const { format, default: fallback }: Setting<unknown> = settings[name];
    const one = given(name);
    const { value, error } = one ? readText(format, one.text) : { value: fallback };
    if (one && error) mistakes.push(mistakeIn(settings[name], one));
    values[name] = value;
    sources[name] = one?.source ?? 'default';
  }
  if (mistakes.length > 0) refuse(mistakes);
  const contradictions = contradictionsIn(values as Configuration);
  if (contradictions.length > 0) refuse(contradictions);
  return { values, sources } as EffectiveConfiguration;
}

function mistakeIn({ format, isSecret }: Setting<unknown>, { text, source }: Given): string {
  return `${source}${isSecret ? ':' : ` is ${JSON.stringify(text)}.`} ${format.hint(text)}`;
}

/** Mistakes that no setting has alone. */
function contradictionsIn({ database, lockTimeout, statementTimeout, port, adminPort }: Configuration): string[] {
  const mistakes: string[] = [];
  if (adminPort === port && port !== 0) {
    mistakes.push(`--admin-port and --port are both ${port}. Choose another --admin-port.`);
  }
  if (isPostgresAddress(database) && lockTimeout > statementTimeout) {
    mistakes.push(
      '--lock-timeout is longer than --statement-timeout. Use a shorter one: waiting is a part of the statement.',
    );
  }
  return mistakes;
}

/** The value of a setting as text, without its secret parts; undefined if it has none. */
export function shownValue(name: SettingName, values: Configuration): string | undefined {
  const { format } = settings[name] as { format: Format<unknown> };
  const value = values[name];
  return value === undefined ? undefined : (format.show ?? String)(value);
}

const prefix = 'PRODUCT_PASSPORT_';

/** Variables of other commands and programs, which often run with the same environment. */
const otherVariables = /^PRODUCT_PASSPORT_(?:URL|TENANT|PROVIDER|(?:[A-Z]+_)?(?:KEY|TOKEN))$/;

/**
 * A sentence about each variable of the environment that looks like a setting but is not one.
 *
 * @param onlyMistyped leaves out those that are close to no setting: other programs may have them
 */
export function unknownVariables(environment: NodeJS.ProcessEnv, onlyMistyped = false): string[] {
  const known = settingNames.map(variableOf);
  const short = (name: string) => name.replace(prefix, '');
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !known.includes(name) && !otherVariables.test(name))
    .flatMap((name) => {
      const near = closest(short(name), known.map(short));
      const meant = known.find((one) => short(one) === near);
      if (onlyMistyped && meant === undefined) return [];
      const hint = meant === undefined ? 'Unset it.' : `Did you mean ${meant}?`;
      return `The environment variable ${name} has no effect: no setting has this name. ${hint}`;
    });
}

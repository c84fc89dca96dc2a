/** Verifies a provider: checks that it responds, runs the suite, and returns what it found. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contractOf, member, readDocument, readText } from '@product-passport/openapi';
import { suiteOf } from './cases/index.ts';
import type { Claim } from './claims.ts';
import { listsOf } from './expected-failures.ts';
import { generatedFacts } from './generation/cases.ts';
import { type Connection, NoResponse, openConnection } from './http/connection.ts';
import { jsonIn } from './http/exchange.ts';
import { addressesOf, keyVariable, type Provider } from './provider.ts';
import { checkSet, readSets } from './requirements.ts';
import { checkIds, type Run, UsageError } from './result.ts';
import { choiceOf, type RunOptions, run } from './run.ts';
import { createSession, emptyRecord, stateId, unjudged } from './session.ts';
import { openStateEndpoint, type Supplied, setUpStates } from './states/set-up.ts';

export interface VerifyOptions extends Pick<RunOptions, 'only' | 'requirements' | 'onResult' | 'signal'> {
  readonly provider: Provider;
  /** Default: `core` and `public`. */
  readonly claims?: readonly Claim[];
  /** The maximum number of requests per second. Default: no limit. */
  readonly rate?: number | undefined;
  /** How long to wait for one response, in milliseconds. Default: 10 seconds. */
  readonly timeout?: number;
  /** The text of the file of expected failures. */
  readonly expectedFailures?: string;
  /** The text of the file of cases that sometimes pass. */
  readonly flaky?: string;
  /** How long generated requests are sent after the fixed cases, in seconds. 0 sends none. Default: 10. */
  readonly generated?: number;
  /** Names and generated requests follow from it. Default: random. */
  readonly seed?: number | undefined;
  /** Where the key of a tenant came from, for a message. Default: its place in the provider file. */
  readonly nameOfKey?: (index: number) => string;
  /** Default: HTTP to the addresses of the provider. */
  readonly connection?: Connection;
}

/** In milliseconds. */
const defaultTimeout = 10_000;

export const defaultClaims: readonly Claim[] = ['core', 'public'];

/**
 * @returns the run, and the provider with the keys and tokens that the state URL returned
 * @throws UsageError when the provider does not respond as this API, or an option is wrong
 */
export async function verify(options: VerifyOptions): Promise<Run & { readonly provider: Provider }> {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 12))
    throw new UsageError(`@product-passport/contracts needs Node 22.12 or later, and this is Node ${node}.`);
  const {
    provider,
    rate,
    timeout = defaultTimeout,
    seed = newSeed(),
    generated = 10,
    nameOfKey = (index) => `tenants[${index}]`,
    ...rest
  } = options;
  const { contract, suite, ids } = loadedSuite();
  const lists = listsOf(options, ids);
  checkIds('--only', options.only ?? [], 'case id', ids);
  checkSet(options.requirements, readSets());
  checkClaims(options);
  const connection = options.connection ?? openConnection(addressesOf(provider), { timeout, rate });
  try {
    const known = await preflight(provider, connection, nameOfKey);
    const { supplied, stateRequests } = await statesOf(known, connection, options);
    const result = await run({
      claims: defaultClaims,
      ...rest,
      ...suite,
      provider: supplied.provider,
      setUp: supplied,
      stateFaults: supplied.faults,
      connection,
      contract,
      seed,
      generated,
      ...lists,
      facts: suiteFacts(),
    });
    return { ...result, stateRequests, provider: supplied.provider };
  } finally {
    connection.close();
  }
}

/** Sets up through the state URL what the chosen cases need. */
async function statesOf(provider: Provider, connection: Connection, options: VerifyOptions) {
  const { claims = defaultClaims, only, timeout = defaultTimeout } = options;
  if (provider.state_url === undefined) {
    const supplied: Supplied = { provider, needs: new Set(), faults: new Map() };
    return { supplied, stateRequests: [] };
  }
  const { contract, suite } = loadedSuite();
  const chosen = [...suite.cases, ...generatedFacts(contract)].filter(choiceOf({ claims, only }));
  const wanted = new Set(chosen.flatMap(({ needs }) => needs));
  const session = createSession({ provider, connection, runId: '', ...unjudged });
  const { send } = session.contextOf(stateId, emptyRecord());
  const endpoint = openStateEndpoint(provider.state_url, timeout);
  try {
    return { supplied: await setUpStates({ provider, endpoint, wanted, send }), stateRequests: endpoint.exchanges };
  } finally {
    endpoint.close();
  }
}

/** @throws UsageError if `--only` names only cases of claims that the provider does not make */
function checkClaims({ only = [], claims = defaultClaims }: VerifyOptions): void {
  const { contract, suite } = loadedSuite();
  const all = [...suite.cases, ...suite.wholeRunCases, ...generatedFacts(contract)];
  for (const prefix of only) {
    const named = all.filter(({ id }) => id.startsWith(prefix));
    if (named.some(choiceOf({ claims }))) continue;
    const others = [...new Set(named.map(({ claim, also }) => (also ? `${claim},${also}` : claim)))].join(' or ');
    throw new UsageError(`--only has ${prefix}, whose cases need another claim. Add ${others} to --claim.`);
  }
}

let loaded: ReturnType<typeof loadSuite> | undefined;

/** Reads openapi.yaml once in a process. */
export function loadedSuite() {
  loaded ??= loadSuite();
  return loaded;
}

function loadSuite() {
  /** openapi.yaml, as it is written. */
  const document = readDocument();
  const contract = contractOf(document);
  const suite = suiteOf(contract);
  return {
    document,
    contract,
    suite,
    ids: new Set([...suite.cases, ...suite.wholeRunCases, ...generatedFacts(contract)].map(({ id }) => id)),
    contractVersion: String(member(member(document, 'info'), 'version')),
    contractText: readText(),
  };
}

/** 32 bits, so that it is short to type. */
function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}

/**
 * What a report says of the suite and of the time, if the run creates nothing.
 *
 * @param end default: now
 */
export function suiteFacts(startedAt = new Date(), end = new Date()) {
  const { contractVersion, contractText } = loadedSuite();
  const contractHash = createHash('sha256').update(contractText).digest('hex');
  const times = { startedAt: startedAt.toISOString(), milliseconds: end.getTime() - startedAt.getTime() };
  return { ...times, suiteVersion: suiteVersion(), contractVersion, contractHash, sources: {}, created: [] };
}

export function suiteVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}

/**
 * Checks the address and the key of every tenant.
 *
 * @returns the provider with the slugs of its tenants
 * @throws UsageError when the address is not that of this API, or a key is not valid
 */
export async function preflight(
  provider: Provider,
  connection: Connection,
  nameOfKey: (index: number) => string,
): Promise<Provider> {
  const tenants = provider.tenants ?? [];
  if (tenants.length === 0) {
    throw new UsageError(
      `No API key. Set ${keyVariable}, or write a provider file with the command init and name it with --provider.`,
    );
  }
  const { baseUrl } = addressesOf(provider);
  const known = [];
  for (const [index, tenant] of tenants.entries()) {
    const slug = await slugOf(tenant.api_key, nameOfKey(index), baseUrl, connection);
    known.push({ ...tenant, slug: tenant.slug ?? slug });
  }
  return { ...provider, tenants: known };
}

async function slugOf(key: string, name: string, baseUrl: string, connection: Connection): Promise<string> {
  const headers = { accept: 'application/json', authorization: `Bearer ${key}` };
  const response = await connection.send({ method: 'GET', path: '/api/v1/me', headers }).catch((error: unknown) => {
    if (error instanceof NoResponse) throw new UsageError(`${baseUrl} does not respond: ${error.message}.`);
    throw error;
  });
  const { status, text } = response;
  if (status === 401) throw new UsageError(`${baseUrl} refuses the API key in ${name} (401). Check key and address.`);
  if (status >= 300 && status < 400) {
    throw new UsageError(`${baseUrl}/me redirects (${status}). Keys follow no redirect: use the address it leads to.`);
  }
  // JSON with the content type of HTML is a wrong response of this API. A case reports it.
  if (/html/i.test(response.headers['content-type'] ?? '') && jsonIn(text) === undefined) {
    throw new UsageError(`${baseUrl}/me responds with HTML (${status}), not with this API. Check the address.`);
  }
  if (status === 404) throw new UsageError(`${baseUrl}/me does not exist (404). Check the address.`);
  return slugIn(text);
}

/** A case reports a wrong response to `/me`, so it does not stop the run here. */
function slugIn(text: string): string {
  const slug = member(member(jsonIn(text), 'tenant'), 'slug');
  return typeof slug === 'string' ? slug : '';
}

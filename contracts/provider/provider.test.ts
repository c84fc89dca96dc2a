/** The real server as the provider of the pact: Pact replays each interaction, and the sandbox's state endpoint sets up its states. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { type Sandbox, startSandbox } from '@product-passport/server/testing';
import { type PactSession, pactStates } from '../../server/src/sandbox/pact-states.ts';
import { type Interaction, operationOf, pactLocation, provider, readPact } from '../pact-file.ts';
import { catalogue, type StateName, type StateParameters, type StateResult } from '../states/catalogue.ts';

/** Pact's result of an interaction. */
interface Result {
  readonly description: string;
  readonly result: string;
  /** What differs. Pact does not report why a provider state failed. */
  readonly mismatch?: unknown;
}

const { operations } = readContract();
const pact = readPact();
const byOperation = Map.groupBy(pact.interactions, (one) => operationOf(operations, one).operationId);
const results = new Map<string, Result>();
let server: Sandbox;

beforeAll(async () => {
  // Ids of passports have the public address.
  server = await startSandbox({ siteUrl: 'https://passport.example.com' });
  const words = [provider, fileURLToPath(pactLocation), localAddress(), server.stateUrl];
  const script = fileURLToPath(new URL('pact-process.ts', import.meta.url));
  const verifier = fork(script, words, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // The process may exit before its message is read.
  const [report] = await Promise.race([once(verifier, 'message'), once(verifier, 'disconnect')]);
  const { interactionResults }: { interactionResults: readonly Result[] } = report;
  for (const result of interactionResults) results.set(result.description, result);
}, 180_000);

afterAll(() => server.stop());

const localAddress = () => server.baseUrl.replace('/api/v1', '');

describe.each([...byOperation])('%s', (_operation, interactions) => {
  test.each(interactions.map(({ description }) => description))('%s', (description) => {
    const { result, mismatch } = results.get(description) ?? {};
    expect({ result, mismatch }).toEqual({ result: 'OK' });
  });
});

// The state endpoint, over HTTP. That states have their effect is seen when Pact replays the pact.

/** The compiler reports a state without a handler, and one with other parameters or return values. */
type StateHandlers = {
  readonly [Name in StateName]: (
    session: PactSession,
    parameters: StateParameters<Name>,
  ) => Promise<StateResult<Name> extends undefined ? void : StateResult<Name>>;
};

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(body: string): Promise<Reply> {
  const response = await fetch(server.stateUrl, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

/** Sets up the states of an interaction, and returns the reply to the last one and all return values. */
async function setUp({ providerStates = [] }: Pick<Interaction, 'providerStates'>): Promise<[Reply, Reply['body']]> {
  let last: Reply = { status: 0, body: {} };
  let values: Reply['body'] = {};
  for (const { name: state, params } of providerStates) {
    last = await post(JSON.stringify({ action: 'setup', state, params }));
    values = { ...values, ...last.body };
  }
  return [last, values];
}

function withState(name: string): Interaction {
  const found = pact.interactions.find(({ providerStates }) => providerStates?.at(-1)?.name === name);
  if (found === undefined) throw new Error(`No interaction ends its states with "${name}".`);
  return found;
}

async function get(path: string, key?: unknown): Promise<Reply> {
  const response = await fetch(localAddress() + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

test('the sandbox has the states of the catalogue', () => {
  const handlers: StateHandlers = pactStates;
  expect(Object.keys(handlers)).toEqual(Object.keys(catalogue));
});

test.each(Object.entries(catalogue))('%s: returns what the catalogue says', async (name, { returns }) => {
  const [reply] = await setUp(withState(name));
  expect(reply).toEqual({ status: 200, body: returns === undefined ? {} : { [returns]: expect.any(String) } });
});

test('teardown changes nothing', async () => {
  const [, { api_key }] = await setUp(withState('a tenant with an API key'));
  const teardown = { action: 'teardown', state: 'a tenant with an API key', params: {} };
  expect(await post(JSON.stringify(teardown))).toEqual({ status: 200, body: {} });
  expect((await get('/api/v1/me', api_key)).status).toBe(200);
});

const failures = [
  [
    'an unknown state',
    '{"action":"setup","state":"a tenant from the moon","params":{}}',
    'The catalogue has no provider state "a tenant from the moon".',
  ],
  [
    'a state whose product is missing',
    '{"action":"setup","state":"the passport is full","params":{"product":"nowhere","values":1}}',
    'not_found',
  ],
  ['a body that is not an object', '[]', 'The body of a state change must be a JSON object.'],
  ['a body that is not JSON', '{', expect.stringContaining('JSON')],
  [
    "another test's tenant with the same slug",
    '{"action":"setup","state":"a tenant with an API key","params":{"tenant":{"slug":"taken"}}}',
    expect.stringContaining('The slug taken is taken.'),
  ],
] as const;

test('the tenants of other tests stay as they are', async () => {
  const { slug, apiKey, seed } = await server.createTenant({ slug: 'taken' });
  await seed([{ name: 'Tasse' }]);
  await setUp(withState('the service fails inside'));
  await setUp(withState('a tenant with an API key'));
  expect(await get('/api/v1/me', apiKey)).toMatchObject({
    status: 200,
    body: { tenant: { slug }, products_total: 1 },
  });
});

test.each(failures)('%s gets status 400, after which Pact does not retry', async (_what, body, message) => {
  await setUp(withState('a tenant with an API key'));
  expect(await post(body)).toMatchObject({ status: 400, body: { error: { message } } });
});

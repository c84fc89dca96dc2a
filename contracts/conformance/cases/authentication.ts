/** AUTH: which requests need a key, and how a request without a valid key is refused. */
import type { Contract, Operation } from '@product-passport/openapi';
import { outcomeOf, passportPath, productPath } from '../api.ts';
import { type Ask, type Case, type Context, check, checkEqual, type Expected, family, refuses } from '../case.ts';
import { addressesOf } from '../provider.ts';
import { needsOf, validRequest } from '../valid-requests.ts';
import { documentPath, linkPath, pagePath } from '../world.ts';
import { createControl } from './products.ts';

const purpose = 'authentication';
const scheme = '/components/securitySchemes/apiKey';
const response = '/components/responses/InvalidApiKey';
const me: Ask = { path: '/api/v1/me' };
const unknownKey = 'verify-unknown-key';
const refusal: Expected = { status: 401, code: 'invalid_api_key' };

const noKey = family('AUTH-1', { claim: 'core', clause: response });
const malformed = family('AUTH-2', { claim: 'core', clause: scheme });
const wrongKey = family('AUTH-3', { claim: 'core', clause: scheme });
const order = family('AUTH-4', { claim: 'reference', clause: '/x-rules-for-providers/order-of-checks' });
const withoutKey = family('AUTH-5', { claim: 'public', clause: '/info/description', needs: ['active product'] });

export function authentication({ operations }: Contract): readonly Case[] {
  const secured = operations.filter((operation) => operation.side.secured);
  return [...missingKeys(secured), ...malformedKeys, ...invalidKeys(secured), ...orderOfChecks, ...publicSide];
}

function missingKeys(secured: readonly Operation[]): Case[] {
  return [
    ...secured.map((operation) =>
      noKey.with({ claim: operation.claim, also: operation.also, needs: needsOf(operation) })(
        operation.operationId,
        `${operation.operationId} without a key gets 401 invalid_api_key.`,
        refuses((context) => validRequest(operation, context, purpose), { key: null }, refusal),
      ),
    ),
    noKey.with({ needs: ['field key'] })(
      'stores-nothing',
      'A write without a key stores nothing.',
      async ({ world, api, sendFaulty }) => {
        const { slug } = await world.product('write-without-key');
        const field = await world.fieldKey();
        await api.put(slug, [{ field_key: field, value: `with the key ${world.runId}` }]);
        const intruded = `without a key ${world.runId}`;
        const json = [{ field_key: field, value: intruded }];
        await sendFaulty({ method: 'PUT', path: passportPath(slug), json, key: null });
        const { values } = await api.passport(slug);
        const stored = values.find(({ field_key }) => field_key === field)?.value;
        const exposes = stored === intruded ? 'change without a key' : undefined;
        checkEqual(stored, `with the key ${world.runId}`, 'the stored value', { exposes });
      },
    ),
    noKey.reference('challenge', 'A 401 has the header WWW-Authenticate: Bearer.', async ({ refused }) => {
      const { headers } = await refused(me, { key: null }, refusal);
      checkEqual(headers['www-authenticate'], 'Bearer', 'WWW-Authenticate');
    }),
  ];
}

/** Values of `Authorization` that carry no key, or not as a bearer token. */
const malformedHeaders: Readonly<Record<string, readonly [string, (key: string) => string]>> = {
  'basic-scheme': ['the scheme Basic', (key) => `Basic ${key}`],
  'basic-credentials': ['Basic credentials with the key', (key) => `Basic ${btoa(`${key}:`)}`],
  'other-scheme': ['an unknown scheme', (key) => `Token ${key}`],
  'no-scheme': ['only the key', (key) => key],
  'no-token': ['only the scheme', () => 'Bearer'],
  'blank-token': ['a blank token', () => 'Bearer    '],
  empty: ['no text', () => ''],
};

const noKeysInReference: Readonly<Record<string, readonly [string, (key: string) => Partial<Ask>]>> = {
  'key-in-query-status': ['A key in the query, and no other,', inQuery],
  'long-token': ['A token of 6 KiB', () => ({ key: 'k'.repeat(6 * 1024) })],
  'non-ascii-token': ['A token with bytes outside ASCII', () => ({ key: 'schlüssel-\u00ff' })],
};

/** @param faultOf made from a valid key */
const refusesKey = (faultOf: (key: string) => Partial<Ask>, expected = refusal): Case['run'] =>
  refuses(me, ({ world }) => faultOf(world.tenant().api_key), expected);

const malformedKeys: readonly Case[] = [
  ...Object.entries(malformedHeaders).map(([name, [what, headerOf]]) =>
    malformed(
      name,
      `Authorization with ${what} gets 401 invalid_api_key.`,
      refusesKey((key) => ({ headers: { authorization: headerOf(key) } })),
    ),
  ),
  malformed(
    'key-in-query',
    'A key in the query does not count as a key.',
    // A provider that refuses unknown parameters may respond with 400.
    refusesKey(inQuery, { status: [401, 400] }),
  ),
  ...Object.entries(noKeysInReference).map(([name, [what, faultOf]]) =>
    malformed.reference(name, `${what} gets 401 invalid_api_key.`, refusesKey(faultOf)),
  ),
  ...Object.entries({ lower: 'bearer', upper: 'BEARER', mixed: 'bEaReR' }).map(([name, written]) =>
    malformed.reference(`scheme-${name}-case`, `The scheme may be written ${written}.`, async ({ world, send }) => {
      const reply = await send({ ...me, headers: { authorization: `${written} ${world.tenant().api_key}` } });
      check(reply.status === 200, `${written} must be accepted, gets ${outcomeOf(reply)}`);
    }),
  ),
];

/** All names under which frameworks look for a key, in one request. */
function inQuery(key: string): Partial<Ask> {
  const names = ['api_key', 'apikey', 'key', 'token', 'access_token'];
  const pairs = names.map((name) => [name, key]);
  return { key: null, query: { ...Object.fromEntries(pairs), authorization: `Bearer ${key}` } };
}

/** Keys that no tenant has, made from a valid one. */
const unknownKeys: Readonly<Record<string, readonly [string, (key: string) => string]>> = {
  unknown: ['that no tenant has', () => unknownKey],
  altered: ['with one other character', withOtherCharacter],
  shortened: ['without its last character', (key) => key.slice(0, -1)],
  extended: ['with one more character', (key) => `${key}x`],
  sql: ['that is an SQL condition', () => "'OR'1'='1"],
  wildcard: ['that is a wildcard', () => '%'],
};

const characters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function withOtherCharacter(key: string): string {
  const at = Math.floor(key.length / 2);
  const other = characters[(characters.indexOf(key.charAt(at)) + 1) % characters.length];
  return `${key.slice(0, at)}${other}${key.slice(at + 1)}`;
}

/** Test keys may differ in one character only: the result is not the key of another tenant. */
function wrongKeyOf({ provider, world }: Context, keyOf: (key: string) => string): string {
  const valid = new Set(provider.tenants?.map(({ api_key }) => api_key));
  let key = keyOf(world.tenant().api_key);
  while (valid.has(key)) key = keyOf(key);
  return key;
}

function invalidKeys(secured: readonly Operation[]): Case[] {
  return [
    ...Object.entries(unknownKeys).map(([name, [what, keyOf]]) =>
      wrongKey(
        name,
        `A key ${what} gets 401 invalid_api_key.`,
        refuses(me, (context) => ({ key: wrongKeyOf(context, keyOf) }), refusal),
      ),
    ),
    ...secured.map((operation) =>
      wrongKey.with({ claim: operation.claim, also: operation.also, needs: ['revoked key', ...needsOf(operation)] })(
        `revoked-${operation.operationId}`,
        `${operation.operationId} with a revoked key gets 401 invalid_api_key.`,
        refuses(
          (context) => validRequest(operation, context, purpose),
          ({ world }) => ({ key: world.revokedKey() }),
          refusal,
        ),
      ),
    ),
    wrongKey.with({ claim: 'reference', needs: ['revoked key'] })(
      'same-bytes',
      'An unknown and a revoked key get the same response.',
      async (context) => {
        const revoked = await context.refused(me, { key: context.world.revokedKey() }, refusal);
        const unknown = await context.refused(me, { key: unknownKey }, refusal);
        checkEqual(revoked.text, unknown.text, 'the body for a revoked key');
      },
    ),
  ];
}

const text = { 'content-type': 'text/plain' };

/** Requests that also have another fault than the missing key, with the status of that fault. */
const otherFaults: readonly (readonly [name: string, what: string, status: number, ask: Ask])[] = [
  ['unknown-path', 'an unknown path', 404, { path: '/api/v1/verify-unknown' }],
  ['unknown-product', 'an unknown product', 404, { path: productPath('verify-no-such-product') }],
  ['unknown-method', 'an unknown method', 405, { method: 'DELETE', path: '/api/v1/products' }],
  ['large-body', 'a body of more than 1 MiB', 413, { ...createControl, raw: `{"name":"${'x'.repeat(1024 * 1024)}"}` }],
  ['content-type', 'an unsupported content type', 415, { ...createControl, raw: 'name', headers: text }],
  ['broken-json', 'broken JSON', 400, { ...createControl, raw: '{' }],
  ['invalid-parameter', 'an invalid parameter', 400, { path: '/api/v1/products', query: { limit: 'many' } }],
];

const orderOfChecks = otherFaults.map(([name, what, status, ask]) =>
  order(name, `The service checks the key before it refuses ${what} with ${status}.`, async ({ sendFaulty }) => {
    const withKey = await sendFaulty(ask);
    checkEqual(withKey.status, status, 'the status with a key');
    const reply = await sendFaulty({ ...ask, key: null });
    check(
      reply.status === 401 && reply.code === 'invalid_api_key',
      `without a key the response must be 401 invalid_api_key, is ${outcomeOf(reply)}`,
    );
  }),
);

const publicSide: readonly Case[] = [
  withoutKey('page', 'The passport page needs no key, and a key does not change it.', async (context) => {
    await checkKeyIgnored(context, pagePath(await context.world.activeProduct()), [200]);
  }),
  withoutKey('jsonld', 'The JSON-LD document needs no key, and a key does not change it.', async (context) => {
    await checkKeyIgnored(context, documentPath(await context.world.activeProduct()), [200]);
  }),
  withoutKey.with({ needs: ['GTIN'] })(
    'resolver',
    'The resolver needs no key, and a key does not change its redirect.',
    async (context) => {
      await checkKeyIgnored(context, linkPath(await context.world.gtin()), [302, 307]);
    },
  ),
];

async function checkKeyIgnored(context: Context, path: string, statuses: readonly number[]): Promise<void> {
  const { provider, world, send } = context;
  const plain = await send({ path });
  const expected = statuses.join(' or ');
  check(statuses.includes(plain.status), `without a key the status must be ${expected}, is ${plain.status}`);
  const { baseUrl, siteUrl } = addressesOf(provider);
  // A key never goes to another origin than that of the API.
  const own = new URL(baseUrl).origin === new URL(siteUrl).origin ? { 'a valid key': world.tenant().api_key } : {};
  for (const [what, key] of Object.entries({ ...own, 'an unknown key': unknownKey })) {
    const reply = await send({ path, headers: { authorization: `Bearer ${key}` } });
    checkEqual(reply.status, plain.status, `the status with ${what}`);
    checkEqual(reply.headers.location, plain.headers.location, `Location with ${what}`);
    // A page may contain a time or a nonce. Then two requests without a key get different bodies.
    const isSame = reply.text === plain.text || (await send({ path })).text !== plain.text;
    check(isSame, `the body must not change with ${what}`);
  }
}

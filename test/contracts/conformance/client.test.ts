/**
 * `verify client` on a program: it passes, and fails for the named check once a mistake is planted. The tests run at the
 * same time: their programs mostly wait.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { earlyRequests, member, pausesIn, readContract } from '@product-passport/openapi';
import type { ClientRun, Disturbance } from '../../../contracts/conformance/client/check.ts';
import { checks } from '../../../contracts/conformance/client/checks.ts';
import { createDropper, createLimiter, openService } from '../../../contracts/conformance/client/service.ts';
import { shortestTest } from '../../../contracts/conformance/client/unnoticed.ts';
import { verifyClient } from '../../../contracts/conformance/client/verify-client.ts';
import { judgesOf } from '../../../contracts/conformance/judges.ts';
import type { Run } from '../../../contracts/conformance/result.ts';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { operationAt } from '../../../contracts/judge/operation-at.ts';
import { edited } from '../../../contracts/mutants/matrix.ts';
import { ending, fileWith } from '../../support/files.ts';
import { root } from '../../support/program.ts';
import { exchangeWith } from '../../support/suite.ts';

jest.setTimeout(300_000);

const program = readFileSync(join(root, 'test/contracts/conformance/client-programs/sync.mjs'), 'utf8');

interface Mistake {
  readonly mistake: string;
  readonly from: string;
  readonly to: string;
  /** The checks that fail. */
  readonly fails: readonly string[];
  readonly reason: RegExp;
}

const looksBlind = /The program created it again without a look\. There are two products now\.$/;

const mistakes: readonly Mistake[] = [
  {
    mistake: 'It sends a method that the contract does not have.',
    from: "send('PUT'",
    to: "send('PATCH'",
    fails: ['CLIENT-1.operation'],
    reason: /^PATCH \/api\/v1\/products\/cap-red\/passport: the contract has no such operation\.$/,
  },
  {
    mistake: 'It writes an access level that does not exist.',
    from: "value: 'DE'",
    to: "value: 'DE', access_level: 'secret'",
    fails: ['CLIENT-1.body'],
    reason: /body\/0\/access_level/,
  },
  {
    mistake: 'It ends after a 429.',
    from: 'if (response.status !== 429) return response;',
    to: 'return response;',
    fails: ['CLIENT-2.repeat', 'CLIENT-7.exit'],
    reason: /^The command ended with 1 if a request gets 429\. Otherwise it succeeds\.$/,
  },
  {
    mistake: 'It creates a product again after the connection closed, without a look.',
    from: '  } catch {\n    await ensure(product);',
    to: "  } catch {\n    await send('POST', '/products', product);",
    fails: ['CLIENT-3.create'],
    reason: looksBlind,
  },
  {
    mistake: 'It creates a product again with another order of the members, without a look.',
    from: '  } catch {\n    await ensure(product);',
    to: "  } catch {\n    await send('POST', '/products', Object.fromEntries(Object.entries(product).reverse()));",
    fails: ['CLIENT-3.create'],
    reason: looksBlind,
  },
  {
    mistake: 'It refuses a response with a field that it does not know.',
    from: '  return me.tenant;',
    to: "  if (Object.keys(me).join() !== 'tenant,products_total') throw new Error('unknown field');\n  return me.tenant;",
    fails: ['CLIENT-4.fields', 'CLIENT-7.exit'],
    reason: /^The command ended with 1 if responses have a field that the program does not know\./,
  },
  {
    mistake: 'It refuses a value that it does not know.',
    from: '    products.push(...items);',
    to: "    products.push(...items.filter((one) => one.registry_status === 'none' || fail()));",
    fails: ['CLIENT-4.values', 'CLIENT-7.exit'],
    reason: /^The command ended with 1 if responses have a value that the program does not know\./,
  },
  {
    mistake: 'It reads only the first page.',
    from: '    offset += items.length;',
    to: '    return products;',
    fails: ['CLIENT-5.pages'],
    reason: /^The program asked for 200 products, got 50 of 102 products, and did not ask for the rest\.$/,
  },
  {
    mistake: 'It moves on by the limit that it sent, not by the products that it got.',
    from: 'offset += items.length',
    to: 'offset += 200',
    fails: ['CLIENT-5.pages'],
    reason: /^The program skipped products: it read 50, then asked from offset 200 on\./,
  },
  {
    mistake: 'It sends the key in the address, too.',
    from: "read('/me')",
    to: "read('/me?key=' + key)",
    fails: ['CLIENT-1.parameters', 'CLIENT-6.address'],
    reason: /^GET: the address contains the key\. Logs keep it\.$/,
  },
  {
    mistake: 'It follows a redirect to another origin with the key.',
    from: "{ ...init, redirect: 'error' });",
    to: "{ ...init, redirect: 'manual' });\n  if (response.status === 307) return fetch(response.headers.get('location'), init);",
    fails: ['CLIENT-6.redirect'],
    reason: /^GET \/api\/v1\/me went to another origin, with the key\.$/,
  },
];

async function verdictOn(text: string): Promise<Run> {
  // The name ends in .mjs, so that Node reads an ES module.
  const file = fileWith(text, 'sync.mjs');
  const { run } = await verifyClient({
    command: `${process.execPath} ${file} >/dev/null 2>&1`,
    seed: 1,
    required: [],
    isOnce: false,
    signal: new AbortController().signal,
    onRun: () => {},
  });
  return run;
}

const failed = ({ results }: Run) => results.filter(({ status }) => status === 'failed');

test.concurrent('a program that conforms to the contract passes every check', async () => {
  const { verdict, results } = await verdictOn(program);
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(verdict).toBe('conformant');
});

test.concurrent.each(mistakes)('a planted mistake: $mistake', async ({ mistake, from, to, fails, reason }) => {
  const run = await verdictOn(edited(program, { id: mistake, from, to }));
  expect(failed(run).map((result) => result.id)).toEqual(fails);
  expect(run.verdict).toBe('not conformant');
  expect(failed(run).flatMap(({ reasons }) => reasons)).toContainEqual(expect.stringMatching(reason));
});

test.each([
  ['GET', '/api/v1/me', ['GET /api/v1/me: GET has a body.']],
  ['HEAD', '/api/v1/me', ['HEAD /api/v1/me: HEAD has a body.']],
  ['PUT', '/api/v1/products/cup/passport', []],
])('%s with a body', async (method, path, reasons) => {
  const contract = readContract();
  const request = { method, path, headers: {}, body: Buffer.from('[]') };
  const operation = operationAt(contract.operations, method, path);
  const sent = { exchange: exchangeWith({ request }), operationId: operation?.operationId };
  const run: ClientRun = {
    main: { requests: [{ ...sent, arrivedAt: 0, respondedAt: 1 }], elsewhere: [], ending: 'interrupted' },
    redirected: undefined,
    cause: 'none',
    apiKey: '',
    contract,
    judges: judgesOf(contract),
  };
  const check = checks.find(({ id }) => id === 'CLIENT-1.body');
  expect(check?.findings(run).reasons).toEqual(reasons);
});

const kinds: readonly Disturbance[] = ['limits', 'drops', 'fields', 'values', 'pages'];
const judge = createJudge(undefined, { rules: 'description' });

let service: Awaited<ReturnType<typeof openService>>;
let headers: Record<string, string>;
beforeAll(async () => {
  service = await openService(new Set(kinds), 1);
  ending.defer(() => service.close());
  headers = { authorization: `Bearer ${service.provider.tenants?.[0]?.api_key}` };
});

/** The response after the pause of a 429. Every response keeps the description, with nothing but additions. */
async function read(path: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(service.provider.base_url + path, { ...init, headers: { ...headers, ...init.headers } });
  const body = await response.text();
  const line = { method: init.method ?? 'GET', path: `/api/v1${path.split('?')[0]}` };
  const findings = judge.response({ ...line, status: response.status, headers: response.headers, body });
  expect(findings.filter(({ severity }) => severity === 'failure')).toEqual([]);
  if (response.status !== 429) return JSON.parse(body);
  await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
  return read(path, init);
}

test('every response conforms to the contract, and has an unknown field and an unknown value where it may', async () => {
  const me = await read('/me');
  expect(me).toMatchObject({ added_later: {}, tenant: { added_later: {}, plan: 'added_later', slug: 'skellig' } });
  const product = await read('/products/bicycle-helmet');
  expect(product).toMatchObject({ added_later: {}, status: 'active', registry_status: 'added_later' });
  expect(product).toMatchObject({ product_group: 'other' });
  const passport = await read('/products/bicycle-helmet/passport');
  expect(passport).toMatchObject({
    values: expect.arrayContaining([expect.objectContaining({ added_later: expect.anything() })]),
  });
  const carriers = await read('/products/bicycle-helmet/carriers');
  expect(carriers).toMatchObject({ items: [{ type: 'added_later', status: 'added_later' }] });
  expect(await read('/analytics/scans')).toMatchObject({ by_view_role: { consumer: expect.any(Number) } });
  expect(service.requests.filter(({ fault }) => fault?.code === 'rate_limited')).toHaveLength(1);
});

test('a list grows once, after its first page: neither after a later page nor after the whole of a list', async () => {
  const totals: unknown[] = [];
  for (const query of ['limit=200&offset=50', 'search=helmet', 'limit=200', 'limit=200&offset=50', 'offset=100'])
    totals.push(member(await read(`/products?status=active&${query}`), 'total'));
  expect(totals).toEqual([100, 1, 100, 101, 101]);
});

test('the times of the disturbances follow from the seed, and each comes at most three times', () => {
  const places = (isTime: (index: number) => boolean) =>
    Array.from({ length: 500 }, (_, index) => index).filter(isTime);
  const timesOf = (seed: number): string => {
    const [secondsToWait, isDropped] = [createLimiter(seed), createDropper(seed)];
    // One request in three seconds: each 429 is a new one.
    const limited = places((index) => secondsToWait(index * 3000) !== undefined);
    const dropped = places((index) => isDropped(String(index)));
    expect([limited.length, dropped.length, dropped[0]]).toEqual([3, 3, 1]);
    expect(limited[0]).toBeLessThan(2);
    return JSON.stringify([limited, dropped]);
  };
  expect(timesOf(1)).toBe(timesOf(1));
  expect(new Set(Array.from({ length: 20 }, (_, seed) => timesOf(seed))).size).toBeGreaterThan(15);
});

test('a 429 during a pause begins no other pause', () => {
  const sent = (identity: string, arrivedAt: number, retryAfter?: number) => ({
    method: 'GET',
    path: `/api/v1/${identity}`,
    secured: true,
    operationId: undefined,
    identity,
    arrivedAt,
    respondedAt: arrivedAt + 1,
    retryAfter,
  });
  const requests = [sent('me', 0, 10), sent('products', 200, 10), sent('products', 5000), sent('products', 10_100)];
  expect(pausesIn(requests)).toEqual(requests.slice(0, 1));
  expect(earlyRequests(requests).map(({ request }) => request)).toEqual(requests.slice(2, 3));
  expect(pausesIn([...requests, sent('me', 11_000, 10)])).toHaveLength(2);
});

const body = { id: '7', items: [{ slug: 'cup' }], at: '2026-01-01T' };
const responseWith = (content: unknown) => ({
  status: 200,
  headers: { etag: '"1"' },
  bytes: Buffer.from(`${content}`),
});
const faultless = responseWith(JSON.stringify(body));
const answers = (change: object) => responseWith(JSON.stringify({ ...body, ...change }));

test.each([
  ['the status 200, not a closed connection', undefined],
  ['the status 200, not 201', { ...faultless, status: 201 }],
  ['the header etag to be "\\"1\\"", not missing', { ...faultless, headers: {} }],
  ['the body to be JSON', responseWith('<p>')],
  ['items to have the length 1, not 0', answers({ items: [] })],
  ['items[0].slug to be "cup", not "mug"', answers({ items: [{ slug: 'mug' }] })],
  ['items to be a list, not null', answers({ items: null })],
  ['the member items', answers({ items: undefined })],
  ['at to have the form of "2026-01-01T", not 0', answers({ at: 0 })],
  ['no member more', answers({ more: 1 })],
  ['the text "<p>cup</p>", not "<p>mug</p>"', responseWith('<p>mug</p>'), responseWith('<p>cup</p>')],
])('the shortest test expects %s', (expectation, received, expected = faultless) => {
  const requests = [
    { method: 'PUT', path: '/api/v1/products/cup/passport', headers: {} },
    { method: 'GET', path: '/api/v1/products?offset=50', headers: {} },
  ];
  const words = shortestTest({ requests, expected, received, normalized: (text) => text });
  expect(words).toBe(
    `Shortest test: update a passport (PUT /api/v1/products/cup/passport), then list products (GET /api/v1/products?offset=50), and expect ${expectation}.`,
  );
});

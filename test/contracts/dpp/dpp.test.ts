/** `verify dpp` on providers that speak the dialects of the public sources, and on wrong ones. */
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DppClaim, dppClaims } from '../../../contracts/conformance/claims.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import { unknownId } from '../../../contracts/dpp/reads.ts';
import { dppIds, verifyDpp } from '../../../contracts/dpp/verify-dpp.ts';
import { selfSigned } from '../../support/certificate.ts';
import { fileWith } from '../../support/files.ts';
import { listen, serveFetch } from '../../support/serve.ts';
import { asFile, faultsIn as faultsOf, typeReporting, typeSuite } from '../../support/suite.ts';
import { mistakes, mistakesOfKit, withPassports, withSamePast } from './mistakes.ts';
import { base, firstInterface, item, model, type Respond, restricted, serve, sources, twin } from './twin.ts';

const provider = (more: Provider['dpp'] = {}): Provider => ({
  base_url: 'https://twin.example/api/v1',
  dpp: {
    base_url: base,
    passports: [{ id: item.id }, { product_id: model.product }],
    restricted,
    ...more,
  },
});

async function verified(respond: Respond, more?: Provider['dpp'], only?: readonly string[]) {
  const handler = serve(respond);
  const claims: readonly DppClaim[] = dppClaims.filter((claim) => claim !== 'dpp-transport');
  return verifyDpp({ provider: provider(more), claims, only, connect: () => connectInProcess(handler, base) });
}

/** With the first interface, the suite finds the passports by itself. */
async function verifiedKit(respond: Respond, only?: readonly string[]) {
  const kit: Provider = { base_url: 'https://twin.example/api/v1', tenants: [{ api_key: 'ppk_twin_key' }] };
  const connect = ({ base_url }: Provider) =>
    base_url === base
      ? connectInProcess(serve(respond), base)
      : connectInProcess(firstInterface, 'https://twin.example');
  const claims = dppClaims.filter((claim) => claim !== 'dpp-transport');
  return verifyDpp({ provider: { ...kit, dpp: { base_url: base } }, claims, only, connect });
}

const faultsIn = ({ results }: Awaited<ReturnType<typeof verified>>) =>
  results.filter(({ status }) => status !== 'passed').map(({ id, status, reasons }) => [id, status, ...reasons]);

describe('providers that speak the dialect of a source', () => {
  test.each(Object.entries(sources))('%s', async (name, speech) => {
    const headers = speech.key === undefined ? {} : { headers: { [speech.key]: 'key-of-a-test' } };
    const run = await verified(twin(speech), headers);
    const isInside = speech.envelope !== undefined;
    const words = `the passport is inside an envelope: it must be the body, is its member ${speech.envelope}`;
    expect(faultsIn(run)).toEqual(isInside ? [['DPP-ID-6', 'failed', words]] : []);
    expect(run.results.flatMap(({ id, warnings }) => warnings.map((text) => `${id}: ${text}`))).toMatchSnapshot(name);
  });
});

test('the own dialect has no warning', async () => {
  const run = await verified(twin());
  expect(faultsIn(run)).toEqual([]);
  expect(run.results.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(dppIds.size).toBeGreaterThanOrEqual(36);
});

test('a provider of the first interface is asked for its passports', async () => {
  const run = await verifiedKit(twin());
  expect(faultsIn(run)).toEqual([]);
  expect([run.verdict, run.results.length]).toEqual(['conformant', dppIds.size - 1]);
});

/** The oldest TLS that a server of Node speaks. */
const oldTls = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
const page = (_: unknown, response: { end(text: string): unknown }) => void response.end('{}');
const encrypted = (options = {}) => createSecureServer({ ...selfSigned(), allowHTTP1: true, ...options }, page);

/** Serves the same host with and without TLS: the first byte of a handshake is 22. */
function openHost() {
  const plain = createServer(async (request, response) => {
    const address = new Request(`${base.replace('/dpp/v1', '')}${request.url}`);
    const found = await serve(twin())(address);
    response.writeHead(found.status).end(await found.text());
  });
  const secure = encrypted();
  return createTcpServer((socket) => {
    socket.once('data', (bytes) => {
      socket.pause().unshift(bytes);
      (bytes[0] === 22 ? secure : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}

const hosts: readonly (readonly [mistake: string, open: () => Server, words: RegExp])[] = [
  ['TLS 1.1', () => encrypted(oldTls), /^TLS must be 1\.2 or later, and TLSv1\.1 was accepted$/],
  ['no HTTP/2', () => createTlsServer(selfSigned(), page), /^HTTP\/2 must be offered, the host chose /],
  ['plain HTTP on the same port', openHost, /^plain HTTP must not give a passport, and http:/],
];

async function ofHost(url: string, scheme = 'https:') {
  const at = { base_url: `${url.replace(/^https?:/, scheme)}/dpp/v1`, passports: [{ id: item.id }] };
  return verifyDpp({
    provider: { base_url: '', dpp: at },
    claims: ['dpp-transport'],
    connect: () => connectInProcess(serve(twin()), base),
  });
}

test('a host with TLS 1.2 and HTTP/2 is right, and HTTP/1.1 a warning', async () => {
  const { verdict, results } = await ofHost(await listen(encrypted()));
  expect([verdict, ...results.flatMap(({ warnings }) => warnings)]).toEqual([
    'conformant',
    expect.stringContaining('HTTP/1.1 is served, too.'),
  ]);
});

test('without https, the transport is not tested', async () => {
  const { verdict, results } = await ofHost('http://127.0.0.1:1', 'http:');
  expect([verdict, results.map(({ reasons }) => reasons)]).toEqual([
    'incomplete',
    [['Give an address that begins with https://.']],
  ]);
});

describe('the command', () => {
  let url = '';
  beforeAll(async () => {
    url = `${(await serveFetch(serve(twin()))).url}/dpp/v1`;
  });
  const every = ['--claim', dppClaims.join(',')];

  test('an id and a product are enough for what every provider must have', async () => {
    const { code, stdout } = await typeSuite('verify', 'dpp', url, '--product', item.product);
    expect(code).toBe(3);
    expect(stdout).toMatchSnapshot();
  });

  test('a provider file, a list of expected failures, and a report without secrets', async () => {
    const { dpp } = provider({ base_url: url, headers: { 'x-api-key': 'a-key-of-the-reads' } });
    const list = fileWith('DPP-TLS-1  # the test has no certificate\n');
    const parameters = [...asFile({ dpp }), ...every, '--expected-failures', list];
    const { code, report, folder, file } = await typeReporting('verify', 'dpp', ...parameters);
    expect([code, report.verdict, faultsOf(report)]).toEqual([
      3,
      'incomplete',
      ['skipped DPP-TLS-1: Give an address that begins with https://.'],
    ]);
    expect(report.cases.map(({ source }) => source)).not.toContain('');
    const files = readdirSync(folder).map(file);
    expect(files.filter((text) => /a-key-of-the-reads|Zinc pyrithione/.test(text))).toEqual([]);
  });

  test.each([
    ['no address', []],
    ['another address', ['https://passport.example.com/api']],
    ['nothing listens there', ['http://127.0.0.1:1/dpp/v1']],
    ['an unknown case', ['http://127.0.0.1:1/dpp/v1', '--only', 'DPP-IDZ']],
    ['an unknown claim', ['http://127.0.0.1:1/dpp/v1', '--claim', 'core']],
  ])('%s', async (_what, parameters) => {
    const { code, stdout, stderr } = await typeSuite('verify', 'dpp', ...parameters);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^(?:product-passport-contracts|error): /)]);
    expect(stderr).toMatchSnapshot();
  });
});

describe('correct providers', () => {
  test('151 passports of a product, on several pages', async () => {
    const run = await verified(withPassports(150));
    expect(faultsIn(run)).toEqual([]);
  });

  test('more than 20 pages are not tested', async () => {
    const run = await verified(withPassports(198));
    expect(faultsIn(run)).toEqual([]);
    const more = await verified(withPassports(199));
    const words = 'Name passports of products with fewer passports: the ids of these fill more than 20 pages.';
    expect(faultsIn(more)).toEqual(['DPP-IDS-2', 'DPP-IDS-4'].map((id) => [id, 'skipped', words]));
  });

  test('a typo in an id is not a fault of the provider', async () => {
    const run = await verified(twin(), { passports: [{ id: `${item.id}x` }] });
    expect(run.verdict).toBe('incomplete');
    expect(new Set(faultsIn(run).map(([, ...words]) => words.join(': ')))).toEqual(
      new Set([
        'skipped: The provider has no passport with an id or a product identifier that you gave: it responds with 404. Check them.',
      ]),
    );
  });

  test('without its key, only the read that needs none fails', async () => {
    const run = await verified(twin({ key: 'x-api-key' }));
    const [first, ...others] = faultsIn(run);
    expect(first?.slice(0, 2)).toEqual(['DPP-ID-1', 'failed']);
    const words = expect.stringMatching(/^skipped: .*`dpp\.headers`/);
    expect(others.map(([, ...reasons]) => reasons.join(': '))).toEqual(others.map(() => words));
    expect(others.length).toBeGreaterThan(30);
  });

  test('a past with the present values has a warning', async () => {
    const { results } = await verified(withSamePast, {}, ['DPP-HIST-2']);
    expect(results.map(({ status, warnings }) => [status, ...warnings])).toEqual([
      [
        'passed',
        'date=2026-05-01T09:59:59.999Z gives the present values: whether it would give older ones was not seen.',
      ],
    ]);
  });
});

test.each([400, 404, 409, 411, 422, 429])(
  'a write that gets %d was not refused for its credentials',
  async (status) => {
    const sent: unknown[] = [];
    const respond: Respond = (asked) => {
      if (!['PUT', 'PATCH', 'DELETE'].includes(asked.method)) return twin()(asked);
      sent.push([asked.method, asked.segments?.at(-1), asked.json]);
      return asked.method === 'PUT' ? { status, json: {} } : { status: 405, json: {} };
    };
    const { results } = await verified(respond, {}, ['DPP-ERR-3']);
    expect(results.map((one) => [one.status, ...one.warnings])).toEqual([
      ['passed', `PUT gets ${status}: whether it needs credentials was not seen. The suite deletes nothing.`],
    ]);
    expect(sent).toEqual([
      ['PUT', unknownId, {}],
      ['PATCH', item.id, {}],
      ['DELETE', unknownId, undefined],
    ]);
  },
);

describe('wrong providers', () => {
  test.each(mistakes)('%s: %s', async (id, _mistake, respond) => {
    const { results } = await verified(respond, {}, [id]);
    const [one] = results.filter((each) => each.id === id);
    expect([one?.status, ...(one?.reasons ?? []), ...[one?.exposes ?? []].flat()]).toMatchSnapshot();
  });

  test.each(hosts)('DPP-TLS-1: %s', async (_mistake, open, words) => {
    const { results } = await ofHost(await listen(open()));
    expect(results.map(({ status, reasons }) => [status, reasons.join()])).toEqual([
      ['failed', expect.stringMatching(words)],
    ]);
  });

  test.each(mistakesOfKit)('%s: %s', async (id, _mistake, respond) => {
    const { results } = await verifiedKit(respond, [id]);
    expect(
      results.map(({ status, reasons, exposes = [] }) => [status, ...reasons, ...[exposes].flat()]),
    ).toMatchSnapshot();
  });

  test('each case has one', () => {
    const without = [...dppIds].filter(
      (id) => !['DPP-TLS-1', ...[...mistakes, ...mistakesOfKit].map(([found]) => found)].includes(id),
    );
    expect(without).toEqual([]);
  });
});

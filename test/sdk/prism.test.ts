/** Every method of the SDK, and the suite, against Prism, as docs/how-to/mock.md shows it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toArray } from '../../sdk/src/bulk.ts';
import { createClient } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import { freePort, type Running, startPrism } from '../support/program.ts';
import { asFile, faultsIn, typeReporting } from '../support/suite.ts';

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}/api/v1`;
const client = createClient({ baseUrl, apiKey: 'any', maxAttempts: 1 });
const site = createPublicClient({ siteUrl: client.siteUrl, maxAttempts: 1 });
let prism: Running;

beforeAll(async () => {
  prism = await startPrism(port);
});
afterAll(() => prism.stop());

const slug = 'usb-c-cable-240-w-2-m';
const params = { path: { slug } };
const ofReference = {
  name: 'UnexpectedResponseError',
  message: expect.stringMatching(/ instead\. A static mock cannot do this: use the reference server[ :]/),
};

test.each<[string, () => PromiseLike<unknown>, unknown]>([
  ['me.get', () => client.me.get(), { tenant: { slug: 'skellig' } }],
  ['products.list', () => toArray(client.products.list({ limit: 200 })), Array(3).fill({ id: expect.any(String) })],
  ['products.create', () => client.products.create({ name: 'USB-C Cable' }), { slug, status: 'draft' }],
  ['products.get', () => client.products.get(slug), { status: 'active', registry_status: 'registered' }],
  ['products.ensure', () => client.products.ensure({ name: 'Wool Hat', slug: 'wool-hat' }), ofReference],
  ['passports.get', async () => verifyContentHash(await client.passports.get(slug)), { ok: true }],
  ['passports.put', () => client.passports.put(slug, [{ field_key: 'cable_length', value: 2 }]), { updated: 3 }],
  ['carriers.list', () => client.carriers.list(slug), { items: [{ type: 'qr' }, { type: 'nfc' }] }],
  ['analytics.scans', () => client.analytics.scans(), { days: 3, per_day: [{}, {}, {}] }],
  ['http', () => client.http.GET('/api/v1/products/{slug}', { params }), { data: { status: 'active' } }],
  ['passports.page', () => site.passports.page('skellig', slug), expect.stringMatching(/^<!doctype html>/)],
  ['passports.document', async () => verifyPassport(await site.passports.document('skellig', slug)), { ok: true }],
  ['resolve', () => site.resolve('09520001200045'), ofReference],
])('%s', async (_method, call, expected) => {
  expect([await call().then(undefined, (error) => error)]).toMatchObject([expected]);
});

test('the suite finds it not conformant, because it has no state, and no case is an error of the suite', async () => {
  const tenants = ['first', 'second'].map((name) => ({ slug: name, api_key: `ppk_${name}` }));
  const provider = asFile({ base_url: baseUrl, tenants });
  // Prism never responds to invalid JSON.
  const { code, stdout, report } = await typeReporting('verify', ...provider, '--generated', '0', '--timeout', '1');
  expect([code, report.verdict]).toEqual([1, 'not conformant']);
  expect(stdout).toMatch(/\nnot conformant: \d+ cases failed for \d+ reasons\.\n/);
  const failed = report.cases.filter(({ status }) => status === 'failed');
  expect(failed.length).toBeGreaterThan(20);
  expect(failed.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  expect(faultsIn(report).filter((fault) => fault.startsWith('error'))).toEqual([]);
});

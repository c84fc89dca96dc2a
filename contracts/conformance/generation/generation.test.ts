import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFakeService, type FakeService } from '../../../sdk/src/testing/service/index.ts';
import { alternative } from '../../mutants/provider/alternative.ts';
import { at } from '../../mutants/provider/call.ts';
import {
  type Change,
  counts,
  createdText,
  eachWritten,
  error,
  instead,
  onStatus,
  reads,
  refuses,
  refusesCreation,
  remembers,
  together,
} from '../../mutants/provider/change.ts';
import { unusualChecks } from '../../mutants/provider/unusual.ts';
import { connectInProcess } from '../http/connection.ts';
import { jsonIn, type WireRequest } from '../http/exchange.ts';
import { judgesOf, requestFindings } from '../judges.ts';
import type { Result, Run } from '../result.ts';
import { loadedSuite, type VerifyOptions, verify } from '../verify.ts';
import { type GeneratedRequest, type Outcome, outcomeFaults, outcomeOf, requestsOf } from './requests.ts';

type Options = Partial<Pick<VerifyOptions, 'only' | 'generated' | 'seed' | 'claims'>>;

const siteUrl = 'http://passports.test';
const products = '/api/v1/products';

/** A provider without a fault. */
const correct: Change = together([]);

describe('a provider without a fault', () => {
  test.each([
    ['reference', 1, correct],
    ['alternative', 4_000_000_000, alternative.change],
  ] as const)('%s behaviour, seed %d: nothing is found', async (_behaviour, seed, change) => {
    const { run, sent } = await verified(change, { seed, generated: 1.5 });
    expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(run.results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(run.results.map(({ id }) => id)).toContain('GEN-1.putPassport');
    expect(sent.length).toBeGreaterThan(50);
  });

  // `npm run mutants -- --unusual 5` tries every unusual provider, with new seeds for five minutes.
  test.each(unusualChecks)('$id: nothing is found', async ({ change }) => {
    const { run } = await verified(change, { generated: 0.4, only: ['GEN-1.createProduct', 'GEN-1.putPassport'] });
    expect(run.results.flatMap(({ reasons }) => reasons)).toEqual([]);
  });

  test('a read of each operation finds what the provider has', async () => {
    const only = ['GEN-1.get', 'GEN-1.list', 'GEN-1.resolveGtin'];
    const { run, sent, statuses } = await verified(correct, { generated: 3, only });
    const found = sent.filter((_, index) => [200, 307].includes(statuses[index] ?? 0)).map(({ path }) => path);
    const product = '/[a-z0-9-]+';
    for (const pattern of [`${products}${product}/carriers`, `/p${product}${product}/jsonld`, '/01/[0-9]+']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${pattern}([?]|$)`)));
    }
    expect(run.results.length).toBeGreaterThan(8);
  });

  test('the requests follow from the seed', async () => {
    const bodies: string[][] = [];
    for (const seed of [7, 7, 8]) {
      const { sent } = await verified(correct, { seed, generated: 0.5, only: ['GEN-1.createProduct'] });
      bodies.push(sent.slice(0, 20).map(bodyOf));
    }
    const [first, again, other] = bodies;
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
  });

  test('it creates one product, and the passport stays small', async () => {
    const { service, run, sent, statuses } = await verified(correct, { generated: 6, only: ['GEN-1.p', 'GEN-1.c'] });
    expect(run.created).toEqual([{ tenant: service.provider.tenants[0]?.slug, slug: 'verify-generated' }]);
    const written = sent.filter(({ method }, index) => method === 'PUT' && statuses[index] === 200);
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThanOrEqual(100);
    for (const fieldKey of service.provider.field_keys.slice(0, 2)) {
      expect(written.filter((request) => bodyOf(request).includes(JSON.stringify(fieldKey)))).not.toEqual([]);
    }
    const { values } = await read(service, `${products}/verify-generated/passport`);
    expect(values.length).toBeLessThan(8);
  });
  test('0 seconds switch it off', async () => {
    const { run } = await verified(correct, { generated: 0 });
    expect(run.results).toEqual([]);
  });
});

const acceptsGroups = createdText('product_group', () => 'textile');

/** The mistake, where it is, the reason, and the smallest request that shows it: method, path and body. */
const planted: readonly (readonly [what: string, operationId: string, Change, because: string, smallest: RegExp])[] = [
  [
    'a name of 256 code points gets 500',
    'createProduct',
    refusesCreation(500, 'internal_error', ({ name }) => typeof name === 'string' && [...name].length >= 256),
    '500 is a failure of createProduct',
    /"name":"[^"]{256}"/u,
  ],
  [
    'limit=-1 gets 500',
    'listProducts',
    refuses(at.list, 500, 'internal_error', ({ query }) => query.get('limit') === '-1'),
    '500 is a failure of listProducts',
    /products\?limit=-1 $/,
  ],
  [
    'numbers are stored as 32-bit floats',
    'putPassport',
    eachWritten(({ value }) =>
      typeof value === 'number' && Math.abs(value) < 1e38 ? { value: Math.fround(value) } : {},
    ),
    'the write stores',
    /passport (?!.*(unit|source|is_unknown|needs_review)).{0,100}$/s,
  ],
  // Every later read fails, too, until another value takes the place of the stored one.
  [
    'a passport with an ä cannot be read',
    'putPassport',
    onStatus(at.passport, 200, async (response) =>
      (await response.clone().text()).includes('ä') ? error(500, 'internal_error') : undefined,
    ),
    'reading the passport after the write gets 500',
    /passport (?=.*ä).{0,100}$/s,
  ],
  [
    'a body that is not UTF-8 gets 500',
    'putPassport',
    refuses(at.write, 500, 'internal_error', async ({ request }) => {
      const bytes = Buffer.from(await request.clone().arrayBuffer());
      return !Buffer.from(bytes.toString('utf8')).equals(bytes);
    }),
    '500 is a failure of putPassport',
    /passport .{0,80}$/s,
  ],
  [
    'a body that is not JSON counts as empty',
    'putPassport',
    reads([at.write], (text) => (jsonIn(text) === undefined ? '[]' : text)),
    'gets 200',
    /passport .{0,3}$/s,
  ],
  // Each step towards a smaller request creates a product, so the steps are few.
  ['an unknown group is accepted', 'createProduct', acceptsGroups, 'gets 200', /"name":/],
  [
    'a search with a percent sign is refused',
    'listProducts',
    refuses(at.list, 400, 'invalid_request', ({ query }) => query.get('search')?.includes('%') ?? false),
    'a valid request must not get 400 invalid_request',
    /products\?search=[^&]{1,8} $/,
  ],
  [
    'an odd path value gets a stack trace',
    'getPassport',
    instead(at.passport, ({ url }) =>
      url.includes('/%00/')
        ? error(404, 'not_found', 'Error: bad\n    at read (/srv/app/passports.js:12:34)')
        : undefined,
    ),
    'contains a stack trace',
    /\/%00\/passport $/,
  ],
  [
    'an odd path ends the connection',
    'getProduct',
    instead(at.everywhere, ({ url }) => {
      if (url.includes('%FF')) throw new Error('the process ends');
      return undefined;
    }),
    'the provider closed the connection without a response',
    /\/%FF $/,
  ],
];

describe('the outcome of a request', () => {
  const { contract } = loadedSuite();
  const { core, reference } = judgesOf(contract);
  const existing = { path: { slug: 'tasse' }, fieldKeys: ['weight', 'material'] };
  const secured = contract.operations.filter((one) => one.side.secured && one.origin === 'description');

  test.each(secured)('$operationId: the contract allows every valid request, and no creation', (operation) => {
    const samples = fc.sample(requestsOf(operation, existing), { seed: 1, numRuns: 1000 });
    const ofOutcome = (outcome: Outcome) => samples.filter((one) => outcomeOf(operation, one, core) === outcome);
    const isAllowed = ({ request }: GeneratedRequest) => requestFindings(reference, request).length === 0;
    const [valid, refused] = [ofOutcome('success'), ofOutcome('refusal')];
    expect(valid.filter((one) => !isAllowed(one))).toEqual([]);
    expect(refused.filter(isAllowed)).toEqual([]);
    expect(valid.length > 200).toBe(operation.method !== 'POST');
    expect(refused.length > 100).toBe(operation.method !== 'GET');
  });

  test.each([
    ['[{"value":1}]', 'refusal'],
    ['{}', 'refusal'],
    ['[', 'refusal'],
    // The description names no code.
    ['[7]', 'open'],
    ['[{"field_key":"weight","value":1,"unit":7}]', 'open'],
  ])('a passport of %s', (text, outcome) => {
    const [operation] = secured.filter(({ operationId }) => operationId === 'putPassport');
    const path = `${products}/tasse/passport`;
    const request = { method: 'PUT', path, headers: {}, body: Buffer.from(text) };
    expect(operation && outcomeOf(operation, { request, isValid: false }, core)).toBe(outcome);
  });

  test('a valid request may get 429', () => {
    expect(outcomeFaults('success', { status: 429, headers: {}, text: '' })).toEqual([]);
  });
});

describe('a provider with a planted fault', () => {
  test.each(planted)('%s: found and made small', async (_what, operation, change, because, smallest) => {
    const { run } = await verified(change, { seed: 3, generated: 8, only: [`GEN-1.${operation}`] });
    const { status, reasons, exchanges } = resultOf(run, `GEN-1.${operation}`);
    expect({ status, reasons }).toEqual({ status: 'failed', reasons: [expect.stringContaining(because)] });
    expect(reasons[0]).toContain(`To repeat it: --seed 3 --only GEN-1.${operation}`);
    const tried = exchanges.filter(({ purpose }) => purpose === 'faulty').map(({ request }) => request);
    const sent = tried.map((request) => `${request.method} ${request.path} ${bodyOf(request)}`);
    // A reading follows a write.
    expect(sent.slice(-2)).toContainEqual(expect.stringMatching(smallest));
    expect(run.verdict).toBe('not conformant');
  });

  test('a passport that no write repairs: the report has the request that broke it', async () => {
    const breaks = remembers((broken) => [
      onStatus(at.write, 200, async (_, call) => {
        if ((await call.text()).includes('ä')) broken.set('passport', true);
        return undefined;
      }),
      refuses(at.passport, 500, 'internal_error', () => broken.has('passport')),
    ]);
    const { run } = await verified(breaks, { seed: 3, generated: 8, only: ['GEN-1.putPassport'] });
    const { status, exchanges } = resultOf(run, 'GEN-1.putPassport');
    const writes = exchanges.filter(({ request }) => request.method === 'PUT').map(({ request }) => bodyOf(request));
    const hasCause = writes.some((body) => body.includes('ä'));
    expect({ status, hasCause }).toEqual({ status: 'failed', hasCause: true });
  });

  test('a product that the provider creates by mistake is in the list of created products', async () => {
    const slugs = async (service: FakeService): Promise<string[]> =>
      (await read(service, `${products}?limit=200`)).items.map(({ slug }: { slug: string }) => slug);
    const before = await slugs(createFakeService({ siteUrl }));
    const { run, service } = await verified(acceptsGroups, { seed: 3, generated: 8, only: ['GEN-1.createProduct'] });
    expect(run.created.length).toBeGreaterThan(0);
    expect(run.created.length).toBeLessThanOrEqual(6);
    const made = (await slugs(service)).filter((slug) => !before.includes(slug));
    expect(run.created.map(({ slug }) => slug).toSorted()).toEqual(made.toSorted());
  });

  test('a fault that does not come back is a warning', async () => {
    const once = counts((faults) =>
      refusesCreation(500, 'internal_error', ({ gtin }) => gtin !== undefined && faults.next() === 1),
    );
    const { run } = await verified(once, { only: ['GEN-1.createProduct'] });
    const { status, warnings } = resultOf(run, 'GEN-1.createProduct');
    expect({ status, warnings }).toEqual({ status: 'passed', warnings: [expect.stringContaining('but not again')] });
  });
});

/** @returns `statuses` has that of each response */
async function verified(change: Change, options: Options) {
  const service = createFakeService({ siteUrl });
  const sent: WireRequest[] = [];
  const statuses: (number | undefined)[] = [];
  const connection = connectInProcess(change(service), siteUrl);
  const run = await verify({
    ...{ provider: service.provider, generated: 1, seed: 1, only: ['GEN-1'], ...options },
    connection: {
      async send(request) {
        const index = sent.push(request) - 1;
        const response = await connection.send(request);
        statuses[index] = response.status;
        return response;
      },
      close: () => connection.close(),
    },
  });
  return { service, run, sent, statuses };
}

async function read(service: FakeService, path: string) {
  const headers = { authorization: `Bearer ${service.provider.tenants[0]?.api_key}` };
  return (await service.fetch(siteUrl + path, { headers })).json();
}

function resultOf({ results }: Run, id: string): Result {
  const found = results.find((result) => result.id === id);
  if (found === undefined) throw new Error(`The run has no ${id}.`);
  return found;
}

const bodyOf = ({ body }: WireRequest): string => Buffer.from(body ?? []).toString('utf8');

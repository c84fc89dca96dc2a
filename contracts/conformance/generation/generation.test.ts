import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFakeService, type FakeService } from '../../../sdk/src/testing/service/index.ts';
import { alternative } from '../../mutants/provider/alternative.ts';
import { unusualChecks } from '../../mutants/provider/unusual-behaviour.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { connectInProcess } from '../http/in-process.ts';
import { judgesOf } from '../judges.ts';
import { requestFindings } from '../request-faults.ts';
import type { Result, Run } from '../result.ts';
import { loadedSuite, type VerifyOptions, verify } from '../verify.ts';
import { type Outcome, outcomeFaults, together } from './outcome.ts';
import { requestsOf } from './requests.ts';

type Handler = (request: Request, service: FakeService) => Promise<Response>;
type Options = Partial<Pick<VerifyOptions, 'only' | 'generated' | 'seed' | 'claims'>>;

const siteUrl = 'http://passports.test';
const products = '/api/v1/products';

describe('a provider without a fault', () => {
  test.each([
    ['reference', 1],
    ['alternative', 4_000_000_000],
  ] as const)('%s behaviour, seed %d: nothing is found', async (behaviour, seed) => {
    const service = createFakeService({ siteUrl });
    const handle = behaviour === 'alternative' ? alternative.change(service) : passOn;
    const { run, sent } = await verified(service, handle, { seed, generated: 3 });
    expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(run.results.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(run.results.map(({ id }) => id)).toContain('GEN-1.putPassport');
    expect(sent.length).toBeGreaterThan(50);
  });

  // `npm run mutants -- --unusual 5` tries every unusual provider, with new seeds for five minutes.
  test.each(unusualChecks)('$id: nothing is found', async ({ change }) => {
    const service = createFakeService({ siteUrl });
    const options = { seed: 1, generated: 0.4, only: ['GEN-1.createProduct', 'GEN-1.putPassport'] };
    const { run } = await verified(service, change(service), options);
    expect(run.results.flatMap(({ reasons }) => reasons)).toEqual([]);
  });

  test('a read of each operation finds what the provider has', async () => {
    const only = ['GEN-1.get', 'GEN-1.list', 'GEN-1.resolveGtin'];
    const { run, sent, statuses } = await verified(createFakeService({ siteUrl }), passOn, { generated: 3, only });
    const found = sent.filter((_, index) => [200, 307].includes(statuses[index] ?? 0)).map(({ path }) => path);
    const product = '/[a-z0-9-]+';
    for (const pattern of [`${products}${product}/carriers`, `/p${product}${product}/jsonld`, '/01/[0-9]+']) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${pattern}([?]|$)`)));
    }
    expect(run.results.length).toBeGreaterThan(8);
  });

  test('the requests follow from the seed', async () => {
    const only = ['GEN-1.createProduct'];
    const [first, again, other] = [
      await verified(createFakeService({ siteUrl }), passOn, { seed: 7, only, generated: 1 }),
      await verified(createFakeService({ siteUrl }), passOn, { seed: 7, only, generated: 1 }),
      await verified(createFakeService({ siteUrl }), passOn, { seed: 8, only, generated: 1 }),
    ].map(({ sent }) => sent.slice(0, 20).map(bodyOf));
    expect(first).toEqual(again);
    expect(first).not.toEqual(other);
  });

  test('it creates one product, and the passport stays small', async () => {
    const service = createFakeService({ siteUrl });
    const { run, sent, statuses } = await verified(service, passOn, { generated: 2, only: ['GEN-1.p', 'GEN-1.c'] });
    expect(run.created).toEqual([{ tenant: service.provider.tenants[0]?.slug, slug: 'verify-generated' }]);
    const written = sent.filter(({ method }, index) => method === 'PUT' && statuses[index] === 200);
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThanOrEqual(100);
    const [first, second] = service.provider.field_keys ?? [];
    for (const fieldKey of [first, second]) {
      expect(written.filter((request) => bodyOf(request).includes(JSON.stringify(fieldKey)))).not.toEqual([]);
    }
    const key = service.provider.tenants[0]?.api_key;
    const passport = await service.fetch(`${siteUrl}${products}/verify-generated/passport`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect((await passport.json()).values.length).toBeLessThan(8);
  });

  test('0 seconds switch it off', async () => {
    const { run } = await verified(createFakeService({ siteUrl }), passOn, { generated: 0 });
    expect(run.results).toEqual([]);
  });
});

interface Planted {
  readonly operation: string;
  readonly handler: Handler;
  /** Text of the reason. */
  readonly because: string;
  /** The smallest request that shows the fault. */
  readonly isSmallest: (request: WireRequest) => boolean;
}

const planted: Record<string, Planted> = {
  'a name of 256 code points gets 500': {
    operation: 'createProduct',
    handler: async (request, service) => {
      const name = fieldOf(await request.clone().text(), 'name');
      return typeof name === 'string' && [...name].length >= 256 ? broken() : service.fetch(request);
    },
    because: '500 is a failure of createProduct',
    isSmallest: (request) => {
      const name = fieldOf(bodyOf(request), 'name');
      return typeof name === 'string' && [...name].length === 256 && bodyOf(request).length < 400;
    },
  },
  'limit=-1 gets 500': {
    operation: 'listProducts',
    handler: async (request, service) =>
      new URL(request.url).searchParams.get('limit') === '-1' ? broken() : service.fetch(request),
    because: '500 is a failure of listProducts',
    isSmallest: ({ path }) => path === `${products}?limit=-1`,
  },
  'numbers are stored as 32-bit floats': {
    operation: 'putPassport',
    handler: async (request, service) => {
      if (request.method !== 'PUT') return service.fetch(request);
      const json = jsonIn(await request.clone().text());
      if (!Array.isArray(json)) return service.fetch(request);
      const rounded = json.map((one) =>
        typeof one?.value === 'number' && Math.abs(one.value) < 1e38 ? { ...one, value: Math.fround(one.value) } : one,
      );
      return service.fetch(new Request(request, { body: JSON.stringify(rounded) }));
    },
    because: 'the write stores',
    isSmallest: (request) =>
      bodyOf(request).length < 100 && !/unit|source|is_unknown|needs_review/.test(bodyOf(request)),
  },
  'letters lose their marks': {
    operation: 'putPassport',
    handler: async (request, service) => {
      if (request.method !== 'PUT' || jsonIn(await request.clone().text()) === undefined) return service.fetch(request);
      const body = (await request.clone().text()).replaceAll('ä', 'a');
      return service.fetch(new Request(request, { body }));
    },
    because: 'the write stores',
    isSmallest: (request) => bodyOf(request).length < 100 && bodyOf(request).includes('ä'),
  },
  // Every later read fails, too, until another value takes the place of the stored one.
  'a passport with an ä cannot be read': {
    operation: 'putPassport',
    handler: async (request, service) => {
      const response = await service.fetch(request);
      if (request.method !== 'GET' || !request.url.endsWith('/passport')) return response;
      return (await response.clone().text()).includes('ä') ? broken() : response;
    },
    because: 'reading the passport after the write gets 500',
    isSmallest: (request) => bodyOf(request).length < 100 && bodyOf(request).includes('ä'),
  },
  'a body that is not UTF-8 gets 500': {
    operation: 'putPassport',
    handler: async (request, service) => {
      const bytes = Buffer.from(await request.clone().arrayBuffer());
      return Buffer.from(bytes.toString('utf8')).equals(bytes) ? service.fetch(request) : broken();
    },
    because: '500 is a failure of putPassport',
    isSmallest: ({ body }) => (body?.length ?? 0) < 80,
  },
  'a body that is not JSON counts as empty': {
    operation: 'putPassport',
    handler: async (request, service) => {
      const isJson = request.method !== 'PUT' || jsonIn(await request.clone().text()) !== undefined;
      return service.fetch(isJson ? request : new Request(request, { body: '[]' }));
    },
    because: 'gets 200',
    isSmallest: ({ body }) => (body?.length ?? 0) < 4,
  },
  'a GTIN of 9 digits is accepted': {
    operation: 'createProduct',
    handler: async (request, service) => {
      const text = await request.clone().text();
      const gtin = fieldOf(text, 'gtin');
      if (request.method !== 'POST' || typeof gtin !== 'string' || !/^[0-9]{9}$/.test(gtin))
        return service.fetch(request);
      return service.fetch(new Request(request, { body: text.replace(gtin, '9520001999017') }));
    },
    because: 'gets 200',
    // Each step towards a smaller request creates a product, so the steps are few.
    isSmallest: (request) => /^[0-9]{9}$/.test(String(fieldOf(bodyOf(request), 'gtin'))),
  },
  'a search with a percent sign is refused': {
    operation: 'listProducts',
    handler: async (request, service) =>
      new URL(request.url).searchParams.get('search')?.includes('%')
        ? refusal('invalid_request')
        : service.fetch(request),
    because: 'a valid request must not get 400 invalid_request',
    isSmallest: ({ path }) => /^[^?]*\?search=[^&]{1,8}$/.test(path),
  },
  'a field without its key gets the wrong code': {
    operation: 'putPassport',
    handler: async (request, service) => {
      const response = await service.fetch(request);
      const text = await response.text();
      return new Response(text.replace('field_key_required', 'values_must_be_array'), response);
    },
    because: 'error.code must be field_key_required, is "values_must_be_array"',
    isSmallest: (request) => bodyOf(request).length < 40,
  },
  'an odd path value gets a stack trace': {
    operation: 'getPassport',
    handler: async (request, service) =>
      request.url.includes('/%00/')
        ? refusal('not_found', 404, 'Error: bad\n    at read (/srv/app/passports.js:12:34)')
        : service.fetch(request),
    because: 'contains a stack trace',
    isSmallest: ({ path }) => path === `${products}/%00/passport`,
  },
  'an odd path ends the connection': {
    operation: 'getProduct',
    handler: async (request, service) => {
      if (request.url.includes('%FF')) throw new Error('the process ends');
      return service.fetch(request);
    },
    because: 'the provider closed the connection without a response',
    isSmallest: ({ path }) => path === `${products}/%FF`,
  },
};

describe('the judge, which reads the contract in another way, agrees with the outcome of a request', () => {
  const { contract } = loadedSuite();
  const { reference } = judgesOf(contract);
  const existing = { path: { slug: 'tasse' }, fieldKeys: ['weight', 'material'] };
  const operations = contract.operations.filter(({ secured, origin }) => secured && origin === 'description');

  test.each(operations)('$operationId', (operation) => {
    const samples = fc.sample(requestsOf(operation, existing), { seed: 1, numRuns: 1000 }).map((generated) => {
      const { request, outcome } = generated;
      const unknown = request.path.includes('verify-unknown') ? ['not_found'] : [];
      return { request, outcome, codes: [...unknown, ...requestFindings(reference, request).map(({ code }) => code)] };
    });
    const valid = samples.filter(({ outcome }) => outcome === 'success');
    const refused = samples.flatMap(({ outcome, ...rest }) =>
      typeof outcome === 'string' ? [] : [{ ...rest, named: outcome.flatMap(({ code }) => code ?? []) }],
    );
    expect(valid.filter(({ codes }) => codes.length > 0)).toEqual([]);
    expect(refused.filter(({ named, codes }) => !named.every((code) => codes.includes(code)))).toEqual([]);
    // A creation is always refused, and some operations have nothing to refuse.
    expect(valid.length > 100).toBe(operation.method !== 'POST');
    expect(refused.length > 20).toBe(operation.path.includes('{') || operation.method !== 'GET');
  });
});

describe('the outcome of a request with several parts', () => {
  const invalid = [{ status: 400, code: 'invalid_json' }];
  const unknown = [{ status: 404, code: 'not_found' }];
  const nameless = [{ status: 400 }];

  test.each<[string, Outcome[], Outcome]>([
    ['nothing is wrong', ['success', 'success'], 'success'],
    ['a part is open', ['success', 'open'], 'open'],
    ['one fault', ['success', invalid], invalid],
    ['two faults', [invalid, unknown], [...invalid, ...unknown]],
    ['a fault and an open part, which a provider may check first', [invalid, 'open'], 'refusal'],
    ['a fault without a code', ['refusal', 'success', invalid], 'refusal'],
  ])('%s', (_what, all, expected) => {
    expect(together(all)).toEqual(expected);
  });

  test.each<[Outcome, number, string | undefined, string[]]>([
    ['success', 200, undefined, []],
    ['success', 404, 'not_found', ['a valid request must not get 404 not_found']],
    ['open', 418, undefined, []],
    ['refusal', 413, undefined, []],
    ['refusal', 200, undefined, ['the request must get a 4xx status, gets 200']],
    [invalid, 400, 'invalid_json', []],
    [invalid, 200, undefined, ['the request must get 400, gets 200']],
    [invalid, 400, 'not_found', ['error.code must be invalid_json, is "not_found"']],
    [invalid, 429, 'rate_limited', []],
    [[...invalid, ...unknown], 200, undefined, ['the request must get 400 or 404, gets 200']],
    [[...invalid, ...unknown], 404, 'not_found', []],
    [[...invalid, ...unknown], 404, 'invalid_json', ['error.code must be not_found, is "invalid_json"']],
    [nameless, 400, 'anything', []],
  ])('%j and a response with %d %s', (outcome, status, code, faults) => {
    const text = code === undefined ? '{}' : JSON.stringify({ error: { code } });
    const response = { status, headers: {}, text };
    const facts = { caseId: '', purpose: 'faulty', sentAt: '', milliseconds: 0 } as const;
    const request = { method: 'GET', path: '/', headers: {} };
    expect(outcomeFaults(outcome, { ...facts, request, response })).toEqual(faults);
  });
});

describe('a provider with a planted fault', () => {
  test.each(Object.entries(planted))('%s: found and made small', async (_, { operation, handler, ...fault }) => {
    const only = [`GEN-1.${operation}`];
    const method = loadedSuite().contract.operations.find(({ operationId }) => operationId === operation)?.method;
    const { run } = await verified(createFakeService({ siteUrl }), handler, { seed: 3, generated: 8, only });
    const { status, reasons, exchanges } = resultOf(run, `GEN-1.${operation}`);
    expect({ status, reasons }).toEqual({ status: 'failed', reasons: [expect.stringContaining(fault.because)] });
    expect(reasons[0]).toContain(`To repeat it: --seed 3 --only GEN-1.${operation}`);
    const last = exchanges.filter(({ purpose, request }) => purpose === 'faulty' && request.method === method).at(-1);
    expect(last && { text: requestText(last), isSmallest: fault.isSmallest(last.request) }).toEqual({
      text: last && requestText(last),
      isSmallest: true,
    });
    expect(run.verdict).toBe('not conformant');
  });

  test('a passport that no write repairs: the report has the request that broke it', async () => {
    let isBroken = false;
    const only = ['GEN-1.putPassport'];
    const { run } = await verified(
      createFakeService({ siteUrl }),
      async (request, service) => {
        const isWrite = request.method === 'PUT' && request.url.endsWith('/passport');
        if (isBroken && !isWrite && request.url.endsWith('/passport')) return refusal('internal_error', 500, 'broken');
        const breaks = isWrite && (await request.clone().text()).includes('ä');
        const response = await service.fetch(request);
        isBroken ||= breaks && response.status === 200;
        return response;
      },
      { seed: 3, generated: 8, only },
    );
    const { status, exchanges } = resultOf(run, 'GEN-1.putPassport');
    const writes = exchanges.filter(({ request }) => request.method === 'PUT').map(({ request }) => bodyOf(request));
    expect({ status, hasCause: writes.some((body) => body.includes('ä')) }).toEqual({
      status: 'failed',
      hasCause: true,
    });
  });

  test('a product that the provider creates by mistake is in the list of created products', async () => {
    const { handler } = planted['a GTIN of 9 digits is accepted'] ?? { handler: passOn };
    const only = ['GEN-1.createProduct'];
    const service = createFakeService({ siteUrl });
    const headers = { authorization: `Bearer ${service.provider.tenants[0]?.api_key}` };
    const slugs = async (): Promise<string[]> => {
      const response = await service.fetch(`${siteUrl}${products}?limit=200`, { headers });
      return (await response.json()).items.map(({ slug }: { slug: string }) => slug);
    };
    const before = await slugs();
    const { run } = await verified(service, handler, { seed: 3, generated: 8, only });
    expect(run.created.length).toBeGreaterThan(0);
    expect(run.created.length).toBeLessThanOrEqual(6);
    const made = (await slugs()).filter((slug) => !before.includes(slug));
    expect(run.created.map(({ slug }) => slug).toSorted()).toEqual(made.toSorted());
  });

  test('a fault that does not come back is a warning', async () => {
    let faults = 0;
    const once: Handler = async (request, service) => {
      const isHit = request.method === 'POST' && fieldOf(await request.clone().text(), 'gtin') !== undefined;
      if (isHit) faults += 1;
      return isHit && faults === 1 ? broken() : service.fetch(request);
    };
    const { run } = await verified(createFakeService({ siteUrl }), once, {
      generated: 1,
      only: ['GEN-1.createProduct'],
    });
    const { status, warnings } = resultOf(run, 'GEN-1.createProduct');
    expect({ status, warnings }).toEqual({ status: 'passed', warnings: [expect.stringContaining('but not again')] });
  });
});

const passOn: Handler = (request, service) => service.fetch(request);

function broken(): Response {
  return refusal('internal_error', 500);
}

function refusal(code: string, status = 400, message = 'The request is wrong.'): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify({ error: { code, message } }), { status, headers });
}

interface Verified {
  readonly run: Run;
  readonly sent: readonly WireRequest[];
  /** The status of each response. */
  readonly statuses: readonly (number | undefined)[];
}

async function verified(service: FakeService, handler: Handler, options: Options): Promise<Verified> {
  const sent: WireRequest[] = [];
  const statuses: (number | undefined)[] = [];
  const connection = connectInProcess((request) => handler(request, service), siteUrl);
  const run = await verify({
    provider: service.provider,
    generated: 1,
    seed: 1,
    only: ['GEN-1'],
    ...options,
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
  return { run, sent, statuses };
}

function resultOf({ results }: Run, id: string): Result {
  const found = results.find((result) => result.id === id);
  if (found === undefined) throw new Error(`The run has no ${id}.`);
  return found;
}

const bodyOf = ({ body }: WireRequest): string => Buffer.from(body ?? []).toString('utf8');

const requestText = ({ request }: Exchange): string => `${request.method} ${request.path} ${bodyOf(request)}`;

function fieldOf(text: string, name: string): unknown {
  const json = jsonIn(text);
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

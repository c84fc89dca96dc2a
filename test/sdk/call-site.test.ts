/** The stack of an ArgumentError starts at the line of the program that made the call, not inside the SDK. */
import { describe, expect, test } from '@jest/globals';
import { callSite } from '../../sdk/src/call-site.ts';
import { buildDigitalLink, gtin14, hasValidCheckDigit, parseDigitalLink } from '../../sdk/src/gs1.ts';
import {
  type Client,
  createClient,
  type Passport,
  type PassportDocument,
  type PassportValueInput,
} from '../../sdk/src/index.ts';
import { createPublicClient, type PublicClient } from '../../sdk/src/public.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import { apiKey, baseUrl, fakeFetch, refusal, siteUrl } from '../support/fake-fetch.ts';
import { thrownBy } from '../support/thrown.ts';

const nan = { field_key: 'x', value: Number.NaN };
const many: PassportValueInput[] = [...Array.from({ length: 1_000 }, () => ({ field_key: 'x', value: 1 })), nan];
const { fetch } = fakeFetch(refusal(404, 'not_found'));
const client = createClient({ baseUrl, apiKey, maxAttempts: 1, fetch });
const site = createPublicClient({ siteUrl, fetch });
const signal = { aborted: false } as AbortSignal; // refused after the call has returned

const ofApi: Record<string, (client: Client) => unknown> = {
  'me.get': ({ me }) => me.get({ timeoutMs: 0 }),
  'products.list': ({ products }) => products.list({}, { signal }),
  'products.create': ({ products }) => products.create({ name: 'x', gtin: Number.NaN as unknown as string }),
  'products.get': ({ products }) => products.get('..'),
  'products.ensure': ({ products }) => products.ensure({ name: Number.NaN as unknown as string, slug: 'x' }),
  'passports.get': ({ passports }) => passports.get('a/b'),
  'passports.put': ({ passports }) => passports.put('x', many),
  'carriers.list': ({ carriers }) => carriers.list(''),
  'analytics.scans': ({ analytics }) => analytics.scans({}, { signal }),
};
const ofPublic: Record<string, (site: PublicClient) => unknown> = {
  'passports.page': ({ passports }) => passports.page('..', 'x'),
  'passports.document': ({ passports }) => passports.document('x', ''),
  resolve: ({ resolve }) => resolve('7'),
};
const functions: Record<string, () => unknown> = {
  createClient: () => createClient({ baseUrl: 'nowhere', apiKey }),
  createPublicClient: () => createPublicClient({ siteUrl: 'nowhere' }),
  gtin14: () => gtin14('7'),
  hasValidCheckDigit: () => hasValidCheckDigit('7'),
  parseDigitalLink: () => parseDigitalLink('https://id.example.com/01/7'),
  'parseDigitalLink, of a part': () => parseDigitalLink('https://id.example.com/01/09520001000072/21/%7F'),
  buildDigitalLink: () => buildDigitalLink({ siteUrl, gtin: '7' }),
  verifyPassport: () => verifyPassport({} as PassportDocument),
  verifyContentHash: () => verifyContentHash({} as Passport),
};
const lists: Record<string, () => unknown> = {
  'products.list, awaited later': async () => {
    const list = client.products.list({}, { maxAttempts: 0 });
    await new Promise((resolve) => setTimeout(resolve, 1));
    await list;
  },
  'products.list, walked': async () => {
    for await (const _ of client.products.list({}, { maxAttempts: 0 }));
  },
};

describe('the stack starts at the line of the caller', () => {
  const rows: [string, () => unknown][] = [
    ...Object.entries(ofApi).map(([name, call]): [string, () => unknown] => [name, () => call(client)]),
    ...Object.entries(ofPublic).map(([name, call]): [string, () => unknown] => [name, () => call(site)]),
    ...Object.entries(functions),
    ...Object.entries(lists),
  ];

  test.each(rows)('%s', async (_name, call) => {
    const error = await thrownBy(call);
    expect(error).toMatchObject({ name: 'ArgumentError' });
    const { message, stack = '' } = error as Error;
    const [, first = ''] = stack.slice(stack.indexOf(message) + message.length).split('\n');
    expect(stack).toMatch(/^ArgumentError: /);
    expect(first).toMatch(/call-site\.test\.ts/);
  });
});

describe('a runtime without Error.captureStackTrace', () => {
  test('keeps the stack of the error', async () => {
    const { captureStackTrace } = Error;
    try {
      Reflect.deleteProperty(Error, 'captureStackTrace');
      const error = await thrownBy(() => client.products.get('..'));
      expect(error).toMatchObject({ name: 'ArgumentError', argument: 'slug' });
      expect(error).toHaveProperty('stack', expect.stringContaining('must be one segment of a path'));
    } finally {
      Error.captureStackTrace = captureStackTrace;
    }
  });
});

describe('createClient names a missing argument', () => {
  test.each([[undefined], [null], [{}], [{ apiKey }]])('%j', (options) => {
    const make = () => createClient(options as Parameters<typeof createClient>[0]);
    expect(make).toThrow(
      expect.objectContaining({
        name: 'ArgumentError',
        argument: 'baseUrl',
        message: 'baseUrl is missing: createClient needs { baseUrl, apiKey }',
      }),
    );
  });

  test('createPublicClient', () => {
    expect(() => createPublicClient(undefined as unknown as { siteUrl: string })).toThrow(
      expect.objectContaining({ name: 'ArgumentError', argument: 'siteUrl' }),
    );
  });
});

test.each(Object.entries({ ...functions, 'a valid GTIN': () => gtin14('96385074') }))(
  'a call of %s leaves no call site behind',
  async (_name, call) => {
    await thrownBy(async () => call()).catch(() => undefined);
    expect(callSite).toBeUndefined();
  },
);

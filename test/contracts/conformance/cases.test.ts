/** The cases: each has an id of its own, and a clause that exists in openapi.yaml. */
import { describe, expect, test } from '@jest/globals';
import jsonld from 'jsonld';
import { shows } from '../../../contracts/conformance/cases/hidden-values.ts';
import { connectInProcess } from '../../../contracts/conformance/http/connection.ts';
import { jsonLdFaults } from '../../../contracts/conformance/json-ld.ts';
import { serviceWithStates } from '../../../contracts/conformance/plan.ts';
import { loadedSuite, verify } from '../../../contracts/conformance/verify.ts';
import { member, readDocument } from '../../../openapi/src/index.ts';
import { createFakeService } from '../../../sdk/src/testing/service/index.ts';

const { suite } = loadedSuite();
const cases = [...suite.cases, ...suite.wholeRunCases];

test.each(['2026-12-01', '2027-08-18'])('the cases of a battery pass on %s', async (day) => {
  const siteUrl = 'http://passports.test';
  const { provider, fetch } = await serviceWithStates({ siteUrl, now: () => new Date(day) });
  const only = ['PASS-7.category'];
  const connection = connectInProcess(fetch, siteUrl);
  const { results } = await verify({ provider, claims: ['reference'], connection, only, seed: 1, generated: 0 });
  expect(results.map(({ status }) => status)).toEqual(Array(8).fill('passed'));
});

test.each([
  ['HTML', '<b>Gr&#xF6;&#223;e &quot;M&quot; &amp; C:\\new</b>', {}],
  ['JSON', JSON.stringify({ value: 'Größe "M" & C:\\new' }), {}],
  ['JSON with \\u', '"Gr\\u00f6\\u00dfe \\"M\\" \\u0026 C:\\\\new"', {}],
  ['an address', '', { location: '/p?v=Gr%C3%B6%C3%9fe+%22M%22+%26%20C%3A%5Cnew' }],
  ['lines and soft hyphens', 'Grö\u00adße\n  "M" & C:\\new', {}],
])('a hidden value is found in %s', (_, text, headers: Record<string, string>) => {
  const reply = { status: 200, headers, text, json: undefined, code: undefined };
  expect([shows(reply, 'Größe "M" & C:\\new'), shows(reply, 'Größe "L"')]).toEqual([true, false]);
});

/** What a JSON pointer (RFC 6901) leads to. */
function targetOf(pointer: string, document: unknown): unknown {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(member, document);
}

test('each case has an id of its own, a clause that openapi.yaml has, a sentence, and each need once', () => {
  const document = readDocument();
  const wrong = cases.filter(
    ({ id, title, clause }) =>
      !/^[A-Z][A-Z0-9]*-\d+\.[\w-]+$/.test(id) ||
      !/^\S[^\n]*\.$/.test(title) ||
      !clause.startsWith('/') ||
      targetOf(clause, document) === undefined,
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
  const twice = suite.cases.filter(({ needs }) => new Set(needs).size < needs.length);
  expect(twice.map(({ id }) => id)).toEqual([]);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(cases.length).toBeGreaterThan(500);
});

const siteUrl = 'http://passports.test';

test('a provider that accepts field keys only in products of their group is conformant', async () => {
  const service = createFakeService({ siteUrl });
  const { field_keys: _, ...provider } = service.provider;
  const connection = connectInProcess(async (request) => {
    if (request.method !== 'PUT') return service.fetch(request);
    const product = await service.fetch(request.url.replace(/\/passport$/, ''), { headers: request.headers });
    const { product_group } = await product.json();
    // The only product with values at the start is in this group.
    if (product.status !== 200 || product_group === 'other') return service.fetch(request);
    return Response.json({ error: { code: 'unknown_field', message: 'Unknown field.' } }, { status: 400 });
  }, siteUrl);
  const { results, verdict } = await verify({ provider, claims: ['core'], connection, seed: 1, generated: 0 });
  const wrong = results.filter(({ status }) => status !== 'passed');
  expect(wrong.map(({ id, reasons }) => `${id}: ${reasons[0]}`)).toEqual([]);
  expect(verdict).toBe('conformant');
});

describe('the check of JSON-LD documents', () => {
  const schemaOrg = { '@context': { '@vocab': 'http://schema.org/' } };

  /** Expands in safe mode, which fails where data is lost. */
  async function isWhole(document: object): Promise<boolean> {
    const documentLoader = async (url: string) => {
      if (!url.startsWith('https://schema.org')) throw new Error(`${url} is not to be loaded.`);
      return { documentUrl: url, document: schemaOrg };
    };
    try {
      await jsonld.expand(document, { documentLoader, safe: true } as object);
      return true;
    } catch {
      return false;
    }
  }

  const vocabulary = 'https://schema.org/';
  const prefixes = { ex: 'https://example.com/', name: 'ex:name', part: { '@id': 'ex:part' } };

  const whole: Readonly<Record<string, object>> = {
    'terms of schema.org': { '@context': vocabulary, '@type': 'Product', name: 'a', brand: { name: 'b' } },
    'a prefix': { '@context': prefixes, 'ex:other': 1, name: 'a' },
    'a list of contexts': { '@context': [vocabulary, prefixes], 'ex:other': [{ name: 'a' }], anything: true },
    'a term without an @id': {
      '@context': { '@vocab': 'https://v.example/', size: { '@type': '@id' } },
      size: 'urn:a',
    },
    'an alias of a keyword': { '@context': [prefixes, { id: '@id' }], id: 'urn:a', name: 'a' },
    'a JSON literal': { '@context': vocabulary, name: { '@type': '@json', '@value': { 'no:term': null } } },
    'a term of the type @json': {
      '@context': { raw: { '@id': 'https://example.com/raw', '@type': '@json' } },
      raw: { unknown: null },
    },
    'a context inside': { '@context': prefixes, part: { '@context': vocabulary, size: 1 } },
    'absolute addresses': { '@context': {}, '@id': 'https://example.com/1', 'https://example.com/name': 'a' },
    'a reverse property': { '@context': { of: { '@reverse': 'https://example.com/part' } }, of: { '@id': 'urn:a' } },
  };

  const losing: Readonly<Record<string, readonly [object, string]>> = {
    'a term without a vocabulary': [{ '@context': prefixes, name: 'a', other: 1 }, '/other: no context defines'],
    'no context': [{ name: 'a' }, '/name: no context defines'],
    'a term inside': [{ '@context': prefixes, part: [{ other: 1 }] }, '/part/0/other: no context defines'],
    'a removed term': [{ '@context': [vocabulary, { name: null }], name: 'a' }, '/name: no context defines'],
    'a removed vocabulary': [{ '@context': [vocabulary, { '@vocab': null }], name: 'a' }, '/name: no context defines'],
    'a context that ends': [{ '@context': vocabulary, part: { '@context': null, name: 1 } }, '/part/name: no context'],
    'an unknown keyword': [{ '@context': vocabulary, '@ids': 'a', name: 'a' }, '/@ids: no context defines'],
    'an unknown type': [{ '@context': prefixes, '@type': 'Product', name: 'a' }, '/@type: no context defines Product'],
    'a relative identifier': [{ '@context': vocabulary, '@id': 'products/1', name: 'a' }, '/@id: products/1 is not'],
    'another context': [{ '@context': 'https://other.example/', name: 'a' }, 'https://other.example/ must be loaded'],
  };

  const droppedTerms = (document: unknown) => jsonLdFaults(document).map(({ text }) => text);

  describe('a document that loses nothing', () => {
    test.each(Object.entries(whole))('%s', async (_what, document) => {
      expect(await isWhole(document)).toBe(true);
      expect(droppedTerms(document)).toEqual([]);
    });
  });

  describe('a document that loses a part', () => {
    test.each(Object.entries(losing))('%s', async (_what, [document, fault]) => {
      expect(await isWhole(document)).toBe(false);
      expect(droppedTerms(document).join('\n')).toContain(fault);
    });
  });

  test.each([
    ['@type is a number', { '@context': vocabulary, '@type': 5 }, '/@type: must be a string, or a list of them'],
    ['@id is an object', { '@context': vocabulary, '@id': {} }, '/@id: must be a string'],
    ['@id is null', { '@context': vocabulary, '@id': null }, '/@id: must be a string'],
    ['a redefined keyword', { '@context': { '@id': 'https://a.example/' } }, '/@context: @id must not be redefined'],
    [
      'a value with a term',
      { '@context': vocabulary, name: { '@value': 'K', x: 2 } },
      '/name: a value must not have x',
    ],
    [
      'a value with @id',
      { '@context': vocabulary, name: { '@value': 'K', '@id': 'urn:a' } },
      '/name: a value must not have @id',
    ],
    ['a context of numbers', { '@context': [5] }, '/@context: a context must be an object or an address'],
  ])('a processor refuses a document: %s', async (_what, document, text) => {
    const documentLoader = async (url: string) => ({ documentUrl: url, document: { '@context': { '@vocab': url } } });
    await expect(jsonld.expand(document as object, { documentLoader } as object)).rejects.toThrow('Invalid JSON-LD');
    expect(jsonLdFaults(document)).toEqual([{ text, kind: 'refused' }]);
  });

  test('names of keywords, and terms of a context that is not loaded, are no reason to refuse a value', () => {
    const value = { '@value': 'K', lang: 'de' };
    const own = { '@vocab': vocabulary, lang: '@language' };
    expect(jsonLdFaults({ '@context': own, name: value })).toEqual([]);
    const remote = { '@context': [vocabulary, 'https://a.example/'], name: value };
    expect(jsonLdFaults(remote).map(({ kind }) => kind)).toEqual(['unread']);
    const ofTerm = { '@context': { name: { '@id': 'urn:name', '@context': own } }, name: value };
    expect(jsonLdFaults(ofTerm).map(({ kind }) => kind)).toEqual(['unread']);
  });

  // A processor drops the first, and takes the second for an address, without a word in safe mode either.
  test.each([
    ['null', { '@context': vocabulary, name: null }, '/name: null is dropped'],
    ['a forgotten prefix', { '@context': vocabulary, 'ex:name': 'a' }, '/ex:name: no context defines the term'],
    ['a removed prefix', { '@context': { ex: null }, 'ex:name': 'a' }, '/ex:name: no context defines the term'],
  ])('%s is a fault, too', (_what, document, fault) => {
    expect(droppedTerms(document)).toEqual([fault]);
  });

  test('terms that define each other end', () => {
    const document = { '@context': { a: 'b', b: 'a' }, a: 1 };
    expect(droppedTerms(document)).toEqual(['/a: no context defines the term']);
  });
});

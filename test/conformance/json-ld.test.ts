/** The check of JSON-LD documents finds what a real processor drops, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import jsonld from 'jsonld';
import { droppedTerms } from '../../contracts/conformance/json-ld.ts';

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
  'a term without an @id': { '@context': { '@vocab': 'https://v.example/', size: { '@type': '@id' } }, size: 'urn:a' },
  'an alias of a keyword': { '@context': [prefixes, { id: '@id' }], id: 'urn:a', name: 'a' },
  'a JSON literal': { '@context': vocabulary, name: { '@type': '@json', '@value': { 'no:term': null } } },
  'a term of the type @json': {
    '@context': { raw: { '@id': 'https://example.com/raw', '@type': '@json' } },
    raw: { unknown: null },
  },
  'a context of a property': {
    '@context': { part: { '@id': 'https://example.com/part', '@context': { size: 'https://example.com/size' } } },
    part: { size: 1 },
  },
  'a context of a type': {
    '@context': { Box: { '@id': 'https://example.com/Box', '@context': { size: 'https://example.com/size' } } },
    '@type': 'Box',
    size: 1,
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
  'the context of a type, in a node inside': [
    {
      '@context': {
        part: 'https://example.com/part',
        Box: { '@id': 'https://example.com/Box', '@context': { size: 'https://example.com/size' } },
      },
      '@type': 'Box',
      part: { size: 1 },
    },
    '/part/size: no context defines',
  ],
};

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

// A processor drops the first, and takes the second for an address, without a word in safe mode either.
test.each([
  ['null', { '@context': vocabulary, name: null }, '/name: null is dropped'],
  ['a forgotten prefix', { '@context': vocabulary, 'ex:name': 'a' }, '/ex:name: no context defines the term'],
])('%s is a fault, too', (_what, document, fault) => {
  expect(droppedTerms(document)).toEqual([fault]);
});

test('terms that define each other end', () => {
  const document = { '@context': { a: 'b', b: 'a' }, a: 1 };
  expect(droppedTerms(document)).toEqual(['/a: no context defines the term']);
});

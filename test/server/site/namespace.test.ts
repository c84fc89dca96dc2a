import { beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import jsonld from 'jsonld';
import { fillPublicDemo, useService } from '../../support/service.ts';

interface Node {
  '@id': string;
  '@type': string;
  [key: string]: unknown;
}

/** The names of all members in a document, at every depth. */
function namesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => [...(Array.isArray(node) ? [] : [name]), ...namesIn(value)]);
}

describe('the namespace of the JSON-LD documents', () => {
  const site = 'https://passport.example.com';
  const service = useService('SQLite', { siteUrl: site });
  /** The vocabulary is outside the contract, so the judge does not know its path. */
  const get = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/ns/dpp`, { headers });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
  const documents: {
    '@context': [string, { dpp: string }];
    additionalProperty: { propertyID: string; value: unknown }[];
  }[] = [];
  let graph: Node[] = [];

  beforeAll(async () => {
    const { tokens, products } = await fillPublicDemo(service);
    for (const { tenant, slug } of products) {
      for (const zugang of ['', ...tokens.map(({ token }) => `?zugang=${token}`)]) {
        const { text } = await service.send({
          method: 'GET',
          path: `/p/${tenant}/${slug}/jsonld${zugang}`,
          headers: {},
        });
        documents.push(JSON.parse(text));
      }
    }
    const client = await service.newTenant();
    const path = await client.publish({ name: 'Akku', product_group: 'battery' });
    for (const value of [17, 16]) await client.write('akku', [{ field_key: 'remaining_capacity', value, unit: 'Ah' }]);
    documents.push(JSON.parse((await client.call({ path: `${path}/jsonld`, key: null })).text));
    graph = JSON.parse((await get()).text)['@graph'];
  });

  test('defines every term that a document uses, or that the contract has', () => {
    const used = new Set(documents.flatMap(namesIn).filter((name) => name.startsWith('dpp:')));
    const described = namesIn(readContract()).filter((name) => /^dpp:\w/.test(name));
    expect(used).toEqual(new Set(described));
    expect(used.size).toBe(14);
    const defined = graph.map((node) => node['@id']);
    expect(new Set(defined).size).toBe(defined.length);
    expect(defined).toEqual(expect.arrayContaining([...used]));
    const keys = documents.flatMap(({ additionalProperty }) => additionalProperty.map(({ propertyID }) => propertyID));
    expect(new Set(keys).size).toBeGreaterThan(150);
    expect(defined).toEqual(expect.arrayContaining(keys.map((key) => `dpp:${key}`)));
  });

  test('has the label of each field and of each value of an enumeration, in every language', () => {
    const nodes = graph.filter(({ '@id': id }) => /^dpp:(?:battery_category|production_route)/.test(id));
    expect(nodes.map((node) => JSON.stringify(node)).join('\n')).toMatchSnapshot();
  });

  test('is JSON-LD without a dropped term', async () => {
    const document = JSON.parse((await get()).text);
    const expanded = await jsonld.expand(document, { safe: true } as object);
    expect(expanded).toHaveLength(graph.length);
  });

  test('is a page where HTML is preferred, in the language of the reader', async () => {
    for (const [language, label] of [
      ['en', 'Fibre composition'] as const,
      ['de', 'Faser\u00adzusammen\u00adsetzung'] as const,
    ]) {
      const { status, headers, text } = await get({ accept: 'text/html', 'accept-language': language });
      expect([status, headers['content-type'], headers['content-language']]).toEqual([
        200,
        'text/html; charset=utf-8',
        language,
      ]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain(label);
      expect(text).toContain('<a href="/docs/fields/battery">');
      for (const { '@id': id } of graph) {
        const key = id.replace('dpp:', '');
        if (id.startsWith('dpp:') && !key.endsWith('-values')) expect(text).toContain(`id="${key}"`);
      }
    }
  });

  test('is cacheable, readable by every site, and changes by nothing but its representation', async () => {
    const { headers } = await get();
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
      vary: expect.stringContaining('accept, accept-language'),
    });
    expect((await get({ 'if-none-match': String(headers.etag) })).status).toBe(304);
    const page = await get({ accept: 'text/html' });
    expect(page.headers.etag).not.toBe(headers.etag);
    expect((await get({ accept: 'text/html', 'if-none-match': String(headers.etag) })).status).toBe(200);
  });
});

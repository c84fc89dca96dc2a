import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Schemas } from '@product-passport/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import canonicalize from 'canonicalize';
import jsonld from 'jsonld';
import { createToken } from '../../../server/src/access/token.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import type { Client } from '../../support/client.ts';
import { useService } from '../../support/service.ts';

type PassportDocument = Schemas['PassportDocument'];
type Property = PassportDocument['additionalProperty'][number];

const schema = JSON.parse(
  readFileSync(new URL('../../../contracts/generated/passport-document.schema.json', import.meta.url), 'utf8'),
);
const fitsSchema = formats.default(new Ajv2020({ allErrors: true })).compile(schema);

/** The part of schema.org's context that the document uses, so that the test needs no download. */
const schemaOrg = {
  '@context': {
    '@vocab': 'http://schema.org/',
    url: { '@id': 'http://schema.org/url', '@type': '@id' },
    hasGS1DigitalLink: { '@id': 'http://schema.org/hasGS1DigitalLink', '@type': '@id' },
  },
};

async function documentLoader(url: string) {
  if (url !== 'https://schema.org/') throw new Error(`${url} is not to be loaded.`);
  return { documentUrl: url, document: schemaOrg };
}

/** The hash, computed only from the document. */
function publicHash(document: PassportDocument): string {
  const values = document.additionalProperty
    .filter((property) => property['dpp:accessLevel'] === 'public')
    .map((property) => ({
      field_key: property.propertyID,
      is_unknown: property['dpp:isUnknown'] ?? false,
      locale: property['dpp:locale'],
      unit: property.unitText ?? null,
      value: contentOf(property),
    }));
  return createHash('sha256')
    .update(canonicalize(values) ?? '')
    .digest('hex');
}

function contentOf({ value = null }: Property): unknown {
  const literal = value as { '@type'?: unknown; '@value'?: unknown } | null;
  return typeof literal === 'object' && literal?.['@type'] === '@json' ? literal['@value'] : value;
}

const values = [
  { field_key: 'manufacturer_name', value: 'Südwind AG' },
  { field_key: 'manufacturer_address', value: 'Hafenstraße 12, 24103 Kiel, Deutschland' },
  { field_key: 'importer_name', value: 'Import SARL' },
  { field_key: 'importer_address', value: '8 quai de la Loire, Nantes' },
  { field_key: 'garment_weight', value: 412, unit: 'g' },
  {
    field_key: 'fibre_composition',
    value: [{ fibre: 'wool (merino)', share: 85 }, { fibre: 'polyamide' }, { fibre: 'polyamide' }, { share: 1 }],
  },
  { field_key: 'country_of_origin', value: 'PT' },
  { field_key: 'recycled_content_share', value: 12.5, unit: '%' },
  {
    field_key: 'substances_of_concern',
    value: [{ name: 'lead', cas: '7439-92-1' }, 'nickel'],
    access_level: 'restricted',
  },
  { field_key: 'warranty_months', value: null, is_unknown: true, unit: 'month' },
  { field_key: 'a_null', value: null },
  { field_key: 'a_false', value: false },
  { field_key: 'a_list', value: [1, [], { '@type': '@id' }, null] },
  { field_key: 'an_object', value: { '@type': '@json', '@value': 1, 'x:y': null } },
  { field_key: 'a_text', value: 'x</script> \u2028', unit: 'furlong' },
];

describe('the JSON-LD document', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  let client: Client;
  let address = '';

  beforeAll(async () => {
    client = await service.newTenant();
    const { slug } = await client.create({
      name: 'Größe',
      gtin: '9520001000072',
      model: 'M 1',
      product_group: 'textile',
    });
    await client.write(slug, values);
    await service.activate(client, slug);
    address = `/p/${client.tenant.slug}/${slug}/jsonld`;
  });

  async function read(zugang?: string): Promise<PassportDocument> {
    const answer = await client.call({ path: address, key: null, ...(zugang ? { query: { zugang } } : {}) });
    expect(answer.headers['content-type']).toBe('application/ld+json; charset=utf-8');
    return JSON.parse(answer.text);
  }

  async function tokenOf(role: 'recycler' | 'inspector'): Promise<string> {
    const grant = { product_id: null, role, expiresAt: new Date(Date.now() + 60_000) };
    return (await createToken(service.database, client.tenant.id, grant, new Date())).token;
  }

  test('PUB-5 expands offline without dropping a term', async () => {
    const document = await read();
    const [expanded] = await jsonld.expand(document as object, { documentLoader, safe: true } as object);
    const terms = Object.keys(expanded ?? {});
    expect(terms).toHaveLength(Object.keys(document).length - 1); // all but @context
    expect(expanded).toMatchObject({
      '@type': ['http://schema.org/Product', 'https://ref.gs1.org/voc/Product'],
      'https://ref.gs1.org/voc/dpp': [{ '@id': `https://passport.example.com${address}` }],
      'http://schema.org/countryOfOrigin': [{ 'http://schema.org/identifier': [{ '@value': 'PT' }] }],
    });
    const properties = expanded?.['http://schema.org/additionalProperty'] as unknown[];
    expect(properties).toHaveLength(document.additionalProperty.length);
  });

  test('PUB-5 the public hash can be computed from the document alone, in every role', async () => {
    const [everybody, recycler] = [await read(), await read(await tokenOf('recycler'))];
    const hash = everybody.hasDigitalProductPassport['dpp:publicContentHash'];
    expect(publicHash(everybody)).toBe(hash);
    expect(publicHash(recycler)).toBe(hash);
    expect(recycler.additionalProperty).toHaveLength(everybody.additionalProperty.length + 1);
  });

  test('PUB-5 carries the content hash and the version of the owner’s passport', async () => {
    const { latest_version } = await client.passport(address.split('/')[3] ?? '');
    expect((await read()).hasDigitalProductPassport).toMatchObject({
      identifier: { value: latest_version.content_hash },
      dateModified: latest_version.created_at,
      version: 2,
      'dpp:viewRole': 'consumer',
    });
  });

  test('has the salt of the content hash for inspectors only, like the page', async () => {
    const slug = address.split('/')[3] ?? '';
    const { salt, content_hash } = (await client.passport(slug)).latest_version;
    expect((await read(await tokenOf('inspector'))).hasDigitalProductPassport).toMatchObject({
      identifier: { value: content_hash },
      'dpp:contentSalt': salt,
    });
    const views = [undefined, 'x', await tokenOf('recycler'), await tokenOf('inspector')];
    const showing = await Promise.all(
      [address, address.replace(/\/jsonld$/, '')].map((path) =>
        Promise.all(
          views.map(async (zugang) => {
            const { status, text, headers } = await client.call({ path, key: null, query: zugang ? { zugang } : {} });
            expect(status).toBe(200);
            return `${text}${JSON.stringify(headers)}`.includes(salt);
          }),
        ),
      ),
    );
    expect(showing).toEqual([
      [false, false, false, true],
      [false, false, false, true],
    ]);
  });

  test('a changed value or unit changes the public hash; a restricted value does not', async () => {
    const { slug } = await client.create('Zweites');
    await service.activate(client, slug);
    const hash = async (): Promise<string> => {
      const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
      return JSON.parse(text).hasDigitalProductPassport['dpp:publicContentHash'];
    };
    const hashes = [await hash()];
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    hashes.push(await hash());
    await client.write(slug, [{ field_key: 'a', value: 1, unit: 'm' }]);
    hashes.push(await hash());
    await client.write(slug, [{ field_key: 'b', value: 1, access_level: 'authority' }]);
    expect(new Set(hashes).size).toBe(3);
    expect(await hash()).toBe(hashes[2]);
  });

  test('well-known fields have their own property if the role may see them', async () => {
    const everybody = await read();
    expect(everybody).toMatchObject({
      manufacturer: {
        '@type': 'Organization',
        name: 'Südwind AG',
        address: {
          '@type': 'PostalAddress',
          streetAddress: 'Hafenstraße 12',
          postalCode: '24103',
          addressLocality: 'Kiel',
          addressCountry: 'Deutschland',
        },
      },
      importer: {
        name: 'Import SARL',
        address: { '@type': 'PostalAddress', streetAddress: '8 quai de la Loire, Nantes' },
      },
      weight: { '@type': 'QuantitativeValue', value: 412, unitText: 'g', unitCode: 'GRM' },
      material: ['wool (merino)', 'polyamide'],
      recycledContentPercentage: 12.5,
      gtin14: '09520001000072',
      '@id': 'https://passport.example.com/01/09520001000072',
    });
    expect(everybody).not.toHaveProperty('substanceOfConcern');
    expect(await read(await tokenOf('inspector'))).toMatchObject({
      substanceOfConcern: ['lead', 'nickel'],
      hasDigitalProductPassport: { 'dpp:viewRole': 'inspector' },
    });
  });

  test('values keep their JSON type; null is left out, and an unknown value is marked', async () => {
    const document = await read();
    const property = (key: string) => document.additionalProperty.find(({ propertyID }) => propertyID === key);
    // A JSON literal keeps its content unchanged.
    const outside = JSON.stringify(document, (_, entry) => (entry?.['@type'] === '@json' ? undefined : entry));
    expect(outside).not.toMatch(/:null/);
    expect(property('a_null')).not.toHaveProperty('value');
    expect(property('a_null')).not.toHaveProperty('description');
    expect(property('warranty_months')).toMatchObject({ description: 'unknown', unitText: 'month', unitCode: 'MON' });
    expect(property('a_false')).toMatchObject({ value: false });
    expect(property('a_list')).toMatchObject({
      value: { '@type': '@json', '@value': values.find(({ field_key }) => field_key === 'a_list')?.value },
    });
    expect(property('a_text')).toMatchObject({ unitText: 'furlong', name: 'a_text' });
    expect(property('a_text')).not.toHaveProperty('unitCode');
    expect(property('recycled_content_share')).toMatchObject({ name: 'Rezyklatanteil', unitCode: 'P1' });
  });

  test('a template decides which of its fields is a property, whatever other fields there are', async () => {
    const { slug } = await client.create({ name: 'Flasche', product_group: 'packaging' });
    await client.write(slug, [
      { field_key: 'packaging_weight', value: 62, unit: 'g' },
      { field_key: 'garment_weight', value: 412, unit: 'g' },
      { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 85 }] },
      { field_key: 'manufacturer_address', value: 'Hafenstraße 12, 24103 Kiel, Deutschland' },
    ]);
    await service.activate(client, slug);
    const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
    const document: PassportDocument = JSON.parse(text);
    expect(document.weight?.value).toBe(62);
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['material']));
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['manufacturer']));
    for (const { properties, fields } of templateKeys.map(templateOf)) {
      for (const reference of Object.values(properties).flat()) {
        const [key = '', member] = reference.split('.');
        const field = fields.find((each) => each.key === key);
        const isThere = member === undefined ? field : field?.members?.find((each) => each.key === member);
        expect([reference, isThere !== undefined]).toEqual([reference, true]);
      }
    }
  });

  test('as a file it has one member on each line, and the same hashes', async () => {
    const file = await client.call({ path: address, key: null, query: 'download' });
    expect(file.headers).toMatchObject({
      'content-type': 'application/ld+json; charset=utf-8',
      'content-disposition': 'attachment; filename="groesse.jsonld"',
      'cache-control': 'no-cache',
    });
    expect(file.text).toMatch(/^\{\n {2}"@context": \[\n.*\n\}\n$/s);
    const plain = await client.call({ path: address, key: null });
    expect(plain.headers).not.toHaveProperty('content-disposition');
    expect(plain.text).not.toContain('\n');
    expect(file.headers.etag).not.toBe(plain.headers.etag);
    expect(JSON.parse(file.text)).toEqual(JSON.parse(plain.text));
    expect(publicHash(JSON.parse(file.text))).toBe(
      JSON.parse(plain.text).hasDigitalProductPassport['dpp:publicContentHash'],
    );
    const page = await client.call({ path: address.replace('/jsonld', ''), key: null, query: 'zugang=x' });
    const [, href = ''] = /<a href="([^"]+)">(?:Download|Herunterladen)</.exec(page.text) ?? [];
    expect(href.replaceAll('&amp;', '&')).toBe(`https://passport.example.com${address}?zugang=x&download`);
    const notice = await client.call({ path: address, key: null, query: 'zugang=x&download' });
    expect(notice.headers).toMatchObject({ 'cache-control': 'private, no-store' });
    expect(notice.text).toContain('dpp:notice');
  });

  test('names each field in the language of the reader; no hash and nothing else depends on it', async () => {
    const page = address.replace('/jsonld', '');
    const readIn = async (headers: Record<string, string>, query = {}, path = address) => {
      const response = await client.call({ path, key: null, headers, query });
      const names = JSON.parse(response.text, (key, value) => (key === 'propertyID' ? undefined : value));
      const label = names.additionalProperty.find(({ unitText }: Property) => unitText === 'g').name;
      return { label, response };
    };
    const language = (tag: string) => ({ 'accept-language': tag });
    const [german, english] = ['Gewicht des Kleidungsstücks', 'Garment weight'];
    const asDocument = { accept: 'application/ld+json' };
    const expected = [
      [german, {}],
      [german, language('*')],
      [german, language('ja')],
      [german, language('de-AT, en;q=0.5')],
      [english, language('en-GB, de;q=0.5')],
      [english, language('ja, en;q=0.5')],
      [english, {}, { lang: 'en' }],
      [german, language('en'), { lang: 'de' }],
      [english, language('en'), { lang: 'xx' }],
      [english, language('en'), { version: '2' }],
      [english, language('en'), { download: '' }],
      [english, { ...asDocument, ...language('en') }, {}, page],
      [german, asDocument, {}, page],
    ] as const;
    for (const [label, headers, query, path] of expected) {
      expect([label, headers, query, (await readIn(headers, query, path)).label]).toEqual([
        label,
        headers,
        query,
        label,
      ]);
    }

    const [de, en] = [(await readIn({})).response, (await readIn(language('en'))).response];
    expect(de.headers.vary).toBe('accept-language,accept-encoding');
    expect(de.headers.etag).not.toBe(en.headers.etag);
    const withoutLabels = (text: string) => text.replaceAll(/"name":"[^"]*"/g, '');
    expect(withoutLabels(en.text)).toBe(withoutLabels(de.text));

    const again = (tag: unknown, etag: unknown) =>
      client.call({ path: address, key: null, headers: { ...language(String(tag)), 'if-none-match': String(etag) } });
    expect(await again('en', en.headers.etag)).toMatchObject({ status: 304, headers: { vary: 'accept-language' } });
    expect((await again('de', en.headers.etag)).status).toBe(200);
  });

  test('an invalid token gives a notice', async () => {
    expect((await read('x')).hasDigitalProductPassport).toMatchObject({
      'dpp:viewRole': 'consumer',
      'dpp:notice': expect.stringContaining('not valid'),
    });
    expect((await read()).hasDigitalProductPassport).not.toHaveProperty('dpp:notice');
  });

  test('matches the JSON Schema of the repository in every role', async () => {
    for (const token of [undefined, 'x', await tokenOf('recycler'), await tokenOf('inspector')]) {
      fitsSchema(await read(token));
      expect(fitsSchema.errors).toBeNull();
    }
    const { identifier: _, ...unnamed } = await read();
    expect(fitsSchema(unnamed)).toBe(false);
  });

  test.each([', 24103 Kiel, Deutschland', 'Hof 1, 24103 Kiel, Deutschland, EU', 'Hof 1, 24103 Kiel, Zone 7', 'Hof 1'])(
    'an address of another form stays whole: %s',
    async (text) => {
      const { slug } = await client.create({ name: 'Anschrift', product_group: 'textile' });
      await client.write(slug, [
        { field_key: 'manufacturer_name', value: 'Südwind AG' },
        { field_key: 'manufacturer_address', value: text },
      ]);
      await service.activate(client, slug);
      const path = `/p/${client.tenant.slug}/${slug}/jsonld`;
      const document: PassportDocument = JSON.parse((await client.call({ path, key: null })).text);
      expect(document).toMatchObject({
        manufacturer: { address: { '@type': 'PostalAddress', streetAddress: text } },
      });
    },
  );

  test('a product without a GTIN is identified by its URN', async () => {
    const { slug, unique_product_identifier } = await client.create('Ohne Nummer');
    await service.activate(client, slug);
    const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
    expect(JSON.parse(text)).toMatchObject({ '@id': unique_product_identifier });
    expect(text).not.toContain('/01/');
  });
});

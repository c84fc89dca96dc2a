/** The JSON-LD document: whole documents, what no snapshot shows, and the documents of older versions. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Schemas, tokenRoles } from '@product-passport/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { verifyPassport } from '../../../sdk/src/verify.ts';
import { withholdVersion } from '../../../server/src/passports/published-versions.ts';
import { lockProduct } from '../../../server/src/products/store.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Client, type Reply, useService } from '../../support/service.ts';

type Document = Schemas['PassportDocument'];

const schema = JSON.parse(
  readFileSync(new URL('../../../contracts/generated/passport-document.schema.json', import.meta.url), 'utf8'),
);
const fitsSchema = formats.default(new Ajv2020({ allErrors: true })).compile(schema);

const now = new Date('2026-03-05T07:09:00Z');
const service = useService('SQLite', { siteUrl: 'https://passport.example.com', now: () => now });
let client: Client;
let path = '';
const tokens = { consumer: '', refused: 'x', recycler: '', inspector: '' };
const roles = Object.keys(tokens) as (keyof typeof tokens)[];

beforeAll(async () => {
  client = await service.newTenant();
  const product = { name: 'Größe', gtin: '9520001000072', model: 'M 1', product_group: 'textile' };
  path = await client.publish(product, [
    { field_key: 'manufacturer_name', value: 'Südwind AG' },
    { field_key: 'manufacturer_address', value: 'Hafenstraße 12, 24103 Kiel, Deutschland' },
    { field_key: 'importer_name', value: 'Import SARL' },
    { field_key: 'importer_address', value: '8 quai de la Loire, Nantes' },
    { field_key: 'garment_weight', value: 412, unit: 'g' },
    { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 85 }, { fibre: 'silk' }, { fibre: 'silk' }, {}] },
    { field_key: 'country_of_origin', value: 'PT' },
    { field_key: 'recycled_content_share', value: 12.5, unit: '%' },
    { field_key: 'substances_of_concern', value: [{ name: 'lead' }, 'nickel'], access_level: 'restricted' },
    { field_key: 'warranty_months', value: null, is_unknown: true, unit: 'month' },
    { field_key: 'a_test_report', value: 'X-1', access_level: 'authority' },
    { field_key: 'a_null', value: null },
    { field_key: 'a_false', value: false },
    { field_key: 'a_list', value: [1, [], { '@type': '@id' }, null] },
    { field_key: 'an_object', value: { '@type': '@json', '@value': 1, 'x:y': null } },
    { field_key: 'a_text', value: 'x</script> \u2028', unit: 'furlong', source: 'supplier', needs_review: true },
  ]);
  for (const role of tokenRoles) tokens[role] = await client.token(role, now);
});

function get(query: string, at = `${path}/jsonld`, headers: Record<string, string> = {}): Promise<Reply> {
  return client.call({ path: at, query, headers, key: null });
}

async function read(query = '', of = path): Promise<Document> {
  return JSON.parse((await get(query, `${of}/jsonld`)).text);
}

const viewOf = (role: keyof typeof tokens): string => (tokens[role] ? `zugang=${tokens[role]}` : '');

/** The members of a document, each on one line, without what is random. */
const lines = ({ additionalProperty, ...rest }: Document): string =>
  [...Object.entries(rest).map(([name, value]) => ({ [name]: value })), ...additionalProperty]
    .map((each) => JSON.stringify(each).replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{32})\b/g, 'RANDOM'))
    .join('\n');

test.each(roles)('the whole document, as %s', async (role) => {
  const document = await read(viewOf(role));
  expect(lines(document)).toMatchSnapshot();
  expect(fitsSchema(document) ? null : fitsSchema.errors).toBeNull();
  const { identifier: _, ...unnamed } = document;
  expect(fitsSchema(unnamed)).toBe(false);
});

test('the public hash can be computed from the document alone, in every role', async () => {
  const documents = await Promise.all(roles.map((role) => read(viewOf(role))));
  for (const document of documents) expect((await verifyPassport(document)).ok).toBe(true);
  expect(new Set(documents.map((each) => each.hasDigitalProductPassport['dpp:publicContentHash'])).size).toBe(1);
});

test('inspectors alone get the salt of the content hash, in the page and in the document', async () => {
  const { salt } = (await client.passport('groesse')).latest_version;
  const seen = roles.map(async (role) => {
    const replies = await Promise.all([get(viewOf(role)), get(viewOf(role), path)]);
    return replies.map(({ text, headers }) => `${text}${JSON.stringify(headers)}`.includes(salt));
  });
  const nobody = [false, false];
  expect(await Promise.all(seen)).toEqual([nobody, nobody, nobody, [true, true]]);
});

test('a template decides which of its fields is a property', async () => {
  const bottle = await client.publish({ name: 'Flasche', product_group: 'packaging' }, [
    { field_key: 'packaging_weight', value: 62, unit: 'g' },
    { field_key: 'garment_weight', value: 412, unit: 'g' },
    { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 85 }] },
    { field_key: 'manufacturer_address', value: 'Hafenstraße 12, 24103 Kiel, Deutschland' },
  ]);
  expect(lines(await read('', bottle))).toMatchSnapshot();
  const missing = templateKeys.map(templateOf).flatMap(({ properties, fields }) =>
    Object.values(properties)
      .flat()
      .filter((reference) => {
        const [key, member] = reference.split('.');
        const field = fields.find((each) => each.key === key);
        return member === undefined ? !field : !field?.members?.some((each) => each.key === member);
      }),
  );
  expect(missing).toEqual([]);
});

test.each([', 24103 Kiel, Deutschland', 'Hof 1, 24103 Kiel, Deutschland, EU', 'Hof 1, 24103 Kiel, Zone 7', 'Hof 1'])(
  'an address of another form stays whole: %s',
  async (text) => {
    const values = [
      { field_key: 'manufacturer_name', value: 'Südwind AG' },
      { field_key: 'manufacturer_address', value: text },
    ];
    const document = await read('', await client.publish({ name: 'Anschrift', product_group: 'textile' }, values));
    expect(document.manufacturer).toMatchObject({ address: { '@type': 'PostalAddress', streetAddress: text } });
  },
);

test('as a file it has one member on each line', async () => {
  const [plain, file] = [await get(''), await get('download')];
  expect(file.text).toBe(`${JSON.stringify(JSON.parse(plain.text), null, 2)}\n`);
  expect([file.headers, plain.headers].map((headers) => headers['content-disposition'])).toEqual([
    'attachment; filename="groesse.jsonld"',
    undefined,
  ]);
  expect(file.headers.etag).not.toBe(plain.headers.etag);
  const token = viewOf('recycler');
  const page = (await get(token, path)).text;
  const [, href = ''] = /<a href="([^"]+)">(?:Download|Herunterladen)</.exec(page) ?? [];
  expect(href.replaceAll('&amp;', '&')).toBe(`https://passport.example.com${path}/jsonld?${token}&download`);
  const notice = await get('zugang=x&download');
  expect([notice.headers['cache-control'], notice.text.includes('dpp:notice')]).toEqual(['private, no-store', true]);
});

describe.each(databaseKinds)('the history of a passport on %s', (kind) => {
  const service = useService(kind);
  let client: Client;
  let products = 0;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  /** A product whose writes are versions 2, 3, …; it is active from the version `activeFrom` on. */
  async function publish(writes: readonly (readonly object[])[], activeFrom = 1): Promise<string> {
    products += 1;
    const { slug } = await client.create({ name: `Pullover ${products}`, product_group: 'textile' });
    for (const [index, values] of writes.entries()) {
      if (index + 1 === activeFrom) await service.activate(client, slug);
      await client.write(slug, [...values]);
    }
    if (activeFrom > writes.length) await service.activate(client, slug);
    return slug;
  }

  const get = (slug: string, query: string, end = '/jsonld'): Promise<Reply> =>
    client.call({ path: `/p/${client.tenant.slug}/${slug}${end}`, query, key: null });

  async function documentOf(slug: string, version: number, query = ''): Promise<Document> {
    const { status, text } = await get(slug, `version=${version}${query}`);
    expect(status).toBe(200);
    const document: Document = JSON.parse(text);
    expect(document.hasDigitalProductPassport.version).toBe(version);
    expect((await verifyPassport(document)).ok).toBe(true);
    return document;
  }

  const valuesOf = (document: Document) =>
    Object.fromEntries(document.additionalProperty.map(({ propertyID, value }) => [propertyID, value]));

  /** The numbers and the texts of the versions on the page. */
  async function listOf(slug: string): Promise<Map<number, string>> {
    const { text } = await get(slug, 'lang=en', '');
    const [list = ''] = /<details class="history">[\s\S]*?<\/details>/.exec(text) ?? [];
    return new Map(
      [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, item = '']) => [
        Number(/\?version=(\d+)"/.exec(item)?.[1]),
        item,
      ]),
    );
  }

  test('each version has a document with its values, its time and its content hash', async () => {
    const slug = await publish([
      [{ field_key: 'care_instructions', value: 'wash by hand' }],
      [
        { field_key: 'care_instructions', value: 'do not wash' },
        { field_key: 'own', value: [1e21, { ä: null }] },
        { field_key: 'sizes', value: ['S', 'M'] },
      ],
      [{ field_key: 'own', value: null, is_unknown: true, unit: 'kg' }],
    ]);
    expect(valuesOf(await documentOf(slug, 1))).toEqual({});
    expect(valuesOf(await documentOf(slug, 2))).toEqual({ care_instructions: 'wash by hand' });
    const third = await documentOf(slug, 3);
    expect(valuesOf(third)).toEqual({
      care_instructions: 'do not wash',
      own: { '@type': '@json', '@value': [1e21, { ä: null }] },
      sizes: { '@type': '@json', '@value': ['S', 'M'] },
    });
    const latest: Document = JSON.parse((await get(slug, '')).text);
    const fourth = await documentOf(slug, 4);
    const { '@id': id, ...passport } = fourth.hasDigitalProductPassport;
    expect(id).toBe(`${latest.hasDigitalProductPassport['@id']}?version=4`);
    expect({ ...latest, hasDigitalProductPassport: passport }).toEqual({
      ...fourth,
      hasDigitalProductPassport: { ...latest.hasDigitalProductPassport, '@id': undefined },
    });
    const { id: product_id } = await client.product(slug);
    const row = await service.database('passport_versions').where({ product_id, version: 3 }).first();
    expect(third.hasDigitalProductPassport).toMatchObject({
      identifier: { value: row.content_hash },
      dateModified: row.created_at,
    });
    const list = await listOf(slug);
    expect([...list.keys()]).toEqual([4, 3, 2, 1]);
    expect(list.get(4)).toContain('Changed: own (now: Not known)');
    expect(list.get(3)).toContain(
      'Changed: Care instructions (before: wash by hand; now: do not wash), own, sizes (now: S, M)',
    );
    expect(list.get(3)).toContain(row.content_hash);
  });

  test('a value is in a version only if it was public then and is public now', async () => {
    const slug = await publish([
      [
        { field_key: 'always', value: 'A1' },
        { field_key: 'hidden_later', value: 'H1' },
        { field_key: 'hidden_first', value: 'F1', access_level: 'restricted' },
        { field_key: 'hidden_between', value: 'B1' },
        { field_key: 'never', value: 'N1', access_level: 'authority' },
      ],
      [
        { field_key: 'hidden_first', value: 'F2', access_level: 'public' },
        { field_key: 'hidden_between', value: 'B2', access_level: 'restricted' },
        { field_key: 'never', value: 'N2' },
      ],
      [
        { field_key: 'hidden_later', value: 'H3', access_level: 'restricted' },
        { field_key: 'hidden_between', value: 'B3', access_level: 'public' },
      ],
      [{ field_key: 'never', value: 'N4', source: 'supplier', needs_review: true }],
    ]);
    const inspector = `&zugang=${await client.token('inspector')}`;
    for (const token of ['', inspector, '&zugang=wrong']) {
      const first = await documentOf(slug, 2, token);
      expect(valuesOf(first)).toEqual({ always: 'A1', hidden_between: 'B1' });
      expect(valuesOf(await documentOf(slug, 3, token))).toEqual({ always: 'A1', hidden_first: 'F2' });
      expect(valuesOf(await documentOf(slug, 4, token))).toEqual({
        always: 'A1',
        hidden_between: 'B3',
        hidden_first: 'F2',
      });
      expect(first.hasDigitalProductPassport).not.toHaveProperty('dpp:contentSalt');
      expect(first.hasDigitalProductPassport['dpp:viewRole']).toBe('consumer');
      const { text } = await get(slug, `version=2${token}`);
      expect(text).not.toMatch(/hidden_later|hidden_first|never|H1|F1|N1/);
    }
    const list = await listOf(slug);
    expect(list.get(5)).toContain('No public value changed.');
    expect([...list.values()].join()).not.toMatch(/hidden_later|never|[HN]\d\b/);
    const reply = await get(slug, `version=2${inspector}`);
    expect(reply.headers['cache-control']).toBe('private, no-store');
  });

  test('versions of a draft and of an archived product were not public', async () => {
    const value = (text: string) => [{ field_key: 'care_instructions', value: text }];
    const slug = await publish([value('secret draft'), value('draft'), value('public')], 3);
    expect([...(await listOf(slug)).keys()]).toEqual([4, 3]);
    const unknown = await get('nobody', '');
    for (const version of [1, 2]) {
      const { status, text } = await get(slug, `version=${version}`);
      expect([status, text]).toEqual([404, unknown.text]);
    }
    await service.archive(client, slug);
    for (const version of ['', 'version=3', 'version=4', 'version=1']) {
      const { status, text } = await get(slug, version);
      expect([status, text]).toEqual([404, unknown.text]);
    }
    await client.write(slug, value('secret archived'));
    await client.write(slug, value('public again'));
    await service.activate(client, slug);
    expect([...(await listOf(slug)).keys()]).toEqual([6, 3]);
    expect((await get(slug, 'version=5')).text).toBe(unknown.text);
    expect((await get(slug, '', '')).text).not.toContain('secret');
  });

  test('a withheld version is not listed, and its document gets the 404 of an unknown product', async () => {
    const value = (text: string) => [{ field_key: 'care_instructions', value: text }];
    const slug = await publish([value('first'), value('mistake'), value('third')]);
    const withhold = (slug: string, version: number) =>
      service.database.transaction(async (transaction) => {
        const product = await lockProduct(transaction, client.tenant.id, slug);
        if (!product) throw new Error(`The product ${slug} does not exist.`);
        return withholdVersion(transaction, client.tenant.id, product, version);
      });
    expect((await documentOf(slug, 3)).additionalProperty[0]?.value).toBe('mistake');
    expect((await listOf(slug)).size).toBe(4);
    const { headers } = await get(slug, 'version=3');
    expect(await withhold(slug, 3)).toEqual([3]);
    const unknown = await get('nobody', '');
    const withheld = await get(slug, 'version=3');
    expect([withheld.status, withheld.text]).toEqual([404, unknown.text]);
    const again = await client.call({
      path: `/p/${client.tenant.slug}/${slug}/jsonld`,
      query: 'version=3',
      key: null,
      headers: { 'if-none-match': `${headers.etag}, *` },
    });
    expect(again.status).toBe(404);
    expect([...(await listOf(slug)).keys()]).toEqual([4, 2, 1]);
    expect(valuesOf(await documentOf(slug, 2))).toEqual({ care_instructions: 'first' });
    await expect(withhold(slug, 9)).rejects.toThrow('has no version 9');
    await expect(withhold(slug, 0)).rejects.toThrow('has no version 0');
  });

  test('no other text is the number of a version', async () => {
    const slug = await publish([[{ field_key: 'a', value: 1 }]]);
    const texts = ['', '0', '-1', '01', '1.0', '1e0', '3', '+1', ' 1', '1 ', '９', '99999999999999999999', 'x', '\0'];
    for (const text of texts) {
      const { status } = await get(slug, `version=${encodeURIComponent(text)}`);
      expect([text, status]).toEqual([text, 404]);
    }
  });

  test('versions without what they replaced, as after an import, end the history', async () => {
    const value = (text: string) => [{ field_key: 'care_instructions', value: text }];
    const slug = await publish([value('a'), value('b'), value('c')]);
    const { id: product_id } = await client.product(slug);
    expect((await get(slug, 'version=2')).status).toBe(200);
    await service.database('passport_versions').where({ product_id, version: 3 }).update({ replaced: null });
    await client.write(slug, value('d'));
    expect([...(await listOf(slug)).keys()]).toEqual([5, 4, 3]);
    expect((await get(slug, 'version=2')).status).toBe(404);
  });

  test('goes back 50 versions', async () => {
    const slug = await publish(Array.from({ length: 54 }, (_, value) => [{ field_key: 'a', value }]));
    expect((await get(slug, 'version=5')).status).toBe(404);
    expect(valuesOf(await documentOf(slug, 6))).toEqual({ a: 4 });
    expect([...(await listOf(slug)).keys()]).toEqual([55, 54, 53, 52, 51, 50, 49, 48, 47, 46]);
  });
});

describe('a passport of an older template', () => {
  const service = useService('SQLite');

  test('has the labels of its version, and those of the newest one from its next write on', async () => {
    const client = await service.newTenant();
    const { slug, id: product_id } = await client.create({ name: 'Pullover', product_group: 'textile' });
    await client.write(slug, [
      { field_key: 'country_of_origin', value: 'PT' },
      { field_key: 'carbon_footprint', value: 18.4, unit: 'kg CO2e' },
      { field_key: 'manufacturer_contact', value: 'a@example.com' },
    ]);
    const template_version = templateOf('textile').version - 1;
    await service.database('passport_versions').where({ product_id }).update({ template_version });
    await service.activate(client, slug);
    const namesOf = async () => {
      const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
      return (JSON.parse(text) as Document).additionalProperty.map(({ name }) => name);
    };
    expect(await client.passport(slug)).toMatchObject({ template_version });
    // Its template does not have the last field yet.
    expect(await namesOf()).toEqual(['CO2-Fußabdruck', 'Herstellungsland', 'manufacturer_contact']);
    await client.write(slug, [{ field_key: 'importer_name', value: 'Import GmbH' }]);
    expect(await namesOf()).toContain('E-Mail oder Website des Herstellers');
  });
});

/** The JSON-LD document: whole documents, and what no snapshot shows. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { type Schemas, tokenRoles } from '@product-passport/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { verifyPassport } from '../../../sdk/src/verify.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import { type Client, type Reply, useService } from '../../support/service.ts';

type PassportDocument = Schemas['PassportDocument'];

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

async function read(query = '', of = path): Promise<PassportDocument> {
  return JSON.parse((await get(query, `${of}/jsonld`)).text);
}

const viewOf = (role: keyof typeof tokens): string => (tokens[role] ? `zugang=${tokens[role]}` : '');

/** The members of a document, each on one line, without what is random. */
const lines = ({ additionalProperty, ...rest }: PassportDocument): string =>
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
  const page = (await get('zugang=x', path)).text;
  const [, href = ''] = /<a href="([^"]+)">(?:Download|Herunterladen)</.exec(page) ?? [];
  expect(href.replaceAll('&amp;', '&')).toBe(`https://passport.example.com${path}/jsonld?zugang=x&download`);
  const notice = await get('zugang=x&download');
  expect([notice.headers['cache-control'], notice.text.includes('dpp:notice')]).toEqual(['private, no-store', true]);
});

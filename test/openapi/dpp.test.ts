/** The passport in the data model of EN 18223, and what the reads of EN 18222 take as identifiers, paths and times. */
import { describe, expect, test } from '@jest/globals';
import {
  type Dpp,
  type DppPassport,
  dppOf,
  elementAt,
  elementSteps,
  instantOf,
  namedProduct,
  type PassportValue,
  pageOfIds,
  passportPathOf,
} from '../../openapi/src/index.ts';

const siteUrl = 'https://passport.example.com';

const given = (field_key: string, value: unknown, more: Partial<PassportValue> = {}): PassportValue => ({
  ...{ field_key, value, unit: null, source: 'import', access_level: 'public', is_unknown: false },
  ...{ needs_review: false, locale: 'de', updated_at: '2026-03-05T07:09:00.000Z' },
  ...(more as object),
});

const fields = [
  { key: 'care', type: 'text' },
  { key: 'cycles', type: 'integer' },
  { key: 'share', type: 'number' },
  { key: 'made_on', type: 'date' },
  { key: 'month', type: 'date' },
  { key: 'site', type: 'url' },
  { key: 'parts', type: 'list', items: { type: 'string' } },
  {
    key: 'fibres',
    type: 'list',
    members: [
      { key: 'name', type: 'string' },
      { key: 'note', type: 'text' },
    ],
  },
] as const;

const row = {
  ...{ gtin: '9520001000010', product_group: 'textile', versioned_at: '2026-03-05T07:09:00.000Z' },
  ...{ is_item: false, public_serial: null, economic_operator_id: '0088:9520001000003', facility_id: null },
} as const;

const path = { tenant: 'skellig', product: 'hat' };
const read = (values: readonly PassportValue[], representation: 'compressed' | 'full', more = {}): Dpp =>
  dppOf({ path, values, row: { ...row, ...more } } as DppPassport, { siteUrl, fields }, representation);

describe('the header', () => {
  const { elements: _, ...header } = read([], 'full');

  test('names the passport, the product and the operator', () => {
    expect(header).toEqual({
      digitalProductPassportId: `${siteUrl}/p/skellig/hat/jsonld`,
      uniqueProductIdentifier: `${siteUrl}/01/09520001000010`,
      granularity: 'model',
      dppSchemaVersion: 'EN 18223:2026',
      dppStatus: 'active',
      lastUpdated: '2026-03-05T07:09:00.000Z',
      economicOperatorId: '0088:9520001000003',
      contentSpecificationIds: [`${siteUrl}/ns/dpp#group-textile`],
    });
    expect(read([], 'compressed')).toEqual(header);
  });

  test.each([
    ['an item', { is_item: true, public_serial: 'SN/1' }, ['item', `${siteUrl}/01/09520001000010/21/SN%2F1`]],
    ['an item whose number is not public', { is_item: true }, ['item', `${siteUrl}/p/skellig/hat`]],
    ['a product without a GTIN', { gtin: null }, ['model', `${siteUrl}/p/skellig/hat`]],
  ])('of %s', (_name, more, expected) => {
    const { granularity, uniqueProductIdentifier } = read([], 'full', more);
    expect([granularity, uniqueProductIdentifier]).toEqual(expected);
  });

  test('has the facility, if there is one', () => {
    expect(read([], 'full', { facility_id: 'did:web:x' }).facilityId).toBe('did:web:x');
  });
});

describe('the elements', () => {
  const values = [
    given('care', 'Kalt waschen.'),
    given('care', 'Wash cold.', { locale: 'en' }),
    given('cycles', 300),
    given('elements', 'a field of the owner'),
    given('fibres', [{ name: 'Wolle', note: 'fein' }, null, { name: 'Seide', share: null }]),
    given('made_on', '2026-02-03'),
    given('month', '2026-02'),
    given('nothing', null),
    given('own', { deep: [[1.5], true] }),
    given('parts', ['Knopf', 'Garn']),
    given('share', 12, { unit: '%' }),
    given('site', 'https://hat.example'),
    given('unknown', null, { is_unknown: true }),
  ];
  const { elements = [], ...header } = read(values, 'full');
  const whole = read(values, 'compressed');
  const byId = new Map(elements.map((element) => [element.elementId, element]));
  const text = (elementId: string, value: unknown, valueDataType = 'xsd:string') => ({
    ...{ elementId, objectType: 'SingleValuedDataElement', valueDataType, value },
  });

  test('are those of the known values, and the members of `compressed` are the same', () => {
    const known = 'care cycles elements fibres made_on month own parts share site'.split(' ');
    expect([...byId.keys()]).toEqual(known);
    // A closed schema cannot see a leak here: every other member would be allowed.
    const members = known.filter((key) => key !== 'elements');
    expect(Object.keys(whole)).toEqual([...Object.keys(header), ...members]);
  });

  test('have the type of their value', () => {
    const reference = (key: string) => ({ dictionaryReference: `${siteUrl}/ns/dpp#${key}` });
    expect(byId.get('cycles')).toEqual({ ...reference('cycles'), ...text('cycles', 300, 'xsd:integer') });
    expect(byId.get('made_on')).toMatchObject({ valueDataType: 'xsd:date' });
    expect(byId.get('month')).toMatchObject({ valueDataType: 'xsd:gYearMonth' });
    expect(byId.get('site')).toMatchObject({ valueDataType: 'xsd:anyURI' });
    expect(byId.get('elements')).toEqual(text('elements', 'a field of the owner'));
    expect(byId.get('share')).toEqual({
      ...{ elementId: 'share', ...reference('share'), objectType: 'DataElementCollection' },
      elements: [text('value', 12, 'xsd:decimal'), text('unit', '%')],
    });
    const value = [
      { value: 'Kalt waschen.', language: 'de' },
      { value: 'Wash cold.', language: 'en' },
    ];
    expect(byId.get('care')).toMatchObject({ objectType: 'MultiLanguageDataElement', value });
    expect(byId.get('fibres')).toMatchObject({
      objectType: 'MultiValuedDataElement',
      elements: [
        {
          ...{ elementId: '0', objectType: 'DataElementCollection' },
          elements: [text('name', 'Wolle'), { elementId: 'note', value: [{ value: 'fein', language: 'de' }] }],
        },
        { elementId: '1', elements: [text('name', 'Seide')] },
      ],
    });
  });

  test('are their values in `compressed`', () => {
    expect(whole).toMatchObject({
      cycles: 300,
      parts: ['Knopf', 'Garn'],
      share: { value: 12, unit: '%' },
      own: { deep: [[1.5], true] },
      fibres: [{ name: 'Wolle' }, { name: 'Seide' }],
    });
  });

  test.each([
    ["$['cycles']", 300],
    ['$.share.unit', '%'],
    ["$['own']['deep'][0][0]", 1.5],
    ["$['fibres'][1]['name']", 'Seide'],
    ["$['fibres'][2]", undefined],
    ["$['fibres']['1']", undefined],
    ["$['share'][0]", undefined],
    ["$['cycles']['value']", undefined],
    ["$['unknown']", undefined],
    ["$['lastUpdated']", undefined],
  ])('%s is %j', (path, value) => {
    const found = elementAt(elements, elementSteps(path) ?? []);
    expect((found as { value?: unknown } | undefined)?.value).toEqual(value);
  });
});

test.each([
  ["$['a']", ['a']],
  ["$['a']['b'][0]", ['a', 'b', 0]],
  ['$.a_1.Größe[12]', ['a_1', 'Größe', 12]],
  ["$['it\\'s \\\\ \\u00e4 \"x\".y']", ['it\'s \\ ä "x".y']],
  ...[
    '',
    '$',
    'a',
    '$[',
    '$.',
    '$..a',
    '$.*',
    '$[*]',
    '$[-1]',
    '$[01]',
    "$['a'",
    '$["a"]',
    "$['\\x']",
    '$.1a',
    '$.a ',
    "$['a\n']",
  ].map((path) => [path, undefined] as const),
])('the path %j has the steps %j', (path, steps) => {
  expect(elementSteps(path)).toEqual(steps);
});

test.each([
  ['2026-03-05T07:09:00Z', '2026-03-05T07:09:00.000Z'],
  ['2026-03-05T08:09:00.1+01:00', '2026-03-05T07:09:00.100Z'],
  ['2026-03-05T00:09:00.0009999-07:00', '2026-03-05T07:09:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ...[
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '',
  ].map((text) => [text, undefined] as const),
  ...['2026-01-01T00:00:60Z', '2026-01-01T00:00:00+25:00', '0000-01-01T00:00:00+23:59'].map(
    (text) => [text, undefined] as const,
  ),
])('the time %j is %j', (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});

test.each([
  ['/p/skellig/hat', path],
  ['/p/skellig/hat/jsonld', path],
  ...[
    '/p/skellig',
    '/p/skellig/hat/',
    '/p/skellig/hat/json',
    '/p/Skellig/hat',
    '/p/skellig/hat?x',
    '/p/skellig/hat:1',
  ].map((rest) => [rest, undefined] as const),
])('the id …%s is that of %j', (rest, expected) => {
  expect(passportPathOf(siteUrl + rest, siteUrl)).toEqual(expected);
  expect(passportPathOf(`https://other.example${rest}`, siteUrl)).toBeUndefined();
});

const gtin = '09520001000010';
test.each([
  ['9520001000010', { gtin }],
  [gtin, { gtin }],
  [`${siteUrl}/01/9520001000010`, { gtin }],
  [`${siteUrl}/01/${gtin}/21/SN%2F1`, { gtin, serial: 'SN/1' }],
  ['urn:dpp:skellig:hat', { path, urn: 'urn:dpp:skellig:hat' }],
  ['URN:DPP:skellig:hat', { path, urn: 'urn:dpp:skellig:hat' }],
  [`${siteUrl}/p/skellig/hat`, { path }],
  ...[
    `${siteUrl}/p/skellig/hat/jsonld`,
    `https://id.gs1.org/01/${gtin}`,
    '952000100001',
    'urn:dpp:skellig',
    '',
    'hat',
  ].map((id) => [id === '952000100001' ? '9520001' : id, undefined] as const),
  ...['/10/L1', '/22/2A', '/235/T', '/10/L1/21/S', '/21/', `/21/${'9'.repeat(21)}`, '/21/%ff', '/21/%00', '?x=1'].map(
    (rest) => [`${siteUrl}/01/${gtin}${rest}`, undefined] as const,
  ),
])('the product identifier %j names %j', (id, expected) => {
  expect(namedProduct(id, siteUrl)).toEqual(
    expected && {
      ...('gtin' in expected && { serial: undefined }),
      ...('path' in expected && { urn: undefined }),
      ...expected,
    },
  );
});

describe('a page of ids', () => {
  const ids = ['9520001000010', 'none', `${siteUrl}/p/skellig/hat`, 'urn:dpp:skellig:cap'];
  const find: Parameters<typeof pageOfIds>[3] = async (named) =>
    named.map((one) => one && ('path' in one ? one.path : path));
  const page = (limit: number, cursor?: string, body: Parameters<typeof pageOfIds>[0] = ids) =>
    pageOfIds(body, { limit, cursor }, siteUrl, find);
  const cursorIn = ({ link = '' }: Record<string, string>) => /cursor=([^>]+)>; rel="next"$/.exec(link)?.[1];

  test('has the ids in the order of the identifiers, none twice, and the last one has no next page', async () => {
    const addresses = ['hat', 'cap'].map((slug) => `${siteUrl}/p/skellig/${slug}/jsonld`);
    expect(await page(100)).toEqual({ body: addresses, headers: {} });
    for (const limit of [1, 2, 3]) {
      const all: string[] = [];
      let [cursor, pages] = [undefined as string | undefined, 0];
      do {
        const { body, headers } = await page(limit, cursor);
        all.push(...body);
        cursor = cursorIn(headers);
        pages += 1;
      } while (cursor !== undefined);
      expect([all, pages]).toEqual([addresses, Math.ceil(4 / limit)]);
    }
  });

  test('takes the cursor of its own body, and no other', async () => {
    const cursor = cursorIn((await page(2)).headers) ?? '';
    expect(cursor).toMatch(/^2\.[0-9a-f]{24}$/);
    for (const wrong of ['', 'x', '2', '-1', '0', cursor.replace('2', '3'), cursor.replace('2', '99'), `${cursor}0`]) {
      await expect(page(2, wrong)).rejects.toThrow('cursor must be that of the page before');
    }
    await expect(page(2, cursor, [...ids, 'more'])).rejects.toThrow('cursor must be');
  });

  test('takes two names, and one of them', async () => {
    expect((await page(100, undefined, { productId: ids })).body).toHaveLength(2);
    await expect(page(100, undefined, {})).rejects.toThrow('productIds is required.');
    await expect(page(100, undefined, { productIds: ids, productId: ids })).rejects.toThrow('and not both');
  });
});

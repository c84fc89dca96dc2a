/**
 * What the conformance cases GS1-1 to GS1-4 do not see of the resolver: hostile paths and queries, whole responses, and the
 * passports of single items. A snapshot has a line for each request: the target of the redirect, or the status and the code
 * of the error.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseDigitalLink } from '../../../sdk/src/gs1.ts';
import { drawOutlines } from '../../../server/src/carriers/image.ts';
import { isPostgres } from '../../../server/src/database/statement.ts';
import { languages } from '../../../server/src/languages/languages.ts';
import { findInUse } from '../../../server/src/passports/unique.ts';
import { unsetFields } from '../../../server/src/passports/write.ts';
import { findForeignActive, findLinked } from '../../../server/src/products/gtins.ts';
import { listProducts } from '../../../server/src/products/list.ts';
import { type Database, type DatabaseKind, databaseKinds, onStatement } from '../../support/database.ts';
import { type Client, startService, useService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';
import { exchange, type RawAnswer, sharedHeaders } from '../../support/wire.ts';

const siteUrl = 'https://passport.example.com';
const gtin = '9520001000010';
const link = `/01/${gtin}`;
const page = `${siteUrl}/p/mandant-1/tasse`;

const service = useService('SQLite', { siteUrl });
let client: Client;
const resolve = (path: string, headers = {}) => client.call({ path, headers, key: null, operationId: 'resolveGtin' });

beforeAll(async () => {
  client = await service.newTenant();
  await client.publish({ name: 'Tasse "Förde" <b>', slug: 'tasse', gtin });
  await client.create({ name: 'Entwurf', gtin: '9520001000027' });
  await client.publish({ name: 'Alt', gtin: '9520001000034' });
  await service.archive(client, 'alt');
});

async function outcomeOf(path: string, headers = {}): Promise<string> {
  const { outcome, headers: sent } = await resolve(path, headers);
  return sent.location ?? outcome;
}

function isDigitalLink(path: string): boolean {
  try {
    return Boolean(parseDigitalLink(siteUrl + path));
  } catch {
    return false;
  }
}

test.each(
  Object.entries({
    'key qualifiers': [
      ...['/22/V', '/10/B', '/21/S/', '/22/V/10/B', '/22/V/21/S', '/10/B/21/S', '/22/V/10/B/21/S', '/235/T'],
      // An escaped slash is part of the value, a plain slash is not.
      ...['/21/SN%2F001', '/21/SN%2f001', '/10/%2F21%2F/21/S', '/235/a%2Fb%2Fc', '/10/50%25'],
      ...['/21/SN/001', '/21%2FS', '/10/A%2F21/S/', '%2F21%2FS'],
    ],
    'key qualifiers in the wrong order, twice, unknown or without a value': [
      ...['/10/B/22/V', '/21/S/10/B', '/21/S/22/V/10/B', '/10/A/10/B', '/22/V/10/A/10/B/21/S', '/235/T/21/S'],
      ...['/22/V/235/T', '/99/X', '/3103/000195', '/ser/S', '/022/V', '/x', '/10', '/10/', '/10/B/21', '/10//21/S'],
      ...['//10/B', '//', '/22/V/10/B/21/S/235/T', '/BBg7w3XYjRk'],
    ],
    'values of the largest length, and longer ones': [
      ...['22', '10', '21'].flatMap((key) => [`/${key}/${'x'.repeat(20)}`, `/${key}/${'%2F'.repeat(21)}`]),
      ...[`/235/${'%2F'.repeat(28)}`, `/235/${'x'.repeat(29)}`],
    ],
    'characters that a value cannot have': [
      ...['/10/abc%', '/10/a%zb/21/S', '/21/%25%2', '/21/a%20b', '/21/a%23b', '/21/a%24b', '/21/a@b', '/21/a%5Cb'],
      ...['/21/a%0D%0Ab', '/21/%00', '/21/%7F', '/21/%C3%A4', '/21/%EF%BC%91', '/21/%FF', '/21/../../../api/v1/me'],
      '/../../api/v1/me',
    ],
  }),
)('%s: the server and the SDK read them alike', async (_name, ends) => {
  const lines: string[] = [];
  for (const end of ends) {
    const outcome = await outcomeOf(link + end);
    expect([end, isDigitalLink(link + end)]).toEqual([end, outcome.startsWith(page)]);
    // A path that is no Digital Link has the same error for an unknown GTIN.
    if (!outcome.startsWith(page)) expect(await outcomeOf(`/01/9520001000041${end}`)).toBe(outcome);
    lines.push(`${end} → ${outcome}`);
  }
  expect(lines.join('\n')).toMatchSnapshot();
});

const linkTypes = [
  ...['gs1:pip', 'gs1:defaultLink', 'gs1:dpp', 'https://ref.gs1.org/voc/dpp', 'https%3A%2F%2Fref.gs1.org%2Fvoc%2Fdpp'],
  ...['https://gs1.org/voc/pip', 'https://www.gs1.org/voc/dpp', 'http://gs1.org/voc/defaultLink', 'linkset', 'all'],
  ...['gs1:nosuchlt', 'gs1:productSustainabilityInfo', 'gs1:linkset', 'gs1:', 'dpp', 'DPP', '__proto__'],
  ...['gs1:__proto__', 'https://evil.example/voc/dpp', 'https://ref.gs1.org.evil.example/voc/dpp'],
  ...['https://ref.gs1.org/voc/dpp/', '', 'gs1:pip&linkType=gs1:pip', 'gs1:pip&linktype=gs1:dpp'],
];
const digits = ['1', '95200010000', '095200010000101', '952000100001X', '%EF%BC%99520001', '%20', '..', '%2e%2e'];

test.each(
  Object.entries({
    'GTINs of another length': digits.flatMap((text) => [`/01/${text}`, `/01/${text}/22/V/21/S`]),
    'paths without a GTIN': ['/01', '/01/', '/01//', '/01//21/S'],
    'link types': [
      ...linkTypes.map((type) => `${link}?linkType=${type}`),
      ...['linktype', 'LINKTYPE', 'link%54ype'].map((name) => `${link}/22/V?${name}=gs1:dpp`),
    ],
    'queries, which the target keeps': [
      ...['zugang=t', 'b=2&a=1&b=1', 'a=%20+%2B&%41=%c3%a4&c=%C3%A4', '17=261231&3103=000195', 'a&&=&b=', ''],
      ...["a=b?c=/d:@!$'()*,;", 'a=1&linkType=gs1:pip&b=2', 'LinkType=gs1:pip&zugang=t', 'a=linkType=gs1:dpp'],
      ...['?linkType=x', 'xlinkType=gs1:dpp', 'a=%zz&b=%', 'a="<>\\^`{|}', 'b=%20&linkType=gs1:dpp&zugang=t&a=1'],
    ].flatMap((query) => [`${link}?${query}`, `${link}/21/S%2F1?${query}`]),
  }),
)('%s', async (_name, paths) => {
  const lines: string[] = [];
  for (const path of paths) lines.push(`${path} → ${await outcomeOf(path)}`);
  expect(lines.join('\n')).toMatchSnapshot();
});

test('Accept chooses between the page, the document and the linkset, and a link type precedes it', async () => {
  const lines: string[] = [];
  for (const accept of [
    ...['application/linkset+json', 'application/linkset+json, */*;q=0.1', 'Application/Linkset+JSON'],
    ...['text/html;q=0.5, application/linkset+json;q=0.9', 'application/ld+json'],
    'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"',
    ...['text/html;q=0.2, application/ld+json;q=0.3', 'text/html;q=0.3, application/ld+json;q=0.2'],
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    ...[
      '*/*',
      'text/*',
      'application/json',
      'application/linkset+json;q=0',
      'application/pdf',
      '',
      'nonsense',
      'a/b;c',
    ],
    'a/b;q=',
  ])
    lines.push(`${accept} → ${await outcomeOf(`${link}/22/V`, { accept })}`);
  for (const type of ['gs1:pip', 'gs1:nosuch'])
    lines.push(`${type} → ${await outcomeOf(`${link}?linkType=${type}`, { accept: 'application/linkset+json' })}`);
  expect(lines.join('\n')).toMatchSnapshot();
});

test.each([
  link,
  `${link}?linkType=gs1:dpp`,
  `${link}?linkType=linkset`,
  `${link}?linkType=gs1:nosuch`,
  `/01/0${gtin}/22/V/10/B/21/S%2f1?linkType=all`,
  `${link}/10/a%20b`,
  '/.well-known/gs1resolver',
])('the whole response: %s', async (path) => {
  const { outcome, headers, text } = await client.call({ path, key: null });
  expect({ outcome, headers: sharedHeaders(headers), body: text && JSON.parse(text) }).toMatchSnapshot();
});

test('a token makes the response private', async () => {
  for (const query of ['', '&linkType=linkset']) {
    const { headers } = await resolve(`${link}?zugang=t${query}`);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
  }
});

test('the status is 302 if it is configured, and no resolution counts as a scan', async () => {
  const other = await startService('SQLite', { on: service.database, siteUrl, redirectStatus: 302 });
  const before = await client.scans();
  for (const end of ['', '/10/A', '?linkType=gs1:dpp'])
    expect((await other.clientOf(client).call({ path: link + end, operationId: 'resolveGtin' })).status).toBe(302);
  expect(await client.scans()).toEqual(before);
});

test('an unknown GTIN, a draft and an archived product give the same 404 to every request', async () => {
  const { text, headers } = await resolve('/01/9520001000041');
  for (const other of ['9520001000041', '9520001000027', '9520001000034'])
    for (const end of ['', '/10/A', '/22/V/21/S', '?linkType=linkset', '?linkType=gs1:nosuch']) {
      const reply = await resolve(`/01/${other}${end}`);
      expect([reply.outcome, reply.text]).toEqual(['404 not_found', text]);
      expect(sharedHeaders(reply.headers)).toEqual(sharedHeaders(headers));
    }
});

/** Sends the bytes unchanged. */
function raw(target: string, head = 'Host: x'): Promise<RawAnswer> {
  return exchange(service.port, `GET ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
}

test.each([
  [link, page, 'Host: evil.example'],
  [link, page, 'Host: x\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example'],
  [`http://evil.example${link}?a=1`, `${page}?a=1`, 'Host: evil.example'],
  [`http://evil@x${link}`, page, 'Host: x'],
  [`${link}?url=//evil.example`, `${page}?url=//evil.example`, 'Host: x'],
  [`${link}?/../../evil`, `${page}?/../../evil`, 'Host: x'],
  [`${link}?a=%0d%0aSet-Cookie:%20a=b`, `${page}?a=%0d%0aSet-Cookie:%20a=b`, 'Host: x'],
  [`${link}?a=1#//evil.example`, `${page}?a=1`, 'Host: x'],
])('the target never comes from the request: %s', async (target, location, head) => {
  const { status, headers } = await raw(target, head);
  expect([status, headers.location, headers['set-cookie']]).toEqual([307, location, undefined]);
  expect((await raw(`${target.split(/[?#]/)[0]}?linkType=linkset`, head)).text).not.toContain('evil');
});

test.each([
  ...[`//evil.example${link}`, '/01//evil.example', '/01/https://evil.example', '/01/%2F%2Fevil.example'],
  ...[`${link}/../../p`, `${link}%0d%0aLocation:%20//evil.example`, '/01/..//evil.example', `${link}?a=ä`],
  '/ARFKk4XB0CDKWcnpq',
])('%s is not redirected', async (target) => {
  const { status, headers, text } = await raw(target);
  expect([status >= 400, headers.location, text.includes('evil')]).toEqual([true, undefined, false]);
});

/** A tenant with a model and its items, of one GTIN. */
async function addItems(client: Client, serials: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [slug, serial] of Object.entries(serials)) {
    const values = serial === undefined ? [] : [{ field_key: 'serial_number', value: serial }];
    await client.publish({ name: slug, slug, gtin, product_group: 'battery' }, values);
  }
}

describe.each(databaseKinds)('the passport of a single item, on %s', (kind: DatabaseKind) => {
  const service = useService(kind, { siteUrl });
  const link = `/01/0${gtin}`;
  let client: Client;
  const resolve = (rest: string, headers = {}) =>
    client.call({ path: `${link}${rest}`, headers, key: null, operationId: 'resolveGtin' });
  /** The path of the target, without the name of the tenant. */
  const target = async (rest: string, headers = {}) =>
    (await resolve(rest, headers)).headers.location?.replace(`${siteUrl}/p/${client.tenant.slug}/`, '');

  beforeAll(async () => {
    client = await service.newTenant();
    const serials = { one: 'SN-1', two: 'SN-2', twin: 'SN-2', slash: 'SN/%"', lower: 'sn-1', digits: 123, dots: '..' };
    await addItems(client, { model: undefined, ...serials });
  });

  test('a serial number leads to the passport of its item, anything else to that of the model', async () => {
    const lines: string[] = [];
    for (const rest of [
      ...['', '/10/L', '/21/SN-1', '/21/sn-1', '/21/SN%2D1', '/21/SN-2', '/21/SN%2F%25%22', '/21/SN', '/21/SN_1'],
      ...['/21/123', '/10/L/21/SN-1', '/21/SN-1?17=271231&lang=de', '/21/SN-1?linkType=gs1:dpp', '/235/SN-1'],
    ])
      lines.push(`${rest} → ${await target(rest)}`);
    expect(lines.join('\n')).toMatchSnapshot();
    expect(await target('/21/SN-1', { accept: 'application/ld+json' })).toBe('one/jsonld');
    const short = await client.call({ path: '/01/9520001000010/21/SN-1', key: null, operationId: 'resolveGtin' });
    expect(short.headers.location).toBe(`${siteUrl}/p/${client.tenant.slug}/one?serial=SN-1`);
  });

  test('an item with a public serial number opens also at the address of its model and of another item', async () => {
    const token = await client.token('recycler');
    const asked = async (slug: string, serial: string, headers = {}) => {
      const query = `serial=${serial}&batch=L&lang=en&zugang=${token}`;
      const path = `/p/${client.tenant.slug}/${slug}`;
      const { status, text, headers: all } = await client.call({ path, query, headers, key: null });
      const { date, 'x-request-id': id, ...rest } = all;
      return { status, text, ...rest };
    };
    for (const headers of [{}, { accept: 'application/ld+json' }]) {
      const own = await asked('one', 'SN-1', headers);
      expect(own.text).toContain('SN-1');
      for (const slug of ['model', 'two']) expect(await asked(slug, 'SN-1', headers)).toEqual(own);
    }
    const { text } = await asked('one', 'sn-1');
    expect(text).toContain('This is the passport of the battery with serial <bdi class="code">sn-1</bdi>');
  });

  test('the linkset agrees: the links of the item, then those of its product', async () => {
    const { text } = await resolve('/21/SN-1', { accept: 'application/linkset+json' });
    expect(JSON.parse(text)).toMatchSnapshot();
  });

  test('the API keeps the link of the GTIN, and the code of the page has the serial number', async () => {
    const { items } = await client.carriers('one');
    expect(items.map(({ gs1_digital_link }) => gs1_digital_link)).toEqual([`${siteUrl}${link}`]);
    expect(await client.product('dots')).toMatchObject({ serial_number: '..' });
    for (const [slug, code] of Object.entries({ one: '/21/SN-1', slash: '/21/SN%2F%25%22', dots: '', model: '' })) {
      const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}`, key: null });
      expect(text).toContain((await drawOutlines(`${siteUrl}${link}${code}`, 'qr')).path);
    }
  });

  test('what the passport says of the serial number decides, at once', async () => {
    await addItems(client, { changing: 'C-1' });
    const write = (value: object) => client.write('changing', [{ field_key: 'serial_number', ...value }]);
    const found: unknown[] = [];
    const look = async (): Promise<void> => {
      const targets = [await target('/21/C-1'), await target('/21/C-2')];
      found.push(targets.map((one) => one?.split('?')[0]));
    };
    await look();
    await write({ value: 'C-2' });
    await look();
    for (const hidden of [{ access_level: 'restricted' }, { is_unknown: true }, { access_level: 'authority' }]) {
      await write({ value: 'C-1', ...hidden });
      await look();
      await write({ value: 'C-1', access_level: 'public', is_unknown: false });
      await look();
    }
    await service.archive(client, 'changing');
    await look();
    await service.activate(client, 'changing');
    await look();
    await service.database.transaction((on) => unsetFields(on, client.tenant, 'changing', ['serial_number']));
    await look();
    const [first, second, none] = [
      ['changing', 'model'],
      ['model', 'changing'],
      ['model', 'model'],
    ];
    expect(found).toEqual([first, second, none, first, none, first, none, first, none, first, none]);
  });

  test('a draft is not found, and the serial number is there when it is activated', async () => {
    await client.create({ name: 'draft', slug: 'draft', gtin: '9520001000010' });
    await client.write('draft', [{ field_key: 'serial_number', value: 'D-1' }]);
    expect(await target('/21/D-1')).toBe('model?serial=D-1');
    await service.activate(client, 'draft');
    expect(await target('/21/D-1')).toBe('draft?serial=D-1');
  });

  test('another tenant takes over neither the link of the GTIN nor those of its items', async () => {
    const other = await service.newTenant();
    await addItems(other, { fake: 'SN-1', more: 'F-1' });
    expect(await target('/21/SN-1')).toBe('one?serial=SN-1');
    expect(await target('/21/F-1')).toBe('model?serial=F-1');
  });

  test('a thousand items of one GTIN are found by their serial numbers, by the index', async () => {
    const many = await service.newTenant();
    const gtin = '9520001000027';
    const slugs = Array.from({ length: 1000 }, (_, index) => `item-${index}`);
    const products = slugs.map((slug) => ({ name: slug, slug, gtin, status: 'active' as const }));
    await storeProducts(service.database, many.tenant, products);
    const serials = { serial_number: service.database.ref('slug'), public_serial: service.database.ref('slug') };
    await service.database('products').where({ tenant_id: many.tenant.id }).update(serials);
    for (const slug of slugs.slice(-20)) {
      const path = `/01/${gtin}/21/${slug}`;
      const { headers } = await many.call({ path, key: null, operationId: 'resolveGtin' });
      expect(headers.location).toBe(`${siteUrl}/p/${many.tenant.slug}/${slug}?serial=${slug}`);
    }
    const unique = ['serial_number', 'battery_passport_id'].map((field_key) => ({ field_key, value: '"item-1"' }));
    const [ofSerial, ofField] = await plansOf(service.database, (database) =>
      findInUse(database, many.tenant.id, { id: 'none', gtin }, unique),
    );
    expect(ofSerial).toContain('products_serials');
    expect(ofField).toContain('passport_values_battery_passport_id');
    const ofTenants = 'gtin_tenants_active';
    const lookUps: [indexes: string[], read: (database: Database) => Promise<unknown>][] = [
      [
        [ofTenants, 'products_tenant_id_gtin14_status_is_item_activated_at_id_index', 'products_items'],
        (database) => findLinked(database, gtin, 'item-1'),
      ],
      [[ofTenants], (database) => findForeignActive(database, many.tenant.id, gtin)],
    ];
    for (const [indexes, read] of lookUps) {
      const plans = await plansOf(service.database, read);
      for (const [at, index] of indexes.entries()) {
        expect(plans[at]).toContain(index);
        expect(plans[at]).not.toMatch(/TEMP B-TREE|Sort Key: (?!gtin_tenants)|Seq Scan on products/);
      }
    }
    const page = { limit: 5, offset: 0 };
    // PostgreSQL knows by its statistics that the tenant has no model: both indexes are as good.
    const ofModels = kind === 'SQLite' ? /products_models/ : /products_(?:models|listed)/;
    const lists: [index: RegExp, read: (on: Database) => Promise<unknown>][] = [
      [/products_items/, (on) => listProducts(on, many.tenant.id, { status: 'active', publicSerial: 'item-1' }, page)],
      [/products_serials/, (on) => listProducts(on, many.tenant.id, { status: 'active', serial: 'item-1' }, page)],
      [/products_listed/, (on) => listProducts(on, many.tenant.id, { serial: '' }, page)],
      [ofModels, (on) => listProducts(on, many.tenant.id, { gtin, serial: '' }, page)],
      [ofModels, (on) => listProducts(on, many.tenant.id, { gtin, serial: '', status: 'active' }, page)],
    ];
    for (const [index, read] of lists) expect((await plansOf(service.database, read)).join()).toMatch(index);
  });

  test('a page of an item that is asked for with another serial number shows no value, in any role', async () => {
    const own = await service.newTenant();
    const secret = { field_key: 'state_of_health', value: 'HEALTH-87', access_level: 'restricted' };
    const values = [{ field_key: 'manufacturer_name', value: 'MAKER-1' }, secret];
    const serial = { field_key: 'serial_number', value: 'OWN-1' };
    await own.publish({ name: 'ITEM', slug: 'item', gtin: '9520001000065', model: 'MODEL-1' }, [...values, serial]);
    const hidden = { ...serial, value: 'HIDE-1', access_level: 'restricted' };
    await own.publish({ name: 'HIDDEN', slug: 'hidden', gtin: '9520001000065' }, [...values, hidden]);
    const tokens = ['', await own.token('recycler'), await own.token('inspector'), 'invalid'];
    const scans = async () => (await own.scans()).total;
    const page = async (query: string, accept = '*/*', path = `/p/${own.tenant.slug}/item`) =>
      own.call({ path, query, headers: { accept }, key: null });

    const whole = await page(`serial=OWN-1&zugang=${tokens[2]}`);
    for (const shown of ['MAKER-1', 'HEALTH-87', 'MODEL-1', 'application/ld+json']) expect(whole.text).toContain(shown);
    const document = `/p/${own.tenant.slug}/item/jsonld`;
    const open = ['', 'serial=OWN-1', 'serial=', 'serial=%7F'].map((query) => page(query, '*/*', document));
    expect((await Promise.all(open)).map(({ text }) => text.includes('MAKER-1'))).toEqual(Array(4).fill(true));
    const before = await scans();
    for (const token of tokens) {
      for (const [slug, other] of [
        ['item', 'OTHER-1'],
        ['item', 'own-1'],
        ['hidden', 'HIDE-1'],
      ] as const) {
        const path = `/p/${own.tenant.slug}/${slug}`;
        const query = `serial=${other}${token && `&zugang=${token}`}`;
        const none = await page('', '*/*', `/p/${own.tenant.slug}/none/jsonld`);
        const documents = ['', '&version=1', '&download', '&lang=de'].map((more) =>
          page(query + more, '*/*', `${path}/jsonld`),
        );
        const refused = (await Promise.all(documents)).map(({ outcome, text, headers }) => [
          outcome,
          text,
          headers.link,
        ]);
        expect(refused).toEqual(Array(4).fill(['404 not_found', none.text, undefined]));
        for (const accept of ['text/html', 'application/ld+json']) {
          const { status, headers, text } = await page(query, accept, path);
          expect([status, headers['content-type'], headers['cache-control']]).toEqual([
            200,
            'text/html; charset=utf-8',
            'private, no-store',
          ]);
          expect([headers.link, headers.etag]).toEqual([undefined, undefined]);
          expect(text).toContain(slug.toUpperCase());
          expect(text).toContain(other);
          expect(text).not.toMatch(/MAKER-1|HEALTH-87|MODEL-1|ld\+json|[0-9a-f]{64}|completeness/i);
          expect(text.includes(`href="${path}?lang=de${token && `&amp;zugang=${token}`}"`)).toBe(token !== 'invalid');
        }
      }
    }
    expect(await scans()).toBe(before);
  });

  test('a document of an item is about the item, and names the serial number only if it is public', async () => {
    const own = await service.newTenant();
    const gtin = '9520001000072';
    const serials = { open: 'S/1', long: 'x'.repeat(21), hidden: 'H-1', model: undefined };
    const found: Record<string, unknown> = {};
    for (const [slug, value] of Object.entries(serials)) {
      const access_level = slug === 'hidden' ? 'restricted' : 'public';
      await own.publish({ name: slug, slug, gtin }, value ? [{ field_key: 'serial_number', value, access_level }] : []);
      const { text } = await own.call({ path: `/p/${own.tenant.slug}/${slug}/jsonld`, key: null });
      const { '@id': id, hasGS1DigitalLink: its, 'dpp:itemOf': itemOf } = JSON.parse(text);
      found[slug] = [id, its, itemOf?.['@id']];
    }
    const model = `${siteUrl}/01/0${gtin}`;
    const urn = (slug: string) => `urn:dpp:${own.tenant.slug}:${slug}`;
    expect(found).toEqual({
      open: [`${model}/21/S%2F1`, `${model}/21/S%2F1`, model],
      long: [urn('long'), undefined, model],
      hidden: [urn('hidden'), undefined, model],
      model: [model, model, undefined],
    });
  });

  test('a page of a model says that no passport is registered for an item, if items have passports', async () => {
    const own = await service.newTenant();
    const noticeAt = async (slug: string, query: string) => {
      const { text } = await own.call({ path: `/p/${own.tenant.slug}/${slug}`, query: `lang=en&${query}`, key: null });
      return text
        .split('<p class="notice scanned">')[1]
        ?.split('</p>')[0]
        ?.replaceAll(/<[^>]+>/g, '');
    };
    const group = { product_group: 'battery' };
    await own.publish({ name: 'plain', slug: 'plain', ...group, gtin: '9520001000089' });
    const category = [{ field_key: 'battery_category', value: 'lmt' }];
    await own.publish({ name: 'lmt', slug: 'lmt', ...group, gtin: '9520001000096' }, category);
    const unregistered =
      'No public passport is registered here for the battery with serial X-1. You see what holds for its model.';
    const usual = 'You scanned serial number X-1. This passport is for the model.';
    expect(await noticeAt('plain', 'serial=X-1')).toBe(usual);
    expect(await noticeAt('lmt', 'serial=X-1')).toBe(unregistered);
    expect(await noticeAt('lmt', 'batch=B')).toBe('You scanned batch B. This passport is for the model.');
    const hidden = [{ field_key: 'serial_number', value: 'X-1', access_level: 'restricted' }];
    await own.publish({ name: 'item', slug: 'item', ...group, gtin: '9520001000089' }, hidden);
    expect(await noticeAt('plain', 'serial=X-1')).toBe(unregistered);
    expect(await noticeAt('plain', '')).toBeUndefined();
    expect(await noticeAt('item', '')).toBe('This is the passport of a single item.');
    expect(await noticeAt('item', 'batch=B')).toBe('This is the passport of a single item. You scanned batch B.');
    await service.archive(own, 'item');
    expect(await noticeAt('plain', 'serial=X-1')).toBe(usual);
  });

  test.each([
    ['with', '9520001000041', '/model', '/model'],
    ['without', '9520001000058', '/item', '[404,'],
  ])(
    'no response tells apart numbers that no public item has, %s a model',
    async (model, itsGtin, opened, document) => {
      const own = await service.newTenant();
      const others = { gtin: itsGtin };
      const values = (value: string, more = {}) => [{ field_key: 'serial_number', value, ...more }];
      await own.publish({ name: 'item', slug: 'item', ...others }, values('SN-1'));
      await own.publish(
        { name: 'hidden', slug: 'hidden', ...others },
        values('HIDE-1', { access_level: 'restricted' }),
      );
      await own.publish({ name: 'gone', slug: 'gone', ...others }, values('GONE-1'));
      await service.archive(own, 'gone');
      await own.create({ name: 'new', slug: 'new', ...others });
      await own.write('new', values('DRAF-1'));
      if (model === 'with') await own.publish({ name: 'model', slug: 'model', ...others });
      const tokens = [await own.token('recycler'), await own.token('inspector')];

      const responsesTo = async (serial: string, query: string): Promise<unknown[]> => {
        const found: unknown[] = [];
        for (const accept of ['*/*', 'application/ld+json', 'application/linkset+json']) {
          const path = `/01/0${others.gtin}/21/${serial}?${query}`;
          const statements: string[] = [];
          const stop = onStatement(service.database, ({ sql }) => statements.push(sql));
          const response = await own.call({ path, headers: { accept }, key: null, operationId: 'resolveGtin' });
          const { date, 'x-request-id': id, ...headers } = response.headers;
          stop();
          found.push(
            statements,
            JSON.stringify([response.status, headers, response.text]).replaceAll(serial, 'SERIAL'),
          );
        }
        return found;
      };
      for (const query of ['', ...tokens.map((token) => `zugang=${token}`), 'linkType=gs1:dpp']) {
        const unknown = await responsesTo('NONE-1', query);
        for (const serial of ['HIDE-1', 'GONE-1', 'DRAF-1']) expect(await responsesTo(serial, query)).toEqual(unknown);
        expect(unknown[0]).not.toEqual([]);
        expect(JSON.stringify(unknown)).toContain(query === 'linkType=gs1:dpp' ? document : opened);
      }
    },
  );

  test('the model is found although an item was activated first, and two models are told apart by time', async () => {
    const own = await service.newTenant();
    const slugs = { item: 'M-1', first: undefined, second: undefined, hidden: undefined };
    for (const [slug, serial] of Object.entries(slugs)) {
      const values = serial === undefined ? [] : [{ field_key: 'serial_number', value: serial }];
      await own.publish({ name: slug, slug, gtin: '9520001000034' }, values);
    }
    const opened = async () => {
      const { headers } = await own.call({ path: '/01/9520001000034', key: null, operationId: 'resolveGtin' });
      return headers.location?.split('/').at(-1);
    };
    const found = [await opened()];
    await own.write('first', [{ field_key: 'serial_number', value: 5, access_level: 'authority' }]);
    found.push(await opened());
    for (const slug of ['second', 'hidden']) await service.archive(own, slug);
    found.push(await opened());
    expect(found).toEqual(['first', 'second', 'item']);
  });
});

describe('the page of a single item', () => {
  const service = useService('SQLite', { siteUrl });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
    await addItems(client, { one: 'SN-1', tag: '"<b>&', hidden: undefined });
    await client.write('hidden', [{ field_key: 'serial_number', value: 'H-1', access_level: 'restricted' }]);
    for (const product_group of ['toy', 'textile', null]) {
      const slug = `a-${product_group}`;
      await client.publish({ name: slug, slug, product_group }, [{ field_key: 'serial_number', value: 'X1' }]);
    }
  });

  test('says whose passport it is, and what was scanned', async () => {
    const asked = [
      ...languages.map((lang) => ['one', `serial=SN-1&batch=L&lang=${lang}`] as const),
      ...['a-toy', 'a-textile', 'a-null'].map((slug) => [slug, 'serial=X1&lang=en'] as const),
      ...languages.map((lang) => ['one', `serial=SN-2&lang=${lang}`] as const),
      ['hidden', 'serial=H-1&lang=en'] as const,
      ['tag', `serial=${encodeURIComponent('"<b>&')}&lang=en`] as const,
      ['one', 'lang=en'] as const,
    ];
    const lines: string[] = [];
    for (const [slug, query] of asked) {
      const { text, headers } = await client.call({ path: `/p/mandant-1/${slug}`, query, key: null });
      const notice = /<p class="notice scanned">(.*?)<\/p>/.exec(text)?.[1]?.replaceAll(/<[^>]+>/g, '');
      lines.push(`${slug}?${query}: ${notice}`);
      const isPrivate = headers['cache-control'] === 'private, no-store' && headers.etag === undefined;
      expect([query, isPrivate]).toEqual([query, query.includes('serial')]);
    }
    expect(lines.join('\n')).toMatchSnapshot();
  });
});

/** How the database runs each statement of a look-up. */
async function plansOf(database: Database, read: (database: Database) => Promise<unknown>): Promise<string[]> {
  // A SQLite file has no statistics unless somebody runs ANALYZE.
  if (isPostgres(database)) await database.raw('ANALYZE products');
  return database.transaction(async (transaction) => {
    const sent: { sql: string; bindings: string[] }[] = [];
    const note = ({ sql, bindings }: { sql: string; bindings: string[] }) => sent.push({ sql, bindings });
    transaction.on('query', note);
    await read(transaction);
    transaction.off('query', note);
    const explain = isPostgres(database) ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    const plans: string[] = [];
    for (const { sql, bindings } of sent) {
      plans.push(JSON.stringify(await transaction.raw(`${explain} ${sql.replaceAll(/\$\d/g, '?')}`, bindings)));
    }
    return plans;
  });
}

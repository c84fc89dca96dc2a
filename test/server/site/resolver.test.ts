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
import { unsetFields } from '../../../server/src/passports/write.ts';
import { findActiveByGtin, findActiveItem, findForeignActiveByGtin } from '../../../server/src/products/store.ts';
import { type Database, type DatabaseKind, databaseKinds } from '../../support/database.ts';
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

  test('the linkset agrees: the links of the item, then those of its product', async () => {
    const { text } = await resolve('/21/SN-1', { accept: 'application/linkset+json' });
    expect(JSON.parse(text)).toMatchSnapshot();
  });

  test('the API keeps the link of the GTIN, and the code of the page has the serial number', async () => {
    const { items } = await client.carriers('one');
    expect(items.map(({ gs1_digital_link }) => gs1_digital_link)).toEqual([`${siteUrl}${link}`]);
    expect(await client.product('one')).not.toHaveProperty('serial_number');
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
    const serials = { serial_number: service.database.ref('slug') };
    await service.database('products').where({ tenant_id: many.tenant.id }).update(serials);
    for (const slug of slugs.slice(-20)) {
      const path = `/01/${gtin}/21/${slug}`;
      const { headers } = await many.call({ path, key: null, operationId: 'resolveGtin' });
      expect(headers.location).toBe(`${siteUrl}/p/${many.tenant.slug}/${slug}?serial=${slug}`);
    }
    const owner = { tenant_id: many.tenant.id, tenant_slug: '', slug: '', name: '' };
    const lookUps: [index: string, read: (database: Database) => Promise<unknown>][] = [
      ['products_items', (database) => findActiveItem(database, owner, gtin, 'item-1')],
      ['products_gtin14_status_activated_at_id_index', (database) => findActiveByGtin(database, gtin)],
      ['products_gtins', (database) => findForeignActiveByGtin(database, many.tenant.id, gtin)],
    ];
    for (const [index, read] of lookUps) {
      const plan = await planOf(service.database, read);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort|Seq Scan on products/i);
    }
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
      ['one', 'serial=SN-2&lang=en'] as const,
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

/** How the database runs the first statement of a look-up. */
async function planOf(database: Database, read: (database: Database) => Promise<unknown>): Promise<string> {
  await database.raw('ANALYZE products');
  let sent = { sql: '', bindings: [] as string[] };
  return database.transaction(async (transaction) => {
    transaction.once('query', ({ sql, bindings }) => {
      sent = { sql, bindings };
    });
    await read(transaction);
    const explain = isPostgres(database) ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    return JSON.stringify(await transaction.raw(`${explain} ${sent.sql.replaceAll(/\$\d/g, '?')}`, sent.bindings));
  });
}

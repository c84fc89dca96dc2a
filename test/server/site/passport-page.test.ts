/** Whole pages of each reader, and what no snapshot shows: hostile values, hidden ones, large ones. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type TokenRole, tokenRoles } from '@product-passport/openapi';
import { type Client, useService } from '../../support/service.ts';

const run = promisify(execFile);
const now = new Date('2026-03-05T07:09:59.999Z');
const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl, now: () => now });
/** Its pages have an address that a command reaches. */
const reachable = useService('SQLite');
let client: Client;
const tokens: Record<TokenRole, string> = { recycler: '', inspector: '' };

beforeAll(async () => {
  client = await service.newTenant();
  for (const role of tokenRoles) tokens[role] = await client.token(role, now);
});

/** The path of the page of an active product with these values. */
function publish(values: readonly object[], product: object = {}): Promise<string> {
  return client.publish({ name: 'Tasse', ...product }, values);
}

async function html(path: string, query = 'lang=en'): Promise<string> {
  const { status, text } = await client.call({ path, query, key: null });
  expect(status).toBe(200);
  return text;
}

const block = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/;

/** A page without what is random, its stylesheet, its document and its drawings. */
function plain(page: string): string {
  return page
    .replace(block, '')
    .replaceAll(/(<style>|<svg[^>]*>).*?(?=<\/(?:style|svg)>)/gs, '$1')
    .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{4}(?=…)/g, 'RANDOM');
}

const open = { field_key: 'care_instructions', value: 'wash by hand', source: 'supplier', needs_review: true };
const secrets = [
  { field_key: 'disassembly_instructions', value: 'https://a.example/unscrew', access_level: 'restricted' },
  { field_key: 'test_reports', value: ['report Quokka'], unit: 'folio', access_level: 'authority' },
];

describe('the page of', () => {
  const paths = { pullover: '', empty: '', dangerous: '' };

  beforeAll(async () => {
    paths.empty = await publish([], { name: 'Leer' });
    paths.dangerous = await publish(
      [
        { field_key: 'signal_word', value: 'danger' },
        { field_key: 'hazard_pictograms', value: Array.from({ length: 9 }, (_, index) => `GHS0${index + 1}`) },
        { field_key: 'hazard_statements', value: 'H200 H225 H271 H280 H301 H304 H314 H317 H334'.split(' ') },
      ],
      { name: 'Reiniger', product_group: 'chemical' },
    );
    paths.pullover = await publish(
      [
        ...[open, ...secrets],
        { field_key: 'garment_weight', value: 'heavy' },
        { field_key: 'recycling_instructions', value: 'Bring it back.' },
        { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 85.5 }, { fibre: 'Brennnessel' }] },
        { field_key: 'country_of_weaving', value: 'IT' },
        { field_key: 'manufacturer_name', value: 'Möbel <AG>' },
        { field_key: 'manufacturer_address', value: 'Hafen 1\n24103 Kiel' },
        { field_key: 'manufacturer_contact', value: 'hilfe@moebel.example' },
        { field_key: 'importer_name', value: 'Import GmbH' },
        { field_key: 'importer_contact', value: 'www.import.example' },
        { field_key: 'repair_instructions', value: 'https://docs.example.com/fix?a=1&b="c"' },
        {
          field_key: 'manuals',
          value: [{ url: 'https://a.example/m.pdf', title: 'Handbuch <1>' }, 'https://b.example/'],
        },
        { field_key: 'note', value: ['https://c.example/', 'and a word', 'javascript:alert(1)'] },
        // The page leaves out the null of a field that the template does not have.
        { field_key: 'colur', value: null },
        { field_key: 'colur_of_seams', value: null, access_level: 'restricted', needs_review: true },
        { field_key: 'weave', value: null, is_unknown: true },
      ],
      { name: 'Pulli "A" <b>', slug: 'pullover', model: 'Fjord', gtin: '9520001000010', product_group: 'textile' },
    );
    const registry = { registry_status: 'registered', registry_id: 'EU-<1>' };
    await service.database('products').where({ slug: 'pullover' }).update(registry);
  });

  test.each([
    ['everybody', 'pullover', 'lang=en'],
    ['everybody, in German', 'pullover', 'lang=de'],
    ['a recycler', 'pullover', 'lang=en&zugang=recycler'],
    ['an inspector', 'pullover', 'lang=en&zugang=inspector'],
    ['an invalid token', 'pullover', 'lang=de&zugang=%22%3E%3Cb%3E'],
    ['a scanned item', 'pullover', 'lang=pl&batch=L%2F1&serial=%3CSN%3E'],
    ['a product without values', 'empty', 'lang=en'],
    ['a dangerous product', 'dangerous', 'lang=fr'],
  ] as const)('%s', async (_, product, query) => {
    const page = await html(
      paths[product],
      query.replace(/(?<=zugang=)(recycler|inspector)$/, (role) => tokens[role as TokenRole]),
    );
    expect(plain(page)).toMatchSnapshot();
  });
});

test('a text of the passport has its language on a page in another one, in the key facts and after an official sentence too', async () => {
  const share = { fibre: 'Möwenhaar', share: 100 };
  const textile = await publish([{ field_key: 'fibre_composition', value: [share] }], { product_group: 'textile' });
  expect((await html(textile, 'lang=it')).match(/<span dir="auto" lang="de">Möwenhaar<\/span>/g)).toHaveLength(2);
  const value = [{ code: 'P501', text: 'Zum Wertstoffhof.' }];
  const chemical = await publish([{ field_key: 'precautionary_statements', value }], { product_group: 'chemical' });
  expect(await html(chemical, 'lang=it')).toContain(
    'recipiente in … <span dir="auto" lang="de">Zum Wertstoffhof.</span>',
  );
  expect(await html(chemical, 'lang=de')).toContain('<span dir="auto">P501: Zum Wertstoffhof.</span>');
});

test('hostile values are inert as name, model, key, value, unit, member, list and table', async () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</script><script>alert(2)</script>',
    '<!-- comment --><svg onload=alert(3)>',
    '&lt;b&gt; &amp; \u2028 \u2029',
    '<% throw 1 %><%~ it %>',
  ];
  const texts = hostile.map((text, index) => ({
    field_key: `${index} ${text}`.slice(0, 100),
    value: text,
    unit: text.slice(0, 50),
  }));
  const path = await publish(
    [
      ...texts,
      { field_key: 'list', value: hostile },
      { field_key: 'object', value: Object.fromEntries(hostile.map((text) => [text, { [text]: [text] }])) },
      { field_key: 'table', value: hostile.map((text) => ({ [`${hostile[1]}`]: text })) },
      { field_key: 'repair_instructions', value: hostile[1] },
      { field_key: 'manufacturer_name', value: hostile[0] },
    ],
    { name: hostile[1], model: hostile[2], product_group: 'textile' },
  );
  const page = await html(path);
  const [whole = '', json = ''] = block.exec(page) ?? [];
  const rest = page.replace(whole, '');
  expect(rest).not.toMatch(/<(?:script|img|b)\b|<!--|onload=alert\(3\)>/);
  // The description quotes the name. A quote inside it would end the attribute, and what follows would be found.
  const quoted = rest.replaceAll(/(<meta [a-z]+="[\w:-]+" content=)"[^"<>]*">/g, '$1"">');
  for (const [tag] of quoted.matchAll(/<[a-z][^>]*>/g)) expect(tag).not.toMatch(/\son\w+\s*=|javascript:/i);
  expect(rest).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(rest).toContain('&lt;% throw 1 %&gt;');
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(JSON.parse(await html(`${path}/jsonld`)));
});

test('a page shows no trace of a hidden value, and equals the page of a passport without it', async () => {
  const product = { name: 'Pullover', slug: 'with', product_group: 'textile' };
  const page = await html(await publish([open, ...secrets], product));
  const other = await html(await publish([open], { ...product, slug: 'without' }));
  for (const trace of ['isassembly', 'unscrew', 'est_report', 'Quokka', 'folio', 'Not public', 'authorit'])
    expect(page).not.toContain(trace);
  // The products differ in their slugs and in the widths of their codes.
  const same = (text: string): string => plain(text).replaceAll(/\bwith(out)?\b|viewBox="[^"]*"/g, '');
  expect(same(page)).toBe(same(other));
});

test('the page has a command that checks the public hash, and that notices a change', async () => {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  const local = await reachable.newTenant();
  const path = await local.publish('Tasse', [
    open,
    { field_key: 'own_field', value: { '～': [1e21, 0.1, null], '𝄞': "it's", a: false }, unit: 'kg' },
    { field_key: 'warranty_months', value: null, is_unknown: true },
  ]);
  const { text: page } = await local.call({ path, key: null });
  const [, escaped = ''] = /<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(page) ?? [];
  const command = escaped.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name) => characters[name] ?? '');
  const printed = async (line: string) => (await run('sh', ['-c', line])).stdout;
  const [, hash] = /"dpp:publicContentHash":"([0-9a-f]{64})"/.exec(page) ?? [];
  expect(command).not.toContain('\n');
  expect(await printed(command)).toBe(`OK ${hash}\n`);
  const { text } = await local.call({ path: `${path}/jsonld`, key: null });
  const changed = Buffer.from(text.replace('wash by hand', 'boil')).toString('base64');
  const [address = ''] = /'http[^']*'$/.exec(command) ?? [];
  const result = await printed(command.replace(address, `'data:application/json;base64,${changed}'`));
  expect(result).toMatch(/^DIFFERENT [0-9a-f]{64}\n$/);
});

describe('a large passport', () => {
  test('has shortened values, with a link to the document with the full ones, which the page does not have itself', async () => {
    const long = { field_key: 'long', value: `<${'x'.repeat(9999)}y` };
    const path = await publish([long, { field_key: 'rows', value: Array.from({ length: 501 }, () => 0) }]);
    for (const [query, document] of [
      ['lang=en', '/jsonld'],
      [`lang=en&zugang=${tokens.recycler}`, `/jsonld?zugang=${tokens.recycler}`],
    ] as const) {
      const page = await html(path, query);
      expect(page).toContain(`&lt;${'x'.repeat(9999)}…</span>`);
      expect(page).not.toMatch(/xxy|<script/);
      expect(page.match(/<li>/g)).toHaveLength(500);
      const link = `<a href="${siteUrl}${path}${document}" type="application/ld+json">Shortened. The full value is in the machine-readable passport.</a>`;
      expect(page.split(link)).toHaveLength(3);
    }
    expect(await html(`${path}/jsonld`)).toContain(long.value);
    expect(await html(await publish([{ field_key: 'long', value: 'x'.repeat(10_000) }]))).toContain('<script');
  });
});

/** Whole pages of each reader and of the demo, pages with a value for each field, and what no snapshot shows. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Schemas, type TokenRole, tokenRoles } from '@product-passport/openapi';
import { groupPages } from '../../../server/src/docs/templates.ts';
import { type Language, languages, wordsOf } from '../../../server/src/languages/languages.ts';
import { type Client, fillPublicDemo, useService } from '../../support/service.ts';

const run = promisify(execFile);
const now = new Date('2026-03-05T07:09:59.999Z');
const siteUrl = 'https://passport.example.com';
let clock = now;
const service = useService('SQLite', { siteUrl, now: () => clock });
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

/** Ids, salts and hashes. */
const random = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{4}(?=…)/g;
const block = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/;

/** A page without what is random, its stylesheet, its document and its drawings. */
function plain(page: string): string {
  return page
    .replace(block, '')
    .replaceAll(/(<style>|<svg[^>]*>).*?(?=<\/(?:style|svg)>)/gs, '$1')
    .replaceAll(/ey[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replaceAll(random, 'RANDOM');
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
  // The first screen says all of it, so the section does not repeat it.
  expect((await html(textile, 'lang=it')).match(/<span dir="auto" lang="de">Möwenhaar<\/span>/g)).toHaveLength(1);
  const value = [{ code: 'P501', text: 'Zum Wertstoffhof.' }];
  const chemical = await publish([{ field_key: 'precautionary_statements', value }], { product_group: 'chemical' });
  expect(await html(chemical, 'lang=it')).toContain(
    'recipiente in … <span dir="auto" lang="de">Zum Wertstoffhof.</span>',
  );
  expect(await html(chemical, 'lang=de')).toContain('<span dir="auto">P501: Zum Wertstoffhof.</span>');
});

test('the line under the name says since when everybody reads the same', async () => {
  const value = (text: string, access_level = 'public') => ({ field_key: 'weave', value: text, access_level });
  const path = await publish([value('plain')], { slug: 'since' });
  const about = async () =>
    [...(/<p class="about.*?<\/p>/.exec(await html(path))?.[0].matchAll(/<span>(.*?)<\/span>/g) ?? [])].map(
      ([, part]) => part,
    );
  expect(await about()).toEqual(['version 2', 'public values unchanged since 5\u00a0Mar\u00a02026']);
  // The activation has the real time.
  clock = new Date('2050-05-01T00:00:00Z');
  await client.write('since', [{ field_key: 'origin_note', value: 'x', access_level: 'restricted' }]);
  expect(await about()).toEqual(['version 3', 'public values unchanged since 5\u00a0Mar\u00a02026']);
  await client.write('since', [value('twill')]);
  expect(await about()).toEqual(['version 4', 'public values unchanged since 1\u00a0May\u00a02050']);
  clock = new Date('2050-06-01T00:00:00Z');
  // Once hidden and shown again, the value is the same, but not since then.
  await client.write('since', [value('twill', 'restricted')]);
  await client.write('since', [value('twill')]);
  expect(await about()).toEqual(['version 6', 'public values unchanged since 1\u00a0Jun\u00a02050']);
  clock = now;
});

test('nothing is said of the disposal if no value and no law says it', async () => {
  const other = await publish([{ field_key: 'material_composition', value: 'steel' }], { product_group: 'other' });
  expect(await html(other)).not.toContain('<dt>Disposal</dt>');
  const battery = await publish([{ field_key: 'rated_capacity', value: 17 }], { product_group: 'battery' });
  expect(await html(battery)).toContain('To a battery collection point');
  // The route of the group and the codes of the passport say the same once.
  const value = 'reuse + textile + not_household';
  const shoe = await html(
    await publish([{ field_key: 'recycling_instructions', value }], { product_group: 'footwear' }),
  );
  expect(shoe).toContain('<div class="note">Pass it on if it can still be used.</div>');
  expect(shoe.match(/To textile collection/g)).toHaveLength(1);
});

test.each([
  [true, 'drawn', false],
  ['true', 'drawn', false],
  [false, 'none', true],
  ['false', 'none', true],
  ['No: exempt', 'none', true],
  [null, 'none', true],
])(
  'a battery whose separate collection symbol is %j has the symbol: %s, and a row of it: %s',
  async (value, sign, hasRow) => {
    const symbol = { field_key: 'separate_collection_symbol', value, is_unknown: value === null };
    const page = await html(await publish([symbol], { product_group: 'battery' }));
    expect(page.includes('#separate_collection"')).toBe(sign === 'drawn');
    expect(page.includes('auto">Separate collection')).toBe(hasRow);
  },
);

test('the row of a list whose unit stands in its label stays', async () => {
  const shirt = (unit: string | null) =>
    publish([{ field_key: 'country_of_origin', value: ['PT', 'IT'], unit }], { product_group: 'textile' });
  expect(await html(await shirt(null))).not.toContain('auto">Country of manufacture');
  expect(await html(await shirt('%'))).toContain('auto">Country of manufacture (%)');
});

test('a range is one row, unless its unit or its audience differs, or an inspector reads it', async () => {
  const voltage = (minimum: object, maximum: object) =>
    publish(
      [
        { field_key: 'minimum_voltage', value: 300, unit: 'V', ...minimum },
        { field_key: 'maximum_voltage', value: 403.5, unit: 'V', ...maximum },
      ],
      { product_group: 'battery' },
    );
  const range = await voltage({}, {});
  expect(await html(range)).toContain('<dt dir="auto">Voltage range</dt><dd>300 to 403.5\u00a0V</dd>');
  expect(await html(range)).not.toContain('auto">Minimum voltage</dt>');
  expect(await html(range, `lang=en&zugang=${tokens.inspector}`)).toContain('auto">Minimum voltage</dt>');
  expect(await html(await voltage({ unit: 'mV' }, {}))).toContain('auto">Minimum voltage</dt>');
  expect(await html(await voltage({ access_level: 'restricted' }, {}))).toContain('Maximum voltage</dt>');
  // A prefix of the page is no number of the passport.
  expect(await html(await voltage({}, { value: 1200 }))).toContain('<data value="1200">1.2\u00a0kV</data>');
});

test('a toy has the CE sign if its passport says so', async () => {
  const toy = (value: boolean) => publish([{ field_key: 'ce_marking', value }], { product_group: 'toy' });
  const page = await html(await toy(true));
  expect(page).toMatch(/<use href="#ce"\/>.*<symbol id="ce"/s);
  expect(page.split('With the CE mark the maker declares')).toHaveLength(2);
  expect(await html(await toy(false))).not.toContain('#ce');
});

test('a toy has the sign for children under three if a warning has its code, whatever other texts say', async () => {
  const toy = (value: unknown) => publish([{ field_key: 'safety_warnings', value }], { product_group: 'toy' });
  const page = await html(await toy(['small_parts + under_36_months']), 'lang=de');
  expect(page).toMatch(/<use href="#under_36_months"\/>.*<symbol id="under_36_months".*#e2001a/s);
  expect(page).toContain('Kleine Teile. Achtung: Nicht für Kinder unter 36 Monaten geeignet.');
  for (const value of [['Not suitable for children under 36 months.'], ['small_parts'], [{ x: 'under_36_months' }]])
    expect(await html(await toy(value))).not.toContain('#under_36_months');
});

test('the first class of a label leads to EPREL, which stands next to the last one where no tile has it', async () => {
  const tyre = await publish(
    [
      { field_key: 'eprel_registration_number', value: '1512346' },
      { field_key: 'wet_grip_class', value: 'B' },
      { field_key: 'fuel_efficiency_class', value: 'C' },
    ],
    { product_group: 'tyre' },
  );
  const page = await html(tyre);
  expect(page).toMatch(/<dt>Fuel efficiency<(?:(?!<dt>).)*eprel\.ec\.europa\.eu\/qr\/1512346[^>]*>EPREL 1512346 ↗/s);
  expect(page).not.toContain('<dt dir="auto">EPREL');
  const inspected = await html(tyre, `lang=en&zugang=${tokens.inspector}`);
  expect(inspected).toMatch(/<dt dir="auto">Wet grip class<(?:(?!<dt).)*<dt dir="auto">EPREL/s);
});

test('a page whose values all stand on the first screen is not called empty, and says there what they mean', async () => {
  const all = await publish([{ field_key: 'upper_material', value: 'leather' }], { product_group: 'footwear' });
  expect(await html(all)).not.toContain('No information');
  expect(await html(await publish([]))).toContain('No information has been added yet.');
  const class_ = await publish([{ field_key: 'ie_class', value: 'IE4' }], { product_group: 'motor' });
  const page = await html(class_);
  expect(page).not.toContain('auto">Efficiency class</dt>');
  expect(page).toMatch(/class="bases".*International class of motor efficiency: IE4 is better than IE3\. Required/s);
});

test('a recycler for whom the passport has nothing learns what the product is', async () => {
  const lamp = await publish([{ field_key: 'luminous_flux', value: 806, unit: 'lm' }], { product_group: 'lighting' });
  expect(await html(lamp, `lang=en&zugang=${tokens.recycler}`)).toMatch(/<dt>Brightness<.*806/s);
  const steel = await publish([{ field_key: 'steel_grade', value: 'S355' }], { product_group: 'steel' });
  expect((await html(steel, `lang=en&zugang=${tokens.recycler}`)).match(/>S355</g)).toHaveLength(1);
});

test.each([
  ['a tile', ['battery_chemistry'], /<div[^>]* id="further" tabindex="-1"><dt>Battery chemistry/],
  ['a row', ['battery_chemistry', 'charge_cycles'], /<dd class="origin" id="further"/],
])('the number of values that are not public leads to %s', async (_, keys, target) => {
  const values = keys.map((field_key) => ({ field_key, value: 'LFP', access_level: 'restricted' }));
  const path = await publish(values, { product_group: 'battery' });
  const page = await html(path, `lang=en&zugang=${tokens.recycler}`);
  expect(page).toContain(`<a href="#further">${keys.length} `);
  expect(page).toMatch(target);
  expect(page.match(/id="further"/g)).toHaveLength(1);
});

test('a recycler of detergent finds what it contains and whom to call on the first screen', async () => {
  const path = await publish(
    [
      { field_key: 'ingredient_classes', value: ['5-15 % anionic surfactants'] },
      { field_key: 'manufacturer_contact', value: 'help@clean.example' },
    ],
    { product_group: 'detergent' },
  );
  const [first] = /<p class="ways">.*?<\/dl>/s.exec(await html(path, `lang=en&zugang=${tokens.recycler}`)) ?? [];
  expect(first).toContain('anionic surfactants');
  expect(first).toContain('href="mailto:help@clean.example"');
});

test('the first screen has a link for each thing that the reader can do, and the sentence on access is the same on every page', async () => {
  const values = [
    { field_key: 'manufacturer_name', value: 'Akku AG' },
    { field_key: 'manufacturer_contact', value: 'Akku AG <help@akku.example>' },
    { field_key: 'waste_battery_information', value: 'Kostenlos: retour@akku.example, oder im Laden.' },
    { field_key: 'instructions_for_use', value: 'https://akku.example/use' },
    { field_key: 'spare_part_sources', value: [{ name: 'Akku AG' }], access_level: 'restricted' },
  ];
  const battery = await publish(values, { product_group: 'battery' });
  const links = (page: string) =>
    [...(/<p class="ways">(.*?)<\/p>/s.exec(page)?.[1] ?? '').matchAll(/href="(.*?)">(.*?)</g)].map(
      ([, ...link]) => link,
    );
  const everybody = await html(battery);
  expect(links(everybody)).toEqual([
    ['#documents', 'Documents'],
    ['mailto:retour@akku.example', 'Return'],
    ['mailto:help@akku.example', 'Contact'],
  ]);
  const recycler = await html(battery, `lang=en&zugang=${tokens.recycler}`);
  expect(links(recycler)).toEqual([['#documents', 'Documents'], ['#repair', 'Spare parts'], links(everybody)[2]]);
  const access = (target: string) => `may see more with an access link. <a href="#${target}">Ask for access</a></p>`;
  expect(everybody).toContain(access('operators'));
  expect(await html(await publish([]))).toContain(access('facts'));
  const address = await publish([{ field_key: 'importer_address', value: 'Kai 1, Kiel' }]);
  expect(links(await html(address))).toEqual([['#operators', 'Contact']]);
  expect(recycler).not.toContain('Ask for access');
});

test('the energy and the state of a battery follow from what the view shows, and are marked as computed', async () => {
  const value = (field_key: string, value: unknown, unit: string | null, access_level = 'public') => {
    return { field_key, value, unit, access_level };
  };
  const publishWith = (...values: object[]) =>
    publish([value('rated_capacity', 17.4, 'Ah'), ...values], { product_group: 'battery' });
  const read = async (path: string, role?: 'recycler') => {
    const page = await html(path, role ? `lang=en&zugang=${tokens[role]}` : 'lang=en');
    return { energy: page.includes('0.626\u00a0kWh (computed)'), state: page.includes('State of the battery') };
  };
  expect(await read(await publishWith(value('nominal_voltage', 36, 'V')))).toEqual({ energy: true, state: false });
  const hidden = await publishWith(value('nominal_voltage', 36, 'V', 'authority'));
  for (const role of [undefined, 'recycler'] as const) expect((await read(hidden, role)).energy).toBe(false);
  expect((await read(await publishWith(value('nominal_voltage', 36000, 'mV')))).energy).toBe(false);
  const measured = await publishWith(
    value('remaining_capacity', 8.7, 'Ah', 'restricted'),
    value('state_measured_on', '2026-03-01', null, 'restricted'),
  );
  expect((await read(measured)).state).toBe(false);
  const [state] = /<dt>State of.*?<\/dd>/s.exec(await html(measured, `lang=en&zugang=${tokens.recycler}`)) ?? [];
  expect(state).toMatch(/width="50" .*50%.*8\.7 of 17\.4\u00a0Ah \(computed\) · 1 March 2026/s);
  const certified = await publishWith(value('state_of_certified_energy', 97.463, '%', 'restricted'), {
    ...value('state_measured_on', null, null, 'restricted'),
    is_unknown: true,
  });
  const page = await html(certified, `lang=en&zugang=${tokens.recycler}`);
  expect(page).toMatch(/<dt>State of(?:(?!<dt).)*97\.463%/s);
  expect(page).toContain('auto">State of certified energy');
  expect(page).toContain('auto">State measured on');
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

describe('every field', () => {
  const day = new Date('2026-11-20T12:00:00.000Z');
  const service = useService('SQLite', { now: () => day, siteUrl: 'https://passport.example' });
  const groups = groupPages('', () => '', '2026-11-20');
  type Document = Schemas['PassportDocument'];
  /** What an inspector sees of each group's product. A value has the name of its field in place of its number, which moves. */
  const passports = new Map<string, { page: string; document: Document }>();

  beforeAll(async () => {
    const shop = await service.newTenant({ slug: 'shop', name: 'Laden GmbH', country: 'IE', language: 'en' });
    const query = { zugang: await shop.token('inspector', day) };
    for (const { key, sections } of groups) {
      const values = sections.flatMap(({ fields }) => fields.map(({ example }) => JSON.parse(example)));
      const path = await shop.publish({ name: `Product ${key}`, product_group: key }, values);
      const document: Document = JSON.parse((await shop.call({ path: `${path}/jsonld`, query, key: null })).text);
      const { text } = await shop.call({ path, query, key: null });
      const name = (place: number) => document.additionalProperty[place - 1]?.propertyID;
      passports.set(key, { document, page: text.replaceAll(/value-(\d+)/g, (_, place) => `value-${name(place)}`) });
    }
  });

  test.each(['battery', 'textile'])('the page and the document of a %s', (group) => {
    const { page = '', document } = passports.get(group) ?? {};
    expect(JSON.parse(block.exec(page)?.[1] ?? '')).toEqual(document);
    expect(plain(page)).toMatchSnapshot('page');
    const { additionalProperty = [], ...rest } = document ?? {};
    const members = Object.entries(rest).map(([name, value]) => ({ [name]: value }));
    const lines = [...members, ...additionalProperty].map((member) => JSON.stringify(member));
    expect(lines.join('\n').replaceAll(random, 'RANDOM')).toMatchSnapshot('document');
  });

  test('each field of every group, on the page and in the document', () => {
    const lines = [...passports.values()].flatMap(({ page, document }) => {
      // An object has its members in elements of the same name.
      const entries = page.matchAll(/<(div|dd|a) id="value-(\w+)"[^>]*>((?:<\1>.*?<\/\1>|.)*?)<\/\1>/gs);
      const shown = new Map(Array.from(entries, ([, , field, entry]) => [field, entry]));
      return document.additionalProperty.map((property) => {
        const { propertyID, name, value, unitText, unitCode, 'dpp:accessLevel': level } = property;
        const members = JSON.stringify([name, value, unitText, unitCode, level]);
        return `${propertyID} | ${textOf(shown.get(propertyID))} | ${members}`;
      });
    });
    expect(lines.filter((each) => each.includes('NOT SHOWN'))).toEqual([]);
    expect([...new Set(lines)].sort().join('\n')).toMatchSnapshot();
  });

  test('an object in any field may have members named as those of JavaScript', async () => {
    const client = await service.newTenant();
    const value = [{ toString: 1, valueOf: 2, constructor: 3, toJSON: 4 }, 'GHS02'];
    for (const { key, sections } of groups) {
      const values = sections.flatMap(({ fields }) => fields.map((field) => ({ field_key: field.key, value })));
      const path = await client.publish({ name: key, product_group: key }, values);
      const { status, text } = await client.call({ path, key: null });
      expect([key, status]).toEqual([key, 200]);
      expect(JSON.parse(block.exec(text)?.[1] ?? '').additionalProperty).toHaveLength(values.length);
    }
  });

  function textOf(entry = 'NOT SHOWN'): string {
    const texts = entry.replace(/<dd class="about">.*/s, '').replaceAll(/<[^>]+>/g, ' ');
    return texts.replaceAll(/\s+/g, ' ').trim();
  }
});

interface Said {
  label: string;
  words: string;
}

/** The label and the words of each tile of a page, and those of each value and document below. */
function saidOn(page: string): { tiles: Said[]; rows: Said[] } {
  const [tiles = '', rows = ''] = [
    /<dl class="key-facts">.*?(?=<div class="columns">)/s,
    /id="values".*?class="side"/s,
  ].map((part) => part.exec(page)?.[0]);
  const wordsOf = (part: string) =>
    part
      .replaceAll(/<thead>.*?<\/thead>|<span class="level">.*?<\/span>|<[^>]*>|[\u00ad\u200b↗]/gs, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const values = /<dt[^>]*>((?:(?!<dt).)*?)<\/dt><dd[^>]*>(.*?)<\/dd>|<li[^>]*>(<a.*?)<\/li>/gs;
  const found = [tiles, rows].map((part) =>
    Array.from(part.matchAll(values), ([, dt = '', dd, li]) => ({
      label: dt.replaceAll(/<span class="level">.*?<\/span>|<[^>]*>|\u00ad/gs, '').trim(),
      words: wordsOf(dd ?? li ?? ''),
    })),
  );
  return { tiles: found[0] ?? [], rows: found[1] ?? [] };
}

describe('the demo in every language, for an inspector if it has one', () => {
  const service = useService('SQLite', { siteUrl });
  let demo: Awaited<ReturnType<typeof fillPublicDemo>>;
  /** `texts`: those between the tags. */
  const pages: { name: string; language: Language; texts: string[]; html: string }[] = [];

  beforeAll(async () => {
    demo = await fillPublicDemo(service);
    const { tokens } = demo;
    // The words of drafts and of archived products are read, too.
    await service.database('products').update({ status: 'active' });
    const products = await service
      .database('products')
      .join('tenants', 'tenants.id', 'products.tenant_id')
      .select({ tenant: 'tenants.slug', slug: 'products.slug' });
    for (const { tenant, slug } of products) {
      const { token } = tokens.find((each) => each.tenant === tenant && each.role === 'inspector') ?? {};
      for (const language of languages) {
        const path = `/p/${tenant}/${slug}?lang=${language}${token ? `&zugang=${token}` : ''}`;
        const { status, text } = await service.send({ method: 'GET', path, headers: {} });
        expect([path, status]).toEqual([path, 200]);
        const texts = text.replace(/<(script|style)[\s\S]*?<\/\1>/g, '').split(/<[^>]*>/);
        const read = texts.map((each) =>
          each
            .replaceAll(/[\u00ad\u200b]/g, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        );
        pages.push({ name: `${slug} ${language}`, language, texts: read.filter((each) => each !== ''), html: text });
      }
    }
  });

  /** What a check finds on the pages, each with the name of its page. */
  const found = (check: (page: (typeof pages)[number]) => readonly unknown[]): unknown[] =>
    pages.flatMap((page) => check(page).map((finding) => [page.name, finding]));

  test('what a tile says no row says again, for any role, unless the label of the row says more', async () => {
    const again = new Set<string>();
    for (const { tenant, slug } of demo.products) {
      const tokenOf = (role: string) => demo.tokens.find((each) => each.tenant === tenant && each.role === role)?.token;
      const read = async (token: string | undefined) => {
        const path = `/p/${tenant}/${slug}?lang=en${token ? `&zugang=${token}` : ''}`;
        return saidOn((await service.send({ method: 'GET', path, headers: {} })).text);
      };
      // Two fields may have the same value. An inspector has a row for each.
      const { rows: all } = await read(tokenOf('inspector'));
      for (const role of ['consumer', 'recycler']) {
        const { tiles, rows } = await read(tokenOf(role));
        const count = (among: Said[], words: string) => among.filter((each) => each.words === words).length;
        for (const { label, words } of tiles) {
          const row = rows.find((each) => each.words === words);
          const isAgain = row && count([...tiles, ...rows], words) > count(all, words);
          if (isAgain) again.add(`${role} ${label}: ${row.label}`);
        }
      }
    }
    expect([...again].sort()).toEqual([
      'consumer Battery life: Battery endurance per cycle',
      'consumer Battery replaceable: User-replaceable battery',
      'consumer Data rate: Maximum data rate',
      'consumer Efficiency: Rated efficiency at 100% load',
      // Warnings stand whole in their section, too.
      'consumer Emergency call: Emergency telephone number',
      'consumer Energy a year: Annual energy consumption (ETEC)',
      'consumer Power: Maximum supported power',
      'consumer Power: Rated output power',
      'consumer Updates until: Software updates guaranteed until',
      'consumer Updates: Operating system update support',
      'consumer Warranty: Commercial warranty period',
    ]);
  });

  test('26 products have a page in each language', () => expect(pages).toHaveLength(26 * languages.length));

  test('each link within a page has its target', () => {
    const dead = found(({ html }) => {
      const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
      return Array.from(html.matchAll(/ href="#([^"]+)"/g), ([, id]) => id).filter((id) => !ids.has(id));
    });
    expect(dead).toEqual([]);
  });

  test('a page is smaller than 96 kB, with its style and without the links to each language', () => {
    const links = /<link rel="alternate" hreflang[^>]*>|<a [^>]*hreflang.*?<\/a>/gs;
    expect(found(({ html }) => (Buffer.byteLength(html.replaceAll(links, '')) < 96_000 ? [] : ['heavy']))).toEqual([]);
  });

  test('no page shows a code in place of a word', () => {
    expect(found(({ texts }) => texts.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text)))).toEqual([]);
  });

  test('no page shows a unit twice: in a value, or in a value and its label', () => {
    expect(found(({ texts }) => texts.filter((text) => /(?<!\p{L})(\D\S*) \1(\s|$)/u.test(` ${text}`)))).toEqual([]);
    /** `pH` has its capitals, which are not in "Smartphones". */
    const has = (text: string, word: string) =>
      word === 'pH' ? text.includes(word) : text.toLowerCase().includes(word.toLowerCase());
    const doubled = found(({ language, texts }) => {
      const forms = Object.values(wordsOf(language).units).flatMap((unit) => Object.values(unit));
      const words = forms.map((form) => form.replace('#', '').trim());
      return texts.flatMap((text, index) => {
        const next = texts[index + 1] ?? '';
        return /\d/.test(next) && words.some((word) => has(text, word) && has(next, word)) ? [[text, next]] : [];
      });
    });
    expect(doubled).toEqual([]);
  });
});

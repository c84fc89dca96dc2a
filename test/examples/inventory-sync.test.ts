/** The inventory sync: what it reads, what it brings, and the faults that its README names. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Article, type Rejection, readArticle } from '../../examples/inventory-sync/article.ts';
import { columnOf, groups, titleOf } from '../../examples/inventory-sync/columns.ts';
import { readExport } from '../../examples/inventory-sync/export.ts';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { templates } from '../../sdk/src/templates.ts';
import { createFakeService } from '../../sdk/src/testing.ts';
import { startServer, type TestServer } from '../../server/src/testing.ts';
import { scriptHere } from '../support/command.ts';
import { ending, newFolder } from '../support/files.ts';
import { type Outcome, type Running, root, run, start } from '../support/program.ts';
import { serveFetch } from '../support/serve.ts';

/** Where a service is and who asks. */
interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const folder = newFolder();
const script = join(root, 'examples/inventory-sync/sync.ts');
let service: TestServer;
/** The tenant of most tests, and its client. */
let server: Access;
let client: Client;

function tenant(slug: string): Access {
  const { apiKey = '' } = service.tenants.find((one) => one.slug === slug) ?? {};
  return { baseUrl: service.baseUrl, apiKey };
}

function environmentOf({ baseUrl, apiKey }: Partial<Access>): Record<string, string> {
  return {
    ...(baseUrl !== undefined && { PRODUCT_PASSPORT_URL: baseUrl }),
    ...(apiKey !== undefined && { PRODUCT_PASSPORT_KEY: apiKey }),
  };
}

/** Runs the example in this process. What is `undefined` is not in its environment. */
function synced(access: Partial<Access>, ...files: string[]): Promise<Outcome> {
  return scriptHere(script, files, environmentOf(access));
}

/** Starts the example in a process of its own, and waits until its output, standard error included, matches. */
async function started(ready: RegExp, access: Access, ...files: string[]): Promise<Running> {
  const program = await start(['node', script, ...files, '2>&1'].join(' '), ready, environmentOf(access));
  ending.defer(async () => void (await program.stop('SIGKILL')));
  return program;
}

/** A product with its values, without what depends on the time. */
async function content(slug: string) {
  const [{ name, product_group, gtin, model }, values] = await Promise.all([client.products.get(slug), valuesOf(slug)]);
  const shown = values.map(({ field_key, value, unit, access_level, is_unknown }) => {
    const more = [access_level === 'public' ? '' : access_level, is_unknown ? 'unknown' : ''];
    return [field_key, JSON.stringify(value), unit ?? '', ...more].filter(Boolean).join(' ');
  });
  return { slug, name, product_group, gtin, model, values: shown.sort() };
}

const valuesOf = async (slug: string, of = client) => (await of.passports.get(slug)).values;

/** The slugs of the tenant's products, sorted. */
async function slugsOf(of: Client): Promise<string[]> {
  const slugs: string[] = [];
  for await (const { slug } of of.products.list({ limit: 200 })) slugs.push(slug);
  return slugs.sort();
}

/** The slug of each product, its last change, and the hash of its latest version. */
async function versionsOfAll(): Promise<unknown[]> {
  const products = await Promise.all((await slugsOf(client)).map((slug) => client.products.get(slug)));
  return Promise.all(
    products.map(async ({ slug, updated_at }) => {
      const { latest_version } = await client.passports.get(slug);
      return [slug, updated_at, latest_version.content_hash];
    }),
  );
}

/** A service of its own, which can take part in a request, and end. */
async function fake(before: (request: Request, of: Client) => Promise<unknown> = async () => undefined) {
  const { fetch, provider, addKey } = createFakeService({ sample: false });
  const own = { baseUrl: provider.base_url, apiKey: provider.tenants[0]?.api_key ?? '' };
  const of = createClient({ ...own, fetch });
  const { url, close } = await serveFetch(async (request) => {
    await before(request, of);
    return fetch(request);
  });
  const publisher = { baseUrl: `${url}/api/v1`, apiKey: addKey('skellig', { publish: true }) };
  return { access: { ...own, baseUrl: `${url}/api/v1` }, publisher, of, close };
}

async function written(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The columns that all groups share, and those of cables. The last ones are required, and stay empty. */
const header =
  'Artikelnummer;Bezeichnung;Warengruppe;GTIN;Hersteller;Länge m;Halogenfrei;Art;Stecker A;Stecker B;Leistung W;Entsorgung';

/** A small file with cables. */
const cables = (name: string, ...rows: string[]) =>
  written(name, [header, ...rows.map((row) => `${row};;;;;`), ''].join('\n'));

/** The lines of one part of a report, a single space between their parts. */
function linesOf(stdout: string, title: string): string[] {
  const part = stdout.split('\n\n').find((text) => text.startsWith(title)) ?? '';
  const lines = part.split('\n').slice(1);
  return lines.map((line) => line.trim().replace(/ +/g, ' '));
}

/** The last line of a report, without the time. */
const totals = (stdout: string) =>
  stdout
    .trimEnd()
    .replace(/ in [\d.]+ s$/, '')
    .replace(/^.*\n/s, '');

let outage: ReturnType<typeof withoutService>;

/** The service ends in the middle and does not come back. */
async function withoutService(): Promise<{ code: number | null; said: string }> {
  const { access, close } = await fake();
  const program = await started(/ 10 %/, access, '--wait 2');
  await close();
  return { code: await program.end(), said: program.said() };
}

beforeAll(async () => {
  service = await startServer({ tenants: ['inventory', 'interrupted'] });
  server = tenant('inventory');
  client = createClient(server);
  // The program waits several seconds for a service that has ended; the other tests go on meanwhile.
  outage = withoutService();
  outage.catch(() => undefined);
});
afterAll(() => service.stop());

describe('the sample', () => {
  let outcome: Outcome;
  let versions: unknown[];
  beforeAll(async () => {
    outcome = await run(`node ${script}`, environmentOf(server));
    versions = await versionsOfAll();
  });

  test('is brought: each row is counted, and the faulty ones are reported with their line and reason', () => {
    expect(totals(outcome.stdout)).toBe('323 rows: 301 created, 0 updated, 0 unchanged, 2 repeated, 20 rejected');
    expect(outcome.code).toBe(1);
    expect(['Rejected', 'Repeated'].map((title) => linesOf(outcome.stdout, title))).toMatchSnapshot();
    const created = linesOf(outcome.stdout, 'Created');
    expect(created).toHaveLength(301);
    expect(created).toContain(
      'line 12 TX-41006 Merinopullover Fjord, Größe XS, birkenholzbraun (10 values, 80 % complete)',
    );
  });

  test('shows how far it is, where it goes to and what it does not read', () => {
    const lines = outcome.stderr.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'Not read: Lagerort, Bestand, EK netto',
      `inventory.csv, 323 rows, to inventory at ${server.baseUrl}`,
    ]);
    expect(lines.slice(2).map((line) => line.replace(/^\d+ of 323 rows, /, ''))).toEqual(
      Array.from({ length: 10 }, (_, index) => `${index + 1}0 %`),
    );
    expect(outcome.stderr + outcome.stdout).not.toContain(server.apiKey);
  });

  test('is in the service with units, access levels and unknown values, and nothing else', async () => {
    const all = await Promise.all((await slugsOf(client)).map(content));
    expect(all).toHaveLength(301);
    expect(all.filter(({ values }) => values.length === 0)).toEqual([]);
    const slugs = ['tx-41001', 'tx-41005', 'tx-41006', 'en-10001', 'en-20001', 'kb-24001', 'fa-25025', 'vp-11001'];
    expect(slugs.map((slug) => all.find((one) => one.slug === slug))).toMatchSnapshot();
  });

  test('changes nothing in a further run, and one value if one cell has changed', async () => {
    const { code, stdout } = await synced(server);
    expect(totals(stdout)).toBe('323 rows: 0 created, 0 updated, 301 unchanged, 2 repeated, 20 rejected');
    expect(code).toBe(1);
    expect(await versionsOfAll()).toEqual(versions);

    const text = await readFile(join(root, 'examples/inventory-sync/inventory.csv'), 'utf8');
    const changed = text.replace(/^(KB-24001;.*;)0,5(;60;0,48;)/m, '$10,55$2');
    expect(changed).not.toBe(text);
    const again = await synced(server, await written('changed.csv', changed));
    expect(linesOf(again.stdout, 'Updated')).toEqual([
      'line 178 KB-24001 USB-C-Kabel, 60 W, 0,5 m, weiß (cable_length; 100 % complete)',
    ]);
    const now = await versionsOfAll();
    expect(now.filter((one, index) => JSON.stringify(one) !== JSON.stringify(versions[index]))).toHaveLength(1);
  });
});

describe('a run that is ended', () => {
  test('by SIGINT finishes what is under way, and tells how to go on', async () => {
    const interrupted = tenant('interrupted');
    const program = await started(/ 10 %/, interrupted);
    expect(await program.stop('SIGINT')).toBe(130);
    const [, rows, created] = /(\d+) rows: (\d+) created/.exec(program.said()) ?? [];
    expect(program.said()).toContain(
      `Stopped after ${rows} of 323 rows: as you asked. To go on, start it again as before.\n`,
    );
    expect(Number(created)).toBeGreaterThan(20);
    const own = createClient(interrupted);
    const there = await Promise.all((await slugsOf(own)).map((slug) => valuesOf(slug, own)));
    expect(there).toHaveLength(Number(created));
    expect(there.filter((values) => values.length === 0)).toEqual([]);
  });

  test('while the service does not respond goes on when it does', async () => {
    let requests = 0;
    const { access, of } = await fake(async () => {
      requests += 1;
      if (requests > 30 && requests <= 60) throw new Error('The service is down.');
    });
    const rows = Array.from({ length: 20 }, (_, index) => `ZZ-W${index};Kabel Nord;Kabel;;Werk;2,5;ja`);
    const { code, stdout, stderr } = await synced(access, await cables('waits.csv', ...rows));
    // A product whose values got no response is updated.
    expect([code, totals(stdout)]).toEqual([
      0,
      expect.stringMatching(/^20 rows: \d+ created, \d+ updated, 0 unchanged, 0 repeated, 0 rej/),
    ]);
    expect(stderr).toContain('Waiting 1 s: the service does not respond');
    expect(await slugsOf(of)).toHaveLength(20);
  }, 60_000);

  test('by the end of the service says so and how far it came', async () => {
    const { code, said } = await outage;
    expect(code).toBe(1);
    const [, rows] = /^(\d+) rows: \d+ created/m.exec(said) ?? [];
    expect(Number(rows)).toBeGreaterThan(30);
    expect(Number(rows)).toBeLessThan(323);
    const stopped = `^Stopped after ${rows} of 323 rows: the service does not respond \\(E?[A-Z_]+\\)\\. To go on, start it`;
    expect(said).toMatch(new RegExp(stopped, 'm'));
  });
});

describe('a product', () => {
  const row = (number: string) => `${number};Kabel Nord;Kabel;;Werk;2,5;ja`;

  test('that is there under the slug and is another one is left as it is', async () => {
    const other = await client.products.create({ name: 'Something else', product_group: 'cable', slug: 'zz-other' });
    const { code, stdout } = await synced(server, await cables('other.csv', row('ZZ-OTHER')));
    expect([code, linesOf(stdout, 'Rejected')]).toEqual([
      1,
      ['line 2 ZZ-OTHER the service has zz-other with name "Something else", the row says "Kabel Nord"'],
    ]);
    expect(await client.products.get('zz-other')).toEqual(other);
    expect(await valuesOf('zz-other')).toEqual([]);
  });

  test('whose slug somebody else takes at that moment is reported under the slug that it got', async () => {
    const { access, of } = await fake(async ({ method }, of) => {
      if (method === 'POST') await of.products.create({ name: 'Taken', product_group: 'cable', slug: 'zz-1' });
    });
    const { code, stdout } = await synced(access, await cables('taken.csv', row('ZZ-1')));
    const reason = 'line 2 ZZ-1 another program took the slug zz-1: the service created "zz-1-2"';
    expect([code, linesOf(stdout, 'Rejected')]).toEqual([1, [reason]]);
    expect([await valuesOf('zz-1', of), await valuesOf('zz-1-2', of)]).toEqual([[], []]);
  });

  test('that was created and not filled gets its values in the next run', async () => {
    await client.products.create({ name: 'Kabel Nord', product_group: 'cable', slug: 'zz-half' });
    const { code, stdout } = await synced(server, await cables('halfway.csv', row('ZZ-HALF')));
    expect([code, totals(stdout)]).toEqual([0, '1 row: 0 created, 1 updated, 0 unchanged, 0 repeated, 0 rejected']);
    expect(await valuesOf('zz-half')).toHaveLength(3);
  });

  test('of two article numbers with one slug is that of the first, and keeps the values whose cells are empty now', async () => {
    const { stdout } = await synced(server, await cables('alike.csv', ...['A 1', 'A-1', 'ÄÖ'].map(row)));
    expect(linesOf(stdout, 'Rejected')).toEqual([
      'line 3 A-1 article number A 1 in line 2 gives the same slug, a-1',
      'line 4 ÄÖ Artikelnummer has no digit and no letter from a to z',
    ]);
    const again = await synced(server, await cables('empty-cells.csv', 'A 1;Kabel Nord;Kabel;;;;'));
    expect(totals(again.stdout)).toContain('0 updated, 1 unchanged');
    expect(await valuesOf('a-1')).toHaveLength(3);
  });
});

describe('it does not begin', () => {
  async function refused(access: Partial<Access>, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await synced(access, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('    at '); // no stack
    return stderr;
  }

  test('without an address, a key or a service', async () => {
    const { baseUrl, apiKey } = server;
    expect(await refused({ apiKey })).toMatch(/^PRODUCT_PASSPORT_URL is not set\.\n\n.*export PRODUCT_PASSPORT_URL=/s);
    expect(await refused({ baseUrl })).toMatch(/^PRODUCT_PASSPORT_KEY is not set\.\n\n.*export PRODUCT_PASSPORT_KEY=/s);
    expect(await refused({ baseUrl: 'nowhere', apiKey })).toMatch(/baseUrl/);
    expect(await refused(server, 'one.csv', 'two.csv')).toMatch(/^One file at most is expected\./);
    const said = await refused({ ...server, apiKey: 'ppk_wrong' });
    expect(said).toContain(`${server.baseUrl}: the service refuses the key.\n`);
    expect(said).not.toContain('ppk_wrong');
    const { access, close } = await fake();
    await close();
    expect(await refused(access)).toContain(`${access.baseUrl}: the service does not respond (ECONNREFUSED).\n`);
  });

  const columns = 'Artikelnummer;Bezeichnung;Warengruppe';
  const all = 'Artikelnummer, Bezeichnung, Warengruppe (in English: Article number, Name, Product group)';
  const notUtf8 = 'is not UTF-8. Most inventory systems write Windows-1252';
  test.each<[string, string | Uint8Array | undefined, string]>([
    ['missing', undefined, 'missing.csv does not exist. Name a CSV file.'],
    ['empty', '', 'empty.csv is empty.'],
    ['blank', '\uFEFF\r\n\r\n', 'blank.csv is empty.'],
    ['header alone', 'Marke;Group\n', `has no column ${all}.`],
    ['English', 'Article number;Bezeichnung\n', 'has no column Name, Product group.'],
    ['other columns', 'Artikelnummer;Name\nA;B\n', 'has no column Bezeichnung, Warengruppe.'],
    ['bars', `${columns.replaceAll(';', '|')}\nA|B|Kabel\n`, '. Are the cells separated by ;?'],
    ['wrong sep', `sep=,\n${columns}\n`, '. Are the cells separated by ;?'],
    ['twice', `${columns};GTIN;GTIN\n`, 'The column GTIN is there twice.'],
    ['JSON', '{"products": []}\n', 'has no column Artikelnummer'],
    ['binary', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff), notUtf8],
    ['Latin 1', Buffer.from('Artikelnummer;Größe\n', 'latin1'), notUtf8],
    ['open quote', `${columns}\nA;B;C\nD;"E;F\n`, 'cannot be read on from line 3, where a quoted cell has no end'],
  ])('with a file that is none: %s', async (name, content, message) => {
    const file = content === undefined ? join(folder, 'missing.csv') : await written(`${name}.csv`, content);
    expect(await refused(server, file)).toContain(message);
  });
});

/** The file of a spreadsheet with one cable. */
const good = 'SP-1;Kabel;Kabel;;Werk;2,5;ja;USB-C;USB-C;USB-C;240;Sammelstelle';
const sheet = (...rows: string[]) => [...rows, ''].join('\r\n');
const german = sheet(header, good);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const englishHeader =
  'Article number,Name,Product group,GTIN,Manufacturer,Length m,Halogen free,Type,Connector A,Connector B,Power W,Disposal';
const english = (length: string, power = '240', group = 'cable', type = 'usb_c') =>
  `SP-1,Kabel,${group},,Werk,${length},yes,${type},USB-C,USB-C,${power},Sammelstelle`;

/** What the program makes of the rows of a file. */
async function articlesOf(text: string | Uint8Array): Promise<(Article | Rejection)[]> {
  const articles: (Article | Rejection)[] = [];
  for await (const record of readExport(await written('sheet.csv', text))) articles.push(readArticle(record));
  return articles;
}

describe('a spreadsheet may write', () => {
  const { cable_length: _, ...rest } = {
    ...{ cable_length: 2.5, halogen_free: true, cable_type: 'usb_c', connector_a: 'USB-C', connector_b: 'USB-C' },
    ...{ max_power: 240, manufacturer_name: 'Werk', recycling_instructions: 'Sammelstelle' },
  };
  const [mark, spaced, noBreak] = [
    '\uFEFF',
    german.replace(';ja;', ';\u00A0ja\u202F;'),
    german.replace('Länge m', 'Länge\u00A0m'),
  ];
  test.each<[string, string | Uint8Array, object?]>([
    ['UTF-8', german],
    ['a byte order mark', mark + german],
    ['UTF-16, as PowerShell does', utf16(mark + german)],
    ['UTF-16 BE', utf16(mark + german).swap16()],
    ['UTF-16 without a mark', utf16(german)],
    ['UTF-16 BE without a mark', utf16(german).swap16()],
    ['tabs in UTF-16, as "Unicode text" of Excel', utf16(mark + german.replaceAll(';', '\t'))],
    ['a line sep=;', `${mark}sep=;\r\n${german}`],
    ['a line "sep=|" in quotes', `"sep=|"\r\n${german.replaceAll(';', '|')}`],
    ['an empty first row', `;;;\r\n${german}`],
    ['empty trailing columns', sheet(`${header};;;`, `${good};;;`)],
    ['empty trailing columns in the header alone', sheet(`${header};; ;`, good)],
    ['empty trailing cells in a row alone', sheet(header, `${good};\u00A0;`)],
    ['letters that are split', german.normalize('NFD')],
    ['another sign for ohm', german.replace(';Werk;', ';Werk \u2126;'), { manufacturer_name: 'Werk \u03A9' }],
    ['no-break spaces in names', noBreak.replace('Leistung W', '\u202FLeistung\u2007W ')],
    ['a line break in a name', german.replace('Länge m', '"Länge\nm"')],
    ['names in other letters', german.replace('Länge m', 'LÄNGE M').replace('GTIN', 'Gtin')],
    ['no-break spaces in words', spaced.replace(';Kabel;;', ';\u00A0Kabel ;;')],
    ...['1.234,5', '1234,5', '1\u00A0234,5', '1\u202F234,5', '1 234,5', '1\u2009234,50'].map(
      (number): [string, string, object] => [number, german.replace(';2,5;', `;${number};`), { cable_length: 1234.5 }],
    ),
    ['a comma between English names', sheet(englishHeader, english('2.5'))],
    [
      'English numbers',
      sheet(englishHeader, english('"1,234.5"', '"1,240"')),
      { cable_length: 1234.5, max_power: 1240 },
    ],
    ['English names and semicolons', sheet(englishHeader.replaceAll(',', ';'), good.replace('2,5', '2.5'))],
  ])('%s', async (_name, text, changed = {}) => {
    const [article] = (await articlesOf(text)) as Article[];
    const values = Object.fromEntries(article?.values.map(({ field_key, value }) => [field_key, value]) ?? []);
    expect(values).toEqual({ cable_length: 2.5, ...rest, ...changed });
  });

  test('a GTIN and shares with no-break spaces', async () => {
    const columns = 'Artikelnummer;Bezeichnung;Warengruppe;GTIN;Zusammensetzung';
    const row = 'SP-2;Hemd;Textilien;4\u00A0006381\u202F333931;60\u00A0% Baumwolle|40\u202F% Leinen';
    const shares = [
      ['Baumwolle', 60],
      ['Leinen', 40],
    ].map(([fibre, share]) => ({ fibre, share }));
    expect(await articlesOf(sheet(columns, row))).toMatchObject([
      { product: { gtin: '4006381333931' }, values: [{ field_key: 'fibre_composition', value: shares }] },
    ]);
  });
});

const fromCell = (beginning: string) => [beginning, ...good.split(';').slice(beginning.split(';').length)].join(';');
const [inGerman, inEnglish] = ['a number such as 1.234,5', 'a number such as 1,234.5'];
test.each([
  ...['2\u200B5', '\u200E25', '2\t5', '0.375', '1.234 567'].map((number) => [
    sheet(header, good.replace(';2,5;', `;${number};`)),
    `Länge m: "${number.replace('\t', '<U+0009>').replace('\u200B', '<U+200B>').replace('\u200E', '<U+200E>')}" is not ${inGerman}`,
  ]),
  [sheet(header, fromCell('SP-\u200B1')), 'Artikelnummer "SP-<U+200B>1" has a character that nobody sees'],
  [
    sheet(header, fromCell('SP-1;Kabel;Kabel;\u202A4006381333931')),
    'GTIN <U+202A>4006381333931: it has other characters than digits',
  ],
  [sheet(header, fromCell('SP-1;Kabel;Kabel\u00AD')), 'Warengruppe "Kabel<U+00AD>" is not known'],
  [sheet(englishHeader, english('2', '240', 'cables')), 'Product group "cables" is not known'],
  [
    sheet(englishHeader, english('"2,5"', '240', 'cable', 'usb')),
    `Type: "usb" is not one of USB-C cable, Other USB cable, Power cord, Data cable, Installation cable, Charging cable for electric vehicles, Other cable; Length m: "2,5" is not ${inEnglish}`,
  ],
  [
    sheet(englishHeader, english('2,5')),
    'it has more or fewer cells than the file has columns: is a cell with a separator not in quotes?',
  ],
])('a row is refused in the language of its file: %j', async (text, reason) => {
  expect(await articlesOf(text as string)).toEqual([expect.objectContaining({ reason })]);
});

test('a required column that is not read is named, and the exit code is 1', async () => {
  const text = german.replace('Länge m', 'Länge\u200Bm').replace('Halogenfrei', 'Stock');
  const { code, stderr } = await synced(server, await written('unread.csv', text));
  expect(stderr).toContain('Not read: Länge<U+200B>m, Stock\n');
  expect(stderr).toContain('Required, and not in the file: Länge m. Passports stay incomplete without them.\n');
  expect(code).toBe(1);
});

test('an option is read by its label in German or English, or a part of it, and in any letters', () => {
  const kindOf = (group: string) => groups[group]?.fields.Art?.kind;
  const [furniture, cable, tyre] = [kindOf('Möbel'), kindOf('Kabel'), groups.Reifen?.fields.Reifenklasse?.kind];
  const words = ['Stuhl', 'sessel', 'Stuhl oder Sessel', 'Chair', 'chair', 'Bett', 'Hocker'];
  expect(words.map((word) => furniture?.read(word, 'de'))).toEqual([...Array(5).fill('chair'), 'bed', undefined]);
  expect(['Netzkabel', 'Power cord', 'USB-C'].map((word) => cable?.read(word, 'de'))).toEqual([
    ...['power_cord', 'power_cord', 'usb_c'],
  ]);
  expect([tyre?.read('C1', 'de'), cable?.read('Kabel', 'de')]).toEqual(['C1', undefined]);
});

test('rejections of one reason are one line with their number and the first three', async () => {
  const rows = ['4006381333930', '4006381333932', '96385075', '4006381333934'].map(
    (gtin, index) => `ZZ-G${index};Kabel Nord;Kabel;${gtin};Werk;2,5;ja`,
  );
  const { stdout } = await synced(server, await cables('digits.csv', ...rows, 'ZZ-G9;Kabel;Nichts;;Werk;2,5;ja'));
  expect(linesOf(stdout, 'Rejected, nothing written (5)')).toEqual([
    '4 rows for one reason: line 2 ZZ-G0, line 3 ZZ-G1, line 4 ZZ-G2, …',
    'GTIN 4006381333930: its check digit is wrong, 1 would be right',
    'line 6 ZZ-G9 Warengruppe "Nichts" is not known',
  ]);
});

test('the columns are fields of the templates, with one name in each language', () => {
  for (const { template, fields } of Object.values(groups)) {
    const known = templates[template]?.fields.map(({ key }) => key);
    expect(known).toEqual(expect.arrayContaining(Object.values(fields).map(({ key }) => key)));
  }
  const names = Object.values(groups).flatMap(({ fields }) => Object.keys(fields));
  for (const language of ['de', 'en'] as const) {
    for (const name of names) expect(columnOf(titleOf(name, language), language)).toBe(name);
  }
  expect(names.filter((name) => /[äöüß]/i.test(titleOf(name, 'en')))).toEqual([]);
});

test('npm start takes a relative path from the folder where it is typed', async () => {
  await cables('typed.csv', 'ZZ-NPM;Kabel Süd;Kabel;;Werk;2,5;nein');
  const command = `cd '${folder}' && npm start --prefix '${root}' -w examples/inventory-sync -- typed.csv`;
  const environment = { PRODUCT_PASSPORT_URL: server.baseUrl, PRODUCT_PASSPORT_KEY: server.apiKey };
  const { code, stdout } = await run(command, environment);
  expect([code, totals(stdout)]).toEqual([0, '1 row: 1 created, 0 updated, 0 unchanged, 0 repeated, 0 rejected']);
});

describe('the status of products', () => {
  const complete = 'K-1;Kabel;Kabel;;Nordlicht;2;ja;Netzkabel;USB-C;USB-C;60;Elektroschrott';

  test('a draft that fits is published once, and one that does not stays, with the reason', async () => {
    const { publisher, of, close } = await fake();
    const file = await written('publish.csv', [header, complete, 'K-2;Kabel;Kabel;;;;;;;;;', ''].join('\n'));
    const first = await synced(publisher, file, '--publish');
    expect(first.code).toBe(1);
    const [refused = ''] = linesOf(first.stdout, 'Not published');
    expect([linesOf(first.stdout, 'Published'), refused]).toEqual([
      ['line 2 K-1 k-1'],
      expect.stringMatching(/^line 3 K-2 not_ready: The passport is not ready\. Required and without a value: /),
    ]);
    expect((await of.products.get('k-1')).status).toBe('active');
    expect((await of.products.get('k-2')).status).toBe('draft');
    expect(linesOf((await synced(publisher, file, '--publish')).stdout, 'Published')).toEqual([]);
    await close();
  });

  test('only the list archives, and what is archived is not published again', async () => {
    const { publisher, of, close } = await fake();
    const file = await written('both.csv', [header, complete, complete.replace('K-1', 'K-2'), ''].join('\n'));
    await synced(publisher, file, '--publish');
    const rest = await written('rest.csv', [header, complete, ''].join('\n'));
    await synced(publisher, rest);
    expect((await of.products.get('k-2')).status).toBe('active');
    const list = await written('list.txt', '\ufeffK-1\r\nK-1\r\n\r\n---\r\nnone\r\nK-2\r\n');
    const { code, stdout } = await synced(publisher, file, '--publish', '--archive', list);
    expect([code, linesOf(stdout, 'Archived'), linesOf(stdout, 'Not archived')]).toEqual([
      1,
      ['k-1', 'k-2'],
      ['--- has no digit and no letter from a to z', expect.stringMatching(/^none not_found: /)],
    ]);
    await synced(publisher, file, '--publish');
    expect((await of.products.get('k-1')).status).toBe('archived');
    await close();
  });

  test('a number of the list that another article may have is refused, and a slug is not', async () => {
    const { publisher, of, close } = await fake();
    const file = await written('same.csv', [header, complete, complete.replace('K-1', 'K-2'), ''].join('\n'));
    await synced(publisher, file, '--publish');
    const list = await written('same.txt', 'K 1\nK 2\nk-2\nM 3\nM-3\n');
    const { code, stdout } = await synced(publisher, file, '--archive', list);
    expect([code, linesOf(stdout, 'Archived'), linesOf(stdout, 'Not archived')]).toEqual([
      1,
      ['k-2'],
      [
        'K 1 article number K-1 gives the same slug, k-1',
        'K 2 article number K-2 gives the same slug, k-2',
        'M 3 article number M-3 gives the same slug, m-3',
        'M-3 article number M 3 gives the same slug, m-3',
      ],
    ]);
    expect((await of.products.get('k-1')).status).toBe('active');
    await close();
  });

  test.each([
    ['the last row', 2, ['active', 'active']],
    ['the first line of the list', 3, ['archived', 'active']],
  ])('Ctrl+C during %s stops before the rest of the list', async (_what, number, expected) => {
    let program: Promise<Running> | undefined;
    let changes = 0;
    const { publisher, of, close } = await fake(async ({ url }) => {
      if (!url.endsWith('/status')) return;
      changes += 1;
      if (changes !== number) return;
      const running = await program;
      void running?.stop('SIGINT');
      while (running?.said().includes('heard') === false) await setTimeout(5);
    });
    const file = await written('stopped.csv', [header, complete, complete.replace('K-1', 'K-2'), ''].join('\n'));
    const list = await written('stopped.txt', 'K-1\nK-2\n');
    const listener = `data:text/javascript,process.on('SIGINT',()=>console.log('heard'))`;
    const command = `node --import "${listener}" ${script} ${file} --publish --archive ${list} 2>&1`;
    program = start(command, /2 rows, to/, environmentOf(publisher));
    const running = await program;
    expect([await running.end(), running.said()]).toEqual([
      130,
      expect.stringContaining('Stopped after 2 of 2 rows, before the end of the list: as you asked'),
    ]);
    const products = await Promise.all(['k-1', 'k-2'].map((slug) => of.products.get(slug)));
    expect(products.map(({ status }) => status)).toEqual(expected);
    await close();
  });

  test('a key that cannot publish ends the run with this reason', async () => {
    const { access, close } = await fake();
    const file = await written('no-right.csv', [header, complete, ''].join('\n'));
    const { code, stderr } = await synced(access, file, '--publish');
    expect([code, stderr]).toEqual([1, expect.stringContaining('key_cannot_publish')]);
    await close();
  });
});

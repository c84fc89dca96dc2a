import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { columnOf, groups, titleOf } from '../../examples/inventory-sync/columns.ts';
import { faults, makeInventory } from '../../examples/inventory-sync/sample/inventory.ts';
import { ending, newFolder } from '../support/files.ts';
import { type Outcome, type Running, root, run } from '../support/program.ts';
import {
  type Access,
  type Between,
  between,
  listed,
  type Server,
  type Stored,
  serve,
  storedIn,
  synced,
  syncedApart,
  syncing,
  type Tenant,
  versionsIn,
} from './inventory.ts';

const sample = join(root, 'examples/inventory-sync/inventory.csv');

/** The rows of the sample that are wrong on purpose, as the program has to tell of them. */
const rejections = [
  'line 20 TX-90001 GTIN 9520001090018: its check digit is wrong, 1 would be right',
  'line 46 TX-90002 GTIN 952000109009: its check digit is wrong, 2 would be right',
  'line 50 TX-90003 GTIN 95200010900: it has 11 digits, not 8, 12, 13 or 14',
  'line 98 TX-42004 line 97 differs for the same article: which one is right?',
  'line 106 TX-90004 GTIN 9,52E+12: a spreadsheet has rounded it; export the column as text',
  'line 114 TX-90005 GTIN 952000109ABC4: it has other characters than digits',
  'line 123 - Artikelnummer is empty',
  'line 137 EN-90006 Warengruppe "Werkstattbedarf" is not known',
  'line 143 EN-90007 Gewicht kg: "5.2" is not a number such as 1.234,5',
  'line 151 EN-90008 Fertigungsdatum: "31.02.2026" is not a date such as 31.12.2026 or 12.2026',
  'line 163 MO-90009 name_required: name must not be blank.',
  'line 173 MO-90010 invalid_request: name must have at most 500 characters.',
  'line 193 KB-90011 Länge m: "05. Jan" is not a number such as 1.234,5',
  'line 209 KB-90012 Art: "Lightning" is not one of USB-C, Netzkabel, Datenkabel; Halogenfrei: "x" is not ja or nein',
  'line 243 RE-90013 Nasshaftung: "F" is not one of A, B, C, D, E',
  'line 287 VP-90014 Zusammensetzung: "98 % Wellpappe 5 % Papier" is not shares such as 85 % Wolle, 100 % in all',
  'line 313 FA-90015 GTIN 9520001012310 is that of FA-25012 in line 312',
  'line 344 HH-90016 Herkunftsland: "China" is not a country in two letters such as DE',
  'line 356 HH-90017 it has more or fewer cells than the file has columns: is a cell with a separator not in quotes?',
  'line 392 RM-90018 Art: "Waschmittel" is not one of Sessel, Tisch, Sofa, Regal; Belastung kg: "ca. 3" is not a number such as 1.234,5',
];
const repeats = ['line 68 TX-41030 says the same as line 66', 'line 238 RE-16010 says the same as line 237'];

const folder = newFolder();
let service: Server;
/** The tenant of most tests. */
let server: Tenant;
let fresh: Map<string, Stored>;
let proxies: Between[] = [];

/** Starts the example in a process of its own. The process ends with the test file at the latest. */
async function started(ready: RegExp, access: Access, ...files: string[]): Promise<Running> {
  const program = await syncing(ready, access, ...files);
  ending.defer(async () => void (await program.stop('SIGKILL')));
  return program;
}

async function written(name: string, text: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The columns that all groups share, and those of cables. The last ones are required, and stay empty. */
const cableHeader =
  'Artikelnummer;Bezeichnung;Warengruppe;GTIN;Hersteller;Länge m;Halogenfrei;Art;Stecker A;Stecker B;Leistung W;Entsorgung';

/** A small file with cables. */
function cables(name: string, ...rows: string[]): Promise<string> {
  return written(name, [cableHeader, ...rows.map((row) => `${row};;;;;`), ''].join('\n'));
}

/** The lines of one part of a report, a single space between their parts. */
function linesOf(stdout: string, title: string): string[] {
  const part = stdout.split('\n\n').find((text) => text.startsWith(title)) ?? '';
  const lines = part.split('\n').slice(1);
  return lines.map((line) => line.trim().replace(/ +/g, ' '));
}

const totals = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/ in [\d.]+ s$/, '');

/** What is the same, however often the program was stopped on the way. */
function content(passports: Map<string, Stored>) {
  return [...passports.values()].map(({ product, values }) => ({
    slug: product.slug,
    name: product.name,
    product_group: product.product_group,
    gtin: product.gtin,
    model: product.model,
    values: values
      .map(({ field_key, value, unit, access_level, is_unknown }) => ({
        field_key,
        value,
        unit,
        access_level,
        is_unknown,
      }))
      .sort((one, other) => (one.field_key < other.field_key ? -1 : 1)),
  }));
}

const versions = (passports: Map<string, Stored>) =>
  [...passports.values()].map(({ product, latest_version }) => [
    product.slug,
    product.updated_at,
    latest_version?.content_hash,
  ]);

function stored(slug: string, key: string) {
  const found = fresh.get(slug)?.values.find(({ field_key }) => field_key === key);
  if (!found) return undefined;
  const { value, unit, access_level, is_unknown } = found;
  return { value, unit, access_level, is_unknown };
}

const isPublic = { access_level: 'public', is_unknown: false };

let demoSlugs: Set<string>;
let outage: ReturnType<typeof withoutService>;

/** The service ends in the middle and does not come back. */
async function withoutService(): Promise<{ code: number | null; said: string }> {
  const proxy = await between(service.demo[1], {});
  const program = await started(/ 10 %/, proxy);
  await proxy.close();
  return { code: await program.end(), said: program.said() };
}

beforeAll(async () => {
  service = await serve(join(folder, 'main.sqlite'));
  [server] = service.demo;
  // The program waits several seconds for a service that has ended; the other tests go on meanwhile.
  outage = withoutService();
  outage.catch(() => undefined);
  demoSlugs = new Set((await listed(server.client)).map(({ slug }) => slug));
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  proxies = [];
});
afterAll(async () => {
  await service.stop();
});

describe('The sample', () => {
  test('is what make-sample makes', async () => {
    expect(await readFile(sample, 'utf8')).toBe(makeInventory());
  });

  test('is large and has gaps and faults, as exports have', () => {
    const lines = makeInventory().split('\r\n').slice(1);
    const rows = lines.filter((line) => /^[A-Z]{2}-\d{5};/.test(line));
    expect(rows.length).toBeGreaterThan(300);
    for (const name of Object.keys(groups)) expect(rows.filter((line) => line.includes(`;${name};`))).not.toEqual([]);
    expect(Object.keys(groups)).toHaveLength(10);
    expect(rows.filter((line) => line.split(';')[3] === '').length).toBeGreaterThan(10); // no GTIN yet
    expect(rows.filter((line) => line.includes(';unbekannt;')).length).toBeGreaterThan(10);
    expect(lines.filter((line) => /^;+$/.test(line))).toHaveLength(1);
    expect(faults).toHaveLength(rejections.length + repeats.length + 1); // one looks wrong and is not
  });
});

describe('The columns', () => {
  test('are fields of the templates, with their units and their access', async () => {
    const templates: { key: string; fields: { key: string; unit: string | null; access_level: string }[] }[] =
      JSON.parse(await readFile(join(root, 'server/data/templates.json'), 'utf8'));
    const described = Object.values(groups).flatMap(({ template, fields }) =>
      Object.values(fields).map(({ key, unit, access }) => [template, key, unit, access]),
    );
    const offered = templates.flatMap((template) =>
      template.fields.map(({ key, unit, access_level }) => [template.key, key, unit, access_level]),
    );
    const texts = new Set(offered.map((field) => JSON.stringify(field)));
    expect(described.filter((field) => !texts.has(JSON.stringify(field)))).toEqual([]);
    expect(described.length).toBeGreaterThan(90);
  });
});

describe('The first run', () => {
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await syncedApart(server);
    fresh = await storedIn(server.client);
  });

  test('counts every row, and says by its exit code that some were rejected', () => {
    expect(totals(outcome.stdout)).toBe('323 rows: 301 created, 0 updated, 0 unchanged, 2 repeated, 20 rejected');
    expect(outcome.code).toBe(1);
  });

  test('shows how far it is, where it goes to and what it does not read', () => {
    const lines = outcome.stderr.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'Not read: Lagerort, Bestand, EK netto',
      `inventory.csv, 323 rows, to Nordlicht Demo GmbH at ${server.baseUrl}`,
    ]);
    expect(lines.slice(2).map((line) => line.replace(/^\d+ of 323 rows, /, ''))).toEqual(
      [10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((percent) => `${percent} %`),
    );
    expect(outcome.stderr + outcome.stdout).not.toContain(server.apiKey);
  });

  test('reports every faulty row with its line and its reason', () => {
    expect(linesOf(outcome.stdout, 'Rejected')).toEqual(rejections);
    expect(linesOf(outcome.stdout, 'Repeated')).toEqual(repeats);
    expect(linesOf(outcome.stdout, 'Created')).toHaveLength(301);
    expect(linesOf(outcome.stdout, 'Created')).toContain(
      'line 12 TX-41006 Merinopullover Fjord, Größe XS, birkenholzbraun (10 values, 80 % complete)',
    );
  });

  test('leaves the created products and those of the demo in the service, and none else', () => {
    const slugs = [...fresh.keys()].filter((slug) => !demoSlugs.has(slug));
    expect(slugs).toHaveLength(301);
    expect(slugs.filter((slug) => slug.includes('-900'))).toEqual([]);
    const created = slugs.flatMap((slug) => fresh.get(slug) ?? []);
    expect(new Set(created.map(({ product }) => product.product_group)).size).toBe(10);
    expect(created.filter(({ values }) => values.length === 0)).toEqual([]);
    expect(created.filter(({ product }) => /[äöüÄÖÜß]/.test(product.name)).length).toBeGreaterThan(100);
  });

  test('lets umlauts be found in another case', async () => {
    const names = [...fresh.values()].map(({ product }) => product.name).filter((name) => name.includes('Größe'));
    expect(names.length).toBeGreaterThan(70);
    const found = await listed(server.client, { search: 'GRÖSSE' });
    expect(found.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(await listed(server.client, { search: 'übersee-DRUCK' })).toHaveLength(6);
  });

  test('brings master data as it is written', () => {
    expect(fresh.get('tx-41005')?.product).toMatchObject({
      name: 'Merinopullover Fjord, Größe XS, rauchgrau',
      product_group: 'textile',
      gtin: '9520001010040', // with a blank in it in the file
      model: 'Fjord 2026 navy-05',
    });
    expect(fresh.get('tx-41007')?.product.gtin).toBeNull();
  });

  test('brings values in their kind, with unit and access', () => {
    expect(stored('tx-41001', 'garment_weight')).toEqual({ value: 298, unit: 'g', ...isPublic }); // 0,298 kg
    expect(stored('tx-41001', 'fibre_composition')?.value).toEqual([
      { fibre: 'Wolle (Merino)', share: 85 },
      { fibre: 'Polyamid', share: 15 },
    ]);
    expect(stored('en-10001', 'battery_weight')).toEqual({ value: 2.6, unit: 'kg', ...isPublic });
    expect(stored('en-20001', 'expected_lifetime_cycles')).toEqual({ value: 6000, unit: 'cycle', ...isPublic });
    expect(stored('en-10001', 'manufacturing_date')?.value).toBe('2026-05');
    expect(stored('en-10001', 'battery_category')?.value).toBe('lmt'); // Leichtfahrzeug
    expect(stored('kb-24001', 'halogen_free')?.value).toBe(true);
    expect(stored('en-10001', 'critical_raw_materials')?.value).toEqual(['Lithium', 'Kobalt', 'Nickel', 'Graphit']);
    expect(stored('fa-25025', 'trade_name')?.value).toBe('Holzschutzlasur, Mooreiche "antik", 0,375 l');
  });

  test('keeps what is not for everybody from the public', () => {
    expect(stored('tx-41001', 'substances_of_concern')).toEqual({
      value: [], // keine
      unit: null,
      access_level: 'restricted',
      is_unknown: false,
    });
    expect(stored('vp-11001', 'heavy_metals_sum')).toEqual({
      value: 3.1,
      unit: 'mg/kg',
      access_level: 'authority',
      is_unknown: false,
    });
  });

  test('tells unknown from not said', () => {
    expect(stored('tx-41006', 'country_of_origin')).toEqual({
      value: null,
      unit: null,
      access_level: 'public',
      is_unknown: true,
    });
    expect(stored('tx-41004', 'manufacturer_address')).toBeUndefined();
    expect(stored('tx-41003', 'manufacturer_address')).toBeDefined();
  });
});

describe('A further run', () => {
  test('changes nothing where the inventory has not changed', async () => {
    const { code, stdout } = await synced(server);
    expect(totals(stdout)).toBe('323 rows: 0 created, 0 updated, 301 unchanged, 2 repeated, 20 rejected');
    expect(code).toBe(1);
    expect(await versionsIn(server.client)).toEqual(versions(fresh));
  });

  test('writes the one value that has changed', async () => {
    const [header = '', ...lines] = (await readFile(sample, 'utf8')).split('\r\n');
    const text = [header, ...lines.filter((line) => line.startsWith('KB-'))].join('\n');
    const changed = text.replace(/^(KB-24001;.*;)0,5(;60;0,48;)/m, '$10,55$2');
    expect(changed).not.toBe(text);
    const { stdout } = await synced(server, await written('changed.csv', changed));
    expect(totals(stdout)).toBe('50 rows: 0 created, 1 updated, 47 unchanged, 0 repeated, 2 rejected');
    expect(linesOf(stdout, 'Updated')).toEqual([
      'line 2 KB-24001 USB-C-Kabel, 60 W, 0,5 m, weiß (cable_length; 100 % complete)',
    ]);

    const cablesBefore = new Map([...fresh].filter(([slug]) => slug.startsWith('kb-')));
    const expected = content(cablesBefore);
    const length = expected
      .find(({ slug }) => slug === 'kb-24001')
      ?.values.find((one) => one.field_key === 'cable_length');
    if (length) length.value = 0.55;
    const now = await storedIn(server.client, 'kb-');
    expect(content(now)).toEqual(expected);
    const others = (all: Map<string, Stored>) => versions(all).filter(([slug]) => slug !== 'kb-24001');
    expect(others(now)).toEqual(others(cablesBefore));
  });
});

describe('A run that is ended', () => {
  test('by SIGKILL, several times, comes to the same end', async () => {
    const text = await readFile(sample, 'utf8');
    const file = await written('first-rows.csv', text.split('\r\n').slice(0, 69).join('\r\n'));
    const killed = await service.newTenant('killed');
    for (const moment of [/ 1\d %/, / 2\d %/, / 4\d %/]) {
      const program = await started(moment, killed, file);
      await program.stop('SIGKILL');
      expect(program.child.signalCode).toBe('SIGKILL');
    }
    const { code, stdout } = await synced(killed, file);
    expect(code).toBe(1);
    const [, counted] = /^(\d+) rows: .* 1 repeated, 3 rejected$/.exec(totals(stdout) ?? '') ?? [];
    const stored = await storedIn(killed.client);
    expect(stored.size).toBe(Number(counted) - 4);
    const sameInFresh = new Map([...fresh].filter(([slug]) => stored.has(slug)));
    expect(content(stored)).toEqual(content(sameInFresh));
  });

  test('by SIGINT finishes what is under way, and tells how to go on', async () => {
    const interrupted = await service.newTenant('interrupted');
    const program = await started(/ 10 %/, interrupted);
    expect(await program.stop('SIGINT')).toBe(130);

    const [, rows, created] = /(\d+) rows: (\d+) created/.exec(program.said()) ?? [];
    expect(program.said()).toContain(
      `Stopped after ${rows} of 323 rows: as you asked. To go on, start it again as before.\n`,
    );
    expect(Number(created)).toBeGreaterThan(20);
    const there = [...(await storedIn(interrupted.client)).values()];
    expect(there).toHaveLength(Number(created));
    expect(there.filter(({ values }) => values.length === 0)).toEqual([]);
  });

  test('by the end of the service says so and how far it came', async () => {
    const { code, said } = await outage;
    expect(code).toBe(1);
    const [, rows] = /^(\d+) rows: \d+ created/m.exec(said) ?? [];
    expect(Number(rows)).toBeGreaterThan(30);
    expect(Number(rows)).toBeLessThan(323);
    expect(said).toMatch(
      new RegExp(
        `^Stopped after ${rows} of 323 rows: the service does not respond \\(E?[A-Z_]+\\)\\. To go on, start it again as before\\.$`,
        'm',
      ),
    );
  });
});

describe('A product', () => {
  const row = 'ZZ-1;Kabel Nord;Kabel;;Werk;2,5;ja';

  test('that is there under the slug and is another one is left as it is', async () => {
    const { client } = server;
    const other = await client.products.create({ name: 'Something else', product_group: 'cable', slug: 'zz-other' });
    const { code, stdout } = await synced(server, await cables('other.csv', row.replace('ZZ-1', 'ZZ-OTHER')));
    expect(linesOf(stdout, 'Rejected')).toEqual([
      'line 2 ZZ-OTHER the service has zz-other with name "Something else", the row says "Kabel Nord"',
    ]);
    expect(code).toBe(1);
    expect(other.slug).toBe('zz-other');
    expect(await client.products.get('zz-other')).toEqual(other);
    expect((await client.passports.get('zz-other')).values).toEqual([]);
    const slugs = (await listed(client)).map(({ slug }) => slug);
    expect(slugs.filter((slug) => slug.startsWith('zz-other'))).toEqual(['zz-other']);
  });

  test('whose slug somebody else takes at that moment is reported under the slug that it got', async () => {
    const { client } = server;
    let taken = 0;
    const proxy = await between(server, {
      before: async (line) => {
        if (line !== 'POST /products') return 'passed';
        taken += 1;
        await client.products.create({ name: 'Taken', product_group: 'cable', slug: 'zz-1' });
        return 'passed';
      },
    });
    proxies.push(proxy);
    const { code, stdout } = await synced(proxy, await cables('taken.csv', row));
    expect(linesOf(stdout, 'Rejected')).toEqual([
      'line 2 ZZ-1 another program took the slug zz-1: the service created "zz-1-2"',
    ]);
    expect([code, taken]).toEqual([1, 1]);
    expect((await client.passports.get('zz-1')).values).toEqual([]);
    expect((await client.passports.get('zz-1-2')).values).toEqual([]);
  });

  test('whose creation is answered but not heard of is created once', async () => {
    const lost = new Set<string>();
    const proxy = await between(server, {
      after: (line) => {
        if (line.startsWith('GET') || lost.has(line)) return 'passed';
        lost.add(line);
        return 'lost';
      },
    });
    proxies.push(proxy);
    const { code, stdout } = await synced(proxy, await cables('lost.csv', row.replace('ZZ-1', 'ZZ-LOST')));
    expect([...lost]).toEqual(['POST /products', 'PUT /products/zz-lost/passport']);
    expect(totals(stdout)).toBe('1 row: 1 created, 0 updated, 0 unchanged, 0 repeated, 0 rejected');
    expect(code).toBe(0);
    const slugs = (await listed(server.client)).map(({ slug }) => slug);
    expect(slugs.filter((slug) => slug.startsWith('zz-lost'))).toEqual(['zz-lost']);
    expect((await server.client.passports.get('zz-lost')).values).toHaveLength(3);
  });

  test('that was created and not filled gets its values in the next run', async () => {
    const file = await cables('halfway.csv', row.replace('ZZ-1', 'ZZ-HALF'));
    const reached = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<void>();
    const proxy = await between(server, {
      before: async (line) => {
        if (!line.startsWith('PUT')) return 'passed';
        reached.resolve();
        await killed.promise;
        return 'lost';
      },
    });
    proxies.push(proxy);
    const program = await started(/1 row, to /, proxy, file);
    await reached.promise;
    await program.stop('SIGKILL');
    killed.resolve();
    expect(program.child.signalCode).toBe('SIGKILL');
    expect((await server.client.passports.get('zz-half')).values).toEqual([]);

    const { code, stdout } = await synced(server, file);
    expect(code).toBe(0);
    expect(totals(stdout)).toBe('1 row: 0 created, 1 updated, 0 unchanged, 0 repeated, 0 rejected');
    expect((await server.client.passports.get('zz-half')).values).toHaveLength(3);
  });

  test('of two article numbers with one slug is that of the first', async () => {
    const rows = ['A 1', 'A-1', 'ÄÖ'].map((number) => row.replace('ZZ-1', number));
    const { stdout } = await synced(server, await cables('alike.csv', ...rows));
    expect(linesOf(stdout, 'Rejected')).toEqual([
      'line 3 A-1 article number A 1 in line 2 gives the same slug, a-1',
      'line 4 ÄÖ Artikelnummer has no digit and no letter from a to z',
    ]);
  });

  test('keeps the values whose cells are empty now', async () => {
    await synced(server, await cables('full.csv', row.replace('ZZ-1', 'ZZ-KEEP')));
    const { stdout } = await synced(server, await cables('empty-cells.csv', 'ZZ-KEEP;Kabel Nord;Kabel;;;;'));
    expect(totals(stdout)).toContain('0 updated, 1 unchanged');
    expect((await server.client.passports.get('zz-keep')).values).toHaveLength(3);
  });
});

describe('It does not begin', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await listed(server.client);
  });
  afterAll(async () => {
    expect(await listed(server.client)).toEqual(before);
  });

  async function refused(access: Partial<Access>, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await synced(access, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('    at '); // no stack
    return stderr;
  }

  test('without an address or a key', async () => {
    const { baseUrl, apiKey } = server;
    expect(await refused({ apiKey })).toMatch(/^PRODUCT_PASSPORT_URL is not set\.\n\n.*export PRODUCT_PASSPORT_URL=/s);
    expect(await refused({ baseUrl })).toMatch(/^PRODUCT_PASSPORT_KEY is not set\.\n\n.*export PRODUCT_PASSPORT_KEY=/s);
    expect(await refused({ baseUrl: 'nowhere', apiKey })).toMatch(/baseUrl/);
    expect(await refused(server, 'one.csv', 'two.csv')).toMatch(/^One file at most is expected\./);
  });

  test('with a key that the service does not know, and does not print it', async () => {
    const said = await refused({ ...server, apiKey: 'ppk_wrong' });
    expect(said).toContain(`${server.baseUrl}: the service refuses the key.\n`);
    expect(said).not.toContain('ppk_wrong');
  });

  test('without a service', async () => {
    const proxy = await between(server, {});
    await proxy.close();
    expect(await refused(proxy)).toContain(`${proxy.baseUrl}: the service does not respond (ECONNREFUSED).\n`);
  });

  test.each<[string, string | Uint8Array | undefined, RegExp]>([
    ['missing', undefined, /ENOENT: no such file or directory.*missing\.csv/],
    ['empty', '', /empty\.csv is empty\.$/],
    ['blank', '\uFEFF\r\n\r\n', /blank\.csv is empty\.$/],
    [
      'header alone',
      'Marke;Group\n',
      /has no column Artikelnummer, Bezeichnung, Warengruppe \(in English: Article number, Name, Product group\)\.$/,
    ],
    ['English', 'Article number;Bezeichnung\n', /has no column Name, Product group\.$/],
    ['other columns', 'Artikelnummer;Name\nA;B\n', /has no column Bezeichnung, Warengruppe\.$/],
    ['bars', 'Artikelnummer|Bezeichnung|Warengruppe\nA|B|Kabel\n', /\. Are the cells separated by ;\?$/],
    ['wrong sep', 'sep=,\nArtikelnummer;Bezeichnung;Warengruppe\n', /\. Are the cells separated by ;\?$/],
    ['twice', 'Artikelnummer;Bezeichnung;Warengruppe;GTIN;GTIN\n', /The column GTIN is there twice\.$/],
    ['JSON', '{"products": []}\n', /has no column Artikelnummer/],
    ['binary', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff), /is not UTF-8\./],
    ['Latin 1', Buffer.from('Artikelnummer;Größe\n', 'latin1'), /is not UTF-8\. In Excel save it as "CSV UTF-8"\.$/],
    [
      'open quote',
      'Artikelnummer;Bezeichnung;Warengruppe\nYY-1;Kabel;Kabel\nYY-2;"Kabel;Kabel\n',
      /cannot be read on from line 3, where a quoted cell has no end/,
    ],
  ])('with a file that is none: %s', async (name, content, message) => {
    const file = content === undefined ? join(folder, 'missing.csv') : await written(`${name}.csv`, content);
    expect((await refused(server, file)).trimEnd()).toMatch(message);
  });
});

/** The file of a spreadsheet with one cable, and what the program reads from it. */
const good = 'SP-1;Kabel;Kabel;;Werk;2,5;ja;USB-C;USB-C;USB-C;240;Sammelstelle';
const sheet = (header: string, ...rows: string[]) => [header, ...rows, ''].join('\r\n');
const german = sheet(cableHeader, good);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const englishHeader =
  'Article number,Name,Product group,GTIN,Manufacturer,Length m,Halogen free,Type,Connector A,Connector B,Power W,Disposal';
const replaced = (...changes: [string, string][]) =>
  changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, german);

let sheets = 0;

describe('A spreadsheet may write', () => {
  const values = {
    cable_length: 2.5,
    halogen_free: true,
    cable_type: 'usb_c',
    connector_a: 'USB-C',
    connector_b: 'USB-C',
    max_power: 240,
    manufacturer_name: 'Werk',
    recycling_instructions: 'Sammelstelle',
  };

  test.each<[string, () => string | Uint8Array, object?]>([
    ['UTF-8', () => german],
    ['a byte order mark', () => `\uFEFF${german}`],
    ['UTF-16, as PowerShell does', () => utf16(`\uFEFF${german}`)],
    ['UTF-16 BE', () => utf16(`\uFEFF${german}`).swap16()],
    ['UTF-16 without a mark', () => utf16(german)],
    ['UTF-16 BE without a mark', () => utf16(german).swap16()],
    ['tabs in UTF-16, as "Unicode text" of Excel', () => utf16(`\uFEFF${german.replaceAll(';', '\t')}`)],
    ['a line sep=;', () => `\uFEFFsep=;\r\n${german}`],
    ['a line "sep=|" in quotes', () => `"sep=|"\r\n${german.replaceAll(';', '|')}`],
    ['an empty first row', () => `;;;\r\n${german}`],
    ['empty trailing columns', () => sheet(`${cableHeader};;;`, `${good};;;`)],
    ['empty trailing columns in the header alone', () => sheet(`${cableHeader};; ;`, good)],
    ['empty trailing cells in a row alone', () => sheet(cableHeader, `${good};\u00A0;`)],
    ['letters that are split', () => german.normalize('NFD')],
    [
      'another sign for ohm',
      () => replaced([';Werk;', ';Werk \u2126;']),
      { ...values, manufacturer_name: 'Werk \u03A9' },
    ],
    ['no-break spaces in names', () => replaced(['Länge m', 'Länge\u00A0m'], ['Leistung W', '\u202FLeistung\u2007W '])],
    ['a line break in a name', () => replaced(['Länge m', '"Länge\nm"'])],
    ['names in other letters', () => replaced(['Länge m', 'LÄNGE M'], ['GTIN', 'Gtin'])],
    ['no-break spaces in words', () => replaced([';ja;', ';\u00A0ja\u202F;'], [';Kabel;;', ';\u00A0Kabel ;;'])],
    ...['1.234,5', '1234,5', '1\u00A0234,5', '1\u202F234,5', '1 234,5', '1\u2009234,50'].map(
      (number): [string, () => string, object] => [
        `the number ${JSON.stringify(number)}`,
        () => replaced([';2,5;', `;${number};`]),
        { ...values, cable_length: 1234.5 },
      ],
    ),
    [
      'a comma between English names',
      () => sheet(englishHeader, 'SP-1,Kabel,cable,,Werk,2.5,yes,usb_c,USB-C,USB-C,240,Sammelstelle'),
    ],
    [
      'English numbers',
      () => sheet(englishHeader, 'SP-1,Kabel,cable,,Werk,"1,234.5",yes,usb_c,USB-C,USB-C,"1,240",Sammelstelle'),
      { ...values, cable_length: 1234.5, max_power: 1240 },
    ],
    ['English names and semicolons', () => sheet(englishHeader.replaceAll(',', ';'), good.replace('2,5', '2.5'))],
  ])('%s', async (name, content, expected = values) => {
    sheets += 1;
    const tenant = await service.newTenant(`sheet-${sheets}`);
    const { code, stdout, stderr } = await synced(tenant, await written(`sheet ${sheets}.csv`, content()));
    expect({ name, stderr, code, totals: totals(stdout) }).toEqual({
      name,
      stderr: expect.not.stringMatching(/Not read|Required/),
      code: 0,
      totals: '1 row: 1 created, 0 updated, 0 unchanged, 0 repeated, 0 rejected',
    });
    const found = (await tenant.client.passports.get('sp-1')).values;
    expect(Object.fromEntries(found.map(({ field_key, value }) => [field_key, value]))).toEqual(expected);
  });

  test('a GTIN and shares with no-break spaces', async () => {
    const tenant = await service.newTenant('no-break');
    const rows = sheet(
      'Artikelnummer;Bezeichnung;Warengruppe;GTIN;Hersteller;Herkunftsland;Zusammensetzung;Pflegehinweis;Entsorgung',
      'SP-2;Hemd;Textilien;4\u00A0006381\u202F333931;Werk;PT;60\u00A0% Baumwolle|40\u202F% Leinen;kalt;Altkleider',
    );
    const { code } = await synced(tenant, await written('no-break.csv', rows));
    expect(code).toBe(0);
    expect((await tenant.client.products.get('sp-2')).gtin).toBe('4006381333931');
    const { values: found } = await tenant.client.passports.get('sp-2');
    expect(found.find(({ field_key }) => field_key === 'fibre_composition')?.value).toEqual([
      { fibre: 'Baumwolle', share: 60 },
      { fibre: 'Leinen', share: 40 },
    ]);
  });
});
test.each([
  ['2\u200B5', 'Länge m: "2<U+200B>5" is not a number such as 1.234,5'],
  ['\u200E25', 'Länge m: "<U+200E>25" is not a number such as 1.234,5'],
  ['2\t5', 'Länge m: "2<U+0009>5" is not a number such as 1.234,5'],
  ['0.375', 'Länge m: "0.375" is not a number such as 1.234,5'],
  ['1.234 567', 'Länge m: "1.234 567" is not a number such as 1.234,5'],
])('the number %j is refused, and the report shows each character', async (number, fault) => {
  const { code, stdout } = await synced(server, await written('hidden.csv', replaced([';2,5;', `;${number};`])));
  expect(linesOf(stdout, 'Rejected')).toEqual([`line 2 SP-1 ${fault}`]);
  expect(code).toBe(1);
});

test.each([
  ['SP-\u200B1', 'Artikelnummer "SP-<U+200B>1" has a character that nobody sees'],
  ['SP-1;Kabel;Kabel;\u202A4006381333931', 'GTIN <U+202A>4006381333931: it has other characters than digits'],
  ['SP-1;Kabel;Kabel\u00AD', 'Warengruppe "Kabel<U+00AD>" is not known'],
])('the row %j is refused', async (beginning, fault) => {
  const { stdout } = await synced(
    server,
    await written(
      'hidden.csv',
      sheet(
        cableHeader,
        beginning +
          good
            .split(';')
            .slice(beginning.split(';').length)
            .map((cell) => `;${cell}`)
            .join(''),
      ),
    ),
  );
  expect(linesOf(stdout, 'Rejected')).toEqual([expect.stringContaining(fault)]);
});

test('an English file is told of in English', async () => {
  const row = 'SP-9,Kabel,cables,,Werk,2,5,ja,usb,USB-C,USB-C,240,x';
  const rows = [row.replace('2,5', '"2,5"'), row.replace('cables', 'cable').replace('2,5', '"2,5"'), row];
  const { stdout } = await synced(server, await written('english.csv', sheet(englishHeader, ...rows)));
  expect(linesOf(stdout, 'Rejected')).toEqual([
    'line 2 SP-9 Product group "cables" is not known',
    'line 3 SP-9 Type: "usb" is not one of usb_c, power_cord, data; Length m: "2,5" is not a number such as 1,234.5',
    'line 4 SP-9 it has more or fewer cells than the file has columns: is a cell with a separator not in quotes?',
  ]);
});

test('a required column that is not read is named, and the exit code is 1', async () => {
  const tenant = await service.newTenant('unread');
  const header = replaced(['Länge m', 'Länge\u200Bm'], ['Halogenfrei', 'Stock']);
  const { code, stdout, stderr } = await synced(tenant, await written('unread.csv', header));
  expect(stderr).toContain('Not read: Länge<U+200B>m, Stock\n');
  expect(stderr).toContain('Required, and not in the file: Länge m. Passports stay incomplete without them.\n');
  expect(totals(stdout)).toBe('1 row: 1 created, 0 updated, 0 unchanged, 0 repeated, 0 rejected');
  expect(code).toBe(1);
});

test('each column has one name in each language', () => {
  const names = Object.values(groups).flatMap(({ fields }) => Object.keys(fields));
  for (const language of ['de', 'en'] as const) {
    for (const name of names) expect(columnOf(titleOf(name, language), language)).toBe(name);
  }
  const german = names.filter((name) => /[äöüß]/i.test(titleOf(name, 'en')));
  expect(german).toEqual([]);
});

test('npm start takes a relative path from the folder where it is typed', async () => {
  await cables('typed.csv', 'ZZ-NPM;Kabel Süd;Kabel;;Werk;2,5;nein');
  const { code, stdout } = await run(
    `cd '${folder}' && npm start --prefix '${root}' -w examples/inventory-sync -- typed.csv`,
    {
      PRODUCT_PASSPORT_URL: server.baseUrl,
      PRODUCT_PASSPORT_KEY: server.apiKey,
    },
  );
  expect(totals(stdout)).toBe('1 row: 1 created, 0 updated, 0 unchanged, 0 repeated, 0 rejected');
  expect(code).toBe(0);
});

test('a confidential value without a level is refused, and the report names the row', async () => {
  const copy = join(folder, 'copy');
  await cp(join(root, 'examples/inventory-sync'), copy, { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const columns = await readFile(join(copy, 'columns.ts'), 'utf8');
  const forgotten = columns.replace(
    "restricted('substances_of_concern', list)",
    "field('substances_of_concern', list)",
  );
  expect(forgotten).not.toBe(columns);
  await writeFile(join(copy, 'columns.ts'), forgotten);
  const rows = [
    'Artikelnummer;Bezeichnung;Warengruppe;Bedenkliche Stoffe',
    'LV-1;Kabel mit Blei;Kabel;Blei',
    'LV-2;Kabel;Kabel;',
  ];
  const file = await written('lead.csv', `${rows.join('\n')}\n`);
  const tenant = await service.newTenant('lead');
  const { code, stdout } = await run(`node ${join(copy, 'sync.ts')} ${file}`, {
    PRODUCT_PASSPORT_URL: tenant.baseUrl,
    PRODUCT_PASSPORT_KEY: tenant.apiKey,
  });
  expect(linesOf(stdout, 'Rejected')).toEqual([
    'line 2 LV-1 Bedenkliche Stoffe: access_level of "substances_of_concern" must be "restricted" (got "public")',
  ]);
  expect(code).toBe(1);
  expect((await listed(tenant.client)).map(({ slug }) => slug)).toEqual(['lv-2']);
});

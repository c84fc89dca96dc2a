/** Items of a model from a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Columns } from '../../../server/src/cli/rows.ts';
import { beginChange, changeItems, endChange } from '../../../server/src/items/set.ts';
import { createPassports } from '../../../server/src/passports/write.ts';
import { insertProduct } from '../../../server/src/products/store.ts';
import { type TemplateField, templateOf } from '../../../server/src/templates/catalogue.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { type Database, databaseKinds, newMigratedDatabase, untilBlocked } from '../../support/database.ts';
import { fileWith } from '../../support/files.ts';
import { root } from '../../support/program.ts';
import { type Client, type Service, startService } from '../../support/service.ts';

jest.setTimeout(70_000);

const gtin = '4006381333931';

/** Values of a model: one is more open than its template, one is unknown, one needs a review, one is of the item. */
const ofModel = [
  { field_key: 'rated_capacity', value: 17.4, unit: 'Ah', source: 'supplier', needs_review: true },
  { field_key: 'nominal_voltage', value: 36, unit: 'V', access_level: 'restricted' },
  { field_key: 'safety_measures', value: 'Do not open', access_level: 'public' },
  { field_key: 'battery_chemistry', value: null, is_unknown: true },
  { field_key: 'battery_category', value: 'lmt' },
  { field_key: 'color', value: 'black' },
  { field_key: 'charge_cycles', value: 3, unit: 'cycle', access_level: 'restricted' },
];

test('a column whose name is the label of two fields is refused', () => {
  const field = { ...templateOf('other').fields[0], type: 'string' } as TemplateField;
  const fields = [
    { ...field, key: 'net', label: { en: 'Weight', de: 'Gewicht' } },
    { ...field, key: 'gross', label: { en: 'Mass', de: 'Masse', nl: 'Gewicht' } },
  ];
  const columns = new Columns({ ...templateOf('other'), fields });
  expect(() => columns.check(['serial_number', 'Gewicht'])).toThrow(
    '"Gewicht" is the label of several fields: use a key of net, gross',
  );
  expect(() => columns.check(['serial_number', 'masse', 'Weight'])).not.toThrow();
});

describe.each(databaseKinds)('item add on %s', (kind) => {
  let service: Service;
  let address = '';

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
  });

  const command = (line: string): Promise<Outcome> =>
    runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });

  /** A tenant with a model. */
  async function model(slug: string, values: readonly object[] = ofModel): Promise<Client> {
    const client = await service.newTenant({ slug, language: 'en' });
    await client.create({ name: 'Drive', slug: 'drive', product_group: 'battery', gtin, model: 'D1' });
    if (values.length > 0) await client.write('drive', values);
    return client;
  }

  const add = (tenant: string, text: string | Buffer, words = ''): Promise<Outcome> =>
    command(`item add drive ${fileWith(text as string)} --tenant ${tenant} ${words}`);

  const slugs = async (client: Client): Promise<string[]> => (await client.list()).items.map(({ slug }) => slug);

  test('copies what belongs to the model, with unit, level, unknown mark and confirmation', async () => {
    const client = await model('copied');
    await command(`passport set drive ${fileWith(JSON.stringify([]))} --open safety_measures --tenant copied`);
    await client.service.activate(client, 'drive');
    expect(
      await add('copied', 'serial_number,Date of manufacture,Nennspannung\nSN/1,2026-05,37\nSN-2,2026-06,\n'),
    ).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Added 2 items of drive in [\d.]+ seconds\.\n$/),
    });
    expect(await slugs(client)).toEqual(['drive', 'drive-sn-1', 'drive-sn-2']);
    const item = await client.product('drive-sn-1');
    expect(item).toMatchObject({ name: 'Drive', gtin, model: 'D1', product_group: 'battery', status: 'draft' });
    const { values } = await client.passport('drive-sn-1');
    const short = values.map(({ field_key, value, unit, access_level, is_unknown, source, needs_review }) => {
      return [field_key, value, unit, access_level, is_unknown, source, needs_review];
    });
    expect(short).toEqual([
      ['battery_category', 'lmt', null, 'public', false, 'import', false],
      ['battery_chemistry', null, null, 'public', true, 'import', false],
      ['color', 'black', null, 'public', false, 'import', false],
      ['manufacturing_date', '2026-05', null, 'public', false, 'import', false],
      ['nominal_voltage', 37, 'V', 'restricted', false, 'import', false],
      ['rated_capacity', 17.4, 'Ah', 'public', false, 'import', false],
      ['safety_measures', 'Do not open', null, 'public', false, 'import', false],
      ['serial_number', 'SN/1', null, 'public', false, 'import', false],
    ]);
    const shown = JSON.parse((await command('product show drive-sn-1 --tenant copied --json')).stdout);
    expect(shown).toMatchObject({ confirmed: { open: ['safety_measures'] }, carriers: [], versions: [{ version: 1 }] });
    expect((await command('check-hashes')).code).toBe(0);
  });

  test('refuses each faulty row with its line, and stores the others', async () => {
    const client = await model('faulty');
    const rows = [
      'serial_number,manufacturing_date,remaining_capacity,negative_events,manufacturing_place',
      'A1,2026-13,1,',
      'A2,2026-05,"0,5",',
      'A3,2026-05,-1,',
      ',2026-05,1,',
      'A 4,2026-05,1,',
      '"A5","2026-05","1","[{""date"": ""2026-05-01"", ""event"": ""a fall""}]","Hall 1\r\nCork"',
      'A6,2026-05,1,fall',
      'A7,2026-05,1,,,more',
      '123456789012345678901,2026-05,1,',
      'A8,2026-05,1e999,',
      'A9,2026-05,0.12345678901234567891,',
      'a10,,,',
      'A10,,,',
    ];
    const { code, stdout, stderr } = await add('faulty', `\uFEFF${rows.join('\r\n')}\r\n`, '--json');
    expect(code).toBe(1);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ model: 'drive', added: 3, there: 0, refused: 10 });
    expect(result.refusals).toEqual([
      { line: 2, column: 'manufacturing_date', error: expect.stringMatching(/^must be a date.* \(got "2026-13"\)$/) },
      { line: 3, column: 'remaining_capacity', error: 'must be a number (got "0,5")' },
      { line: 4, column: 'remaining_capacity', error: 'must be at least 0 (got -1)' },
      { line: 5, column: 'serial_number', error: 'is empty' },
      { line: 6, column: 'serial_number', error: 'must have 1 to 20 characters that a GS1 Digital Link can have' },
      { line: 9, column: 'negative_events', error: 'must be a list (got "fall")' },
      { line: 10, error: 'a cell has no column: "more"' },
      { line: 11, column: 'serial_number', error: expect.stringContaining('1 to 20 characters') },
      { line: 12, column: 'remaining_capacity', error: expect.stringContaining('too many digits') },
      { line: 13, column: 'remaining_capacity', error: expect.stringContaining('too many digits') },
    ]);
    expect(stderr).toContain('Warning: line 3: remaining_capacity must be a number (got "0,5").\n');
    expect(await slugs(client)).toEqual(['drive', 'drive-a5', 'drive-a10', 'drive-a10-2']);
    const { values } = await client.passport('drive-a5');
    expect(values.find(({ field_key }) => field_key === 'negative_events')).toMatchObject({
      access_level: 'restricted',
      value: [{ date: '2026-05-01', event: 'a fall' }],
    });
    expect(values.find(({ field_key }) => field_key === 'manufacturing_place')?.value).toBe('Hall 1\nCork');
  });

  test('skips a row that is there, whatever its slug and status, and refuses one with another value', async () => {
    const client = await model('there');
    await client.create({ name: 'Drive', slug: 'by-hand', product_group: 'battery', gtin: `0${gtin}` });
    await client.write('by-hand', [
      { field_key: 'serial_number', value: 'A1', access_level: 'authority' },
      { field_key: 'manufacturing_date', value: '2026-05' },
    ]);
    await client.service.activate(client, 'by-hand');
    const again = await add(
      'there',
      'serial_number;manufacturing_date\nA1;2026-05\nA1;2026-06\nA2;2026-05\nA2;2026-05\n',
    );
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('; 1 was there; 2 rows were refused.') });
    expect(again.stderr).toContain('line 3: serial_number is in the file twice.');
    expect(await slugs(client)).toEqual(['drive', 'by-hand', 'drive-a2']);
    const other = await add('there', 'serial_number;manufacturing_date\nA1;2026-06\n');
    expect(other.stderr).toContain('line 2: manufacturing_date is another in by-hand, which is this item.');
  });

  test('reads JSON Lines, and writes nothing in a dry run', async () => {
    const client = await model('lines');
    const lines = [
      '{"serial_number": "A1", "negative_events": [], "charge_cycles": 3}',
      '{"serial_number": 7}',
      '{"serial_number": "A1"}',
      '{"serial_number": "A2", "nmber": 1}',
      '["A3"]',
      '{"serial_number": "A3",',
      '',
      '{"serial_number": "A4", "Seriennummer": "A5"}',
      '{"serial_number": "A6", "serial_number": "A7"}',
      '{"serial_number": "A8", "negative_events": [{"date": "2026-05-01", "\\u0064ate": "2026-05-02", "event": "a fall"}]}',
    ].join('\n');
    const dry = await add('lines', lines, '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([1, '1 item of drive can be added; 8 rows were refused.\n']);
    expect(await slugs(client)).toEqual(['drive']);
    const { stderr, stdout } = await add('lines', lines);
    expect(stderr.split('\n').map((line) => line.replace('Warning: ', ''))).toEqual([
      'line 2: serial_number must have 1 to 20 characters that a GS1 Digital Link can have.',
      'line 3: serial_number is in the file twice.',
      'line 4: "nmber" is no field of battery. To store it as a field of your own, name it with --own.',
      'line 5: the row is not an object.',
      expect.stringMatching(/^line 6: the row is not valid JSON/),
      'line 8: "serial_number" and "Seriennummer" are the same field, serial_number.',
      'line 9: the row has "serial_number" twice.',
      'line 10: the row has "date" twice.',
      '',
    ]);
    expect(stdout).toContain('Added 1 item of drive');
    expect(stdout).toContain('; 8 rows were refused.');
  });

  test('a serial number that is not public is in no slug', async () => {
    const client = await model('hidden');
    expect((await add('hidden', 'serial_number\nSECRET1\n', '--serial-level restricted')).code).toBe(0);
    const [, slug = ''] = await slugs(client);
    expect(slug).toMatch(/^drive-[a-z0-9]{8}$/);
    expect((await add('hidden', 'serial_number\nSECRET1\n')).stdout).toContain('; 1 was there.');
  });

  test('refuses a file before its first row, and a product that is no model', async () => {
    const client = await model('refused', []);
    const refusals: [string, string][] = [
      ['serial_number,Herstelungsdatum\nA1,x\n', 'line 1: "Herstelungsdatum" is no field of battery.'],
      ['manufacturing_date\n2026-05\n', 'line 1: no column is the serial number.'],
      ['serial_number,Seriennummer\nA1,A1\n', 'line 1: "serial_number" and "Seriennummer" are the same field'],
      ['', 'is empty. Its first line names the columns.'],
      ['serial_number,manufacturing_place\nA1,"Cork\n', 'cannot be read on from line 2.'],
    ];
    for (const [text, message] of refusals) {
      expect(await add('refused', text)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
    expect((await add('refused', 'serial_number,color\nA1,red\n', '--own color')).code).toBe(0);
    await client.create({ name: 'Box', slug: 'box' });
    expect((await command(`item add box ${fileWith('serial_number\n')} --tenant refused`)).stderr).toContain(
      'has no GTIN',
    );
    expect((await command(`item add drive-a1 ${fileWith('serial_number\n')} --tenant refused`)).stderr).toContain(
      'drive-a1 is an item itself',
    );
    expect(await slugs(client)).toEqual(['drive', 'drive-a1', 'box']);
  });

  test('reads what `template blank` prints, and publishes what is ready', async () => {
    const client = await service.newTenant({ slug: 'blank' });
    await client.create({ name: 'Pullover', slug: 'pullover', product_group: 'textile', gtin: '9520001000072' });
    const { stdout: blank } = await command('template blank textile');
    const [header = ''] = blank.replace('\uFEFF', '').split('\n');
    const cells: Record<string, string> = {
      manufacturer_name: 'Knit Ltd',
      country_of_origin: 'IE',
      fibre_composition: '"[{""fibre"": ""wool"", ""share"": 100}]"',
      care_instructions: 'wash_30',
      recycling_instructions: 'textile',
    };
    const row = (serial: string, without: string) =>
      header.split(',').map((name) => {
        const key = name.replaceAll('"', '');
        return key === 'serial_number' ? serial : key === without ? '' : (cells[key] ?? '');
      });
    const file = fileWith(`${blank}${row('A1', '')}\n${row('A2', 'care_instructions')}\n`);
    const { code, stdout, stderr } = await command(`item add pullover ${file} --activate --tenant blank`);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Added 2 items of pullover in .*; 1 became active\.\n$/),
    ]);
    expect(stderr).toMatch(/items that stay drafts: 1\. The reason of the first one: .*care_instructions/);
    expect((await client.list()).items.map(({ status }) => status)).toEqual(['draft', 'active', 'draft']);
    expect((await client.carriers('pullover-a1')).items).toHaveLength(1);
    const link = await client.call({ path: '/01/09520001000072/21/A1', key: null });
    expect(link.headers.location).toMatch(/\/p\/blank\/pullover-a1\?serial=A1$/);
  });

  test('publishes no other product, if a row is in the file twice and the slug of its item is taken', async () => {
    const client = await service.newTenant({ slug: 'taken' });
    await client.create({ name: 'Pullover', slug: 'pullover', product_group: 'textile', gtin: '9520001000065' });
    const values = [
      { field_key: 'manufacturer_name', value: 'Knit Ltd' },
      { field_key: 'country_of_origin', value: 'IE' },
      { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 100 }] },
      { field_key: 'care_instructions', value: 'wash_30' },
      { field_key: 'recycling_instructions', value: 'textile' },
    ];
    await client.create({ name: 'Secret', slug: 'pullover-a1', product_group: 'textile' });
    for (const slug of ['pullover', 'pullover-a1']) await client.write(slug, values);
    const line = `item add pullover ${fileWith('serial_number,country_of_origin\nA1,IE\nA1,IE\n')} --activate --tenant taken --json`;
    for (const words of ['--dry-run', '']) {
      const { stdout } = await command(`${line} ${words}`);
      expect(JSON.parse(stdout)).toMatchObject({ added: 1, there: 0, activated: 1, refused: 1 });
    }
    expect((await client.list()).items.map(({ slug, status }) => [slug, status])).toEqual([
      ['pullover', 'draft'],
      ['pullover-a1', 'draft'],
      ['pullover-a1-2', 'active'],
    ]);
  });

  test('a row that begins with # is a row, unless it is a note of `template blank`', async () => {
    const client = await model('marked');
    const { stdout } = await add('marked', 'manufacturing_place,serial_number\n# label: Place,\n#7 Hall,A1\n');
    expect([stdout, await slugs(client)]).toEqual([expect.stringMatching(/^Added 1 item/), ['drive', 'drive-a1']]);
  });

  if (kind === 'PostgreSQL') {
    test('waits for a draft without a lock of the counts, and an import locks its products in one order', async () => {
      const client = await model('locks');
      await add('locks', 'serial_number\nA1\nA2\n');
      const tenant_id = client.tenant.id;
      const lock = (on: Database, slug: string) => on('products').where({ tenant_id, slug }).forUpdate().select('id');
      let line = `item add drive ${fileWith('serial_number\nA1\n')} --activate --tenant locks`;
      let done: Promise<Outcome> | undefined;
      await service.database.transaction(async (transaction) => {
        await lock(transaction, 'drive-a1');
        done = command(line);
        await untilBlocked(done, transaction);
        await transaction('product_counts').where({ tenant_id }).forUpdate().select('draft');
      });
      expect((await done)?.code).toBe(0);
      line = `passport import ${fileWith('slug,charge_cycles\ndrive-a2,1\ndrive-a1,1\n')} --tenant locks`;
      await service.database.transaction(async (transaction) => {
        await lock(transaction, 'drive-a1');
        done = command(line);
        await untilBlocked(done, transaction);
        await lock(transaction, 'drive-a2');
      });
      expect(await done).toMatchObject({ code: 0, stderr: '' });
      // The last row makes an item of the model.
      await service.activate(client, 'drive');
      line = `passport import ${fileWith('slug,charge_cycles,serial_number\ndrive-a1,2,\ndrive,,A3\n')} --tenant locks`;
      const { slug } = await service.database.transaction(async (transaction) => {
        await transaction('product_counts').where({ tenant_id }).forUpdate().select('draft');
        done = command(line);
        await untilBlocked(done, transaction);
        const fields = { name: 'Drive', slug: 'drive-a1' };
        const created = await insertProduct(transaction, tenant_id, fields, (taken) => `urn:${taken}`, new Date());
        await createPassports(transaction, tenant_id, [created]);
        return created;
      });
      expect([slug, await done]).toMatchObject(['drive-a1-2', { code: 0, stderr: '' }]);
    });
  }

  /** Starts a command that reads its rows from standard input, and kills it once it has stored some of them. */
  async function killed(words: string[], rows: string, hasStored: () => Promise<boolean>): Promise<void> {
    const child: ChildProcess = spawn(process.execPath, ['server/src/cli/main.ts', ...words, '--database', address], {
      cwd: root,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(child, 'close');
    child.stdin?.on('error', () => {});
    // The rest never comes, so the program cannot end before it is killed.
    child.stdin?.write(rows);
    while (!(await hasStored())) await setTimeout(20);
    child.kill('SIGKILL');
    await ended;
  }

  test('that is killed is started again', async () => {
    const client = await model('killed');
    const rows = Array.from({ length: 1000 }, (_, index) => `S${index},2026-05\n`);
    const header = 'serial_number,manufacturing_date\n';
    const begun = `${header}${rows.slice(0, 700).join('')}`;
    const hasStored = async () => (await client.me()).products_total > 1;
    await killed(['item', 'add', 'drive', '-', '--tenant', 'killed'], begun, hasStored);
    const stored = (await client.me()).products_total - 1;
    expect(stored % 100).toBe(0);
    expect(stored).toBeLessThan(1000);
    const { stdout } = await add('killed', `${header}${rows.join('')}`, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ added: 1000 - stored, there: stored, refused: 0 });
    expect((await client.me()).products_total).toBe(1001);
    if (kind === 'PostgreSQL') {
      // Without statistics, each batch takes longer than the one before.
      const { rows } = await service.database.raw(
        "SELECT relname FROM pg_class WHERE relname = 'products' AND reltuples > 0",
      );
      expect(rows).toHaveLength(1);
    }

    const month = Array.from({ length: 300 }, (_, index) => `${gtin},S${index},${index}\n`);
    const columns = 'gtin,serial_number,charge_cycles\n';
    const versions = () =>
      service.database('passport_versions').where({ tenant_id: client.tenant.id }).where('version', '>', 1);
    const before = (await versions()).length;
    await killed(
      ['passport', 'import', '-', '--tenant', 'killed'],
      `${columns}${month.slice(0, 250).join('')}`,
      async () => (await versions()).length > before,
    );
    expect((await versions()).length).toBeLessThan(before + 300);
    const file = fileWith(`${columns}${month.join('')}`);
    expect(await command(`passport import ${file} --tenant killed`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrote the values of 300 products'),
    });
    // A row that is there makes no version.
    expect((await versions()).length).toBe(before + 300);
    expect((await command('check-hashes')).code).toBe(0);
  });

  const valuesOf = async (client: Client, slug: string) =>
    Object.fromEntries((await client.passport(slug)).values.map((value) => [value.field_key, value]));

  describe('item set', () => {
    const set = (tenant: string, values: readonly object[], words = ''): Promise<Outcome> =>
      command(`item set drive ${fileWith(JSON.stringify(values))} --tenant ${tenant} ${words}`);

    const change = [
      { field_key: 'rated_capacity', value: 18, unit: 'Ah' },
      { field_key: 'nominal_voltage', value: 36, unit: 'V' },
      { field_key: 'warranty_months', value: 24, unit: 'month' },
      { field_key: 'battery_chemistry', value: 'NMC' },
    ];

    /** A model and its items: one keeps a value, one has another level, one is active and one archived. */
    async function family(slug: string): Promise<Client> {
      const client = await model(slug);
      await add(slug, 'serial_number,rated_capacity\nA1,\nA2,16\nA3,\nA4,\n');
      await client.write('drive-a3', [
        { field_key: 'rated_capacity', value: 17.4, unit: 'Ah', access_level: 'restricted' },
        { field_key: 'warranty_months', value: 24, unit: 'month' },
      ]);
      await service.activate(client, 'drive-a3');
      await service.activate(client, 'drive-a4');
      await command(`product archive drive-a4 --tenant ${slug}`);
      await client.create({ name: 'Other', slug: 'other', product_group: 'battery', gtin: '96385074' });
      await client.write('other', [{ field_key: 'serial_number', value: 'A1' }, ...ofModel.slice(0, 1)]);
      return client;
    }

    test('changes the model and the items that have its values, and each item keeps its level', async () => {
      const client = await family('set');
      const dry = await set('set', change, '--dry-run');
      expect([dry.code, dry.stdout, dry.stderr]).toEqual([
        0,
        '3 values of drive and 4 items can be changed. Items that had the new values: 0. Items that keep a value of their own: 1.\n',
        '',
      ]);
      expect((await valuesOf(client, 'drive')).rated_capacity?.value).toBe(17.4);
      expect((await set('set', change, '--json')).stdout).toMatch(
        /^\{"model":"drive","fields":\["rated_capacity","warranty_months","battery_chemistry"\],"written":4,"same":0,"own":1,/,
      );
      const capacities = [];
      for (const slug of ['drive', 'drive-a1', 'drive-a2', 'drive-a3', 'drive-a4', 'other']) {
        const { rated_capacity, warranty_months, battery_chemistry } = await valuesOf(client, slug);
        expect(battery_chemistry?.is_unknown ?? false).toBe(false);
        capacities.push([rated_capacity?.value, rated_capacity?.access_level, warranty_months?.value]);
      }
      expect(capacities).toEqual([
        [18, 'public', 24],
        [18, 'public', 24],
        [16, 'public', 24],
        [18, 'restricted', 24],
        [18, 'public', 24],
        [17.4, 'public', undefined],
      ]);
      expect((await set('set', change)).stdout).toBe('drive has these values.\n');
      expect((await command('check-hashes')).code).toBe(0);
    });

    test('refuses what belongs to the item, and a level that is more open than the template', async () => {
      const client = await family('unset');
      for (const [values, message] of [
        [[{ field_key: 'charge_cycles', value: 1 }], 'each item has its own charge_cycles.'],
        [
          [{ field_key: 'dismantling_information', value: 'https://a.example' }],
          'access_level of dismantling_information',
        ],
      ] as const) {
        const { code, stderr } = await set('unset', values);
        expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
      }
      expect((await command('item set drive --continue --tenant unset')).stderr).toContain('has no unfinished change');
      expect((await command('item set drive --tenant unset')).code).toBe(2);
      expect((await client.list()).items.map(({ slug }) => slug)).toContain('drive-a1');
    });

    test('stores no change that cannot end, warns of what does not fit, and names an item that refuses', async () => {
      const client = await model('ending');
      await add('ending', 'serial_number\nA1\nA2\n');
      await service.activate(client, 'drive');
      const reports = { field_key: 'test_reports', value: 'https://a.example' };
      const restricted = fileWith(JSON.stringify([{ ...reports, access_level: 'restricted' }]));
      const confirmed = await command(`passport set drive ${restricted} --open test_reports --tenant ending`);
      expect(confirmed.code).toBe(0);
      const refused = await set('ending', [{ ...reports, access_level: 'public' }]);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('access_level of test_reports')]);
      const none = await command('item set drive --continue --tenant ending');
      expect(none.stderr).toContain('has no unfinished change');

      const { length } = (await client.passport('drive-a1')).values;
      const many = Array.from({ length: 5000 - length }, (_, index) => ({ field_key: `own_${index}`, value: 1 }));
      for (let start = 0; start < many.length; start += 1000) {
        await client.write('drive-a1', many.slice(start, start + 1000));
      }
      const { code, stdout, stderr } = await set('ending', [
        { field_key: 'rated_capacity', value: 'many', unit: 'Ah' },
        { field_key: 'warranty_months', value: 24, unit: 'month' },
      ]);
      expect([code, stdout]).toEqual([1, expect.stringContaining(' and 1 item in ')]);
      expect(stderr).toContain('value of rated_capacity must be a number (got "many")');
      expect(stderr).toContain('drive-a1 stays as it is: A passport can have at most 5000 values.');
      expect((await valuesOf(client, 'drive')).warranty_months?.value).toBe(24);

      const { test_reports: old } = await valuesOf(client, 'drive');
      const note = { old: [old], new: [{ ...old, access_level: 'public' }], open: [] };
      const products = service.database('products').where({ tenant_id: client.tenant.id, slug: 'drive' });
      await products.update({ unfinished: JSON.stringify(note) });
      expect((await command('item set drive --continue --tenant ending')).code).toBe(1);
      expect((await command('item set drive --continue --open test_reports --tenant ending')).code).toBe(0);
    });

    test('names the items that have a part of it, and keeps what was written to the model since', async () => {
      const client = await model('between');
      await add('between', 'serial_number\nA1\nA2\n');
      const known = (await client.passport('drive')).values;
      const named = (field_key: string) => known.filter((value) => value.field_key === field_key);
      const old = ['color', 'rated_capacity', 'nominal_voltage'].flatMap(named);
      const [color, capacity, voltage] = old;
      const changed = [
        { ...color, value: 'red' },
        { ...capacity, value: 18 },
        { ...voltage, access_level: 'public' },
      ];
      const unfinished = JSON.stringify({ old, new: changed, open: [] });
      await service.database('products').where({ tenant_id: client.tenant.id, slug: 'drive' }).update({ unfinished });
      await client.write('drive-a1', [{ field_key: 'color', value: 'red' }]);
      const given = await command('item set drive --abandon --dry-run --tenant between --json');
      expect(JSON.parse(given.stdout).abandoned).toEqual(['drive-a1']);

      await client.write('drive', [
        { field_key: 'color', value: 'blue' },
        { field_key: 'rated_capacity', value: 17.4, unit: 'Ah', access_level: 'restricted' },
      ]);
      const { stdout, stderr } = await command('item set drive --continue --tenant between --json');
      expect(JSON.parse(stdout)).toMatchObject({ written: 2, kept: ['color'] });
      expect(stderr).toContain('drive keeps what was written since the change began: color.');
      const { color: kept, rated_capacity, nominal_voltage } = await valuesOf(client, 'drive');
      expect([kept?.value, rated_capacity?.value, rated_capacity?.access_level]).toEqual(['blue', 18, 'restricted']);
      expect(nominal_voltage?.access_level).toBe('public');
    });

    test('stops once another process has finished it, or given it up', async () => {
      const client = await model('stopped');
      await add('stopped', 'serial_number\nA1\n');
      const { tenant } = client;
      const { database } = service;
      const now = () => new Date();
      const begin = (value: string) =>
        database.transaction((transaction) =>
          beginChange({ database: transaction, now }, tenant, 'drive', [{ field_key: 'color', value }], {}),
        );
      const begun = await begin('red');
      if (!begun) throw new Error('No change has begun.');
      const { change: red } = begun;
      const goOn = (isStored = true) =>
        database.transaction((transaction) =>
          changeItems({ database: transaction, now }, tenant, 'drive', [{ slug: 'drive-a1' }], red, isStored),
        );
      const end = () =>
        database.transaction((transaction) => endChange({ database: transaction, now }, tenant, 'drive', red));
      expect((await command('item set drive --abandon --tenant stopped')).code).toBe(0);
      const stopped = 'another process has finished this change of drive, or given it up.';
      await expect(goOn()).rejects.toThrow(stopped);
      await begin('blue');
      await expect(goOn()).rejects.toThrow(stopped);
      await expect(end()).rejects.toThrow(stopped);
      expect((await valuesOf(client, 'drive-a1')).color?.value).toBe('black');
      expect(await goOn(false)).toMatchObject({ written: 1 });
    });

    test('that is killed is finished, or given up', async () => {
      const client = await model('unfinished');
      const rows = Array.from({ length: 500 }, (_, index) => `S${index}\n`).join('');
      await add('unfinished', `serial_number\n${rows}`);
      const products = () => service.database('products').where({ tenant_id: client.tenant.id });
      const note = async () => (await products().where({ slug: 'drive' }).first('unfinished'))?.unfinished ?? null;
      const written = async () =>
        (await products().whereNotNull('serial_number').whereRaw('updated_at <> created_at')).length;

      let capacity = 17.4;
      /** On a quick machine a command may end before it is killed. */
      async function kill(): Promise<void> {
        while ((await note()) === null) {
          capacity += 1;
          await products().update({ updated_at: service.database.ref('created_at') });
          const file = fileWith(JSON.stringify([{ field_key: 'rated_capacity', value: capacity, unit: 'Ah' }]));
          await killed(['item', 'set', 'drive', file, '--tenant', 'unfinished'], '', async () => (await written()) > 0);
        }
      }
      await kill();
      const [items, values] = [fileWith('serial_number\nT1\n'), fileWith('[]')];
      for (const line of [`item add drive ${items}`, `item set drive ${values}`]) {
        expect(await command(`${line} --tenant unfinished`)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            'drive has an unfinished change of rated_capacity. Finish it with `item set drive',
          ),
        });
      }
      const done = JSON.parse((await command('item set drive --continue --tenant unfinished --json')).stdout);
      expect([done.own, done.written + done.same]).toEqual([0, 500]);
      expect(done.same).toBeGreaterThan(0);
      expect(await note()).toBeNull();
      expect((await valuesOf(client, 'drive')).rated_capacity?.value).toBe(capacity);
      expect((await valuesOf(client, 'drive-s499')).rated_capacity?.value).toBe(capacity);

      await kill();
      const { abandoned } = JSON.parse((await command('item set drive --abandon --tenant unfinished --json')).stdout);
      expect(abandoned.length).toBe(await written());
      expect(abandoned).toContain('drive-s0');
      expect(await note()).toBeNull();
      expect((await valuesOf(client, 'drive')).rated_capacity?.value).not.toBe(capacity);
    });
  });

  describe('passport import', () => {
    test('writes each row to the product that it names, with the level of the template', async () => {
      const client = await model('import');
      await add('import', 'serial_number\nA1\nA2\n');
      await client.service.activate(client, 'drive-a1');
      const { unique_product_identifier: urn } = await client.product('drive-a2');
      const month = fileWith(
        `gtin;Seriennummer;charge_cycles;state_measured_on\n0${gtin};A1;12;2026-11-01\n${gtin};A3;1;\n`,
      );
      const first = await command(`passport import ${month} --tenant import --json`);
      expect([first.code, JSON.parse(first.stdout)]).toMatchObject([
        1,
        { written: 1, refused: 1, refusals: [{ line: 3, error: 'no product has this GTIN and serial number' }] },
      ]);
      expect((await valuesOf(client, 'drive-a1')).charge_cycles).toMatchObject({
        ...{ value: 12, unit: 'cycle', access_level: 'restricted' },
      });
      const lines = `{"identifier": "${urn}", "charge_cycles": 7}\n{"slug": "drive", "rated_capacity": 18}\n{"slug": "x"}\n`;
      const second = await command(`passport import ${fileWith(lines)} --tenant import`);
      expect(second.stderr).toBe('Warning: line 3: slug is not that of a product of import.\n');
      const twice = fileWith('slug,charge_cycles,Full equivalent charge cycles\ndrive-a2,1,2\n');
      expect((await command(`passport import ${twice} --tenant import`)).stderr).toContain(
        'are the same field, charge_cycles.',
      );
      expect((await valuesOf(client, 'drive-a2')).charge_cycles?.value).toBe(7);
      // The level of the model's value stays.
      expect((await valuesOf(client, 'drive')).rated_capacity).toMatchObject({ value: 18, access_level: 'public' });
    });

    test('stores what does not fit, and with --strict nothing of its row', async () => {
      const client = await model('strict');
      await client.service.activate(client, 'drive');
      await command(
        `passport set drive ${fileWith('[{"field_key":"test_reports","value":"https://a.example"}]')} --tenant strict`,
      );
      const file = fileWith('slug,rated_capacity,nominal_voltage\ndrive,many,40\n');
      const refused = await command(`passport import ${file} --tenant strict --strict`);
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Wrote the values of 0 products/) });
      expect(refused.stderr).toContain('line 2: drive: value of rated_capacity must be a number (got "many")');
      expect((await valuesOf(client, 'drive')).nominal_voltage?.value).toBe(36);
      const stored = await command(`passport import ${file} --tenant strict`);
      expect([stored.code, stored.stderr]).toEqual([
        0,
        expect.stringContaining('line 2: was written, but does not fit'),
      ]);
      expect((await valuesOf(client, 'drive')).nominal_voltage?.value).toBe(40);
      const one = fileWith(
        '[{"field_key":"rated_capacity","value":"few","unit":"Ah"},{"field_key":"color","value":"red"}]',
      );
      const set = await command(`passport set drive ${one} --tenant strict --strict`);
      expect([set.code, set.stderr]).toEqual([1, expect.stringContaining('nothing was written, because of --strict.')]);
      expect((await valuesOf(client, 'drive')).color?.value).toBe('black');
    });

    test('refuses a file without a name of the product, or with a column that no group has', async () => {
      await model('header');
      for (const [text, message] of [
        ['rated_capacity\n1\n', 'no column names the product: add slug, identifier, or gtin and serial_number.'],
        ['gtin,rated_capacity\n', 'no column names the product'],
        ['slug,ratted\n', '"ratted" is no field of any product group, or of several.'],
      ] as const) {
        const { code, stderr } = await command(`passport import ${fileWith(text)} --tenant header`);
        expect([code, stderr]).toEqual([2, expect.stringContaining(`line 1: ${message}`)]);
      }
    });
  });
});

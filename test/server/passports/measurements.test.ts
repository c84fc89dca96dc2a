/** What is measured again and again: who sees which earlier value, on both databases. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type PassportValue, type Schemas, visibleValues } from '@product-passport/openapi';
import { verifyPassport } from '../../../sdk/src/verify.ts';
import { languages, texts } from '../../../server/src/languages/languages.ts';
import {
  type HistoryRow,
  measurementsOf,
  readVersions,
  withholdVersion,
} from '../../../server/src/passports/published-versions.ts';
import { listValues } from '../../../server/src/passports/store.ts';
import { unsetFields } from '../../../server/src/passports/write.ts';
import { lockProduct } from '../../../server/src/products/store.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { type Client, startService } from '../../support/service.ts';

const { measured, fields, data_points } = templateOf('battery');
if (!measured || !data_points) throw new Error('The template has no measured fields.');
const date = measured.date;

test('the measured fields are those of points 51 to 58, 61 to 66 and 68', () => {
  const isMeasured = (point: number) => (point >= 51 && point <= 58) || (point >= 61 && point <= 66) || point === 68;
  const keys = fields.filter(({ points = [] }) => points.some(isMeasured)).map(({ key }) => key);
  expect(measured.fields.toSorted()).toEqual(keys.toSorted());
  expect(fields.find(({ key }) => key === date)?.type).toBe('date');
});

/** A value in a version. */
const value = (field_key: string, given: unknown, more: Partial<PassportValue> = {}): PassportValue => ({
  ...{ field_key, value: given, unit: null, source: 'import', access_level: 'restricted', is_unknown: false },
  ...{ needs_review: false, locale: 'en', updated_at: '', ...more },
});

/** Versions from the oldest, each with all of its values: those of the last one are the present ones. */
function versions(...all: { values: PassportValue[]; was_active?: boolean }[]) {
  const rows = all.map(({ values }, index): HistoryRow => {
    const before = all[index - 1];
    const keys = new Set([...values, ...(before?.values ?? [])].map(({ field_key }) => field_key));
    const replaced = [...keys].flatMap((field_key) => {
      const find = (of: PassportValue[] = []) => of.find((each) => each.field_key === field_key);
      const [old, now] = [find(before?.values), find(values)];
      return JSON.stringify(old) === JSON.stringify(now)
        ? []
        : [{ field_key, locale: 'en', ...(old && { value: old }) }];
    });
    const version = index + 1;
    const created_at = `2026-0${version}-01T00:00:00.000Z`;
    const text = JSON.stringify({ was_active: before?.was_active ?? true, values: replaced });
    return {
      version,
      template_version: 1,
      content_hash: '',
      public_hash: '',
      created_at,
      replaced: before ? text : null,
    };
  });
  return { rows: rows.reverse(), current: all.at(-1)?.values ?? [] };
}

type Role = 'consumer' | 'recycler' | 'inspector' | 'operator';

/** Date and value of each measurement of the capacity. */
function seen(role: Role, { rows, current }: ReturnType<typeof versions>, withheld: number[] = []): string[] {
  const isOperator = role === 'operator';
  const sees = (each: PassportValue) => isOperator || visibleValues([each], role as 'consumer').length > 0;
  const series = measurementsOf(
    rows,
    current,
    withheld,
    { date, fields: ['remaining_capacity'] },
    { isOperator, sees },
  );
  return series.flatMap(({ measurements }) => measurements.map((one) => `${one.date.slice(0, 10)} ${one.value}`));
}

const capacity = (given: unknown, level: PassportValue['access_level'] = 'restricted', more = {}) =>
  value('remaining_capacity', given, { access_level: level, ...more });
const on = (day: string, level: PassportValue['access_level'] = 'restricted') =>
  value(date, day, { access_level: level });

describe('a role sees what it could see then and can see today', () => {
  const three = versions(
    { values: [capacity(10), on('2026-01-15')] },
    { values: [capacity(9), on('2026-02-15')] },
    { values: [capacity(8), on('2026-03-15')] },
  );
  const all = ['2026-01-15 10', '2026-02-15 9', '2026-03-15 8'];

  test('by the date of the measurement', () => {
    expect(seen('recycler', three)).toEqual(all);
    expect(seen('inspector', three)).toEqual(all);
    expect(seen('consumer', three)).toEqual([]);
  });

  test('by the time of the version, if it may not see the date', () => {
    const hidden = versions(
      { values: [capacity(10), on('2026-01-15', 'authority')] },
      { values: [capacity(9), on('2026-02-15', 'authority')] },
    );
    expect(seen('recycler', hidden)).toEqual(['2026-01-01 10', '2026-02-01 9']);
    expect(seen('inspector', hidden)).toEqual(['2026-01-15 10', '2026-02-15 9']);
    const dateless = versions({ values: [capacity(10)] }, { values: [capacity(9), on('soon')] });
    expect(seen('recycler', dateless)).toEqual(['2026-01-01 10', '2026-02-01 9']);
  });

  test('not what was hidden then, nor what is hidden today', () => {
    const opened = versions({ values: [capacity(10, 'authority')] }, { values: [capacity(9, 'restricted')] });
    expect(seen('recycler', opened)).toEqual(['2026-02-01 9']);
    expect(seen('inspector', opened)).toEqual(['2026-01-01 10', '2026-02-01 9']);
    const closed = versions({ values: [capacity(10, 'public')] }, { values: [capacity(9, 'restricted')] });
    expect(seen('consumer', closed)).toEqual([]);
    expect(seen('recycler', closed)).toEqual(['2026-01-01 10', '2026-02-01 9']);
  });

  test('not in a version that was not public or is withheld, which the operator sees', () => {
    const draft = versions({ values: [capacity(10)], was_active: false }, { values: [capacity(9)] });
    expect(seen('recycler', draft)).toEqual(['2026-02-01 9']);
    expect(seen('operator', draft)).toEqual(['2026-01-01 10', '2026-02-01 9']);
    expect(seen('recycler', three, [2])).toEqual(['2026-01-15 10', '2026-03-15 8']);
    expect(seen('operator', three, [2])).toEqual(all);
  });

  test('not from before the field was removed, not even the operator', () => {
    const again = versions({ values: [capacity(10)] }, { values: [] }, { values: [capacity(8)] });
    for (const role of ['recycler', 'operator'] as const) expect(seen(role, again)).toEqual(['2026-03-01 8']);
    expect(seen('operator', versions({ values: [capacity(10)] }, { values: [] }))).toEqual([]);
    const undated = versions(
      { values: [capacity(10), on('2026-01-15')] },
      { values: [capacity(9)] },
      {
        values: [capacity(9), on('2026-03-15')],
      },
    );
    // The date from before its removal is not read, and the same value has no new date of its own.
    expect(seen('recycler', undated)).toEqual(['2026-01-01 10', '2026-02-01 9']);
  });

  test('a version that changes something else measures nothing; the same value on another day is measured again', () => {
    const other = value('battery_status', 'original');
    expect(seen('recycler', versions({ values: [capacity(9)] }, { values: [capacity(9), other] }))).toEqual([
      '2026-01-01 9',
    ]);
    const twice = versions({ values: [capacity(9), on('2026-01-15')] }, { values: [capacity(9), on('2026-02')] });
    expect(seen('recycler', twice)).toEqual(['2026-01-15 9', '2026-02 9']);
    const unknown = versions(
      { values: [capacity(9)] },
      { values: [capacity(null, 'restricted', { is_unknown: true })] },
    );
    expect(seen('recycler', unknown)).toEqual(['2026-01-01 9']);
  });

  test('only a number is measured: a long text would be repeated for each date', () => {
    const mixed = versions(
      { values: [capacity(10), on('2026-01-15')] },
      { values: [capacity('tbd'), on('2026-02-15')] },
      { values: [capacity('tbd'), on('2026-03-15')] },
      { values: [capacity([8]), on('2026-04-15')] },
    );
    for (const role of ['recycler', 'operator'] as const) expect(seen(role, mixed)).toEqual(['2026-01-15 10']);
  });

  test('the history ends where it is not known what a version replaced', () => {
    const [latest, second, first] = three.rows;
    if (!latest || !second || !first) throw new Error('There are three versions.');
    const rows = [latest, { ...second, replaced: null }, first];
    expect(seen('operator', { ...three, rows })).toEqual(all.slice(1));
  });
});

describe.each(databaseKinds)('on %s', (kind) => {
  let address = '';
  let service: Awaited<ReturnType<typeof startService>>;
  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
  });

  async function battery(): Promise<{ client: Client; key: { tenantId: string; productId: string } }> {
    const client = await service.newTenant({ language: 'en' });
    await client.publish({ name: 'Akku', slug: 'akku', product_group: 'battery' }, []);
    const { id } = await client.product('akku');
    return { client, key: { tenantId: client.tenant.id, productId: id } };
  }

  test('96 monthly versions of 51 values are read in one statement within 4 MiB, and public changes end it after 50, but not for the operator', async () => {
    const { client, key } = await battery();
    const numbers = fields.filter(({ type }) => ['number', 'integer'].includes(type)).slice(0, 47);
    const texts = fields.filter(({ type }) => type === 'text' || type === 'string').slice(0, 4);
    for (let month = 0; month < 96; month += 1) {
      await client.write('akku', [
        ...numbers.map(({ key: field_key, unit }) => ({
          field_key,
          value: 1000 - month,
          unit,
          access_level: 'restricted',
        })),
        ...texts.map(({ key: field_key }) => ({ field_key, value: `month ${month}`, access_level: 'restricted' })),
      ] as never);
    }
    const rows = await readVersions(service.database, key);
    // The first version is the one without values.
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 97 }, (_, index) => 97 - index));
    const bytes = rows.reduce((sum, { replaced }) => sum + Buffer.byteLength(replaced ?? ''), 0);
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(4 * 1024 * 1024);
    const current = await listValues(service.database, key.tenantId, key.productId);
    const everything = { isOperator: true, sees: () => true };
    const [first] = measurementsOf(rows, current, [], { date, fields: ['remaining_capacity'] }, everything);
    expect(first?.measurements.map(({ value }) => value)).toEqual(
      Array.from({ length: 96 }, (_, month) => 1000 - month),
    );

    for (let change = 0; change < 60; change += 1)
      await client.write('akku', [{ field_key: 'model_identifier', value: `${change}` }]);
    expect(await readVersions(service.database, key)).toHaveLength(50);
    const command = 'product-passport passport history akku --json --field remaining_capacity';
    const { stdout } = await runHere(`${command} --tenant ${client.tenant.slug} --database ${address}`);
    expect(JSON.parse(stdout).fields).toEqual([first]);
  });

  test('a command shows the operator all but removed values, as text, JSON and CSV', async () => {
    const { client, key } = await battery();
    const write = (capacityNow: number, day: string, level = 'restricted') =>
      client.write('akku', [
        { field_key: 'remaining_capacity', value: capacityNow, unit: 'Ah', access_level: level },
        { field_key: 'charge_cycles', value: 100 - capacityNow, unit: 'cycle', access_level: 'restricted' },
        { field_key: date, value: day, access_level: 'restricted' },
      ] as never);
    await write(17, '2026-01-15', 'authority');
    await write(16, '2026-07-15');
    await service.database.transaction(async (transaction) => {
      const product = await lockProduct(transaction, key.tenantId, 'akku');
      if (product) await withholdVersion(transaction, key.tenantId, product, 2);
    });
    const command = (rest: string) =>
      runHere(`product-passport passport history akku ${rest} --tenant ${client.tenant.slug} --database ${address}`);
    expect((await command('--csv')).stdout.replaceAll('"', '')).toBe(
      [
        'field_key,date,version,value,unit',
        'remaining_capacity,2026-01-15,2,17,Ah',
        'remaining_capacity,2026-07-15,3,16,Ah',
        'charge_cycles,2026-01-15,2,83,cycle',
        'charge_cycles,2026-07-15,3,84,cycle',
        '',
      ].join('\n'),
    );
    await service.database.transaction((transaction) =>
      unsetFields(transaction, client.tenant, 'akku', ['charge_cycles']),
    );
    expect(JSON.parse((await command('--json')).stdout)).toEqual({
      product: 'akku',
      fields: [
        {
          field_key: 'remaining_capacity',
          measurements: [
            { version: 2, date: '2026-01-15', value: 17, unit: 'Ah' },
            { version: 3, date: '2026-07-15', value: 16, unit: 'Ah' },
          ],
        },
      ],
    });
    expect((await command('--field charge_cycles')).stdout).toBe(
      'akku has no value that is measured again and again.\n',
    );
    expect(await command('--field charge_cycle')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('charge_cycles'),
    });
    expect((await command('')).stdout).toContain('remaining_capacity  2026-07-15  3        16     Ah');
  });

  test('the document of a role has what the role may see, outside of what the hashes cover', async () => {
    const { client } = await battery();
    const write = (capacityNow: number, day: string, level: string) =>
      client.write('akku', [
        { field_key: 'remaining_capacity', value: capacityNow, unit: 'Ah', access_level: level },
        { field_key: 'charge_cycles', value: 5, unit: 'cycle', access_level: 'restricted' },
        { field_key: date, value: day, access_level: 'restricted' },
      ]);
    const read = async (token = '', version = ''): Promise<Schemas['PassportDocument']> => {
      const query = [token && `zugang=${token}`, version && `version=${version}`].filter(Boolean).join('&');
      const { text } = await client.call({ path: `/p/${client.tenant.slug}/akku/jsonld`, query, key: null });
      expect((await verifyPassport(JSON.parse(text))).ok).toBe(true);
      return JSON.parse(text);
    };
    const [recycler, inspector] = [await client.token('recycler'), await client.token('inspector')];
    await write(17, '2026-01', 'authority');
    expect((await read(inspector))['dpp:measurement']).toBeUndefined();
    await write(16, '2026-07-15', 'restricted');
    const node = (key: string, name: string, observationDate: string, value: number) => ({
      ...{ '@type': 'Observation', variableMeasured: key, name, observationDate, value },
      ...(key === 'charge_cycles' ? { unitText: 'cycle' } : { unitText: 'Ah', unitCode: 'AMH' }),
    });
    const cycles = ['2026-01', '2026-07-15'].map((day) =>
      node('charge_cycles', 'Full equivalent charge cycles', day, 5),
    );
    const label = 'Remaining capacity';
    expect((await read())['dpp:measurement']).toBeUndefined();
    expect((await read(recycler))['dpp:measurement']).toEqual(cycles);
    expect((await read(inspector))['dpp:measurement']).toEqual([
      node('remaining_capacity', label, '2026-01', 17),
      node('remaining_capacity', label, '2026-07-15', 16),
      ...cycles,
    ]);
    expect((await read(inspector, '2'))['dpp:measurement']).toBeUndefined();
  });

  test('the page of a role has a picture and a table of the numbers, in each language', async () => {
    const { client } = await battery();
    const measuredValues = [
      [17, '2026-01'],
      [16.5, '2026-07-15'],
      [15, '2027-01-15'],
    ];
    for (const [capacityNow, day] of measuredValues) {
      await client.write('akku', [
        { field_key: 'remaining_capacity', value: capacityNow, unit: 'Ah', access_level: 'restricted' },
        { field_key: date, value: day, access_level: 'restricted' },
      ]);
    }
    const token = await client.token('recycler');
    const page = async (query: string) => {
      const path = `/p/${client.tenant.slug}/akku`;
      const { text } = await client.call({ path, query, key: null });
      const [chart = ''] = /<dd class="measured">[\s\S]*?<\/details><\/dd>/.exec(text) ?? [];
      const plain = chart
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/[\s\u00a0]+/g, ' ')
        .replaceAll('\u00ad', '');
      return { chart, plain: plain.trim(), text };
    };
    expect((await page('lang=en')).text).not.toContain('Ah');
    const { chart, plain, text } = await page(`lang=en&zugang=${token}`);
    expect(plain).toBe(
      'All measurements (3) : Remaining capacity Date Remaining capacity January 2026 17 Ah 15 July 2026 16.5 Ah 15 January 2027 15 Ah',
    );
    expect(/points="([^"]+)"/.exec(chart)?.[1]).toBe('4,4 102.8,14 196,44');
    expect(chart).toContain('aria-hidden="true"');
    expect(text).toContain('"dpp:measurement"');
    for (const language of languages) {
      const { measurements } = texts[language];
      expect((await page(`lang=${language}&zugang=${token}`)).plain).toContain(`${measurements} (3)`);
    }
    expect(new Set(languages.map((language) => texts[language].measurements)).size).toBe(languages.length);
  });
});

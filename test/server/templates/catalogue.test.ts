/** The templates, and what counts in the battery template by category and by day, from the Commission's list. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  completeness,
  type DataPointList,
  type PassportValue,
  type Rule,
  requirementsOn,
} from '@product-passport/openapi';
import * as de from '../../../sdk/src/generated/languages/de.ts';
import { createClient, type PassportValueInput } from '../../../sdk/src/index.ts';
import { createPublicClient } from '../../../sdk/src/public.ts';
import { battery, checkValues, missing } from '../../../sdk/src/templates.ts';
import { createFakeService } from '../../../sdk/src/testing.ts';
import { connect } from '../../../server/src/database/connection.ts';
import {
  type StoredTemplate,
  templateAt,
  templateKeys,
  templateOf,
  templateVersions,
} from '../../../server/src/templates/catalogue.ts';
import { runHere } from '../../support/command.ts';
import { newMigratedDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { root } from '../../support/program.ts';
import { type Client, startService, useService } from '../../support/service.ts';

describe('templates', () => {
  const templates = templateKeys.map((key) => templateOf(key));

  test('have unique fields', () => {
    for (const { fields } of templates) expect(new Set(fields.map(({ key }) => key)).size).toBe(fields.length);
  });

  test('say of each field of a battery once whether it is of the model or of the item, and why', () => {
    const stored: StoredTemplate[] = JSON.parse(readFileSync(join(root, 'server/data/templates.json'), 'utf8'));
    for (const { key, belongs = [], fields } of stored) {
      const named = belongs.flatMap((each) => each.fields);
      expect([key, named.filter((field) => !fields.some(({ key }) => key === field))]).toEqual([key, []]);
      expect(new Set(named).size).toBe(named.length);
      if (key === 'battery') expect(named.toSorted()).toEqual(fields.map(({ key }) => key).toSorted());
    }
    const { fields } = templateOf('battery');
    const points = fields.filter(({ belongs }) => belongs.to === 'item').flatMap(({ points = [] }) => points);
    // What point 4 of Annex XIII asks of an individual battery, but for the lifetimes that are expected (59, 60).
    const state = [51, 52, 53, 54, 55, 56, 57, 58, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71];
    expect(points.toSorted((one, other) => one - other)).toEqual([1, 7, 9, ...state]);
    expect(fields.filter(({ belongs }) => belongs.why === '')).toEqual([]);
    expect(templateOf('steel').fields.find(({ key }) => key === 'heat_number')?.belongs.to).toBe('item');
    expect(templateOf('textile').fields.every(({ belongs }) => belongs.to === 'model')).toBe(true);
  });

  test('have ranges from low to high, and shares up to 100', () => {
    const parts = templateKeys.flatMap((key) =>
      templateOf(key).fields.flatMap(({ items, members = [], ...field }) => [
        field,
        ...(items ? [{ ...items, key: `${field.key}[]` }] : []),
        ...members.map((member) => ({ ...member, key: `${field.key}.${member.key}` })),
      ]),
    );
    const numbers = parts.filter(({ type }) => type === 'number' || type === 'integer');
    for (const { key, minimum, maximum } of parts.filter((part) => part.minimum !== undefined || part.maximum))
      expect([key, Number(minimum) < (maximum ?? Infinity)]).toEqual([key, true]);
    const isShare = /share|efficiency(?!_fade)|recycled_content|renewable|biobased|scrap|chemical_composition/;
    for (const { key, unit, maximum } of numbers)
      if (isShare.test(key) && unit !== null) expect([key, maximum]).toEqual([key, 100]);
  });

  test('have versions: a passport follows its own, or the nearest that the package has', () => {
    const keysAt = (group: string, version: number) => templateAt(group, version).fields.map(({ key }) => key);
    expect(templateAt('textile', 1).version).toBe(1);
    expect(keysAt('textile', 1)).not.toContain('importer_contact');
    expect(templateAt('textile', 2)).toBe(templateOf('textile'));
    expect(keysAt('textile', 2)).toContain('importer_contact');
    expect(templateAt('textile', 0).version).toBe(1);
    expect(templateAt('battery', 99)).toBe(templateOf('battery'));
    expect(templateAt(null, 1).key).toBe('other');
  });

  test('add only optional fields in a newer version, so that no passport becomes less complete', () => {
    for (const { fields, version } of templates.filter((template) => template.version > 1)) {
      const added = fields.filter(({ since }) => since === version);
      expect(added.length).toBeGreaterThan(0);
      expect(added.filter(({ required }) => required)).toEqual([]);
    }
  });

  test('have the manufacturer, the importer, and their postal and electronic contacts', () => {
    const operators = ['manufacturer', 'importer'].flatMap((who) => [
      `${who}_name`,
      `${who}_address`,
      `${who}_contact`,
    ]);
    for (const { key: group, fields } of templates) {
      const found = fields.filter(({ section }) => section === 'economic_operator').map(({ key }) => key);
      expect(found).toEqual([...operators, ...(group === 'battery' ? ['operator_name', 'operator_identifier'] : [])]);
    }
  });

  test('have four key facts or more, of fields that they have', () => {
    for (const { fields, facts } of templates) {
      expect(facts.length).toBeGreaterThanOrEqual(4);
      const keys = fields.map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(facts.flatMap((fact) => fact.fields)));
    }
  });

  test('have a key fact of the end of life that everybody may see', () => {
    const without = templates.filter(({ facts, fields }) => {
      const named = facts.flatMap((fact) => fact.fields);
      const ends = fields.filter(({ section, access_level }) => section === 'end_of_life' && access_level === 'public');
      return !ends.some(({ key }) => named.includes(key));
    });
    expect(without.map(({ key }) => key)).toEqual([]);
  });

  test('include `other` for products without a group, and none for an unknown group', () => {
    expect(templateOf(null)).toBe(templateOf('other'));
    expect(() => templateOf('toString')).toThrow('There is no template');
  });
});

const read = <Data>(name: string): Data =>
  JSON.parse(readFileSync(new URL(`../../../server/data/${name}.json`, import.meta.url), 'utf8'));
const list = read<DataPointList>('battery_data_points');
const stored = read<StoredTemplate[]>('templates').find(({ key }) => key === 'battery') as StoredTemplate;
const template = templateOf('battery');
const categories = ['ev', 'lmt', 'industrial'] as const;
type Category = (typeof categories)[number];

const december = '2026-12-01';
/** The day before due diligence (19) is mandatory, and that day. */
const [before, from] = ['2027-08-17', '2027-08-18'];

interface Written {
  field_key: string;
  value: unknown;
  access_level: 'public' | 'restricted' | 'authority';
  is_unknown: boolean;
}

/** Answers of the fields that have one of these rules in a category. The values need not fit their fields. */
function answers(category: Category, ...rules: Rule[]): Written[] {
  const isIn = (number: number) => rules.includes(list.points[number - 1]?.rules[category] ?? 'not shown');
  return template.fields
    .filter(({ points = [] }) => points.some(isIn))
    .map(({ key, access_level }) => {
      const value = key === 'battery_category' ? category : 'x';
      return { field_key: key, value, access_level, is_unknown: false };
    });
}

const without = (values: Written[], keys: readonly string[]) =>
  values.filter(({ field_key }) => !keys.includes(field_key));
const fieldsOf = (number: number) =>
  template.fields.filter(({ points }) => points?.includes(number)).map(({ key }) => key);
const mandatory = (category: Category) => list.points.filter(({ rules }) => rules[category] === 'mandatory');
const share = (values: Written[], day = december) => completeness(template, values, day);
/** The share of all but one field. */
const withOneMissing = ({ length }: Written[]) => Math.floor((100 * length) / (length + 1));

describe('the list', () => {
  // Counted in the guidance, not derived from the file.
  test.each([
    ['ev', { mandatory: 47, optional: 1, conditional: 8, later: 8, 'not shown': 7 }],
    ['lmt', { mandatory: 50, optional: 1, conditional: 8, later: 8, 'not shown': 4 }],
    ['industrial', { mandatory: 32, optional: 1, conditional: 26, later: 8, 'not shown': 4 }],
  ] as const)('%s has as many points of each kind as the guidance', (category, counts) => {
    const rules = Map.groupBy(list.points, (point) => point.rules[category]);
    expect(Object.fromEntries([...rules].map(([rule, points]) => [rule, points.length]))).toEqual(counts);
  });

  test.each(list.points)(
    'point $number has fields of its level, unless no category shows it',
    ({ number, level, rules }) => {
      const isShown = Object.values(rules).some((rule) => rule !== 'not shown');
      const fields = template.fields.filter(({ points }) => points?.includes(number));
      expect(fields.length > 0).toBe(isShown);
      const order = ['public', 'restricted', 'authority'];
      for (const { points = [], access_level } of fields) {
        const levels = points.map((each) => list.points[each - 1]?.level ?? level);
        expect(access_level).toBe(order.find((each) => levels.includes(each as typeof level)));
      }
      expect(level).toBe(number <= 44 ? 'public' : number === 50 ? 'authority' : 'restricted');
    },
  );

  test('has a rule for each category of the template that needs a passport', () => {
    const options = template.fields.find(({ key }) => key === list.category)?.options?.map(({ code }) => code);
    expect(options?.toSorted()).toEqual([...categories, ...list.exempt].toSorted());
    for (const { rules } of list.points) expect(Object.keys(rules)).toEqual(categories);
  });

  test('gives the templates of the server and of the SDK their rules and their legal references', () => {
    expect(template.data_points).toEqual(list);
    expect(battery.data_points).toEqual(list);
    const cycles = template.fields.find(({ key }) => key === 'expected_lifetime_cycles');
    expect(cycles?.source).toBe('Battery Reg. (EU) 2023/1542 Annex XIII 1(j); Annex XIII 4(a)');
    expect(stored.fields.filter((field) => field.points && (field.required !== undefined || field.source))).toEqual([]);
  });
});

describe.each(categories)('a battery of the category %s', (category) => {
  const full = answers(category, 'mandatory');

  test('is as complete with and without what does not count', () => {
    const counted = full.map(({ field_key }) => field_key);
    const surplus = without(answers(category, 'optional', 'conditional', 'later', 'not shown'), counted);
    expect(surplus.length).toBeGreaterThan(15);
    for (const values of [full, without(full, fieldsOf(12)), full.slice(0, 9)])
      for (const value of surplus)
        expect([value.field_key, share([...values, value])]).toEqual([value.field_key, share(values)]);
  });

  test.each(mandatory(category))('lacks point $number', ({ number }) => {
    const keys = fieldsOf(number);
    for (const key of keys) expect(share(without(full, [key]))).toBeLessThan(100);
    const { missingPoints } = requirementsOn(template, without(full, keys), december);
    expect(missingPoints.map((point) => point.number)).toContain(number);
  });

  test('needs due diligence from 18 August 2027 on', () => {
    expect([share(full, before), share(full, from)]).toEqual([100, withOneMissing(full)]);
    const [point] = requirementsOn(template, full, from).missingPoints;
    expect(point).toMatchObject({ number: 19, missing_fields: ['due_diligence_report'] });
    const value = { field_key: 'due_diligence_report', value: 'x', access_level: 'public', is_unknown: false } as const;
    expect(share([...full, value], from)).toBe(100);
  });
});

test('the demo has two complete batteries and one that lacks some fields', () => {
  type Demo = { products: { product_group: string; expected_completeness: number; values: Written[] }[] };
  const batteries = read<Demo>('demo_products').products.filter(({ product_group }) => product_group === 'battery');
  expect(batteries.map(({ values }) => share(values))).toEqual([100, 100, 80]);
  expect(batteries.map(({ expected_completeness }) => expected_completeness)).toEqual([100, 100, 80]);
});

describe('the category', () => {
  const common = without(
    answers('industrial', 'mandatory'),
    template.fields.filter(({ required }) => !required).map(({ key }) => key),
  );
  const as = (value: unknown) =>
    common.map((each) => (each.field_key === 'battery_category' ? { ...each, value } : each));

  test.each(['portable', 'sli'])('%s needs what every category needs, and needs no passport', (value) => {
    expect(share(as(value))).toBe(100);
    expect(requirementsOn(template, as(value), december)).toMatchObject({
      exempt: value,
      category: undefined,
      missing: [],
    });
  });

  test.each<[unknown]>([['EV'], ['car'], ['toString'], ['__proto__'], [['ev']], [{ ev: 1 }], [7], [true]])(
    '%j is no category: it is missing, and what every category needs counts',
    (value) => {
      const { missing, exempt, category } = requirementsOn(template, as(value), december);
      expect([missing.map(({ key }) => key), exempt, category]).toEqual([['battery_category'], undefined, undefined]);
      expect(share(as(value))).toBe(share(without(common, ['battery_category'])));
    },
  );
});

test('a next version of the template leaves an older passport its fields, rules and completeness', () => {
  const every = { ev: 'mandatory', lmt: 'mandatory', industrial: 'mandatory' } as const;
  const points = list.points.map((point) => (point.number === 17 ? { ...point, rules: every } : point));
  const changes = (field: (typeof stored.fields)[number]): (typeof stored.fields)[number][] =>
    field.key === 'extinguishing_agent'
      ? [
          { ...field, until: 1 },
          { ...field, type: 'list', since: 2 },
        ]
      : [field];
  const data_points = [
    { file: 'old', until: 1 },
    { file: 'new', since: 2 },
  ];
  const changed: StoredTemplate = { ...stored, version: 2, data_points, fields: stored.fields.flatMap(changes) };
  const [old = template, newest = template] = templateVersions(changed, (file) =>
    file === 'new' ? { ...list, points } : list,
  );
  expect(old.fields.map(({ until: _, ...field }) => field)).toEqual(template.fields);
  expect({ ...old, fields: [] }).toEqual({ ...template, fields: [] });
  const full = answers('ev', 'mandatory');
  expect(completeness(old, full, december)).toBe(100);
  expect(requirementsOn(newest, full, december).missing.map(({ key }) => key)).toEqual(['carbon_footprint_total']);
  expect(newest.fields.filter(({ key }) => key === 'extinguishing_agent')).toMatchObject([{ type: 'list', since: 2 }]);
});

describe('the SDK', () => {
  const full = answers('lmt', 'mandatory');

  test('names what is missing with its points, on the day', () => {
    const on = (day: string) =>
      missing(battery, { values: without(full, ['remaining_capacity']) as PassportValue[] }, de, { on: day });
    const capacity = { label: 'Verbleibende Kapazität', data_points: [{ number: 51 }, { number: 62 }] };
    expect(on(before)).toMatchObject([capacity]);
    expect(on(from)).toMatchObject([{ key: 'due_diligence_report', data_points: [{ number: 19 }] }, capacity]);
    expect(() => on('soon')).toThrow('on must be a day');
  });

  test.each([
    ['carbon_footprint_class', before, ['is not asked for yet: it waits for an implementing act']],
    ['due_diligence_report', before, ['is not asked for before 2027-08-18']],
    ['due_diligence_report', from, []],
    ['state_of_certified_energy', from, ['is not asked for in the category lmt']],
    ['warranty_months', from, []],
  ])('says what is not asked for: %s on %s', (field_key, on, reasons) => {
    const values = [
      { field_key: 'battery_category', value: 'lmt' },
      { field_key, value: 'x', access_level: 'authority' } as const,
    ];
    const found = checkValues(battery, values, { on }).filter(({ code }) => code === 'not_asked');
    expect(found.map(({ message }) => message)).toEqual(
      reasons.map((reason) => `[1].field_key "${field_key}" ${reason}`),
    );
    expect(checkValues(battery, [{ ...values[1], field_key, value: null, is_unknown: true }], { on })).toEqual([]);
  });
});

describe('on a server', () => {
  let now = new Date(`${december}T12:00:00Z`);
  const service = useService('SQLite', { now: () => now, siteUrl: 'https://passport.example.com' });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  test('the day of the latest version decides: in the write, in the passport, in history and after an import', async () => {
    now = new Date(`${before}T23:59:59Z`);
    const full = answers('lmt', 'mandatory');
    const first = full[0] as Written;
    const { slug } = await client.create({ name: 'Akku', product_group: 'battery' });
    expect((await client.write(slug, full)).completeness).toBe(100);
    await service.activate(client, slug);

    now = new Date(`${from}T00:00:00.001Z`);
    expect(await client.write(slug, [first])).toEqual({ updated: 1, completeness: 100 });
    expect(await client.write(slug, [])).toEqual({ updated: 0, completeness: 100 });
    expect((await client.passport(slug)).product.completeness).toBe(100);
    const lowered = withOneMissing(full);
    expect(await client.write(slug, [{ ...first, value: 'y' }])).toEqual({ updated: 1, completeness: lowered });

    const document = async (query: string) => {
      const path = `/p/${client.tenant.slug}/${slug}/jsonld${query}`;
      const { text } = await service.send({ method: 'GET', path, headers: {} });
      return JSON.parse(text).hasDigitalProductPassport['dpp:completeness'];
    };
    now = new Date('2029-01-01T00:00:00Z');
    expect([await document('?version=2'), await document('')]).toEqual([100, lowered]);
    expect((await client.product(slug)).completeness).toBe(lowered);
    const due = { field_key: 'due_diligence_report', value: 'https://example.com' };
    expect((await client.write(slug, [due])).completeness).toBe(100);
    expect([await document('?version=3'), await document('')]).toEqual([lowered, 100]);
  });

  test('an inspector reads what is missing on the day of reading; readers learn the source, and who needs no passport', async () => {
    now = new Date(`${before}T12:00:00Z`);
    const { slug } = await client.create({ name: 'Starter', product_group: 'battery' });
    const footprint = { field_key: 'carbon_footprint_total', value: 71.2, unit: 'kg CO2e/kWh' };
    await client.write(slug, [...without(answers('lmt', 'mandatory'), ['remaining_capacity']), footprint]);
    await service.activate(client, slug);
    const token = await client.token('inspector', now);
    const page = async (query: string) => {
      const path = `/p/${client.tenant.slug}/${slug}?lang=en${query}`;
      const { text } = await service.send({ method: 'GET', path, headers: {} });
      return text
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/[\u00ad\u200b]/g, '')
        .replaceAll('\u00a0', ' ');
    };
    const inspected = await page(`&zugang=${token}`);
    expect(inspected).toContain('Missing on 17 Aug 2027 (1)Remaining capacity');
    expect(inspected).toMatch(/Remaining capacity\s+point 51, 62, Annex XIII 4\(a\); Annex XIII 4\(b\)/);
    expect(inspected).toContain('Not asked for (1)Carbon footprint: Not asked for yet.');
    now = new Date(`${from}T12:00:00Z`);
    const later = await page(`&zugang=${token}`);
    expect(later).toContain('Missing on 18 Aug 2027 (2)Due diligence report');
    expect(later).toMatch(/Due diligence report\s+point 19, Annex XIII 1\(d\)/);

    const open = await page('');
    expect(open).toMatch(
      /follows “Guidance Document[^”]*” of 15 Aug 2026 \(European Commission, DG GROW; Battery Reg\. /,
    );
    expect(open).not.toMatch(/Missing on|need no passport/);
    // A value that nobody asks for is no key fact, and is on the page.
    expect([open.includes('CO₂ per kWh'), open.includes('71.2 kg CO₂e/kWh')]).toEqual([false, true]);
    await client.write(slug, [{ field_key: 'battery_category', value: 'portable' }]);
    expect(await page('')).toContain('According to it, batteries of this category need no passport.');
    // The category is hidden from the public.
    await client.write(slug, [{ field_key: 'battery_category', value: 'portable', access_level: 'restricted' }]);
    expect(await page('')).not.toContain('need no passport');
  });

  test('an import counts by the day of each version, not by its own', async () => {
    const source = await newMigratedDatabase('SQLite');
    const folder = newFolder();
    let clock = new Date(`${before}T12:00:00Z`);
    const other = await startService('SQLite', { on: source, now: () => clock });
    const owner = await other.newTenant({ slug: 'shop' });
    const full = answers('ev', 'mandatory');
    for (const name of ['early', 'late']) {
      const { slug } = await owner.create({ name, product_group: 'battery' });
      await owner.write(slug, full);
      clock = new Date(`${from}T12:00:00Z`);
    }
    const file = join(folder, 'shop.jsonl');
    await runHere(`product-passport export --tenant shop --database ${source} ${file}`);
    const target = await newMigratedDatabase('SQLite');
    expect((await runHere(`product-passport import ${file} --database ${target}`)).stderr).toBe('');
    const database = connect(target);
    const rows = await database('products').orderBy('slug').select('slug', 'completeness');
    await database.destroy();
    expect(rows).toEqual([
      { slug: 'early', completeness: 100 },
      { slug: 'late', completeness: withOneMissing(full) },
    ]);
  });
});

test('the fake service counts by the day of the latest version, also in the document of an older one', async () => {
  let now = new Date(`${before}T23:59:59Z`);
  const service = createFakeService({ now: () => now, sample: false });
  const { base_url: baseUrl, site_url: siteUrl, tenants } = service.provider;
  const [{ slug: tenant, api_key: apiKey } = { slug: '', api_key: '' }] = tenants;
  const { products, passports } = createClient({ baseUrl, apiKey, fetch: service.fetch });
  const put = (values: Written[]) => passports.put('akku', values as PassportValueInput[]);
  const full = answers('industrial', 'mandatory');
  await products.create({ name: 'Akku', slug: 'akku', product_group: 'battery' });
  expect((await put(full)).completeness).toBe(100);
  await service.activate(tenant, 'akku');

  now = new Date(`${from}T00:00:00Z`);
  expect((await put(full)).completeness).toBe(100);
  const lowered = withOneMissing(full);
  const changed = full.map((each) => (each.field_key === 'serial_number' ? { ...each, value: 'y' } : each));
  expect((await put(changed)).completeness).toBe(lowered);
  expect((await products.get('akku')).completeness).toBe(lowered);
  const site = createPublicClient({ siteUrl, fetch: service.fetch });
  const of = async (version?: string) =>
    (await site.passports.document(tenant, 'akku', { version })).hasDigitalProductPassport['dpp:completeness'];
  expect([await of('2'), await of()]).toEqual([100, lowered]);
});

/** `template readiness` and the SDK's `readiness`, against the books of the generator that makes the batteries. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { battery, cable, readiness } from '../../../sdk/src/templates.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { Books, batteries, neededBy, storeBatteries } from '../../support/batteries.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { newTenant } from '../../support/tenant.ts';

/** The numbers of the books in the form of the result. */
function expected(books: Books, on: string) {
  const { products, ready, worst, missedBy } = books;
  const of = (category: string | null) => books.byCategory.get(category) ?? { products: 0, ready: 0 };
  const needing = ['ev', 'lmt', 'industrial', null];
  const numbers = [...new Set(needing.flatMap((category) => neededBy(category, on)))].sort((one, other) => one - other);
  const asked = (number: number) =>
    needing
      .filter((category) => neededBy(category, on).includes(number))
      .reduce((sum, category) => sum + of(category).products, 0);
  return {
    ...{ on, products, ready, share: Math.floor((100 * ready) / products) },
    categories: [
      ...needing.map((category) => ({ category, exempt: false, ...of(category) })),
      ...['portable', 'sli'].map((category) => ({ category, exempt: true, ...of(category) })),
    ],
    requirements: numbers.map((number) =>
      expect.objectContaining({ point: number, products: asked(number), missing: missedBy.get(number) ?? 0 }),
    ),
    most_missing: worst,
  };
}

const [february, august] = ['2027-02-18', '2027-08-18'];

test.each([february, august])('the SDK counts batteries as the books do on %s', async (on) => {
  const books = new Books();
  async function* passports() {
    for (const { status, product_group, slug, values } of batteries(900, on, books))
      if (status === 'active' && product_group === 'battery') yield { product: { slug }, values };
  }
  expect(await readiness(battery, passports(), { on: new Date(`${on}T23:59:59Z`) })).toEqual(expected(books, on));
  // The generator leaves enough out.
  expect(books.ready).toBeGreaterThan(100);
  expect(books.missedBy.size).toBeGreaterThan(40);
});

test('the SDK counts the fields of a template without an official list', async () => {
  const value = (field_key: string) => ({ field_key, value: 'x', is_unknown: false });
  const required = cable.fields.filter((field) => field.required).map(({ key }) => key);
  const passports = [required, required.slice(1), []].map((keys, index) => ({
    product: { slug: `kabel-${index}` },
    values: keys.map(value),
  }));
  expect(await readiness(cable, passports, { on: february })).toEqual({
    ...{ on: february, products: 3, ready: 1, share: 33, categories: [] },
    requirements: required.map((key, index) => ({
      ...{ point: null, source: null, fields: [key], products: 3, missing: index === 0 ? 2 : 1 },
    })),
    most_missing: [
      { slug: 'kabel-2', missing: required.length },
      { slug: 'kabel-1', missing: 1 },
    ],
  });
  expect(await readiness(cable, [])).toMatchObject({ products: 0, ready: 0, share: null, most_missing: [] });
  await expect(readiness(cable, [], { on: 'soon' })).rejects.toThrow('on must be a day');
});

/** More active batteries than a page of the command has. */
const size = 800;

describe.each(databaseKinds)('template readiness on %s', (kind) => {
  const books = new Books();
  let address: string;
  const readinessOf = (line: string) => runHere(`product-passport template readiness ${line} --database ${address}`);

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    const database = connect(address);
    const [tenant, other] = [
      await newTenant(database, { slug: 'akkus' }),
      await newTenant(database, { slug: 'other' }),
    ];
    await storeBatteries(database, tenant, [...batteries(size, february, books)]);
    await storeBatteries(database, other, [...batteries(5, february, new Books())]);
    await database.destroy();
  });

  test('counts the active batteries of one tenant as the books do', async () => {
    const { stdout, ...outcome } = await readinessOf(`battery --on ${february} --tenant akkus --json`);
    expect(outcome).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      ...{ product_group: 'battery', template_version: 1, status: 'active' },
      ...expected(books, february),
      data_points: expect.objectContaining({ version: '2.0', date: '2026-08-15' }),
    });
  });
});

/** `template readiness` and the SDK's `readiness`. */
import { expect, test } from '@jest/globals';
import { battery, readiness } from '../../../sdk/src/templates.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { startService } from '../../support/service.ts';
import { storeProducts } from '../../support/tenant.ts';

const [february, august] = ['2027-02-18', '2027-08-18'];

/** A battery with a value in every field, but for those named. */
function passportOf(slug: string, category: string | undefined, without: readonly string[] = []) {
  const keys = battery.fields.map(({ key }) => key).filter((key) => ![...without, 'battery_category'].includes(key));
  const values = keys.map((field_key) => ({ field_key, value: 'x' as unknown, is_unknown: false }));
  if (category !== undefined) values.push({ field_key: 'battery_category', value: category, is_unknown: false });
  return { product: { slug }, values };
}

const batteries = [
  passportOf('whole', 'lmt'),
  passportOf('open', 'lmt', ['battery_weight', 'serial_number']),
  passportOf('nameless', undefined),
  passportOf('car', 'car', ['battery_weight']),
  passportOf('scooter', 'ev', ['manufacturer_name']),
  passportOf('phone', 'portable', ['battery_weight']),
];

test('the SDK counts batteries by category and by data point', async () => {
  const counted = await readiness(battery, batteries, { on: february });
  const { requirements, ...rest } = counted;
  expect(rest).toEqual({
    ...{ on: february, products: 5, ready: 1, share: 20 },
    categories: [
      { category: 'ev', exempt: false, products: 1, ready: 0 },
      { category: 'lmt', exempt: false, products: 2, ready: 1 },
      { category: 'industrial', exempt: false, products: 0, ready: 0 },
      // None, and one that the list does not have.
      { category: null, exempt: false, products: 2, ready: 0 },
      { category: 'portable', exempt: true, products: 1, ready: 0 },
      { category: 'sli', exempt: true, products: 0, ready: 0 },
    ],
    most_missing: [
      { slug: 'open', missing: 2 },
      { slug: 'car', missing: 2 },
      { slug: 'nameless', missing: 1 },
      { slug: 'scooter', missing: 1 },
    ],
  });
  const missing = requirements.filter((each) => each.missing > 0);
  expect(missing.map(({ point, products, missing }) => [point, products, missing])).toEqual([
    [3, 5, 1],
    [6, 5, 2],
    [7, 5, 1],
    [10, 5, 2],
  ]);
  expect(missing.map(({ fields }) => fields)).toContainEqual(['model_identifier', 'serial_number']);

  async function* oneByOne() {
    yield* batteries;
  }
  expect(await readiness(battery, oneByOne(), { on: new Date(`${february}T23:59:59Z`) })).toEqual(counted);
  // A later day needs more of some categories.
  const later = await readiness(battery, batteries, { on: august });
  expect(later.requirements.length).toBeGreaterThan(requirements.length);
  await expect(readiness(battery, [], { on: 'soon' })).rejects.toThrow('on must be a day');
});

/** More products than a page of the command has. */
const size = 800;

test.each(databaseKinds)('template readiness counts the active products of one tenant on %s', async (kind) => {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address });
  const [client, other] = [await service.newTenant(), await service.newTenant()];
  const products = Array.from({ length: size }, (_, index) => ({
    ...{ name: 'Cable', slug: `cable-${index}`, product_group: 'cable' as const },
    status: index % 7 === 6 ? ('draft' as const) : ('active' as const),
  }));
  await storeProducts(service.database, client.tenant, products);
  await storeProducts(service.database, other.tenant, products.slice(0, 3));
  await client.write('cable-0', [
    { field_key: 'manufacturer_name', value: 'X' },
    { field_key: 'cable_type', value: '' },
  ]);

  const { stdout, ...outcome } = await runHere(
    `product-passport template readiness cable --tenant ${client.tenant.slug} --json --database ${address}`,
  );
  expect(outcome).toEqual({ code: 0, stderr: '' });
  const active = products.filter(({ status }) => status === 'active').map(({ slug }) => slug);
  const { requirements, ...readiness } = JSON.parse(stdout);
  expect(readiness).toMatchObject({
    product_group: 'cable',
    status: 'active',
    products: active.length,
    ready: 0,
    data_points: null,
    categories: [],
  });
  expect(requirements).toContainEqual(
    expect.objectContaining({ fields: ['manufacturer_name'], missing: active.length - 1 }),
  );
  expect(requirements).toContainEqual(expect.objectContaining({ fields: ['cable_type'], missing: active.length }));
  // Of those that miss as much, the first. The product cable-0 has a value more.
  expect(readiness.most_missing.map(({ slug }: { slug: string }) => slug)).toEqual(active.slice(1, 11));
});

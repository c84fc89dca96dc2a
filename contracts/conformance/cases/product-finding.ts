/** FIND: the product of a GTIN and a serial number. */
import { gtin14 } from '@product-passport/openapi';
import type { ProductListItem } from '@product-passport/sdk';
import { slugsOf } from '../api.ts';
import { type Case, type Context, check, checkEqual, family } from '../case.ts';

const path = '/api/v1/products';
const clause = '/paths/~1api~1v1~1products/get/parameters';
const gtins = family('FIND-1', { claim: 'reference', clause: `${clause}/4` });
const serials = family('FIND-2', { claim: 'reference', clause: `${clause}/5` });
const listed = '/components/schemas/ProductListItem/properties/serial_number';

/** Not public: the owner of the key sees every serial number. */
const serial = { field_key: 'serial_number', value: 'Verify-1', access_level: 'restricted' };
const gtin = '9520001999055';

/** A product that is no item, and an item, of one GTIN. */
async function both({ api, world, once }: Context): Promise<{ model: string; item: string }> {
  const { slug: model } = await world.product('find-model', { gtin });
  const { slug: item } = await world.product('find-item', { gtin: gtin14(gtin) });
  await once('item to find', () => api.put(item, [serial]));
  return { model, item };
}

/** The products that the query lists, and how many it finds of the two. */
async function found(context: Context, query: Readonly<Record<string, string>>) {
  const { model, item } = await both(context);
  const { items } = await context.api.list({ ...query, limit: 200 });
  const slugs = slugsOf(items);
  return { items, ofBoth: { model: slugs.includes(model), item: slugs.includes(item) } };
}

export const productFinding: readonly Case[] = [
  ...Object.entries({ 'as-sent': gtin, length: gtin14(gtin) }).map(([name, sought]) =>
    gtins(name, `The GTIN ${sought} finds the products that have it, in any of its lengths.`, async (context) => {
      const { items, ofBoth } = await found(context, { gtin: sought });
      checkEqual(ofBoth, { model: true, item: true }, 'which products the GTIN finds');
      const others = items.filter((each) => gtin14(each.gtin ?? '') !== gtin14(gtin));
      check(others.length === 0, `the GTIN also finds ${slugsOf(others).join(', ')}`);
    }),
  ),
  gtins('form', 'Another form than that of a GTIN is refused.', async ({ refused }) => {
    const fault = { query: { gtin: '952000199' } };
    await refused({ path, query: { gtin } }, fault, { status: 400, code: 'invalid_gtin' });
  }),
  gtins.with({ needs: ['second tenant'] })('foreign', 'A GTIN finds no product of another tenant.', async (context) => {
    const { slug } = await context.world.otherProduct('find-foreign', { gtin });
    const { items } = await found(context, { gtin });
    check(!slugsOf(items).includes(slug), `the list must not contain ${slug} of another tenant`);
  }),
  serials('item', 'A GTIN and a serial number find the item alone.', async (context) => {
    const { ofBoth } = await found(context, { gtin, serial: serial.value });
    checkEqual(ofBoth, { model: false, item: true }, 'which products the serial number finds');
  }),
  serials('no-item', 'An empty serial number finds the product that is no item.', async (context) => {
    const { ofBoth } = await found(context, { gtin, serial: '' });
    checkEqual(ofBoth, { model: true, item: false }, 'which products an empty serial number finds');
  }),
  serials('exact', 'A serial number is compared character by character.', async (context) => {
    for (const other of ['verify-1', 'Verify-', 'Verify-1 ', 'Verify_1', '%']) {
      const { items } = await found(context, { gtin, serial: other });
      check(items.length === 0, `the serial number ${other} finds ${slugsOf(items).join(', ')}`);
    }
  }),
  serials.with({ clause: listed })(
    'listed',
    'A list has the serial number of an item, of any access level.',
    async (context) => {
      const { model, item } = await both(context);
      const { items } = await found(context, { gtin });
      const numberOf = (slug: string): ProductListItem['serial_number'] | undefined =>
        items.find((each) => each.slug === slug)?.serial_number;
      checkEqual(
        [numberOf(model), numberOf(item)],
        [null, serial.value],
        'the serial numbers of the model and the item',
      );
    },
  ),
];

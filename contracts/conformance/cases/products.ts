/** PROD: creating and reading products. The refused creations are in product-refusals.ts. */
import { setTimeout as delay } from 'node:timers/promises';
import { member } from '@product-passport/openapi';
import type { Product } from '@product-passport/sdk';
import { fullProduct, nullFields } from '../../states/new-product.ts';
import { type Api, createdProduct, newGtin, productIn, productPath, slugsOf, walk } from '../api.ts';
import { type Ask, type Case, type Context, check, checkEqual, checkMembers, family, shown, timeOf } from '../case.ts';

const { slug: _, ...everyField } = fullProduct;

/**
 * The control of every refused creation. It is sent once in a run. With the three products of `grow` and the one whose slug
 * is taken, a run adds five products.
 */
export const createControl = {
  method: 'POST',
  path: '/api/v1/products',
  json: { ...everyField, name: 'Verify control', product_group: 'textile', gtin: newGtin(), model: 'Zyxcontrol 7' },
} as const satisfies Ask;

/** The product that the control creates. No case changes it. */
export async function controlProduct({ once }: Context): Promise<Product> {
  return createdProduct(await once(JSON.stringify(createControl), ({ send }) => send(createControl)));
}

const post = '/paths/~1api~1v1~1products/post';
const schemas = '/components/schemas';
const fields = `${schemas}/CreateProduct/properties`;
const reference = { claim: 'reference' } as const;

const creation = family('PROD-1', { claim: 'core', clause: post });
const storedName = family('PROD-1', { claim: 'core', clause: `${fields}/name` });
const counts = family('PROD-1', { claim: 'reference', clause: `${schemas}/Me` });
const nulls = family('PROD-1', { claim: 'reference', clause: post });
const gtins = family('PROD-2', { claim: 'core', clause: `${fields}/gtin` });
const slugs = family('PROD-3', { claim: 'core', clause: `${fields}/slug` });
const madeSlug = family('PROD-3', { claim: 'reference', clause: `${fields}/slug` });
const names = family('PROD-4', { claim: 'reference', clause: `${fields}/name` });
const groups = family('PROD-5', { claim: 'core', clause: `${schemas}/ProductGroup` });
const scripts = family('PROD-6', { claim: 'reference', clause: post });
const times = family('PROD-8', { claim: 'core', clause: `${schemas}/Timestamp` });

/** A product that a search finds by its name only. Its slug is `verify-search-fields`. */
export const nameOnly = { name: 'Verify Fields', model: 'Zyxmodel 7' };

export const acceptedGtins = {
  '8-digits': '95201993',
  '8-digits-zeros': '00012348',
  '12-digits': '012345601996',
  '12-digits-zeros': '000001234190',
  '13-digits': '9520001999017',
  '13-digits-zeros': '0000001999020',
  '14-digits': '19520001999038',
  '14-digits-zeros': '00095200019990',
};

/** The groups that the description names. A provider may have others. */
export const namedGroups: readonly string[] = [
  'textile',
  'battery',
  'smartphone',
  'computer',
  'cable',
  'motor',
  'tyre',
  'packaging',
  'chemical',
  'other',
];

/** Names and the slugs that the service makes from them. A taken slug has a suffix. */
const madeSlugs: readonly (readonly [string, string, string])[] = [
  ['umlauts', 'Verify Äpfel Öl Übung Größe', 'verify-aepfel-oel-uebung-groesse'],
  ['letters', 'Verify Ærø Œuvre Þórr Ðað Đak Łódź Kadınlar', 'verify-aero-oeuvre-thorr-dad-dak-lodz-kadinlar'],
  ['accents', 'Verify Crêpe Ñandú', 'verify-crepe-nandu'],
  ['compatibility', 'Verify ﬁne № ２', 'verify-fine-no-2'],
  ['punctuation', '--Verify: 100 % (a/b) & c!', 'verify-100-a-b-c'],
  ['cjk', '护照产品验证', 'product'],
  ['emoji', '🧦🧦🧦🧦🧦', 'product'],
  ['right-to-left', 'جواز المنتج', 'product'],
  ['mixed', 'Verify 製品 שלום', 'verify'],
];

const unchangedNames = {
  cjk: '产品护照 製品パスポート 제품여권',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 🧦',
  'right-to-left': '\u202bجواز سفر المنتج\u202c שלום',
  combining: 'Cafe\u0301 Man\u0303ana ﬁ',
  markup: '<b>Verify</b> & "quoted" \'single\' {{x}} $y \\n',
  controls: 'tab\there line\nbreak \u2028 \u0001 end',
};

export const products: readonly Case[] = [
  creation('status', 'createProduct responds with 200.', async ({ once }) => {
    const { status } = await once(JSON.stringify(createControl), ({ send }) => send(createControl));
    checkEqual(status, 200, 'the status');
  }),
  creation('draft', 'A new product is a draft.', async (context) => {
    checkEqual((await controlProduct(context)).status, 'draft', 'status');
  }),
  creation('name', 'A new product has the name and the GTIN of the request.', async (context) => {
    const { name, gtin } = createControl.json;
    checkMembers(await controlProduct(context), { name, gtin }, 'the product');
  }),
  creation('urn', 'The identifier is a URN of a namespace, the tenant slug and the product slug.', async (context) => {
    const { slug, unique_product_identifier: urn } = await controlProduct(context);
    const { tenant } = await context.api.me();
    check(
      /^urn:[^:]+:/.test(urn) && urn.endsWith(`:${tenant.slug}:${slug}`),
      `unique_product_identifier must end in :${tenant.slug}:${slug}, is ${urn}`,
    );
  }),
  ...(['product_group', 'model'] as const).map((field) =>
    creation(field === 'model' ? field : 'group', `A product has the ${field} of the request.`, async (context) => {
      const sent = createControl.json[field];
      // The description does not name the fields of the response that have them.
      const { name: _, slug: __, unique_product_identifier: ___, ...rest } = await controlProduct(context);
      const isThere = JSON.stringify(rest).toLowerCase().includes(sent.toLowerCase());
      check(isThere, `the product must contain ${shown(sent)}, the ${field} of the request`);
    }),
  ),
  storedName(
    'name-emoji',
    'A name with letters beyond ASCII and emoji is stored as sent.',
    stores('name-emoji', { name: 'Verify Größe 護照 🧦' }),
  ),
  creation('name-long', 'A name of 300 characters is refused or stored whole.', async ({ api, send, sendFaulty }) => {
    // Every database that cuts texts cuts this one. A product of an earlier run is found by the beginning of its name.
    const name = `Verify long name ${'abcdefghi '.repeat(28)}end`;
    const { items } = await api.list({ search: name.slice(0, 60), limit: 1 });
    const json = { name, slug: 'verify-name-long' };
    const [found = productIn(await sendFaulty({ method: 'POST', path: '/api/v1/products', json }))] = items;
    if (found === undefined) return;
    const { json: read } = await send({ path: productPath(found.slug) });
    const stored = String(member(read, 'name'));
    check(stored === name, `the name must be stored whole, has ${stored.length} of ${name.length} characters`);
  }),
  creation.with({ clause: `${schemas}/ProductListItem/properties/unique_product_identifier`, needs: ['field key'] })(
    'urn-stays',
    'The identifiers of a product stay the same when its values change.',
    async (context) => {
      const { before, after } = await changedProduct(context);
      for (const field of ['id', 'slug', 'unique_product_identifier'] as const) {
        checkEqual(after[field], before[field], `${field} after a change`);
      }
    },
  ),
  creation('same-body', 'getProduct returns the product that createProduct returned.', async (context) => {
    const created = await controlProduct(context);
    checkEqual(await context.api.product(created.slug), created, 'the product');
  }),
  creation('listed', 'The list has the product, with the same fields.', async (context) => {
    const created = await controlProduct(context);
    // The description leaves the order of the list open. Only products of earlier runs have the same name.
    const items = await walk(context.api, { search: created.name, status: 'draft', limit: 200 });
    const listed = items.find(({ id }) => id === created.id);
    check(listed !== undefined, 'the list must have the new product');
    for (const [field, value] of Object.entries(listed)) {
      if (field in created) checkEqual(value, Reflect.get(created, field), `${field} in the list`);
    }
  }),
  creation.reference('products-total', 'Three new products make products_total grow by three.', async (context) => {
    const { totals } = await grow(context);
    checkEqual(totals[1] - totals[0], 3, 'the growth of products_total');
  }),
  counts('total-of-list', 'products_total counts the products of every status, as the list does.', async ({ api }) => {
    const { total } = await api.list({ limit: 1 });
    checkEqual((await api.me()).products_total, total, 'products_total');
  }),
  creation.reference(
    'master-data',
    'The product has each field of the request, such as the group and the model, and is not registered.',
    async (context) => {
      // Other cases compare the name and the GTIN.
      const { name: _, gtin: __, ...fields } = createControl.json;
      const expected = { ...fields, registry_status: 'none', registry_id: null, completeness: 0 };
      checkMembers(await controlProduct(context), expected, 'the product');
    },
  ),
  nulls('null-fields', 'An optional field that is null means the same as an absent one.', async ({ world }) => {
    checkMembers(await world.product('null-fields', nullFields), nullFields, 'the product');
  }),
  ...Object.entries(acceptedGtins).map(([which, gtin]) =>
    gtins(which, `The GTIN ${gtin} is stored as sent.`, stores(`gtin-${which}`, { gtin })),
  ),
  gtins.reference(
    'wrong-check-digit',
    'A GTIN with a wrong check digit is accepted.',
    stores('gtin-wrong-check-digit', { gtin: '9520001999011' }),
  ),
  slugs('concurrent', 'Products of one name, created at the same time, get different slugs.', async (context) => {
    const made = (await grow(context)).products.map(({ slug }) => slug);
    checkEqual(new Set(made).size, made.length, `the number of different slugs in ${made.join(', ')}`);
    for (const slug of made) checkEqual((await context.api.product(slug)).slug, slug, 'the slug of the product read');
  }),
  slugs('ids', 'Products have different ids and identifiers.', async (context) => {
    const made = (await grow(context)).products;
    checkEqual(new Set(made.map(({ id }) => id)).size, 3, 'the number of different ids');
    const identifiers = new Set(made.map((product) => product.unique_product_identifier));
    checkEqual(identifiers.size, 3, 'the number of different identifiers');
  }),
  madeSlug('given', 'A free slug is used as sent.', async ({ api, world }) => {
    await world.product('given-slug');
    checkEqual((await api.product('verify-given-slug')).slug, 'verify-given-slug', 'slug');
  }),
  madeSlug.core(
    'sent',
    'A slug that is sent is used, in the form that the service gives to slugs.',
    async ({ world }) => {
      // Its name would make another slug.
      const { slug } = await world.product('search-fields', nameOnly);
      const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
      const isUsed = letters(slug).includes(letters('verify-search-fields'));
      check(isUsed, `slug must contain verify-search-fields, is ${slug}`);
    },
  ),
  slugs('taken', 'A slug that is taken gets a suffix.', async (context) => {
    const { slug, taken } = await suffixed(context);
    // The description does not say that a slug is stored as sent.
    const isSuffixed = slug.startsWith(taken) || taken !== 'verify-taken-slug';
    check(slug !== taken && isSuffixed, `slug must be ${taken} with a suffix, is ${slug}`);
    checkEqual((await context.api.product(slug)).slug, slug, 'the slug of the product read');
  }),
  slugs.reference('numbered', 'The suffix is a hyphen and a number.', async (context) => {
    const { slug } = await suffixed(context);
    check(/^verify-taken-slug-[1-9][0-9]*$/.test(slug), `slug must be verify-taken-slug-NUMBER, is ${slug}`);
  }),
  ...madeSlugs.map(([which, name, expected]) =>
    madeSlug(`made-${which}`, `${JSON.stringify(name)} makes the slug ${expected}.`, async ({ world }) => {
      const { slug } = await world.namedProduct(name);
      const base = slug.replace(/-[1-9][0-9]*$/, '');
      check([slug, base].includes(expected), `slug must be ${expected}, with a suffix if it is taken, is ${slug}`);
    }),
  ),
  madeSlug('made-long', 'A slug made from a long name has at most 100 characters.', async ({ world }) => {
    const { slug } = await world.namedProduct(`Verify ${'long '.repeat(97)}name`);
    check(slug.length <= 100 && slug.length >= 90, `slug must have up to 100 characters, has ${slug.length}`);
    check(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug), `slug must be groups joined by hyphens, is ${slug}`);
  }),
  ...Object.entries({ '1-character': 'V', '500-characters': '🧦'.repeat(500) }).map(([which, name]) =>
    names(which, `A name of ${which.replace('-', ' ')} is accepted.`, stores(`name-${which}`, { name })),
  ),
  names('trimmed', 'A name is stored without white space at its ends.', async ({ api, world }) => {
    const { slug } = await world.product('name-trimmed', { name: ' \t\u00a0Verify  trimmed\u3000\n' });
    checkEqual((await api.product(slug)).name, 'Verify  trimmed', 'name');
  }),
  ...namedGroups.map((product_group) =>
    groups(product_group, `The group ${product_group} is accepted.`, async ({ api, world }) => {
      const { slug } = await world.product(`group-${product_group}`, { product_group });
      checkEqual((await api.product(slug)).slug, slug, 'slug');
    }),
  ),
  ...namedGroups.map((product_group) =>
    groups.reference(
      `${product_group}-returned`,
      `A product of the group ${product_group} says so.`,
      async ({ world }) => {
        const product = await world.product(`group-${product_group}`, { product_group });
        checkEqual(product.product_group, product_group, 'product_group');
      },
    ),
  ),
  ...Object.entries(unchangedNames).map(([which, name]) =>
    scripts(which, `The name ${JSON.stringify(name)} is stored as sent.`, stores(`script-${which}`, { name })),
  ),
  times('parse', 'created_at and updated_at are times, and updated_at is not before created_at.', async (context) => {
    const control = await controlProduct(context);
    const { items } = await context.api.list({ limit: 20 });
    for (const { slug, created_at, updated_at } of [control, ...items]) {
      const [created, updated] = [timeOf(created_at, 'created_at'), timeOf(updated_at, 'updated_at')];
      check(created <= updated, `${slug}: created_at ${created_at} must not be after updated_at ${updated_at}`);
    }
  }),
  times.with({ needs: ['field key'] })(
    'creation',
    'created_at is the time of the creation, and later changes keep it.',
    async (context) => {
      const { before, after } = await changedProduct(context);
      checkEqual(after.created_at, before.created_at, 'created_at after a change');
    },
  ),
  times.with({ ...reference, clause: `${schemas}/ProductListItem/properties/updated_at` })(
    'moves',
    'updated_at moves with a change of a value, and only then.',
    async ({ api, world }) => {
      const { slug } = await world.product('updated-at');
      const before = (await api.product(slug)).updated_at;
      await delay(5);
      const values = [{ field_key: 'verify_time', value: world.runId }];
      await api.put(slug, values);
      const changed = (await api.product(slug)).updated_at;
      check(
        timeOf(changed, 'updated_at') > timeOf(before, 'updated_at'),
        `updated_at must move from ${before}, is ${changed}`,
      );
      await delay(5);
      await api.put(slug, values);
      await api.put(slug, []);
      checkEqual((await api.product(slug)).updated_at, changed, 'updated_at after writes that change nothing');
    },
  ),
];

/** A product that is created with this name or GTIN is read with it. */
function stores(purpose: string, sent: { readonly name: string } | { readonly gtin: string }): Case['run'] {
  return async ({ api, world }) => {
    const { slug } = await world.product(purpose, sent);
    const read = await api.product(slug);
    for (const [field, value] of Object.entries(sent)) checkEqual(Reflect.get(read, field), value, field);
  };
}

/** A product before and after a write of its passport. */
function changedProduct({ once }: Context): Promise<{ readonly before: Product; readonly after: Product }> {
  return once('changed product', async ({ api, world }) => {
    const before = await world.product('created-at');
    await delay(5);
    await api.put(before.slug, [{ field_key: await world.fieldKey(), value: world.runId }]);
    return { before, after: await api.product(before.slug) };
  });
}

/** A new product that was created with a taken slug. */
async function suffixed({ once }: Context): Promise<{ slug: string; taken: string }> {
  return once('taken slug', async ({ world, sendFaulty }) => {
    const { slug: taken } = await world.product('taken-slug');
    const json = { name: 'Verify taken slug', slug: taken };
    // The slug may have a form of the provider's own.
    const { slug } = createdProduct(await sendFaulty({ method: 'POST', path: '/api/v1/products', json }));
    return { slug, taken };
  });
}

interface Growth {
  /** Three new products with one name. No other product of the run is as new. */
  readonly products: readonly [Product, Product, Product];
  /** `products_total` before and after. */
  readonly totals: readonly [number, number];
  /** The slugs of the first products before. */
  readonly before: readonly string[];
  /** The slugs on the pages that were read meanwhile. */
  readonly during: readonly string[];
}

/** Small, so that a provider with few products has several pages. */
const pageSize = 5;
const pages = 20;

/** Creates three products of one name at the same time, while the list is read page by page. Once in a run. */
export function grow({ once }: Context): Promise<Growth> {
  return once('growth', async ({ api, send, world }) => {
    const group = await world.groupOfKeys();
    const { products_total: total } = await api.me();
    const before = slugsOf((await api.list({ limit: pageSize * pages })).items);
    const creations = Promise.all(
      ['one', 'two', 'three'].map(async (model) =>
        createdProduct(
          await send({ method: 'POST', path: '/api/v1/products', json: { ...group, name: 'Verify growth', model } }),
        ),
      ),
    );
    // Both at once: a creation may fail while a page is read.
    const [made, during] = await Promise.all([creations, pagesOf(api)]);
    const products = made as [Product, Product, Product];
    return { products, totals: [total, (await api.me()).products_total], before, during };
  });
}

async function pagesOf(api: Api): Promise<string[]> {
  const slugs: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const { items } = await api.list({ limit: pageSize, offset: page * pageSize });
    slugs.push(...slugsOf(items));
  }
  return slugs;
}

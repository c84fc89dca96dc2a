/** Mistakes when products are created and read. */
import type { Product } from '@product-passport/sdk';
import { at, type Call, type Route } from '../call.ts';
import {
  type Change,
  created,
  error,
  instead,
  kept,
  members,
  notes,
  onStatus,
  readsJson,
  remembers,
} from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

/** A creation, and a read of the single product. */
const everyProduct: Route<Product> = { path: /^\/api\/v1\/products(\/[^/]+)?$/ };

const creates = 'POST /api/v1/products must respond with a product';

/** Sends another response if the slug of a creation is taken. */
function ifTaken(respond: (other: Response) => Response): Change {
  return instead(at.create, async (call) => {
    const { slug } = await call.creation();
    if (typeof slug !== 'string') return undefined;
    const found = await call.get(`/api/v1/products/${encodeURIComponent(slug)}`).send();
    return found.status === 200 ? respond(found) : undefined;
  });
}

/** Counts the writes of each product. */
export const countsWrites = (writes: Map<unknown, number>): Change =>
  notes(at.write, ({ slug }) => writes.set(slug, (writes.get(slug) ?? 0) + 1));

const publishing = ({ key, provider }: Call): boolean => key === provider.publishing_api_key;

/** The statuses of products. */
export const statuses: readonly WrongProvider[] = [
  wrong('status-not-stored', 'A change of the status gets the product with the new status, and is not stored.')
    .failsIn('STATUS-1.publish', 'the status of the page of a product that became active must be')
    .does(
      instead(at.status, async (call) => {
        if (!publishing(call)) return undefined;
        const { status } = Object(await call.json());
        const product = await call.get(`/api/v1/products/${call.slug}`).send();
        if (product.status !== 200 || !['active', 'archived'].includes(status)) return undefined;
        return Response.json({ ...Object(await product.json()), status }, { headers: product.headers });
      }),
    ),
  wrong('archived-twice', 'A status that the product has already gets 409.')
    .failsIn('STATUS-1.repeat', 'the status must be 200, is 409')
    .does(
      remembers<boolean>((archived) =>
        instead(at.status, async (call) => {
          const { status } = Object(await call.json());
          if (!publishing(call)) return undefined;
          if (status === 'archived' && archived.get(call.slug)) return error(409, 'not_ready');
          archived.set(call.slug, status === 'archived');
          return undefined;
        }),
      ),
    ),
  wrong(
    'publishes-what-is-not-ready',
    'A passport without values is published although the request does not accept it.',
  )
    .failsIn('STATUS-1.not-ready', 'the response must be')
    .does(readsJson(at.status, (body: object) => ({ ...body, accept_findings: true }))),
  wrong('publishes-values-in-use', 'A product becomes active although another active one has the same unique value.')
    .failsIn('STATUS-1.unique', 'the response for the second product must be')
    .does(
      onStatus(at.status, 409, async (response, call) => {
        const { error } = Object(await response.clone().json());
        if (error?.code !== 'value_in_use') return undefined;
        const product = await call.get(`/api/v1/products/${call.slug}`).send();
        return Response.json({ ...Object(await product.json()), status: 'active' }, { headers: product.headers });
      }),
    ),
  wrong('every-key-publishes', 'The right of the key is not checked.')
    .failsIn('STATUS-1.key', 'the faulty request must get 403, gets 200')
    .asks(at.status, (call) =>
      call.key === call.keys[0] ? call.with({ key: call.provider.publishing_api_key }) : undefined,
    ),
  wrong('draft-is-archived', 'A change to draft archives the product.')
    .failsIn('STATUS-1.draft', 'the faulty request must get 400, gets 200')
    .does(
      readsJson(at.status, (body: { status?: unknown }) => (body.status === 'draft' ? { status: 'archived' } : body)),
    ),
  wrong('right-before-product', 'The right of the key is checked before the product is looked up.')
    .failsIn('STATUS-1.order', 'the faulty request must get 404, gets 403')
    .refuses(at.status, 403, 'key_cannot_publish', (call) => call.key === call.keys[0]),
  wrong('unknown-status-archives', 'A change without a status that exists archives the product.')
    .failsIn('STATUS-1.body', 'the faulty request must get 400, gets 200')
    .does(
      readsJson(at.status, (body: { status?: string }) =>
        ['active', 'archived', 'draft'].includes(body.status ?? '') ? body : { status: 'archived' },
      ),
    ),
];

export const products: readonly WrongProvider[] = [
  wrong('created-201', 'A creation gets 201, as other APIs do.')
    .failsIn('PROD-1.status', 'the status must be 200, is 201')
    .status(at.create, 200, 201),
  wrong('created-active', 'A new product is active.')
    .failsIn('PROD-1.draft', 'status must be "draft", is "active"')
    .members(at.create, { status: 'active' }),
  wrong('created-only-id', 'A creation returns the id and the slug only.')
    .failsIn('PROD-1.same-body', 'the product must be')
    .json(at.create, ({ id, slug }) => ({ id, slug })),
  wrong('name-in-lower-case', 'The stored name is in lower case.')
    .failsIn('PROD-1.name', 'the product must be')
    .createdText('name', (name) => name.toLowerCase()),
  wrong('urn-without-tenant', 'The URN has no tenant slug.')
    .failsIn('PROD-1.urn', 'unique_product_identifier must end in')
    .members(at.create, ({ slug }) => ({ unique_product_identifier: `urn:dpp:${slug}` })),
  wrong('urn-of-version', 'The identifier contains the number of writes, so that every write changes it.')
    .failsIn('PROD-1.urn-stays', 'unique_product_identifier after a change must be')
    .remembers<number>((writes) => [
      countsWrites(writes),
      members(at.product, ({ slug }) => ({
        unique_product_identifier: `urn:dpp${writes.get(slug) ?? ''}:skellig:${slug}`,
      })),
    ]),
  wrong('group-lost', 'The product group of a creation is checked and thrown away.')
    .failsIn('PROD-1.group', 'the product must contain "textile"')
    .members(everyProduct, (body) => ('product_group' in body ? { product_group: null } : {})),
  wrong('model-lost', 'The model of a creation is thrown away.')
    .failsIn('PROD-1.model', 'the product must contain')
    .createdText('model', () => null),
  wrong('emoji-lost', 'The column of the name has an encoding without emoji.')
    .failsIn('PROD-1.name-emoji', 'name must be')
    .createdText('name', (name) => name.replace(/\p{Emoji_Presentation}/gu, '?')),
  wrong('name-cut', 'The column of the name holds 255 characters, and the database cuts longer names.')
    .failsIn('PROD-1.name-long', 'the name must be stored whole')
    .createdText('name', (name) => name.slice(0, 255)),
  wrong('list-disagrees', 'The list shows the identifier in upper case.')
    .failsIn('PROD-1.listed', 'unique_product_identifier in the list must be')
    .text(at.list, (text) => text.replaceAll('"urn:', '"URN:')),
  wrong('listed-later', 'The list shows a new product after a minute only.')
    .failsIn('PROD-1.listed', 'the list must have the new product')
    .elements(at.list, 'items', (items) => items.filter((one) => Date.parse(one.created_at) < Date.now() - 60_000)),
  wrong('products-total-cached', 'A cache keeps products_total.')
    .failsIn('PROD-1.products-total', 'the growth of products_total must be 3, is 0')
    .remembers<number>((totals) =>
      members(at.me, ({ products_total }, { key }) => ({ products_total: kept(totals, key, products_total) })),
    ),
  wrong('gtin-as-14-digits', 'The GTIN is stored as 14 digits.')
    .failsIn('PROD-2.13-digits', 'gtin must be "9520001999017", is "09520001999017"')
    .createdText('gtin', (gtin) => (/^\d{8,14}$/.test(gtin) ? gtin.padStart(14, '0') : gtin)),
  wrong('gtin-as-number', 'The GTIN is stored as a number and loses its zeros.')
    .failsIn('PROD-2.12-digits-zeros', 'gtin must be "000001234190", is "1234190"')
    .members(at.product, ({ gtin }) => ({ gtin: gtin?.replace(/^0+/, '') ?? null })),
  wrong('gtin-of-13-digits-only', 'Only GTINs of 13 digits are accepted.')
    .failsIn('PROD-2.8-digits', `${creates}, responds with 400`)
    .refusesCreation(400, 'invalid_gtin', ({ gtin }) => typeof gtin === 'string' && gtin.length !== 13),
  wrong('gtin-not-checked', 'The length of the GTIN is not checked.')
    .failsIn('PROD-2.refused-9-digits', 'the faulty request must get 400, gets 200')
    .createdText('gtin', (gtin) =>
      /^\d{7,15}$/.test(gtin) && ![8, 12, 13, 14].includes(gtin.length) ? '9520001999017' : gtin,
    ),
  wrong('slug-ignored', 'The service adds a prefix to the slug of the request.')
    .failsIn('PROD-3.given', '404', 'PROD-3')
    .createdText('slug', (slug) => `p-${slug}`),
  wrong('slug-from-name', 'The slug of the request is thrown away, and one is made from the name.')
    .failsIn('PROD-3.sent', 'slug must contain')
    .createdText('slug', () => undefined),
  wrong('taken-slug-409', 'A slug that is taken gets 409.')
    .failsIn('PROD-3.taken', `${creates}, responds with 409`)
    .does(ifTaken(() => error(409, 'slug_taken'))),
  wrong('taken-slug-returns-other', 'A slug that is taken returns the product that has it.')
    .failsIn('PROD-3.taken', 'slug must be verify-taken-slug with a suffix')
    .does(ifTaken((other) => other)),
  wrong('suffix-race', 'The free slug is looked up before the insert, so products created together share one.')
    .failsIn('PROD-3.concurrent', 'the number of different slugs')
    .remembers<{ readonly at: number; readonly slug: string }>((made) =>
      members(at.create, ({ name, slug }) => {
        const last = made.get(name);
        if (last !== undefined && performance.now() - last.at < 50) return { slug: last.slug };
        made.set(name, { at: performance.now(), slug });
        return {};
      }),
    ),
  wrong('suffix-not-shown', 'getProduct shows the slug without its number.')
    .failsIn('PROD-3.concurrent', 'the slug of the product read must be')
    .members(at.product, ({ slug }) => ({ slug: slug.replace(/-\d+$/, '') })),
  wrong('suffix-not-read', 'getProduct ignores the number at the end of the slug.')
    .failsIn('PROD-3.taken', 'the slug of the product read must be')
    .asks(at.product, (call) => call.with({ path: call.path.replace(/-\d+$/, '') })),
  wrong('slug-too-short', 'The service cuts the slug of a long name at 50 characters.')
    .failsIn('PROD-3.made-long', 'slug must have up to 100 characters, has 50')
    .members(at.create, ({ slug }) => ({ slug: slug.slice(0, 50) })),
  wrong('constant-id', 'Every product has the same id.')
    .failsIn('PROD-3.ids', 'the number of different ids')
    .members(at.create, { id: '1' }),
  wrong('identifier-of-name', 'Products of one name have one identifier.')
    .failsIn('PROD-3.ids', 'the number of different identifiers')
    .members(at.create, ({ name }) => ({ unique_product_identifier: `urn:dpp:${name}` })),
  wrong('missing-name-422', 'A missing name gets the 422 of the framework.')
    .failsIn('PROD-4.absent', 'the faulty request must get 400, gets 422')
    .errors(at.create, 'name_required', 422),
  wrong('missing-name-own-code', 'A missing name gets a code for all invalid fields.')
    .failsIn('PROD-4.absent', 'error.code must be "name_required", is "validation_failed"')
    .errors(at.create, 'name_required', 400, 'validation_failed'),
  wrong('missing-name-default', 'A product without a name gets a default name.')
    .failsIn('PROD-4.absent', 'the faulty request must get 400, gets 200')
    .created((body) => ('name' in body ? {} : { name: 'Unnamed' })),
  wrong('unknown-group-accepted', 'An unknown product group is stored as `other`.')
    .failsIn('PROD-5.unknown-1', 'the faulty request must get 400, gets 200')
    .errorsInto(at.create, 'unknown_product_group', async (_, call) =>
      call.withJson({ ...(await call.creation()), product_group: 'other' }).send(),
    ),
  wrong('groups-in-capitals', 'Product groups are compared with names in capitals.')
    .failsIn('PROD-5.tyre', `${creates}, responds with 400 unknown_product_group`)
    .createdText('product_group', (group) => (group === group.toUpperCase() ? group : 'no-such-group')),
  wrong('unknown-product-200', 'An unknown product gets 200 with null.')
    .failsIn('PROD-7.unknown', 'the faulty request must get 404, gets 200')
    .onStatus(at.product, 404, () => Response.json({})),
  wrong('unknown-product-own-code', 'An unknown product gets the code product_not_found.')
    .failsIn('PROD-7.unknown', 'error.code must be "not_found", is "product_not_found"')
    .errors(at.product, 'not_found', 404, 'product_not_found'),
  wrong('wildcard-slug', 'A slug with % finds a product by LIKE.')
    .failsIn('PROD-7.wildcard-get', 'the faulty request must get 404, gets 200')
    .asks(at.product, (call) =>
      call.with({ path: call.path.replace(/[^/]*%25.*/, call.provider.active_product.slug) }),
    ),
  wrong('local-times', 'Times are written as on a German wall clock.')
    .failsIn('PROD-8.parse', 'created_at')
    .members(at.create, { created_at: '22.11.2026 09:30' }),
  wrong('times-in-seconds', 'Times are numbers of seconds.')
    .failsIn('HTTP-6.getProduct', '/created_at')
    .members(at.product, ({ created_at }) => ({ created_at: Date.parse(created_at) / 1000 })),
  wrong('updated-before-created', 'updated_at of a new product is the beginning of 1970.')
    .failsIn('PROD-8.parse', 'must not be after updated_at')
    .members(at.create, { updated_at: '1970-01-01T00:00:00.000Z' }),
  wrong('updated-at-of-read', 'updated_at is the time of the read.')
    .failsIn('PROD-8.moves', 'updated_at after writes that change nothing')
    .members(at.product, () => ({ updated_at: new Date().toISOString() })),
  wrong('created-at-moves', 'A write of passport values sets created_at.')
    .failsIn('PROD-8.creation', 'created_at after a change must be')
    .remembers<number>((writes) => [
      notes(at.write, () => new Promise((resolve) => setTimeout(resolve, 2))),
      countsWrites(writes),
      members(at.product, ({ slug, updated_at }) => (writes.has(slug) ? { created_at: updated_at } : {})),
    ]),
  wrong('master-data-of-first-product', 'The master data of each product are those of the first one.')
    .failsIn('PROD-5.textile-returned', 'product_group must be "textile", is "shoes"')
    .members(everyProduct, (body) =>
      'slug' in body ? { name: 'First', gtin: '09520001000010', product_group: 'shoes', model: 'F1' } : {},
    ),
  wrong('numbered-slugs', 'Slugs are numbers, not made from the name.')
    .failsIn('PROD-3.made-umlauts', 'slug must be')
    .counts((items) => created(() => ({ slug: `item-${items.next()}` }))),
];

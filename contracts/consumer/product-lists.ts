/** Interactions that list products: pages, filters and search. */

import { MatchersV3 } from '@pact-foundation/pact';
import type { ProductList, ProductListItem, ProductQuery } from '@product-passport/sdk';
import { type Given, given } from '../states/catalogue.ts';
import { aProduct, aTenant, type Case, entriesOf, failure, get, ok, suedwind } from './case.ts';
import { listOf, type ProductFields, productItem, type Template } from './matchers.ts';

const paths = '/products';

const kabel = { name: 'USB-C-Kabel', slug: 'usb-c-kabel', status: 'draft' } as const satisfies ProductFields;
const becher = { name: 'Thermobecher', slug: 'thermobecher', status: 'active' } as const satisfies ProductFields;
const laterne = { name: 'Straßenlaterne', slug: 'strassenlaterne', status: 'active' } as const satisfies ProductFields;
const huelle = { name: 'Kabelhülle 100 %', slug: 'kabelhuelle', status: 'archived' } as const satisfies ProductFields;
const assortment: readonly Given[] = [aTenant, ...[kabel, becher, laterne, huelle].map(aProduct)];

function numbered(count: number): readonly Given[] {
  return [aTenant, given('the tenant has numbered products', { count })];
}

/** The numbered product at this position. */
function nth(number: number): Template<ProductListItem> {
  const digits = String(number).padStart(3, '0');
  return productItem({ name: `Produkt ${digits}`, slug: `produkt-${digits}` });
}

/** Any of the numbered products. */
const numberedItem: Template<ProductListItem> = {
  ...productItem({ name: 'Produkt 001', slug: 'produkt-001' }),
  name: MatchersV3.regex('^Produkt \\d{3}$', 'Produkt 001'),
  slug: MatchersV3.regex('^produkt-\\d{3}$', 'produkt-001'),
  unique_product_identifier: MatchersV3.regex('^urn:[^:]+:nordlicht:produkt-\\d{3}$', 'urn:dpp:nordlicht:produkt-001'),
};

function page(items: Template<ProductListItem[]>, rest: Omit<ProductList, 'items'>): Template<ProductList> {
  return { items, ...rest };
}

function listed(query: ProductQuery, sent: Readonly<Record<string, string>>): Pick<Case, 'call' | 'request'> {
  return { call: ({ client }) => client.products.list(query), request: get(paths, sent) };
}

function found(...fields: readonly ProductFields[]): ReturnType<typeof ok> {
  return ok(page(fields.map(productItem), { total: fields.length, limit: 50, offset: 0 }));
}

const pages: readonly Case[] = [
  {
    description: 'listProducts: the default page of a longer list',
    given: numbered(51),
    call: ({ client }) => client.products.list(),
    request: get(paths),
    response: ok(page(listOf(50, numberedItem), { total: 51, limit: 50, offset: 0 })),
  },
  {
    description: 'listProducts: a tenant without products',
    given: [aTenant],
    call: ({ client }) => client.products.list(),
    request: get(paths),
    response: ok(page([], { total: 0, limit: 50, offset: 0 })),
  },
  {
    description: 'listProducts: without the products of another tenant',
    given: [...numbered(1), given('another tenant with a product', { tenant: suedwind, product: kabel })],
    call: ({ client }) => client.products.list(),
    request: get(paths),
    response: ok(page([nth(1)], { total: 1, limit: 50, offset: 0 })),
  },
  {
    description: 'listProducts: the first page, oldest first (reference)',
    given: numbered(5),
    ...listed({ limit: 2 }, { limit: '2' }),
    response: ok(page([nth(1), nth(2)], { total: 5, limit: 2, offset: 0 })),
  },
  {
    description: 'listProducts: a page in the middle (reference)',
    given: numbered(5),
    ...listed({ limit: 2, offset: 2 }, { limit: '2', offset: '2' }),
    response: ok(page([nth(3), nth(4)], { total: 5, limit: 2, offset: 2 })),
  },
  {
    description: 'listProducts: the last page, which is not full (reference)',
    given: numbered(5),
    ...listed({ limit: 2, offset: 4 }, { limit: '2', offset: '4' }),
    response: ok(page([nth(5)], { total: 5, limit: 2, offset: 4 })),
  },
  {
    description: 'listProducts: an offset past the end',
    given: numbered(5),
    ...listed({ limit: 2, offset: 6 }, { limit: '2', offset: '6' }),
    response: ok(page([], { total: 5, limit: 2, offset: 6 })),
  },
  {
    description: 'listProducts: the maximum limit (reference)',
    given: numbered(3),
    ...listed({ limit: 200 }, { limit: '200' }),
    response: ok(page([nth(1), nth(2), nth(3)], { total: 3, limit: 200, offset: 0 })),
  },
  {
    description: 'listProducts: a limit above the maximum (reference)',
    given: numbered(201),
    ...listed({ limit: 201 }, { limit: '201' }),
    response: ok(page(listOf(200, numberedItem), { total: 201, limit: 200, offset: 0 })),
  },
  {
    description: 'listProducts: a limit below the minimum (reference)',
    given: numbered(2),
    ...listed({ limit: 0 }, { limit: '0' }),
    response: ok(page([nth(1)], { total: 2, limit: 1, offset: 0 })),
  },
  {
    description: 'listProducts: a negative offset (reference)',
    given: numbered(2),
    ...listed({ offset: -1 }, { offset: '-1' }),
    response: ok(page([nth(1), nth(2)], { total: 2, limit: 50, offset: 0 })),
  },
];

const byStatus = { draft: [kabel], active: [becher, laterne], archived: [huelle] } as const;

const statuses: readonly Case[] = entriesOf<keyof typeof byStatus, readonly ProductFields[]>(byStatus).map(
  ([status, expected]) => ({
    // The order of the two active products is that of the reference profile.
    description: `listProducts: only ${status} products${expected.length > 1 ? ' (reference)' : ''}` as const,
    given: assortment,
    ...listed({ status }, { status }),
    response: found(...expected),
  }),
);

const searches: readonly Case[] = [
  {
    description: 'listProducts: a search in another letter case, in every status (reference)',
    given: assortment,
    ...listed({ search: 'KABEL' }, { search: 'KABEL' }),
    response: found(kabel, huelle),
  },
  {
    description: 'listProducts: a search within a name, with letters beyond ASCII (reference)',
    given: assortment,
    ...listed({ search: 'ELHÜLL' }, { search: 'ELHÜLL' }),
    response: found(huelle),
  },
  {
    description: 'listProducts: a search with full Unicode case folding (reference)',
    given: assortment,
    ...listed({ search: 'STRASSE' }, { search: 'STRASSE' }),
    response: found(laterne),
  },
  {
    description: 'listProducts: a search for a character that is a wildcard in SQL',
    given: assortment,
    ...listed({ search: '%' }, { search: '%' }),
    response: found(huelle),
  },
  {
    description: 'listProducts: a search that finds nothing',
    given: assortment,
    ...listed({ search: 'Fahrrad' }, { search: 'Fahrrad' }),
    response: found(),
  },
  {
    description: 'listProducts: filter and search together',
    given: assortment,
    ...listed({ status: 'archived', search: 'kabel' }, { status: 'archived', search: 'kabel' }),
    response: found(huelle),
  },
  {
    description: 'listProducts: a page of search results (reference)',
    given: assortment,
    ...listed({ search: 'kabel', limit: 1, offset: 1 }, { search: 'kabel', limit: '1', offset: '1' }),
    response: ok(page([productItem(huelle)], { total: 2, limit: 1, offset: 1 })),
  },
];

const refusals: readonly Case[] = [
  {
    description: 'listProducts: a limit that is not a whole number (reference)',
    given: numbered(1),
    ...listed({ limit: 2.5 }, { limit: '2.5' }),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'listProducts: an offset that is not a number (reference)',
    given: numbered(1),
    // The SDK refuses NaN itself.
    ...listed({ offset: 'NaN' as unknown as number }, { offset: 'NaN' }),
    response: failure(400, 'invalid_request'),
  },
];

export const productLists: readonly Case[] = [...pages, ...statuses, ...searches, ...refusals];

/** Interactions of scan statistics. */
import type { ScanQuery, ScanStatistics } from '@product-passport/sdk';
import { type Given, given, type StateParameters } from '../states/catalogue.ts';
import { aProduct, aTenant, type Case, failure, get, kabelOnSale, ok, suedwind } from './case.ts';
import { anyCount, anyDay, listOf } from './matchers.ts';

const becher = { name: 'Thermobecher', slug: 'thermobecher', status: 'active' } as const;

function scans(product: { slug: string }, facts: Omit<StateParameters<'the product was scanned'>, 'product'>): Given {
  return given('the product was scanned', { product: product.slug, ...facts });
}

/** Scans on both sides of the first day of each period. */
const aYear: readonly Given[] = [
  aTenant,
  aProduct(kabelOnSale),
  aProduct(becher),
  scans(kabelOnSale, { role: 'consumer', days_ago: 0, times: 3 }),
  scans(becher, { role: 'inspector', days_ago: 29, times: 1 }),
  scans(becher, { role: 'recycler', days_ago: 30, times: 4 }),
  scans(kabelOnSale, { role: 'consumer', days_ago: 364, times: 1 }),
  scans(becher, { role: 'consumer', days_ago: 365, times: 16 }),
];

const month: Pick<ScanStatistics, 'total' | 'by_view_role' | 'top_products'> = {
  total: 4,
  by_view_role: { consumer: 3, inspector: 1, recycler: 0 },
  top_products: [
    { slug: kabelOnSale.slug, name: kabelOnSale.name, count: 3 },
    { slug: becher.slug, name: becher.name, count: 1 },
  ],
};

const year: typeof month = {
  total: 9,
  by_view_role: { consumer: 4, inspector: 1, recycler: 4 },
  top_products: [
    { slug: becher.slug, name: becher.name, count: 5 },
    { slug: kabelOnSale.slug, name: kabelOnSale.name, count: 4 },
  ],
};

function statistics(days: number, counts: typeof month): ReturnType<typeof ok> {
  return ok({ days, per_day: listOf(days, { date: anyDay, count: anyCount }), ...counts });
}

function period(query: ScanQuery | undefined, sent?: Readonly<Record<string, string>>): Pick<Case, 'call' | 'request'> {
  return { call: ({ client }) => client.analytics.scans(query), request: get('/analytics/scans', sent) };
}

export const scanStatistics: readonly Case[] = [
  {
    description: 'getScanStatistics: the default period (reference)',
    given: aYear,
    ...period(undefined),
    response: statistics(30, month),
  },
  {
    description: 'getScanStatistics: a day without scans (reference)',
    given: [aTenant],
    ...period({ days: 1 }, { days: '1' }),
    response: statistics(1, {
      total: 0,
      by_view_role: { consumer: 0, inspector: 0, recycler: 0 },
      top_products: [],
    }),
  },
  {
    description: 'getScanStatistics: the maximum period (reference)',
    given: aYear,
    ...period({ days: 365 }, { days: '365' }),
    response: statistics(365, year),
  },
  {
    description: 'getScanStatistics: a period above the maximum (reference)',
    given: aYear,
    ...period({ days: 366 }, { days: '366' }),
    response: statistics(365, year),
  },
  {
    description: 'getScanStatistics: a period below the minimum (reference)',
    given: [aTenant, aProduct(kabelOnSale), scans(kabelOnSale, { role: 'consumer', days_ago: 0, times: 3 })],
    ...period({ days: 0 }, { days: '0' }),
    response: statistics(1, {
      total: 3,
      by_view_role: { consumer: 3, inspector: 0, recycler: 0 },
      top_products: [{ slug: kabelOnSale.slug, name: kabelOnSale.name, count: 3 }],
    }),
  },
  {
    description: 'getScanStatistics: without the scans of another tenant (reference)',
    given: [aTenant, given('another tenant with a product', { tenant: suedwind, product: becher, scans: 5 })],
    ...period({ days: 1 }, { days: '1' }),
    response: statistics(1, {
      total: 0,
      by_view_role: { consumer: 0, inspector: 0, recycler: 0 },
      top_products: [],
    }),
  },
  {
    description: 'getScanStatistics: a period that is not a whole number (reference)',
    given: [aTenant],
    ...period({ days: 1.5 }, { days: '1.5' }),
    response: failure(400, 'invalid_request'),
  },
];

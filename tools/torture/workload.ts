/** Clients of two tenants that write and read, and remember what the server acknowledged. */
import assert, { AssertionError } from 'node:assert/strict';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct, moveProduct } from '../../server/src/lifecycle/lifecycle.ts';
import { newKey, newTenant } from '../../test/support/tenant.ts';
import type { Ask, Server } from './server.ts';

const clients = 16;

export interface Tenant {
  id: string;
  slug: string;
  key: string;
  /** A word in everything that the tenant writes, and in nothing else. */
  mark: string;
}

export interface Shop {
  address: string;
  tenants: readonly [Tenant, Tenant];
  /** The tenant whose products a command moves. */
  moved: Tenant;
}

/** The slugs of the products of each tenant. All are active. */
export const productSlugs = ['tasse-a', 'tasse-b', 'tasse-c', 'tasse-d'] as const;

/** Fills an empty database. */
export async function openShop(address: string): Promise<Shop> {
  const database = await openDatabase(address);
  const now = (): Date => new Date();
  const open = async (slug: string): Promise<Tenant> => {
    const tenant = await newTenant(database, { slug, name: slug });
    for (const name of productSlugs) {
      await createProduct({ database, now, urnNamespace: 'dpp' }, tenant, { name, product_group: 'battery' });
      await moveProduct({ database, now }, tenant.id, name, 'active');
    }
    const { key } = await newKey(database, tenant);
    return { id: tenant.id, slug, key, mark: `${slug}-zeichen` };
  };
  try {
    return { address, tenants: [await open('nord'), await open('sued')], moved: await open('umzug') };
  } finally {
    await database.destroy();
  }
}

/** The changes that a client made to its own field of a product. */
interface Field {
  tenant: Tenant;
  other: Tenant;
  slug: string;
  key: string;
  acknowledged: number;
  /** Values that were sent since, and got no 200. Each may be stored. */
  unknown: number[];
}

export interface Limits {
  isOver(): boolean;
  /** Whether a request that was sent at this time (`performance.now()`) may get 500 or 503. */
  mayRefuse?(started: number): boolean;
}

export class Workload {
  readonly shop: Shop;
  readonly fields: readonly Field[];
  /** The products that were sent, by name. */
  readonly created = new Map<string, { tenant: Tenant; isAcknowledged: boolean }>();
  /** Views of pages that were sent, and those that got 200, by the tenant's id. */
  readonly views = new Map<string, { sent: number; served: number }>();
  /** Responses with 200, 503 and 500, and connections that broke. */
  readonly counts = { ok: 0, unavailable: 0, failed: 0, broken: 0 };
  readonly #randoms: readonly Random[];
  /** ETags by tenant and path. */
  readonly #tags = new Map<string, string>();
  #names = 0;

  constructor(shop: Shop, seed: number) {
    this.shop = shop;
    this.#randoms = Array.from({ length: clients }, (_, index) => new Random(seed * 1000 + index));
    this.fields = this.#randoms.map((random, index) => {
      const [tenant, other] = index % 2 === 0 ? shop.tenants : shop.tenants.toReversed();
      if (!tenant || !other) throw new Error('The shop needs two tenants.');
      return { tenant, other, slug: random.pick(productSlugs), key: `feld_${index}`, acknowledged: 0, unknown: [] };
    });
    for (const { id } of shop.tenants) this.views.set(id, { sent: 0, served: 0 });
  }

  /** Runs all clients until `isOver`. A client ends when its connection breaks. */
  async run(servers: readonly Server[], limits: Limits): Promise<void> {
    const ends = await Promise.allSettled(
      this.fields.map(async (field, index) => {
        const random = this.#randoms[index] as Random;
        while (!limits.isOver()) await this.#step(random.pick(servers), field, random, limits);
      }),
    );
    const errors = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
    this.counts.broken += errors.length;
    const finding = errors.find((error) => error instanceof AssertionError);
    if (finding) throw finding;
  }

  async #step(server: Server, field: Field, random: Random, limits: Limits): Promise<void> {
    const { tenant, slug } = field;
    const action = random.next();
    const ask = (request: Ask) => this.#ask(server, field, request, limits);
    if (action < 0.3) return this.#write(field, ask);
    if (action < 0.5) {
      this.#names += 1;
      const name = `Kanne ${this.#names} ${tenant.mark}`;
      const product = { tenant, isAcknowledged: false };
      this.created.set(name, product);
      // Half of them collide in their slug.
      const json = random.next() < 0.5 ? { name } : { name, slug: 'kanne' };
      product.isAcknowledged = (await ask({ method: 'POST', path: '/api/v1/products', key: tenant.key, json })).isOk;
      return;
    }
    if (action < 0.75) {
      const views = this.views.get(tenant.id) ?? { sent: 0, served: 0 };
      views.sent += 1;
      if ((await ask({ path: `/p/${tenant.slug}/${random.pick(productSlugs)}` })).isOk) views.served += 1;
      return;
    }
    const ofApi = [
      'me',
      `products?limit=${1 + random.below(50)}`,
      'products?search=zeichen',
      `products/${slug}/passport`,
    ];
    const path = random.pick([`/p/${tenant.slug}/${slug}/jsonld`, ...ofApi.map((each) => `/api/v1/${each}`)]);
    const key = path.startsWith('/api') ? tenant.key : undefined;
    // The tag of the other tenant's response must not validate this one.
    const foreign = this.#tags.get(`${field.other.slug} ${path.replace(tenant.slug, field.other.slug)}`);
    const headers = foreign === undefined ? {} : { 'if-none-match': foreign };
    const { etag } = await ask({ path, key, headers });
    if (etag !== undefined) this.#tags.set(`${tenant.slug} ${path}`, etag);
  }

  async #write(field: Field, ask: (request: Ask) => Promise<{ isOk: boolean }>): Promise<void> {
    const value = Math.max(field.acknowledged, ...field.unknown) + 1;
    field.unknown.push(value);
    const { isOk } = await ask({
      method: 'PUT',
      path: `/api/v1/products/${field.slug}/passport`,
      key: field.tenant.key,
      json: [
        { field_key: field.key, value },
        { field_key: `${field.key}_too`, value: `${value} ${field.tenant.mark}` },
      ],
    });
    if (!isOk) return;
    field.acknowledged = value;
    // What is sent later is stored later.
    field.unknown = [];
  }

  /** Requires a response that shows nothing of the other tenant, with 200 unless it may be refused. */
  async #ask(server: Server, { other }: Field, request: Ask, { mayRefuse = () => false }: Limits) {
    const started = performance.now();
    const { status, headers, text } = await server.ask(request);
    const what = `${request.method ?? 'GET'} ${request.path}`;
    const shown = JSON.stringify(headers) + text;
    const foreign = [other.mark, other.id, other.key, `/p/${other.slug}/`].find((each) => shown.includes(each));
    assert.ok(foreign === undefined, `${what} shows ${foreign} of ${other.slug}`);
    assert.ok(status === 200 || ([500, 503].includes(status) && mayRefuse(started)), `${what} got ${status}`);
    this.counts[status === 200 ? 'ok' : status === 503 ? 'unavailable' : 'failed'] += 1;
    return { isOk: status === 200, etag: headers.etag };
  }
}

/** Numbers that a seed determines (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<Value>(values: readonly Value[]): Value {
    const picked = values[this.below(values.length)];
    if (picked === undefined) throw new Error('There is nothing to pick.');
    return picked;
  }
}

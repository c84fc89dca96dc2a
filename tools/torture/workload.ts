/** Writers that create products, change passports and view pages, and remember what the server acknowledged. */

import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/lifecycle/create.ts';
import { moveProduct } from '../../server/src/lifecycle/status.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { Finding } from './report.ts';
import type { Server } from './server.ts';

/** The changes that a writer made to its own field of a product. */
export interface Field {
  tenant: Tenant;
  slug: string;
  key: string;
  acknowledged: number;
  /** Values that were sent since, and got no 200. Each may be stored. */
  unknown: number[];
}

/** @param started the time at which the request was sent (`performance.now()`) */
type MayRefuse = (started: number) => boolean;

export interface Views {
  /** Pages that came with 200. */
  served: number;
  sent: number;
}

export class Workload {
  readonly fields: Field[];
  /** Products that the server acknowledged, and those that it may have stored, by name. */
  readonly created = new Map<string, { tenant: Tenant; isAcknowledged: boolean }>();
  readonly views: ReadonlyMap<string, Views>;
  /** Responses with 200, 503 and 500, and connections that broke. */
  readonly counts = { ok: 0, unavailable: 0, failed: 0, broken: 0 };
  readonly #random: Random;
  readonly #shop: Shop;
  #names = 0;

  constructor(shop: Shop, random: Random, writers = 16) {
    this.#shop = shop;
    this.#random = random;
    this.fields = Array.from({ length: writers }, (_, index) => ({
      tenant: random.pick(shop.tenants),
      slug: random.pick(productSlugs),
      key: `feld_${index}`,
      acknowledged: 0,
      unknown: [],
    }));
    this.views = new Map(shop.tenants.map(({ id }) => [id, { served: 0, sent: 0 }]));
  }

  /**
   * All writers, until `isOver` or until the connection breaks.
   *
   * @param mayRefuse whether a request may get 500 or 503
   */
  async run(server: Server, { isOver, mayRefuse }: { isOver: () => boolean; mayRefuse: MayRefuse }): Promise<void> {
    const writers = this.fields.map(async (field) => {
      while (!isOver()) {
        const isOk = await this.#work(server, field, mayRefuse);
        if (isOk === undefined) return;
      }
    });
    const failed = (await Promise.allSettled(writers)).find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** @returns `undefined` if the connection broke */
  async #work(server: Server, field: Field, mayRefuse: MayRefuse): Promise<boolean | undefined> {
    const action = this.#random.next();
    try {
      if (action < 0.4) return await this.#put(server, field, mayRefuse);
      if (action < 0.7) return await this.#post(server, field.tenant, mayRefuse);
      return await this.#view(server, field.tenant, mayRefuse);
    } catch (error) {
      if (error instanceof Finding) throw error;
      this.counts.broken += 1;
      return undefined;
    }
  }

  async #put(server: Server, field: Field, mayRefuse: MayRefuse): Promise<boolean> {
    const value = Math.max(field.acknowledged, ...field.unknown) + 1;
    field.unknown.push(value);
    const path = `/api/v1/products/${field.slug}/passport`;
    const json = [
      { field_key: field.key, value },
      { field_key: `${field.key}_too`, value },
    ];
    const started = performance.now();
    const { status } = await server.ask({ method: 'PUT', path, key: field.tenant.key, json });
    if (!this.#isOk('PUT', status, () => mayRefuse(started))) return false;
    field.acknowledged = value;
    // What is sent later is stored later.
    field.unknown = [];
    return true;
  }

  async #post(server: Server, tenant: Tenant, mayRefuse: MayRefuse): Promise<boolean> {
    this.#names += 1;
    const name = `Kanne ${this.#names}`;
    const product = { tenant, isAcknowledged: false };
    this.created.set(name, product);
    const started = performance.now();
    const { status } = await server.ask({
      method: 'POST',
      path: '/api/v1/products',
      key: tenant.key,
      // Half of them collide in their slug.
      json: this.#random.next() < 0.5 ? { name } : { name, slug: 'kanne' },
    });
    product.isAcknowledged = this.#isOk('POST', status, () => mayRefuse(started));
    return product.isAcknowledged;
  }

  async #view(server: Server, tenant: Tenant, mayRefuse: MayRefuse): Promise<boolean> {
    const views = this.views.get(tenant.id);
    if (!views) throw new Error('The tenant has no views.');
    views.sent += 1;
    const started = performance.now();
    const { status } = await server.ask({ path: `/p/${tenant.slug}/${this.#random.pick(productSlugs)}` });
    const isOk = this.#isOk('GET of a page', status, () => mayRefuse(started));
    if (isOk) views.served += 1;
    return isOk;
  }

  #isOk(what: string, status: number, mayRefuse: () => boolean): boolean {
    if (status === 200) {
      this.counts.ok += 1;
      return true;
    }
    if (![500, 503].includes(status) || !mayRefuse()) throw new Finding(`${what} got ${status}`);
    this.counts[status === 503 ? 'unavailable' : 'failed'] += 1;
    return false;
  }

  get shop(): Shop {
    return this.#shop;
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

export interface Tenant {
  id: string;
  slug: string;
  key: string;
}

export interface Shop {
  address: string;
  tenants: readonly Tenant[];
}

/** The slugs of the products of each tenant. All are active. */
export const productSlugs = ['tasse-a', 'tasse-b', 'tasse-c', 'tasse-d'] as const;

/** Fills an empty database. */
export async function openShop(address: string): Promise<Shop> {
  const database = await openDatabase(address);
  try {
    const services = { database, now: () => new Date(), urnNamespace: 'dpp' };
    const tenants: Tenant[] = [];
    for (const slug of ['nord', 'sued']) {
      const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, new Date());
      if (!tenant) throw new Error(`The tenant ${slug} already exists.`);
      for (const name of productSlugs) {
        const wish = { name, slug: null, gtin: null, product_group: 'battery' as const, model: null };
        await createProduct(services, tenant, wish);
        await moveProduct(services, tenant.id, name, 'active');
      }
      const { key } = await createKey(database, tenant.id, 'torture', new Date());
      tenants.push({ id: tenant.id, slug, key });
    }
    return { address, tenants };
  } finally {
    await database.destroy();
  }
}

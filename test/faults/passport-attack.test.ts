import { Agent } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type PassportValue, slugFromName as slugOf } from '@product-passport/openapi';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct, moveProduct } from '../../server/src/lifecycle/lifecycle.ts';
import { upsertValues } from '../../server/src/passports/store.ts';
import { newMigratedDatabase } from '../support/database.ts';
import { ending } from '../support/files.ts';
import { announcement, type Running, start } from '../support/program.ts';
import { newKey, newTenant } from '../support/tenant.ts';
import { type Incoming, send } from '../support/wire.ts';

/** Nodes need the most memory for their size: 349,000 of these fit in a body of 1 MiB. */
const empties = (count: number): unknown[] => Array.from({ length: count }, () => []);

/** Each body has the maximum size of a request. */
const attacks: [string, number, (nth: number) => { field_key: string; value: unknown }[]][] = [
  ['a value of empty arrays', 10, (nth) => [{ field_key: `f${nth}`, value: empties(349_000) }]],
  ['texts', 10, (nth) => [{ field_key: `f${nth}`, value: '<'.repeat(1_048_000) }]],
  [
    'values of 10,000 empty arrays',
    3,
    (nth) => Array.from({ length: 34 }, (_, index) => ({ field_key: `f${nth}_${index}`, value: empties(9999) })),
  ],
  [
    'values of 499 numbers',
    3,
    (nth) => Array.from({ length: 980 }, (_, index) => ({ field_key: `f${nth}_${index}`, value: Array(499).fill(0) })),
  ],
];

const common = {
  unit: null,
  source: 'import',
  access_level: 'public',
  is_unknown: false,
  needs_review: false,
  locale: 'de',
  updated_at: '2026-01-01T00:00:00.000Z',
} as const;

/** One API key attacks a server with 512 MB, then anonymous readers do. A crash would affect all tenants. */
describe('a server with 512 MB of memory', () => {
  let server: Running;
  let port = 0;
  let key = '';
  const agent = new Agent({ keepAlive: true });
  ending.defer(() => agent.destroy());

  beforeAll(async () => {
    const address = await newMigratedDatabase('SQLite');
    const database = await openDatabase(address);
    const tenant = await newTenant(database);
    ({ key } = await newKey(database, tenant));
    const services = { database, urnNamespace: 'dpp', now: () => new Date() };
    const create = (slug: string): ReturnType<typeof createProduct> =>
      createProduct(services, tenant, { name: slug, slug });
    for (const [name] of attacks) {
      await create(slugOf(name));
      await moveProduct(services, tenant.id, slugOf(name), 'active');
    }
    for (let index = 0; index < 32; index += 1) await create(`many-${index}`);
    for (let index = 0; index < 32; index += 1) {
      const { id } = await create(`nodes-${index}`);
      const values = Array.from(
        { length: 68 },
        (_, nth): PassportValue => ({ ...common, field_key: `f${nth}`, value: empties(9999) }),
      );
      await database.transaction((transaction) => upsertValues(transaction, tenant.id, id, values));
    }
    await database.destroy();
    const heap = { NODE_OPTIONS: '--max-old-space-size=512' };
    server = await start(`product-passport serve --json --port 0 --database ${address}`, /\}\n/, heap);
    ending.defer(async () => void (await server.stop()));
    port = Number(new URL(announcement(server.said()).base_url).port);
  });

  const get = (path: string): Promise<Incoming> => send(port, agent, { method: 'GET', path, headers: {} });
  async function put(slug: string, values: unknown): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = Buffer.from(JSON.stringify(values));
    expect(body.length).toBeLessThanOrEqual(2 ** 20);
    return (await send(port, agent, { method: 'PUT', path: `/api/v1/products/${slug}/passport`, headers, body }))
      .status;
  }

  /** Sends a write again for which others left no time: on a slow machine they take longer than a write may wait. */
  async function putInTurn(slug: string, values: unknown): Promise<number> {
    const status = await put(slug, values);
    return status === 503 ? putInTurn(slug, values) : status;
  }

  test.each(attacks)(
    'survives writes of %s, %i times 1 MiB, and ten concurrent readers',
    async (name, times, body) => {
      const slug = slugOf(name);
      const statuses: number[] = [];
      for (let nth = 0; nth < times; nth += 1) statuses.push(await put(slug, body(nth)));
      expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
      expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(times - 2);
      const pages = await Promise.all(Array.from({ length: 10 }, () => get(`/p/mandant/${slug}`)));
      for (const { status, text } of pages) expect([status, text.length < 1_000_000]).toEqual([200, true]);
      expect((await get(`/p/mandant/${slug}/jsonld`)).status).toBe(200);
    },
    120_000,
  );

  test('survives 32 writes of 1 MiB at a time, and 32 more to passports that have as much', async () => {
    const slugs = Array.from({ length: 32 }, (_, index) => `many-${index}`);
    const values = (from: number): unknown =>
      Array.from({ length: 1000 }, (_, index) => ({ field_key: `f${from + index}`, value: 'x'.repeat(1000) }));
    const putAll = (from: number): Promise<number[]> => Promise.all(slugs.map((slug) => putInTurn(slug, values(from))));
    expect(new Set(await putAll(0))).toEqual(new Set([200]));
    const small = await Promise.all(slugs.map((slug) => putInTurn(slug, [{ field_key: 'f0', value: 'y' }])));
    expect(new Set(small)).toEqual(new Set([200]));
    // A passport has at most 2 MiB, with what the server adds to each value.
    expect(new Set(await putAll(1000))).toEqual(new Set([400]));
  }, 120_000);

  test('survives 32 small writes at a time to passports with as many nodes as fit', async () => {
    const writes = Array.from({ length: 32 }, (_, index) =>
      putInTurn(`nodes-${index}`, [{ field_key: 'f0', value: 'y' }]),
    );
    expect(new Set(await Promise.all(writes))).toEqual(new Set([200]));
  }, 120_000);
});

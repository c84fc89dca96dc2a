/** Which views count, how they are written, what is stored of a visitor, and what switches them off or deletes them. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { secret } from '../../../server/src/database/installation.ts';
import { DatabaseState } from '../../../server/src/database/state.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { Metrics } from '../../../server/src/metrics/metrics.ts';
import { ScanRecorder, visitorHash } from '../../../server/src/scans/recorder.ts';
import { insertCounts, insertScans } from '../../../server/src/scans/store.ts';
import { switchScans } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { type Database, databaseKinds, newMigratedDatabase, untilBlocked } from '../../support/database.ts';
import { type Call, type Client, type Reply, type Service, startService, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';

const day = 86_400_000;
const noon = new Date('2026-11-20T12:00:00.000Z');
const at = noon;

/** A tenant with one active product, and what is stored of its scans. */
class Shop {
  readonly client: Client;
  readonly productId: string;

  private constructor(client: Client, productId: string) {
    this.client = client;
    this.productId = productId;
  }

  static async open(service: Service): Promise<Shop> {
    const client = await service.newTenant();
    const { id, slug } = await client.create({ name: 'Tasse', gtin: '4006381333931' });
    await service.activate(client, slug);
    return new Shop(client, id);
  }

  /** A scan of the product, as the recorder stores it. */
  get scan() {
    return { tenantId: this.client.tenant.id, productId: this.productId, role: 'consumer', visitorHash: 'x' } as const;
  }

  view(call: Partial<Call> = {}): Promise<Reply> {
    return this.client.call({ path: `/p/${this.client.tenant.slug}/tasse`, key: null, ...call });
  }

  async total(): Promise<number> {
    return (await this.client.scans({ days: 365 })).total;
  }

  rows(database: Database): Promise<{ scanned_at: string; role: string; visitor_hash: string }[]> {
    return database('scans').where('tenant_id', this.client.tenant.id).orderBy('scanned_at').select();
  }
}

/** The number of transactions that store scans during an action. */
async function writesDuring(database: Database, act: () => Promise<unknown>): Promise<number> {
  let writes = 0;
  const listen = ({ sql }: { sql: string }): void => {
    if (/^INSERT INTO .scan_counts. /.test(sql)) writes += 1;
  };
  database.on('query', listen);
  await act();
  database.removeListener('query', listen);
  return writes;
}

/** A scan is lost if a busy machine takes more than a second to begin its write. */
async function lostScans(metrics: Metrics): Promise<number> {
  return Number(/^product_passport_scans_lost_total (\d+)/m.exec(await metrics.text())?.[1] ?? 0);
}

/** All rows of all tables as text. */
async function everything(database: Database): Promise<string> {
  const names: { name: string }[] =
    database.client.driverName === 'pg'
      ? await database('pg_tables').where({ schemaname: 'public' }).select({ name: 'tablename' })
      : await database('sqlite_master').where({ type: 'table' }).whereNot('name', 'product_names').select('name');
  expect(names.length).toBeGreaterThan(9);
  return JSON.stringify(await Promise.all(names.map(({ name }) => database(name).select())));
}

test('scans have one visitor hash for each address, day and secret', () => {
  const [one, two] = [1, 2].map((byte) => createSecretKey(Buffer.alloc(32, byte))) as [KeyObject, KeyObject];
  const hash = (secret: KeyObject, moment: string, address: string) => visitorHash(secret, new Date(moment), address);
  const first = hash(one, '2026-03-01T00:00:00.000Z', '192.0.2.1');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(hash(one, '2026-03-01T23:59:59.999Z', '192.0.2.1')).toBe(first);
  expect(hash(one, '2026-03-02T00:00:00.000Z', '192.0.2.1')).not.toBe(first);
  expect(hash(one, '2026-03-01T00:00:00.000Z', '192.0.2.2')).not.toBe(first);
  expect(hash(two, '2026-03-01T00:00:00.000Z', '192.0.2.1')).not.toBe(first);
});

describe.each(databaseKinds)('%s', (kind) => {
  const now = noon;
  const metrics = new Metrics();
  const service = useService(kind, { now: () => now, metrics });
  const newShop = (): Promise<Shop> => Shop.open(service);

  describe('SCAN-1', () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await newShop();
      await shop.client.create('Entwurf');
      await shop.client.publish('Alt');
      await service.archive(shop.client, 'alt');
    });

    test('a view counts as one of a consumer without a valid token', async () => {
      const own = await newShop();
      const expiresAt = new Date(now.getTime() - day);
      const { token } = await newToken(service.database, own.client.tenant, 'inspector', { expiresAt, now });
      for (const query of ['view=inspector', `zugang=${token}`, 'zugang=x']) await own.view({ query });
      const { by_view_role } = await own.client.scans({ days: 1 });
      expect(by_view_role).toEqual({ consumer: 3, inspector: 0, recycler: 0 });
    });

    const page = '/p/{tenant}/tasse';
    const headers = (name: string, value: string): [number, Omit<Call, 'path'>] => [0, { headers: { [name]: value } }];

    test.each<[number, Partial<Call>]>([
      [1, { path: `${page}/` }],
      [1, { headers: { purpose: 'preview', 'sec-purpose': 'navigate' } }],
      headers('Sec-Purpose', 'prefetch;prerender'),
      headers('sec-purpose', 'prefetch ; anonymous-client-ip'),
      headers('purpose', 'Prefetch'),
      headers('x-moz', 'prefetch'),
      headers('range', 'bytes=0-'),
      headers('user-agent', 'WhatsApp/2.23'),
      [1, { headers: { 'user-agent': 'curl/8.5.0' } }],
      ...[{ method: 'OPTIONS' }, { method: 'POST' }].map((call): [number, Partial<Call>] => [0, call]),
      ...['/p/{tenant}/teller', '/p/{tenant}/entwurf', '/p/{tenant}/alt', '/p/niemand/tasse', '/01/123'].map(
        (path): [number, Partial<Call>] => [0, { path }],
      ),
    ])('counts as %i scans: %j', async (counted, { path = page, ...call }) => {
      const [total, rows] = [await shop.total(), await shop.rows(service.database)];
      await shop.view({ ...call, path: path.replace('{tenant}', shop.client.tenant.slug) });
      expect(await shop.total()).toBe(total + counted);
      expect(await shop.rows(service.database)).toHaveLength(rows.length + counted);
    });
  });

  describe('writes', () => {
    test('a group of scans has a maximum size, and each scan keeps its day and role', async () => {
      const shop = await newShop();
      const recorder = new ScanRecorder(service.database, { warn() {} });
      // One more than the maximum. The second write must begin within a second.
      const scans = Array.from({ length: 501 }, (_, index) => ({
        ...{ ...shop.scan, address: '192.0.2.1', role: index < 100 ? ('inspector' as const) : ('consumer' as const) },
        at: index % 2 === 0 ? now : new Date(now.getTime() - day),
      }));
      const record = () => Promise.all(scans.map((scan) => recorder.record(scan)));
      expect(await writesDuring(service.database, record)).toBe(2);
      expect(await shop.client.scans({ days: 2 })).toMatchObject({
        total: 501,
        per_day: [{ count: 250 }, { count: 251 }],
        by_view_role: { consumer: 401, inspector: 100, recycler: 0 },
      });
    });

    test('every group adds to the counts and to the sums of days in the same order, so that servers do not deadlock', async () => {
      const shops = [await newShop(), await newShop(), await newShop()];
      const roles = ['recycler', 'inspector', 'consumer'] as const;
      const days = [noon, new Date(noon.getTime() - day)];
      const scans = shops.flatMap(({ scan }) => roles.flatMap((role) => days.map((at) => ({ ...scan, at, role }))));
      // The sums of days have no product: their order is another one than that of the counts.
      const { client, scan } = await newShop();
      for (const role of roles) {
        const { id: productId } = await client.create(`Of ${role}`);
        scans.push({ ...scan, productId, at, role });
      }
      const sent: Record<string, string>[][] = [];
      const listen = ({ sql, bindings }: { sql: string; bindings: string[] }): void => {
        if (/^INSERT INTO .scan_(?:counts|days). /.test(sql)) sent.push(JSON.parse(bindings.at(-1) ?? ''));
      };
      service.database.on('query', listen);
      for (const group of [scans, scans.toReversed()]) await insertScans(service.database, group);
      // No rows are no statement.
      await service.database.transaction((transaction) => insertCounts(transaction, client.tenant.id, []));
      service.database.removeListener('query', listen);
      const orders = sent.map((rows) => rows.map(({ count: _, ...key }) => Object.values(key).join(' ')));
      expect(orders.map(({ length }) => length)).toEqual([21, 21, 21, 21]);
      expect(orders).toEqual(orders.map((keys) => keys.toSorted()));
    });

    test('scans of several tenants share a transaction, or each tenant has its own where tables are spread', async () => {
      const shops = [await newShop(), await newShop(), await newShop()];
      const { database } = service;
      // Made now, because it takes a transaction.
      await secret(database, 'scan_secret');
      const { client } = database;
      const record = async (isSpread: boolean, broken = '') => {
        // Only PostgreSQL can be spread. A new client, because the old one remembers whether it is.
        database.client = Object.assign(Object.create(client), { isSpread });
        const recorder = new ScanRecorder(database, { warn() {} });
        let commits = 0;
        let inserts = 0;
        // The server also writes when a key was used last.
        const written = new Set<string>();
        const listen = ({ sql, __knexTxId: id = '' }: { sql: string; __knexTxId?: string }): void => {
          if (/^COMMIT/.test(sql) && written.has(id)) commits += 1;
          if (!/^INSERT INTO .?scan/.test(sql)) return;
          inserts += 1;
          written.add(id);
        };
        database.on('query', listen);
        const scans = shops.flatMap(({ scan }) => [scan, scan]);
        const seen = scans.map(({ visitorHash: _, ...scan }, index) => ({
          ...scan,
          ...(scan.tenantId === broken && { productId: 'unknown' }),
          at: noon,
          address: `192.0.2.${index}`,
        }));
        await Promise.all(seen.map((scan) => recorder.record(scan)));
        await recorder.idle();
        database.removeListener('query', listen);
        database.client = client;
        return { commits, inserts, lost: recorder.lost };
      };
      const [first] = shops;
      const tenants = kind === 'SQLite' ? 1 : 3;
      expect(await record(false)).toEqual({ commits: 1, inserts: 3, lost: 0 });
      expect(await record(true)).toEqual({ commits: tenants, inserts: tenants * 3, lost: 0 });
      // Scans of a product that is gone are lost alone.
      for (const isSpread of [true, false]) {
        expect(await record(isSpread, first?.scan.tenantId)).toMatchObject({ commits: 2, lost: 2 });
      }
    });

    test('concurrent scans on several servers are all counted once', async () => {
      const shop = await newShop();
      const [other, before] = [new Metrics(), await lostScans(metrics)];
      const second = await startService(kind, { on: service.database, now: () => now, metrics: other });
      const clients = [shop.client, second.clientOf(shop.client)];
      const path = `/p/${shop.client.tenant.slug}/tasse`;
      await Promise.all(Array.from({ length: 100 }, (_, index) => clients[index % 2]?.call({ path, key: null })));
      expect((await shop.total()) + (await lostScans(metrics)) + (await lostScans(other)) - before).toBe(100);
    });

    const scan = { tenantId: 't', productId: 'p', at, role: 'consumer', address: '192.0.2.1' } as const;

    test('the recorder pauses between two tries while the database says at once that it is locked', async () => {
      let tries = 0;
      const locked = (() => {
        tries += 1;
        throw Object.assign(new Error('SQLITE_BUSY: database is locked'), { code: 'SQLITE_BUSY' });
      }) as unknown as Database;
      const database = Object.assign(locked, { client: { state: new DatabaseState() } });
      const recorder = new ScanRecorder(database, { warn() {} });
      await recorder.record(scan);
      expect(recorder.lost).toBe(1);
      await recorder.idle();
      expect(tries).toBeGreaterThan(1);
      expect(tries).toBeLessThanOrEqual(52);
    });

    test('all waiting scans are lost immediately if the write cannot begin', async () => {
      const database = await openDatabase(await newMigratedDatabase(kind));
      await secret(database, 'scan_secret');
      const recorder = new ScanRecorder(database, { warn() {} });
      await database.destroy();
      await Promise.all([1, 2, 3].map(() => recorder.record(scan)));
      // A recorder that tries again knows of none.
      expect(recorder.lost).toBe(3);
      await recorder.idle();
    });
  });

  describe('SCAN-3', () => {
    const [client, proxy] = ['203.0.113.77', '198.51.100.42'];

    test('no response, table or log has the address of a client', async () => {
      const proxied = await startService(kind, {
        now: () => now,
        trustProxy: 1,
        siteUrl: 'https://passport.example.com',
      });
      const shop = await Shop.open(proxied);
      const headers = { 'x-forwarded-for': client };
      const replies = [await shop.view({ headers })];
      await proxied.database.schema.renameTable('scan_counts', 'scan_counts_away');
      replies.push(await shop.view({ headers }));
      await proxied.database.schema.renameTable('scan_counts_away', 'scan_counts');
      expect(proxied.logLines).toHaveLength(1);
      const held = JSON.stringify(replies) + (await everything(proxied.database)) + proxied.logLines.join('');
      const salt = await secret(proxied.database, 'scan_secret');
      expect(held).toContain(visitorHash(salt, now, client));
      expect(held).not.toContain(client);
      expect(held).not.toContain('127.0.0.1');
    });

    test.each([
      [0, `${client}`, '127.0.0.1'],
      [1, undefined, '127.0.0.1'],
      [1, client, client],
      [1, `${proxy}, ${client}`, client],
      [2, `192.0.2.66, ${client},${proxy}`, client],
      [2, client, client],
      [1, `${client}, unknown`, '127.0.0.1'],
      [1, '2001:DB8::7', '2001:db8::7'],
    ])('the client address after %i proxies with X-Forwarded-For %s is %s', async (trustProxy, forwarded, address) => {
      const shop = await newShop();
      const proxied = await startService(kind, { on: service.database, now: () => now, trustProxy });
      const headers = { 'x-forwarded-for': forwarded };
      await proxied.clientOf(shop.client).call({ path: `/p/${shop.client.tenant.slug}/tasse`, key: null, headers });
      const salt = await secret(service.database, 'scan_secret');
      expect(await shop.rows(service.database)).toMatchObject([{ visitor_hash: visitorHash(salt, now, address) }]);
    });
  });
});

const notCounted = 'Visits to this page are not counted.';

describe.each(databaseKinds)('scans that are off or deleted, on %s', (kind) => {
  let address = '';
  /** Two servers over one database. The second one counts no scans. */
  let service: Service;
  let silent: Service;
  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
    silent = await startService(kind, { on: address, countScans: false });
  });

  const command = (line: string): Promise<Outcome> =>
    runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });

  /** A tenant with an active product of each group. The groups are the names. */
  async function shopWith(...groups: string[]): Promise<Client> {
    const client = await service.newTenant();
    for (const product_group of groups) await client.publish({ name: product_group, product_group });
    return client;
  }

  /** Views a page, and returns whether it says that it is not counted. */
  async function view(client: Client, slug: string, on = service): Promise<boolean> {
    const path = `/p/${client.tenant.slug}/${slug}?lang=en`;
    const { status, text } = await on.clientOf(client).call({ path, key: null });
    expect(status).toBe(200);
    return text.includes(notCounted);
  }

  /** The single scans of a tenant, and the sums of its counts by product and by day. */
  async function stored({ tenant }: Client): Promise<number[]> {
    const rows = (table: string) => service.database(table).where({ tenant_id: tenant.id });
    const sum = async (table: string) => Number((await rows(table).sum({ sum: 'count' }).first())?.sum);
    return [(await rows('scans')).length, await sum('scan_counts'), await sum('scan_days')];
  }

  test.each([
    ['a detergent', 'detergent'],
    ['a toy', 'toy'],
    ['a server with --count-scans false', 'textile'],
  ])('scans of %s: none stored, and in no total or top list', async (_, group) => {
    const shop = await shopWith(group, 'furniture');
    expect(await view(shop, group, group === 'textile' ? silent : service)).toBe(true);
    expect(await stored(shop)).toEqual([0, 0, 0]);
    expect(await view(shop, 'furniture')).toBe(false);
    expect(await stored(shop)).toEqual([1, 1, 1]);
    expect(await shop.scans()).toMatchObject({ total: 1, top_products: [{ slug: 'furniture', count: 1 }] });
    const { stdout } = await command(`template show ${group}`);
    expect(stdout.includes('Views of its passports are not counted')).toBe(group !== 'textile');
  });

  test('a tenant switches its scans off and on while the server runs', async () => {
    const [shop, other] = [await shopWith('textile', 'toy'), await shopWith('textile')];
    const { slug } = shop.tenant;
    const state = async () => /^Scans +(.*)$/m.exec((await command(`tenant show ${slug}`)).stdout)?.[1];
    await view(shop, 'textile');
    expect(await state()).toBe('on');
    await command(`tenant scans ${slug} off`);
    expect(await view(shop, 'textile')).toBe(true);
    await view(other, 'textile');
    // The count from before stays.
    expect([await stored(shop), await stored(other)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(await shop.scans()).toMatchObject({ total: 1, top_products: [{ count: 1 }] });
    const since = await state();
    expect(since).toMatch(/^off since 20/);
    await command(`tenant scans ${slug} off`);
    expect(await state()).toBe(since);

    await command(`tenant scans ${slug} on`);
    expect([await view(shop, 'textile'), await view(shop, 'toy')]).toEqual([false, true]);
    expect(await stored(shop)).toEqual([2, 2, 2]);
  });

  test('a scan that waits for the switch to commit is not stored', async () => {
    const shop = await shopWith('textile');
    const { id: productId } = await shop.product('textile');
    const scan = { tenantId: shop.tenant.id, productId, at: new Date(), role: 'consumer', visitorHash: 'x' } as const;
    let write: Promise<void> = Promise.resolve();
    await service.database.transaction(async (change) => {
      await switchScans(change, shop.tenant.id, { on: false, now: new Date() });
      write = insertScans(service.database, [scan]);
      await untilBlocked(write, change);
    });
    await write;
    expect(await stored(shop)).toEqual([0, 0, 0]);
  });

  test('scan delete deletes those of a product, then those of a tenant, and no others', async () => {
    const [shop, other] = [await shopWith('textile', 'furniture'), await shopWith('textile')];
    const { id: productId } = await shop.product('textile');
    const of = { productId, tenantId: shop.tenant.id, role: 'recycler', visitorHash: 'x' } as const;
    // More than one transaction deletes.
    const days = 1100;
    const ages = Array.from({ length: days }, (_, ago) => new Date(Date.now() - ago * 86_400_000));
    await insertScans(
      service.database,
      ages.map((at) => ({ ...of, at })),
    );
    await view(shop, 'textile');
    await view(shop, 'furniture');
    await view(other, 'textile');
    const deletion = (more: string) => command(`scan delete --tenant ${shop.tenant.slug} ${more}`);
    expect((await deletion('--product textile --yes --json')).stdout).toBe(
      `{"tenant":"${shop.tenant.slug}","product":"textile","deleted":${days + 1}}\n`,
    );
    expect(await stored(shop)).toEqual([1, 1, 1]);
    expect(await shop.scans({ days: 365 })).toMatchObject({
      total: 1,
      by_view_role: { consumer: 1, recycler: 0 },
      top_products: [{ slug: 'furniture' }],
    });
    await view(shop, 'textile');
    expect((await deletion('--yes')).stdout).toMatch(/^Deleted the counts of 2 scans of /);
    expect(await stored(shop)).toEqual([0, 0, 0]);
    expect(await service.database('scan_days').where({ tenant_id: shop.tenant.id })).toEqual([]);
    expect((await deletion('--yes')).stdout).toMatch(/ 0 scans /);
    expect(await stored(other)).toEqual([1, 1, 1]);
    expect((await command('audit')).stdout).toMatch(/scan delete .*--product textile/);
  });
});

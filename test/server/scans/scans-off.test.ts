import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { insertScans } from '../../../server/src/scans/store.ts';
import { switchScans } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { type Client, type Service, startService } from '../../support/service.ts';

const notCounted = 'Visits to this page are not counted.';

describe.each(databaseKinds)('%s', (kind) => {
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
      let hasEnded = false;
      write = insertScans(service.database, [scan]).finally(() => {
        hasEnded = true;
      });
      // On SQLite it begins after the switch: there is one writer.
      const waits = () => kind === 'SQLite' || change('pg_locks').where({ granted: false }).first('pid');
      while (!hasEnded && !(await waits())) await setTimeout(20);
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

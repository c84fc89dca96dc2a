import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { LifecycleError, moveProduct } from '../../../server/src/lifecycle/lifecycle.ts';
import { type Database, databaseKinds, expectRightGtins, newDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Client, type Service, startService } from '../../support/service.ts';

describe.each(databaseKinds)('on %s the first owner of a GTIN keeps it:', (kind) => {
  let service: Service;
  /** The connection of another process to the same database. */
  let otherDatabase: Database;
  let first: Client;
  let second: Client;
  let seconds = 0;
  let gtins = 0;

  beforeAll(async () => {
    const address = await newDatabase(kind);
    service = await startService(kind, { on: address });
    otherDatabase = await openDatabase(address);
    ending.defer(() => otherDatabase.destroy());
    first = await service.newTenant({ slug: 'first' });
    second = await service.newTenant({ slug: 'second' });
  });

  /** A 13-digit GTIN that no other test uses. */
  function newGtin(): string {
    gtins += 1;
    return `9520001${String(gtins).padStart(6, '0')}`;
  }

  /** Moves a product, one second after the previous move. */
  function move({ tenant }: Client, slug: string, status: 'active' | 'archived', shareGtin = false) {
    seconds += 1;
    const now = () => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));
    return moveProduct({ database: service.database, now }, tenant.id, slug, status, { shareGtin });
  }

  /** The page that a scanned code opens, as `tenant/product`, or the error code. */
  async function leadsTo(gtin: string): Promise<string> {
    const { headers, outcome } = await first.call({ path: `/01/${gtin}`, key: null });
    return headers.location?.split('/p/')[1] ?? outcome;
  }

  /** A product of each tenant with one GTIN, of 13 digits for the first and of 14 for the second. */
  async function twoProducts(): Promise<{ gtin: string; own: string; foreign: string }> {
    const gtin = newGtin();
    // The order of creation must not decide.
    const { slug: foreign } = await second.create({ name: 'Fake', gtin: `0${gtin}` });
    const { slug: own } = await first.create({ name: 'Cup', gtin });
    return { gtin, own, foreign };
  }

  test('GS1-3 a tenant that activates the GTIN of another tenant does not take over its codes, even after the owner archives once', async () => {
    const { gtin, own, foreign } = await twoProducts();
    await move(first, own, 'active');
    await move(second, foreign, 'active', true);
    expect(await leadsTo(gtin)).toBe(`first/${own}`);

    await move(first, own, 'archived');
    // Only active products count.
    expect(await leadsTo(gtin)).toBe(`second/${foreign}`);
    await move(first, own, 'active', true);
    expect(await leadsTo(gtin)).toBe(`first/${own}`);

    await move(second, foreign, 'archived');
    await move(second, foreign, 'active', true);
    expect(await leadsTo(gtin)).toBe(`first/${own}`);
  });

  test('a tenant that archives its oldest product of a GTIN keeps the link as long as another one is active', async () => {
    const { gtin, own, foreign } = await twoProducts();
    const { slug: younger } = await first.create({ name: 'Younger', gtin });
    await move(first, own, 'active');
    await move(second, foreign, 'active', true);
    await move(first, younger, 'active', true);
    await move(first, own, 'archived');
    expect(await leadsTo(gtin)).toBe(`first/${younger}`);
    await move(first, younger, 'archived');
    expect(await leadsTo(gtin)).toBe(`second/${foreign}`);
    await move(first, younger, 'active', true);
    expect(await leadsTo(gtin)).toBe(`first/${younger}`);
    await expectRightGtins(service.database);
  });

  test('an activation is refused while the GTIN is active under another tenant, and changes nothing', async () => {
    const { gtin, own, foreign } = await twoProducts();
    await move(first, own, 'active');
    const before = await second.product(foreign);
    await expect(move(second, foreign, 'active')).rejects.toThrow(LifecycleError);
    await expect(move(second, foreign, 'active')).rejects.toThrow(`first/${own}`);
    expect(await second.product(foreign)).toEqual(before);
    expect((await second.carriers(foreign)).items).toEqual([]);
    expect(await leadsTo(gtin)).toBe(`first/${own}`);

    await move(first, own, 'archived');
    expect(await move(second, foreign, 'active')).toMatchObject({ status: 'active' });
    // The first owner is refused too. The operator decides.
    await expect(move(first, own, 'active')).rejects.toThrow(`second/${foreign}`);
    expect(await move(first, own, 'active', true)).toMatchObject({ status: 'active' });
    expect(await leadsTo(gtin)).toBe(`first/${own}`);
  });

  test('the other product of a tenant with two is named, though its own is older', async () => {
    const { gtin, own, foreign } = await twoProducts();
    const { slug: younger } = await first.create({ name: 'Cup', gtin });
    await move(first, own, 'active');
    await move(second, foreign, 'active', true);
    await expect(move(first, younger, 'active')).rejects.toThrow(`second/${foreign}`);
  });

  test('an own product, and a draft or archived product of another tenant, do not prevent an activation', async () => {
    const { gtin, own, foreign } = await twoProducts();
    const { slug: younger } = await first.create({ name: 'Cup', gtin });
    await move(second, foreign, 'archived');
    await second.create({ name: 'Draft', gtin });
    await move(first, own, 'active');
    expect(await move(first, younger, 'active')).toMatchObject({ status: 'active' });
    expect(await leadsTo(gtin)).toBe(`first/${own}`);
    const { slug: without } = await second.create('Without a GTIN');
    expect(await move(second, without, 'active')).toMatchObject({ status: 'active' });
  });

  test('of two tenants that activate one GTIN at the same time, one is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { own, foreign } = await twoProducts();
      const now = () => new Date();
      const outcomes = await Promise.allSettled([
        moveProduct({ database: service.database, now }, first.tenant.id, own, 'active'),
        moveProduct({ database: otherDatabase, now }, second.tenant.id, foreign, 'active'),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(LifecycleError);
    }
  });

  test('changes of many products with one GTIN, of two tenants through two processes, wait for each other and all succeed', async () => {
    const gtin = newGtin();
    const products: [Client, Database, string][] = [];
    for (let number = 0; number < 4; number += 1) {
      for (const [client, database] of [
        [first, service.database],
        [second, otherDatabase],
      ] as const) {
        products.push([client, database, (await client.create({ name: `Cup ${number}`, gtin })).slug]);
      }
    }
    const now = () => new Date();
    // Each waits for the one before of the same product alone.
    const moveOften = async ([{ tenant }, database, slug]: [Client, Database, string]) => {
      for (const status of ['active', 'archived', 'active', 'archived', 'active'] as const) {
        const services = { database, now };
        expect(await moveProduct(services, tenant.id, slug, status, { shareGtin: true })).toMatchObject({ status });
      }
    };
    await Promise.all(products.map(moveOften));
    await expectRightGtins(service.database);
  });
});

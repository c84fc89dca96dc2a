import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { moveProduct } from '../../../server/src/lifecycle/lifecycle.ts';
import { importTenant } from '../../../server/src/transfer/import.ts';
import { runHere } from '../../support/command.ts';
import {
  contentOf,
  type DatabaseKind,
  databaseKinds,
  expectRightCounts,
  newMigratedDatabase,
  ofTenant,
} from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';
import { startService } from '../../support/service.ts';

/** An export of 900 products with keys, in which the product with a GTIN is in the first half. */
async function exported(): Promise<{ address: string; key: string; halves: [Buffer, Buffer] }> {
  const folder = newFolder();
  const { address, key } = await filledDatabase('SQLite');
  await runHere(`product-passport demo fill --tenant shop --products 886 --database ${address}`);
  const file = join(folder, 'shop.jsonl');
  await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
  const bytes = await readFile(file);
  // Everything but the end is stored, keys too.
  const middle = bytes.lastIndexOf('{"type":"trailer"');
  return { address, key, halves: [bytes.subarray(0, middle), bytes.subarray(middle)] };
}

async function* one(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}

/** A file whose rest arrives when `goOn` is called. */
function paused([first, rest]: [Buffer, Buffer]) {
  const isStored = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  async function* chunks(): AsyncGenerator<Buffer> {
    yield first;
    isStored.resolve();
    await isReleased.promise;
    yield rest;
  }
  return { chunks: chunks(), stored: isStored.promise, goOn: isReleased.resolve };
}

describe.each(databaseKinds)('an import on %s', (kind: DatabaseKind) => {
  test('shows nothing of the tenant before all of it is stored', async () => {
    const { address: source, key, halves } = await exported();
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const other = await service.newTenant({ slug: 'other' });
    const { chunks, stored, goOn } = paused(halves);
    const work = importTenant({ database: service.database, shareGtin: false }, chunks);
    await stored;

    const visible = async () => ({
      key: (await other.call({ path: '/api/v1/me', key })).status,
      page: (await other.call({ path: '/p/shop/lampe-ss-9', key: null })).status,
      link: (await other.call({ path: '/01/04006381333931', key: null })).status,
      command: (await runHere(`product-passport product list --tenant shop --database ${address}`)).code,
    });
    expect(await visible()).toEqual({ key: 401, page: 404, link: 404, command: 1 });
    const listed = await runHere(`product-passport tenant list --database ${address}`);
    expect(listed.stdout).not.toContain('shop');
    expect(listed.stderr).toContain('an import of the tenant shop has not finished.');
    expect(listed.stderr).toContain('import --discard shop');
    const rows = await service.database('products').count({ count: '*' }).first();
    expect(Number(rows?.count)).toBe(900);
    const second = importTenant({ database: service.database, shareGtin: false }, one(Buffer.concat(halves)));
    await expect(second).rejects.toThrow('an import of the tenant shop did not end');
    goOn();
    expect(await work).toEqual({ tenant: 'shop', products: 900, corrected: 0, not_public_versions: 0 });
    expect(await visible()).toEqual({ key: 200, page: 200, link: 307, command: 0 });

    // `round-trip.test.ts` says what stays behind. The requests of `visible` change the rest.
    const leaveOut = [
      ...['installation', 'audit_entries', 'scans', 'token_secrets'],
      ...['api_keys', 'scan_counts', 'scan_days'],
    ];
    const [from, to] = [await contentOf(source, leaveOut), await contentOf(address, leaveOut)];
    expect(ofTenant(to, 'shop')).toEqual(ofTenant(from, 'shop'));
  });

  test('that fails removes what it stored, and one that is discarded ends', async () => {
    const { halves } = await exported();
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const { database } = service;
    // The audit trail keeps the entry of the discard.
    const empty = await contentOf(address, ['audit_entries', 'installation']);
    const begin = (chunks: AsyncIterable<Buffer>) => importTenant({ database, shareGtin: false }, chunks);
    await expect(begin(one(halves[0]))).rejects.toThrow('It was cut');
    expect(await contentOf(address, ['audit_entries', 'installation'])).toEqual(empty);

    const { chunks, stored, goOn } = paused(halves);
    const work = begin(chunks);
    await stored;
    const discarded = await runHere(`product-passport import --discard shop --json --database ${address}`);
    expect(JSON.parse(discarded.stdout)).toEqual({ tenant: 'shop', removed_products: 900 });
    goOn();
    await expect(work).rejects.toThrow('another process discarded the import of the tenant shop');
    expect(await contentOf(address, ['audit_entries', 'installation'])).toEqual(empty);
    const again = await runHere(`product-passport import --discard shop --database ${address}`);
    expect(again.stderr).toBe('product-passport: there is no import of a tenant shop to discard.\n');

    // SQLite's index of names still has those of the import.
    const other = await service.newTenant();
    await other.create('Stuhl');
    expect(await other.list({ search: 'wollm' })).toMatchObject({ total: 0, items: [] });
  });
});

describe.each(databaseKinds)('an import on %s takes no GTIN', (kind: DatabaseKind) => {
  const gtin = '04006381333931';
  /** An export, an empty database with another tenant, and a draft of that tenant with the GTIN. */
  async function prepared() {
    const file = join(newFolder(), 'shop.jsonl');
    const { address } = await filledDatabase('SQLite');
    await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
    const bytes = await readFile(file);
    const middle = bytes.lastIndexOf('{"type":"trailer"');
    const service = await startService(kind, { on: await newMigratedDatabase(kind) });
    const other = await service.newTenant({ slug: 'other' });
    await other.create({ name: 'Lampe', slug: 'own', gtin });
    return { service, other, bytes, halves: [bytes.subarray(0, middle), bytes.subarray(middle)] as [Buffer, Buffer] };
  }

  test.each([false, true])('that was activated while its tenant was hidden, shared: %s', async (shareGtin) => {
    const { service, other, halves } = await prepared();
    const { chunks, stored, goOn } = paused(halves);
    const work = importTenant({ database: service.database, shareGtin }, chunks);
    await stored;
    await service.activate(other, 'own');
    goOn();
    const outcome = await work.then(
      ({ tenant }) => tenant,
      (error) => error.message,
    );
    expect(outcome).toMatch(shareGtin ? /^shop$/ : /the GTIN \d+ is already active under another tenant/);
    const { headers } = await other.call({ path: `/01/${gtin}`, key: null });
    expect(headers.location).toMatch(/\/p\/other\/own$/);
  });

  test('that is activated while its tenant is being shown', async () => {
    const { service, other, bytes } = await prepared();
    let activation: Promise<unknown> | undefined;
    const shown = async () => {
      const services = { database: service.database, now: () => new Date() };
      activation = moveProduct(services, other.tenant.id, 'own', 'active').catch((error) => error.message);
      await Promise.race([activation, setTimeout(200)]);
    };
    await importTenant({ database: service.database, shareGtin: false, shown }, one(bytes));
    expect(await activation).toContain('is already active as shop/');
  });
});

jest.setTimeout(70_000);
describe('a killed program', () => {
  const program = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));

  /** An import stores 500 lines at once, so this many need several transactions. */
  const products = 1200;

  const folder = newFolder();
  /** A SQLite database with the tenant `many`, and its export. */
  let source: string;
  let file: string;
  let content: Awaited<ReturnType<typeof contentOf>>;

  beforeAll(async () => {
    source = await newMigratedDatabase('SQLite');
    await runHere(
      `product-passport demo fill --database ${source} --tenant many --products ${products} --scan-counts 1000`,
    );
    file = join(folder, 'many.jsonl');
    await runHere(`product-passport export --tenant many --database ${source} ${file}`);
    // The trail stays with the operator.
    content = await contentOf(source, ['audit_entries']);
  });

  async function expectMoved(target: string): Promise<void> {
    expect(await contentOf(target, ['audit_entries'])).toEqual(content);
    const database = await openDatabase(target);
    ending.defer(() => database.destroy());
    expect(await expectRightCounts(database)).toBe(products);
  }

  /** Gives an import a part of the file, and kills it a random moment after it has stored a part. */
  async function killImport(target: string): Promise<void> {
    const child = spawn(process.execPath, [program, 'import', '--database', target], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = once(child, 'close');
    child.stdin.on('error', () => {});
    const bytes = await readFile(file);
    child.stdin.write(bytes.subarray(0, Math.ceil(bytes.length * 0.6)));
    const database = await openDatabase(target);
    try {
      while (!(await database('products').first('id'))) await setTimeout(5);
    } finally {
      await database.destroy();
    }
    await setTimeout(Math.random() * 150);
    child.kill('SIGKILL');
    await ended;
  }

  test.each(databaseKinds)(
    'after an import on %s that is killed, the rest is discarded and the file imported again',
    async (kind) => {
      const target = await newMigratedDatabase(kind);
      await killImport(target);
      const { tenants = [], products: stored = [] } = await contentOf(target, ['passport_versions', 'passport_values']);
      expect(tenants.map(({ slug }) => slug)).toEqual(['importing:many']);
      expect([0, products]).not.toContain(stored.length);
      const again = await runHere(`product-passport import ${file} --database ${target}`);
      expect(again).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('an import of the tenant many did not end'),
      });
      const discarded = await runHere(`product-passport import --discard many --database ${target}`);
      expect(discarded).toMatchObject({ code: 0, stderr: '' });
      expect(await runHere(`product-passport import ${file} --database ${target}`)).toMatchObject({
        code: 0,
        stderr: '',
      });
      await expectMoved(target);
    },
  );

  test.each(databaseKinds)('a backup of %s that is killed leaves no file under its name', async (kind) => {
    const address = kind === 'SQLite' ? source : await newMigratedDatabase(kind);
    if (kind !== 'SQLite') await runHere(`product-passport import ${file} --database ${address}`);
    const into = newFolder();
    const name = join(into, 'backup');
    let left: string[] = [];
    // On a busy machine one may end before it is killed.
    for (let attempt = 1; attempt <= 5 && (left.length === 0 || left.includes('backup')); attempt += 1) {
      await Promise.all(left.map((each) => rm(join(into, each))));
      const child = spawn(process.execPath, [program, 'backup', name, '--database', address], { stdio: 'ignore' });
      const ended = once(child, 'close');
      while (child.exitCode === null && (await readdir(into)).length === 0) await setTimeout(1);
      child.kill('SIGKILL');
      await ended;
      left = await readdir(into);
    }
    expect(left.length).toBeGreaterThan(0);
    // SQLite's journal may stand next to the copy.
    expect(left.filter((each) => !/^backup\..*\.tmp(-journal)?$/.test(each))).toEqual([]);
  });
});

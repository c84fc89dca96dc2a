import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../../sdk/src/index.ts';
import { makeNewFile } from '../../../server/src/cli/files.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import {
  contentOf,
  type DatabaseKind,
  databaseKinds,
  newDatabase,
  newMigratedDatabase,
} from '../../support/database.ts';
import { type AnyLine, ending, newFolder, readLines, writeLines } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';
import { announcement, start } from '../../support/program.ts';

const folder = newFolder();

/** Filled databases that the tests only read. */
const filled = {} as Record<DatabaseKind, { address: string; key: string }>;

beforeAll(async () => {
  for (const kind of databaseKinds) filled[kind] = await filledDatabase(kind);
});

describe('a backup', () => {
  test('does not replace a file that another program makes at the same time', async () => {
    const file = join(folder, 'raced');
    const making = makeNewFile(file, () => writeFile(file, 'theirs'));
    await expect(making).rejects.toThrow(`the file ${file} already exists, and was not replaced. Choose another name.`);
    expect(await readFile(file, 'utf8')).toBe('theirs');
  });

  test.each(databaseKinds)('of %s leaves its file, and no temporary one', async (kind) => {
    const into = newFolder();
    await runHere(`product-passport backup ${into}/a --database ${filled[kind].address}`);
    expect(await readdir(into)).toEqual(['a']);
  });

  test('of a damaged file fails, and leaves nothing', async () => {
    const { address } = filled.SQLite;
    const damaged = join(folder, 'damaged.sqlite');
    await copyFile(address, damaged);
    const bytes = await readFile(damaged);
    bytes.fill(0xaa, 8192, bytes.length);
    await writeFile(damaged, bytes);
    const into = newFolder();
    const { code, stderr } = await runHere(`product-passport backup ${into}/a --database ${damaged}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /is damaged or is not a SQLite database: .* No backup was made\. Keep your older backups\.\n$/,
    );
    expect(await readdir(into)).toEqual([]);
  });

  test.each(databaseKinds)('of %s with a flipped bit or a missing end is noticed every time', async (kind) => {
    const whole = join(folder, `sound-${kind}`);
    await runHere(`product-passport backup ${whole} --database ${filled[kind].address}`);
    expect(await runHere(`product-passport backup --verify ${whole}`)).toMatchObject({ code: 0, stderr: '' });
    const bytes = await readFile(whole);
    const damaged = join(folder, `damaged-${kind}`);
    const unnoticed: string[] = [];
    const expectNotice = async (name: string, content: Buffer): Promise<void> => {
      await writeFile(damaged, content);
      const target = join(folder, `from-damaged-${kind}.sqlite`);
      const restored = await runHere(`product-passport restore ${damaged} --database ${target}`);
      if (restored.code !== 1 || existsSync(target)) unnoticed.push(name);
    };
    const flips = 40;
    for (let flip = 0; flip < flips; flip += 1) {
      const place = Math.floor(((flip + 0.5) * bytes.length) / flips);
      const flipped = Buffer.from(bytes);
      flipped[place] = (bytes[place] ?? 0) ^ (1 << (flip % 8));
      await expectNotice(`bit ${flip % 8} of byte ${place}`, flipped);
    }
    for (const cut of [1, 2, 3, 64, 107, 108, 109, 512, 1000, 1024, 2048, 4000, 4094, 4095]) {
      await expectNotice(`${cut} bytes less`, bytes.subarray(0, bytes.length - cut));
    }
    expect(unnoticed).toEqual([]);
    const verified = await runHere(`product-passport backup --verify ${damaged}`);
    expect(verified).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/ is damaged: /) });
  });

  test('of SQLite leaves out what the program did not create, and can be restored', async () => {
    const address = await newMigratedDatabase('SQLite');
    await runHere(`product-passport demo fill --database ${address} --tenant shop --products 2`);
    await withForeign(address, [
      ...foreign.map(([, sql]) => sql),
      'CREATE VIRTUAL TABLE found USING fts5(text)',
      'ANALYZE',
    ]);
    const file = join(folder, 'foreign.backup');
    const made = await runHere(`product-passport backup ${file} --database ${address}`);
    expect(made).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: .* has the [a-z]+ .* and \d+ more, which this program did not create/),
    });
    const target = await newDatabase('SQLite');
    expect(await runHere(`product-passport restore ${file} --database ${target}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await objectsOf(target)).toEqual(await objectsOf(await newMigratedDatabase('SQLite')));
  });
});

/** What this program does not create: its description, and the statement that an attacker or another program runs. */
const foreign: [string, string][] = [
  ['the trigger a_trigger', 'CREATE TRIGGER a_trigger AFTER INSERT ON scans BEGIN DELETE FROM scans; END'],
  ['the view a_view', 'CREATE VIEW a_view AS SELECT * FROM tenants'],
  ['the index an_index', 'CREATE INDEX an_index ON products (name)'],
  ['the table a_table', 'CREATE TABLE a_table (a)'],
];

/** Changes the schema of a SQLite file as another program does. */
async function withForeign(address: string, statements: readonly string[]): Promise<void> {
  const database = connect(address);
  for (const sql of statements) await database.raw(sql);
  await database.destroy();
}

/** The names of all tables, indexes, views and triggers. */
async function objectsOf(address: string): Promise<string[]> {
  const database = connect(address);
  const names = await database('sqlite_master').whereNot('name', 'like', 'sqlite_stat%').pluck('name');
  await database.destroy();
  return names.sort();
}

describe('restore', () => {
  test('of a file without a checksum needs --unverified, and tables that are not ours are refused even then', async () => {
    const copy = join(folder, 'copied.sqlite');
    await copyFile(filled.SQLite.address, copy);
    const into = (name: string) => `--database ${join(folder, name)}`;
    const refused = await runHere(`product-passport restore ${copy} ${into('unverified.sqlite')}`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /has no checksum at its end: .* Nothing was restored\. .* restore it with --unverified\.\n$/,
    );
    const accepted = await runHere(`product-passport restore ${copy} --unverified ${into('unverified.sqlite')}`);
    expect(accepted).toMatchObject({ code: 0, stderr: '' });
    const cases: [string, string[]][] = [
      ...foreign.map(([name, sql]): [string, string[]] => [`it has ${name}, which`, [sql]]),
      ['it has the table others', ['ALTER TABLE scans RENAME TO others', 'CREATE VIEW scans AS SELECT * FROM others']],
      ['it lacks the trigger products_index_name', ['DROP TRIGGER products_index_name']],
    ];
    for (const [index, [reason, statements]] of cases.entries()) {
      const changed = join(folder, `changed-${index}.sqlite`);
      await copyFile(filled.SQLite.address, changed);
      await withForeign(changed, statements);
      const { code, stderr } = await runHere(`product-passport restore ${changed} --unverified ${into('none.sqlite')}`);
      expect([reason, code, stderr]).toEqual([reason, 1, expect.stringContaining(reason)]);
      expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
    }
  });

  test.each(databaseKinds)('of an audit trail on %s refuses an entry twice, and keeps long arguments', async (kind) => {
    const address = await newMigratedDatabase('PostgreSQL');
    const create = `product-passport tenant create many --country DE --database ${address}`;
    // The cut after 500 characters would go through a surrogate pair.
    await runHere(`${create} --name '${'x'.repeat(499)}😀'`);
    const file = join(folder, `trail-${kind}`);
    expect(await runHere(`product-passport backup ${file} --database ${address}`)).toMatchObject({ code: 0 });
    const lines = await readLines(file);
    const trail = lines.find(({ type }) => type === 'audit_entries') as AnyLine;
    expect(trail.items).toMatchObject([{ command: 'tenant create', os_user: expect.any(String), changes: 1 }]);
    await writeLines(file, lines.toSpliced(lines.indexOf(trail), 0, trail));
    const target = await newDatabase(kind);
    const { code, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect([code, stderr]).toEqual([
      1,
      `product-passport: line ${lines.indexOf(trail) + 2}: an audit entry before this one has the same id. Nothing was restored.\n`,
    ]);
  });

  test.each(['-wal', '-shm', '-journal'])('refuses a name whose %s file another database left', async (ending) => {
    const file = join(folder, `left${ending}`);
    await runHere(`product-passport backup ${file} --database ${filled.SQLite.address}`);
    const target = join(folder, `target${ending}.sqlite`);
    await writeFile(`${target}${ending}`, 'left');
    const { code, stdout, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`the file ${target}${ending} belongs to another database`);
    expect(await readFile(`${target}${ending}`, 'utf8')).toBe('left');
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  test('into PostgreSQL refuses a database with tenants, and leaves nothing of a file that was cut', async () => {
    const { address } = filled.PostgreSQL;
    const file = join(folder, 'whole');
    await runHere(`product-passport backup ${file} --database ${address}`);
    const before = await contentOf(address);
    const refused = await runHere(`product-passport restore ${file} --database ${address}`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has tenants already')]);
    expect(await contentOf(address)).toEqual(before);
    const target = await newDatabase('PostgreSQL');
    await truncate(file, (await stat(file)).size - 120);
    const cut = await runHere(`product-passport restore ${file} --database ${target}`);
    expect(cut.stderr).toMatch(/^product-passport: line \d+: .* Nothing was restored\.\n$/);
    expect((await contentOf(target)).tenants).toEqual([]);
  });
});

test('a row that no backup can carry is named, and check-hashes only if it finds the row', async () => {
  const { address } = await filledDatabase('PostgreSQL');
  const database = connect(address);
  ending.defer(() => database.destroy());
  const { id } = await database('api_keys').where({ label: 'old till' }).first('id');
  const product = await database('products').where({ slug: 'lampe-ss-9' }).first('id');
  const file = join(folder, 'none.backup');
  const failure = async () => (await runHere(`product-passport backup ${file} --database ${address}`)).stderr;
  const beginning = 'product-passport: the database has a row that cannot be restored.';

  await database('api_keys')
    .where({ id })
    .update({ label: 'x'.repeat(10_001) });
  expect(await failure()).toMatch(
    RegExp(`^${beginning} api_keys ${id}: items\\.\\d+\\.label must NOT have more than 10000 characters\\. No backup`),
  );
  await database('api_keys').where({ id }).update({ label: '' });
  await database('installation').where({ name: 'site_url' }).update({ value: 'https://shop.example/p' });
  expect(await failure()).toMatch(
    RegExp(
      `^${beginning} installation site_url: value must .* No backup was made\\. Correct this row in the database\\.\n$`,
    ),
  );
  await database('installation').where({ name: 'site_url' }).delete();
  await database('products').where({ id: product.id }).update({ name: 'Lampe\u001b[2J' });
  await database('passport_values').where({ product_id: product.id, field_key: 'note' }).update({ value: '"X"' });
  expect(await failure()).toMatch(
    RegExp(`^${beginning} product Lampe\\\\x1b\\[2J lampe-ss-9 ${product.id}: the content hash .* check-hashes`),
  );
  expect(existsSync(file)).toBe(false);
});

test('a SQLite backup with a row that PostgreSQL cannot take names the row', async () => {
  const { address } = await filledDatabase('SQLite');
  const database = connect(address);
  await database('installation').where({ name: 'site_url' }).update({ value: 'https://shop.example/p' });
  await database.destroy();
  const file = join(folder, 'site.sqlite');
  expect(await runHere(`product-passport backup ${file} --database ${address}`)).toMatchObject({ code: 0 });
  const target = await newDatabase('PostgreSQL');
  const { code, stderr } = await runHere(`product-passport restore ${file} --database ${target}`);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^product-passport: installation site_url: value must .* Nothing was restored\.\n$/),
  ]);
});

test.each(databaseKinds)(
  'check-hashes on %s names what was changed by other means, and covers what older versions replaced',
  async (kind) => {
    const { address } = await filledDatabase(kind);
    const database = connect(address);
    ending.defer(() => database.destroy());
    const { id } = await database('products').where({ slug: 'lampe-ss-9' }).first('id');
    const version = (number: number) => database('passport_versions').where({ product_id: id, version: number });
    const expectProblems = async (...problems: string[]) => {
      const { code, stdout } = await runHere(`product-passport check-hashes --json --database ${address}`);
      const all = problems.map((problem) => ({ tenant: 'shop', product: 'lampe-ss-9', problem }));
      expect([code, JSON.parse(stdout).problems]).toEqual([1, all]);
    };

    const [second, third] = [await version(2).first('replaced'), await version(3).first('replaced')];
    await version(2).update({ replaced: JSON.stringify({ ...JSON.parse(second.replaced), values: [] }) });
    await expectProblems(
      'the content hash of version 1 does not fit its values',
      'the public hash of version 1 does not fit its public values',
    );
    await version(2).update({ replaced: second.replaced.slice(1) });
    await expectProblems('what version 2 replaced cannot be read');
    await version(2).update(second);
    await version(3).update({ replaced: null });
    await expectProblems('what version 3 replaced cannot be read');
    await version(3).update(third);

    const { gtin14, tenant_id } = await database('products').where({ id }).first('gtin14', 'tenant_id');
    const row = () => database('gtin_tenants').where({ gtin14, tenant_id });
    const stored = await row().first();
    const wrong = `the stored first activation or status of the GTIN ${gtin14} does not fit the products`;
    for (const change of [{ is_active: !stored.is_active }, { activated_at: '2020-01-01T00:00:00.000Z' }]) {
      await row().update(change);
      await expectProblems(wrong);
      await row().update({ is_active: stored.is_active, activated_at: stored.activated_at });
    }
    await row().delete();
    await expectProblems(wrong);
    await database('gtin_tenants').insert(stored);

    await database('product_images')
      .where({ product_id: id })
      .update({ sha256: '0'.repeat(64) });
    await expectProblems('the hash of its image does not fit the bytes');
    await database('passport_values').where({ product_id: id, field_key: 'note' }).update({ value: '"X"' });
    await version(2).delete();
    await expectProblems(
      'the content hash of version 3 does not fit its values',
      'the public hash of version 3 does not fit its public values',
      'the hash of its image does not fit the bytes',
      'of 3 versions only 2 are stored',
    );
    const { stdout } = await runHere(`product-passport check-hashes --tenant shop --database ${address}`);
    expect(stdout).toContain('Recomputed the hashes of 1 image.\n');
    expect(stdout).toContain('shop/lampe-ss-9: the hash of its image does not fit the bytes.\n');
  },
);

describe.each(databaseKinds)('on a terminal, with %s', (kind) => {
  test('each long command shows how far it is in one line, and clears it at the end', async () => {
    const { address } = filled[kind];
    const [backup, lines] = ['backup', 'jsonl'].map((end) => join(folder, `terminal-${kind}.${end}`));
    const commands = [
      `backup ${backup} --database ${address}`,
      `restore ${backup} --database ${await newDatabase(kind)}`,
      `restore ${backup} --unverified --database ${await newDatabase(kind)}`,
      `check-hashes --database ${address}`,
      `export --tenant shop ${lines} --database ${address}`,
      `import ${lines} --share-gtin --database ${await newMigratedDatabase(kind)}`,
    ];
    const { stderr } = process;
    const before = stderr.isTTY;
    ending.defer(async () => void Object.assign(stderr, { isTTY: before }));
    stderr.isTTY = true;
    const written: string[] = [];
    for (const command of commands) written.push((await runHere(`product-passport ${command}`)).stderr);
    stderr.isTTY = before;
    for (const [index, text] of written.entries()) {
      const [first, ...parts] = text.split('\r\x1b[K');
      const after = parts.pop();
      expect([commands[index], first, after]).toEqual([commands[index], '', expect.not.stringContaining('a second')]);
      expect([commands[index], parts]).not.toEqual([commands[index], []]);
      for (const part of parts) expect(part).toMatch(/^(?:\d+(?: of \d+)? \w+, \d+ a second)?$/);
    }
  });
});

/** Programs that write at the same time. */
const writers = 8;

/** A product, and the content hash that the server acknowledged. */
type Written = [slug: string, hash: string];

test.each(databaseKinds)(
  'a backup of %s under load, restored under a second name, has every acknowledged write',
  async (kind) => {
    const folder = newFolder();
    const address = await newDatabase(kind);
    const server = await start(`product-passport serve --demo --json --port 0 --database '${address}'`, /\}\n/);
    ending.defer(async () => void (await server.stop()));
    const provider = announcement(server.said());
    const client = createClient({ baseUrl: provider.base_url, apiKey: provider.tenants[0].api_key ?? '' });

    let isWriting = true;
    const written: Written[] = [];
    const work = Array.from({ length: writers }, async (_, writer) => {
      for (let count = 0; isWriting; count += 1) {
        const { slug } = await client.products.create({ name: `Load ${writer} ${count}` });
        await client.passports.put(slug, [{ field_key: 'note', value: [writer, count, 'ß'] }]);
        const { latest_version } = await client.passports.get(slug);
        written.push([slug, latest_version.content_hash]);
      }
    });
    while (written.length < 50) await setTimeout(20);
    // A quick machine may copy the database between two writes. The backup that is tested has some during it.
    let before: Written[] = [];
    let file = '';
    do {
      before = [...written];
      file = join(folder, `backup-${before.length}`);
      const copied = await runHere(`product-passport backup ${file} --database '${address}'`);
      expect(copied).toMatchObject({ code: 0, stderr: '' });
    } while (written.length === before.length);
    isWriting = false;
    await Promise.all(work);

    const second = await newDatabase(kind);
    expect(await runHere(`product-passport restore ${file} --database '${second}'`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const checked = await runHere(`product-passport check-hashes --json --database '${second}'`);
    const { problems, products } = JSON.parse(checked.stdout);
    expect(problems).toEqual([]);
    expect(products).toBeGreaterThanOrEqual(17 + before.length);

    const copy = await openDatabase(second);
    ending.defer(() => copy.destroy());
    const restored = await copy('passport_versions')
      .join('products', 'products.id', 'passport_versions.product_id')
      .where('version', 2)
      .select('slug', 'content_hash as hash');
    const hashes = new Map(restored.map(({ slug, hash }) => [slug, hash]));
    for (const [slug, hash] of before) expect([slug, hashes.get(slug)]).toEqual([slug, hash]);
  },
);

/** Imports and backups by whole programs: killed at random moments, and through a pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { contentOf, databaseKinds, expectRightCounts, newMigratedDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';

const program = fileURLToPath(new URL('../../../server/src/cli/main.ts', import.meta.url));

/** An import stores 500 lines at once, so this many need several transactions. */
const products = 1200;

/** How often an import is killed before it may end. `KILLS=50` for a long run. */
const kills = Number(process.env.KILLS ?? 1);

jest.setTimeout(60_000 + kills * 10_000);

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

/** Gives an import a share of the file, and kills it a random moment after it has stored a part. */
async function killImport(target: string, share: number): Promise<void> {
  const child = spawn(process.execPath, [program, 'import', '--database', target], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'close');
  child.stdin.on('error', () => {});
  const bytes = await readFile(file);
  child.stdin.write(bytes.subarray(0, Math.ceil(bytes.length * share)));
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
    for (let round = 1; round <= kills; round += 1) {
      await killImport(target, 0.6);
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
    }
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

/** Imports and backups by whole programs: killed at random moments, through a pipe, and while a server is under load. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { openDatabase } from '../../server/src/index.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { expectRightCounts } from '../support/product-counts.ts';
import { run } from '../support/program.ts';
import { type DatabaseKind, databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { contentOf } from '../support/tables.ts';

const program = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url));
const products = 4000;

// Dozens of programs start one after the other.
jest.setTimeout(300_000);

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'passport-killed-'));
  ending.defer(() => rm(made, { recursive: true }));
  return made;
}

async function many(kind: DatabaseKind): Promise<string> {
  const address = await newMigratedDatabase(kind);
  const command = `product-passport demo fill --database ${address} --tenant many`;
  await runHere(`${command} --products ${products} --scan-counts 3000`);
  return address;
}

async function expectSame(source: string, target: string): Promise<void> {
  expect(await contentOf(target)).toEqual(await contentOf(source));
  const database = await openDatabase(target);
  ending.defer(() => database.destroy());
  expect(await expectRightCounts(database)).toBe(products);
}

/** Starts a command and kills it after some milliseconds. Returns whether it ended by itself before. */
async function killed(words: readonly string[], after: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...words], { stdio: 'ignore' });
  const ended = once(child, 'close');
  await Promise.race([ended, setTimeout(after)]);
  child.kill('SIGKILL');
  await ended;
  return child.exitCode === 0;
}

describe.each(databaseKinds)('on %s', (kind) => {
  test('an import that is killed at random moments continues, and nothing is there twice', async () => {
    const source = await many('SQLite');
    const file = join(await folder(), 'many.jsonl');
    await runHere(`product-passport export --tenant many --database ${source} ${file}`);
    const target = await newMigratedDatabase(kind);
    const states = new Set<number>();
    let kills = 0;
    for (let isDone = false; !isDone; kills += 1) {
      // Starting takes about half a second; the time grows, so that the test ends on a slow machine too.
      isDone = await killed(['import', file, '--database', target], 600 + Math.random() * 400 + kills * 100);
      const rows = await contentOf(target, ['passport_versions', 'passport_values', 'scan_counts', 'scan_days']);
      states.add(rows.products?.length ?? 0);
      if (!isDone) expect(rows.tenants?.map(({ slug }) => slug).filter((slug) => slug === 'many')).toHaveLength(0);
    }
    expect([...states].some((count) => count > 0 && count < products)).toBe(true);
    await expectSame(source, target);
  });
});

test('a tenant moves from SQLite to PostgreSQL and back by one pipe', async () => {
  const source = await many('SQLite');
  const [postgres, back] = [await newMigratedDatabase('PostgreSQL'), await newMigratedDatabase('SQLite')];
  const pipe = (from: string, to: string) =>
    run(
      `set -o pipefail; '${process.execPath}' '${program}' export --tenant many --database '${from}' | '${process.execPath}' '${program}' import --database '${to}'`,
    );
  expect(await pipe(source, postgres)).toMatchObject({ code: 0, stderr: '' });
  await expectSame(source, postgres);
  expect(await pipe(postgres, back)).toMatchObject({ code: 0, stderr: '' });
  await expectSame(source, back);

  // The same data again: only the time in the header differs.
  expect((await pipe(source, back)).stdout).toContain('was already imported from this file');

  const refused = await pipe(source, source);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('line 2: the tenant many is already in this database');
  expect(refused.stderr).not.toMatch(/\n\s+at /);
  const missing = await pipe(source, join(await folder(), 'none', 'x.sqlite'));
  expect(missing.stderr).toContain('its folder does not exist');
  expect(missing.stderr).not.toMatch(/\n\s+at /);
});

test.each(databaseKinds)('a backup of %s that is killed leaves no file under its name', async (kind) => {
  const source = await many(kind);
  const into = await folder();
  const file = join(into, 'backup');
  // Until one attempt is killed after its temporary file was made.
  for (let after = 250; (await readdir(into)).length === 0; after += 25) {
    await killed(['backup', file, '--database', source], after);
    await rm(file, { force: true });
  }
  expect((await readdir(into)).every((name) => /^backup\..*\.tmp$/.test(name))).toBe(true);
});

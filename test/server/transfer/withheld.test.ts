import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../../support/command.ts';
import { newMigratedDatabase } from '../../support/database.ts';
import { type AnyLine, newFolder, readLines, writeLines } from '../../support/files.ts';
import { startService } from '../../support/service.ts';

const folder = newFolder();

/** A database with a product whose five versions were public, and whose version 2 is withheld. */
async function withheldSource(): Promise<string> {
  const address = await newMigratedDatabase('PostgreSQL');
  const service = await startService('PostgreSQL', { on: address });
  const client = await service.newTenant({ slug: 'shop' });
  const { slug } = await client.create({ name: 'Pullover' });
  await service.activate(client, slug);
  for (const value of ['second', 'third', 'fourth', 'fifth']) {
    await client.write(slug, [{ field_key: 'note', value: `${value} \\"\u2028` }]);
  }
  await runHere(`product-passport version withhold ${slug} 2 --yes --tenant shop --database ${address}`);
  await service.stop();
  return address;
}

test('a backup has what the only version of a tenant replaced', async () => {
  const address = await newMigratedDatabase('PostgreSQL');
  const service = await startService('PostgreSQL', { on: address });
  const client = await service.newTenant({ slug: 'shop' });
  const { slug } = await client.create({ name: 'Pullover' });
  await client.write(slug, [{ field_key: 'note', value: 'first' }]);
  await service.stop();
  const file = join(folder, 'single');
  await runHere(`product-passport backup ${file} --database ${address}`);
  const history = (await readLines(file)).filter(({ type }) => type === 'history');
  expect(history).toMatchObject([{ items: [{}] }]);
});

describe('a file that claims', () => {
  let whole: AnyLine[];
  beforeAll(async () => {
    const address = await withheldSource();
    await runHere(`product-passport backup ${folder}/whole --database ${address}`);
    whole = await readLines(join(folder, 'whole'));
  });

  async function refusal(lines: AnyLine[], command: 'import' | 'restore'): Promise<string> {
    const file = join(folder, 'claims');
    await writeLines(file, lines);
    const target = await newMigratedDatabase('PostgreSQL');
    return (await runHere(`product-passport ${command} ${file} --database ${target}`)).stderr;
  }

  function changed(type: string, change: (line: AnyLine) => void): AnyLine[] {
    const lines = structuredClone(whole);
    for (const line of lines) if (line.type === type) change(line);
    return lines;
  }
  const items = (line: AnyLine): Record<string, unknown>[] => line.items as Record<string, unknown>[];

  test('what was public is not imported', async () => {
    const lines = changed('header', (line) => Object.assign(line, { kind: 'tenant' })).filter(
      ({ type }) => !['installation', 'audit_entries', 'scans'].includes(type),
    );
    expect(await refusal(lines, 'import')).toContain('only a backup has lines of the type history.');
  });

  test('that the latest version is withheld is refused', async () => {
    const lines = changed('product', (line) => Object.assign(line, { withheld_versions: [5] }));
    expect(await refusal(lines, 'restore')).toContain('withheld_versions has a version that is not older');
  });

  test.each<[string, (line: AnyLine) => void]>([
    ['an unknown version', (line) => Object.assign(items(line)[0] ?? {}, { version: 99 })],
    ['a version twice', (line) => items(line).push({ ...items(line)[0] })],
  ])('what %s replaced is refused', async (_, change) => {
    expect(await refusal(changed('history', change), 'restore')).toMatch(/line \d+: it has a version twice, or one/);
  });
});

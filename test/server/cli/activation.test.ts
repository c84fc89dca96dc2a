/** What `product activate` asks on a terminal, with a real one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { newMigratedDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { root } from '../../support/program.ts';
import { newTenant, storeProducts } from '../../support/tenant.ts';

const question = /all the same\? \(yes\/no\) /g;

/** Runs a command on a terminal of its own, and types a reply to the question. `script` comes with Linux. */
async function onTerminal(words: string, database: string, reply = '\n'): Promise<{ code: number; text: string }> {
  const line = `${process.execPath} server/src/cli/main.ts product ${words} --tenant shop`;
  const env = { ...process.env, PRODUCT_PASSPORT_DATABASE: database, NO_COLOR: '1' };
  const terminal = spawn('script', ['-qec', `bash -c '${line}'`, '/dev/null'], { cwd: root, env });
  let text = '';
  terminal.stdout.on('data', (part: Buffer) => {
    const asked = text.match(question)?.length ?? 0;
    text += part.toString();
    if ((text.match(question)?.length ?? 0) > asked) terminal.stdin.write(reply);
  });
  const [code] = await once(terminal, 'close');
  return { code, text: stripVTControlCharacters(text).replaceAll('\r\n', '\n') };
}

let database = '';
let slugs = '';

beforeAll(async () => {
  database = await newMigratedDatabase('SQLite');
  const connection = await openDatabase(database);
  ending.defer(() => connection.destroy());
  const drafts = Array.from({ length: 30 }, (_, index) => ({
    ...{ name: 'Entwurf', slug: `entwurf-${index}`, status: 'draft' as const },
  }));
  await storeProducts(connection, await newTenant(connection, { slug: 'shop' }), drafts);
  const folder = newFolder();
  slugs = join(folder, 'slugs.txt');
  await writeFile(slugs, drafts.map(({ slug }) => slug).join('\n'));
});

async function active(): Promise<number> {
  const { stdout } = await runHere(`product-passport product list --status active --json --tenant shop`, {
    PRODUCT_PASSPORT_DATABASE: database,
  });
  return JSON.parse(stdout).items.length;
}

test.each([
  ['no', 'no\n'],
  ['the end of the input', '\u0004'],
  ['Ctrl+C', '\u0003'],
  ['nothing', '\n'],
])('%s leaves a draft as it is', async (_name, reply) => {
  const { code, text } = await onTerminal('activate entwurf-0', database, reply);
  expect(text).toContain('Warning: entwurf-0 lacks 4 required fields (');
  expect(text).toMatch(/^ {2}country_of_origin +Country of manufacture +country code/m);
  expect([code, text.match(question)?.length, text.trim().split('\n').at(-1)]).toEqual([
    ...[1, 1, 'product-passport: Nothing was changed.'],
  ]);
  expect(await active()).toBe(0);
});

test('a batch is reviewed whole, and asked about once', async () => {
  const refused = await onTerminal(`activate --file ${slugs} none`, database, 'no\n');
  expect([refused.code, refused.text.match(question)?.length, await active()]).toEqual([1, 1, 0]);
  expect(refused.text.match(/^Warning: entwurf-\d+ lacks /gm)).toHaveLength(20);
  expect(refused.text).toContain('template: 30 of 30. The first 20 are named above.');

  const agreed = await onTerminal(`activate entwurf-1 entwurf-2`, database, 'y\n');
  expect([agreed.code, agreed.text.match(question)?.length]).toEqual([0, 1]);
  expect(agreed.text).toMatch(/\(yes\/no\) y\s+entwurf-1 is now active\.\nentwurf-2 is now active\.\n2 products were/);
  expect(await active()).toBe(2);
});

test.each(['entwurf-3 --yes', 'entwurf-4 --json', 'entwurf-5 --dry-run'])('%s asks nothing', async (words) => {
  const { code, text } = await onTerminal(`activate ${words}`, database);
  expect([code, text.match(question)]).toEqual([0, null]);
  expect(text).toContain(' lacks 4 required fields');
});

test('a pipe is read once, for the question and for the work', async () => {
  const { code, text } = await onTerminal(`activate --file <(echo entwurf-6)`, database, 'y\n');
  expect([code, text]).toEqual([0, expect.stringContaining('entwurf-6 is now active.')]);
  expect(text.match(question)).toHaveLength(1);
  const unable = await onTerminal('activate --file -', database);
  expect([unable.code, unable.text]).toEqual([2, expect.stringContaining('Name a file, or add --yes.')]);
});

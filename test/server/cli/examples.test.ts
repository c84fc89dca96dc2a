/** Every command's help has an example, and the examples run as printed. So do the commands that messages suggest. */

import { globSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadProgram } from '../../../server/src/cli/program.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { imageHash } from '../../../server/src/images/rules.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { ending, newFolder } from '../../support/files.ts';
import { halves } from '../../support/pictures.ts';
import { root } from '../../support/program.ts';

/** The command that listens until it is stopped. Other tests start it as its example does. */
const server = 'serve';

const nobody = '01900000-0000-7000-8000-000000000000';

const folder = newFolder();

beforeAll(async () => {
  process.chdir(folder);
  ending.defer(async () => {
    process.chdir(root);
  });
});

const createProgram = await loadProgram();
type Program = Pick<ReturnType<typeof createProgram>, 'commands' | 'name'>;

/** The commands that do something, with their names. */
function leavesOf(command: Program, above = ''): [path: string, leaf: Program['commands'][number]][] {
  return command.commands.flatMap((each): ReturnType<typeof leavesOf> => {
    const path = `${above}${each.name()}`;
    return each.commands.length === 0 ? [[path, each]] : leavesOf(each, `${path} `);
  });
}

const leaves = (command: Program): string[] => leavesOf(command).map(([path]) => path);

test('every command that the manuals name is a command', () => {
  const { commands } = createProgram();
  const manuals = ['README.md', 'server/README.md', ...globSync('{docs,examples}/**/*.md', { cwd: root })];
  const lines = manuals.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(
        /(?:npx |`|^)product-passport ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm,
      ),
    ].map(([, words = '']) => words),
  );
  const unknown = lines.filter((line) => {
    const [first, second] = line.split(' ');
    const noun = commands.find((each) => each.name() === first);
    return !noun || (noun.commands.length > 0 && !noun.commands.some((each) => each.name() === second));
  });
  expect(unknown).toEqual([]);
  expect(lines).toEqual(expect.arrayContaining(['serve', 'migrate', 'key create']));
});

/** The only item of a list. */
async function idOf(path: string): Promise<string> {
  const [noun] = path.split(' ');
  const more = noun === 'carrier' ? 'usb-c-cable --site-url https://passport.example.com' : '';
  const { stdout } = await runHere(`product-passport ${noun} list ${more} --tenant my-shop --json`);
  return JSON.parse(stdout).items[0].id;
}

/** The files that the examples read, but for those that other examples write. */
async function writeFiles(): Promise<void> {
  await writeFile('values.json', JSON.stringify([{ field_key: 'cable_length', value: 2, unit: 'm' }]));
  await writeFile('items.csv', 'serial_number\nA1\n');
  await writeFile('values.csv', 'slug,cable_length\nusb-c-cable,2\n');
  await writeFile('cable.jpg', await halves(60, 40).jpeg().toBuffer());
  await writeFile('logo.png', await halves(60, 40).png().toBuffer());
}

/** In the order in which they run. */
const order = (path: string): number => {
  const first = ['tenant create', 'tenant language', 'product create', 'passport set'].indexOf(path);
  if (first >= 0) return first;
  return /restore|import/.test(path) ? 5 : /list|image/.test(path) ? 4 : 3;
};

/** The examples of all commands, by command. */
const examples = new Map<string, string>();

async function runExamples(): Promise<void> {
  await writeFiles();
  for (const path of leaves(createProgram()).sort((a, b) => order(a) - order(b))) {
    const { code, stdout } = await runHere(`product-passport ${path} --help`);
    const example = /^Example:\n {2}(product-passport .+)$/m.exec(stdout)?.[1] ?? '';
    expect([path, code, example.startsWith(`product-passport ${path}`)]).toEqual([path, 0, true]);
    examples.set(path, example);
    if (path === server) continue;
    const line = example.includes(' ID ') ? example.replace(' ID ', ` ${await idOf(path)} `) : example;
    expect([line, await runHere(line)]).toEqual([line, expect.objectContaining({ code: 0 })]);
  }
}

test('the example in the help of every command runs as it is printed', runExamples);

describe('every command refuses, and changes nothing:', () => {
  const mayBeNew = ['demo fill', 'import', 'restore', 'serve', 'tenant create'];

  beforeAll(async () => {
    if (examples.size === 0) await runExamples();
    await mkdir('refusing/folder', { recursive: true });
    for (const name of ['monday.backup', 'my-shop.jsonl']) await copyFile(name, join('refusing', name));
    process.chdir('refusing');
    await writeFiles();
    await writeFile('text', 'Not a database. '.repeat(300));
    for (const [name, tables] of Object.entries({ 'one table': ['notes'], foreign: ['notes', 'users', 'orders'] })) {
      const database = connect(name);
      for (const table of tables) await database.schema.createTable(table, (columns) => void columns.text('text'));
      await database.destroy();
    }
  });
  afterAll(() => process.chdir(folder));

  /** The examples of the commands with a database. */
  function lines(): [path: string, line: string][] {
    const withDatabase = leavesOf(createProgram()).filter(
      ([path, { options }]) => path !== 'config' && options.some(({ long }) => long === '--database'),
    );
    return withDatabase.map(([path]) => {
      const line = examples.get(path) ?? '';
      // Files that other examples read are there.
      const into = /^(backup|export)$/.test(path) ? line.replace(` ${path} `, ` ${path} new-`) : line;
      return [path, into.replace(' ID ', ` ${nobody} `).replace(/ --(?:json|database \S+)/, '')];
    });
  }

  /** The files with their contents. */
  async function stateOf(): Promise<[string, string][]> {
    const files = (await readdir('.', { withFileTypes: true })).filter((entry) => entry.isFile());
    return Promise.all(files.map(async ({ name }) => [name, imageHash(await readFile(name))] as [string, string]));
  }

  async function refused(line: string, address: string): Promise<string[]> {
    const before = await stateOf();
    const { code, stdout, stderr } = await runHere(`${line} --database '${address}'`);
    const faults = [
      ...(code === 1 || code === 2 ? [] : [`code ${code}`]),
      ...(stdout === '' ? [] : [`prints ${stdout}`]),
      ...(/^product-passport: [^\n]+\n$/.test(stderr) ? [] : [`writes ${stderr}`]),
      ...(JSON.stringify(await stateOf()) === JSON.stringify(before) ? [] : ['changes a file']),
    ];
    return faults.map((fault) => `${line}: ${fault}`);
  }

  test.each([
    ['a foreign file', 'foreign'],
    ['a file with one table', 'one table'],
    ['a file of text', 'text'],
    ['a folder', 'folder'],
    ['a file in a missing folder', 'none/made.sqlite'],
    ['a missing file, where the command makes none', 'none.sqlite'],
    ['a database in memory, where the command makes none', ':memory:'],
  ])('%s', async (_what, address) => {
    const isAllowed = (path: string): boolean => {
      if (address === ':memory:') return path === 'serve';
      return address === 'none.sqlite' && mayBeNew.includes(path);
    };
    const faults = [];
    for (const [path, line] of lines()) if (!isAllowed(path)) faults.push(...(await refused(line, address)));
    expect(faults).toEqual([]);
  });

  test.each(['serve --port 0', 'serve --sandbox --port 0'])('a foreign file, %s', async (line) => {
    expect(await refused(`product-passport ${line}`, 'foreign')).toEqual([]);
  });
});

test('the commands in messages run as they are printed', async () => {
  const database = `--database '${join(folder, 'a name with spaces.sqlite')}'`;
  const command = (line: string): Promise<Outcome> => runHere(`product-passport ${line} ${database}`);
  const site = '--site-url https://passport.example.com';
  const messages: string[] = [];
  for (const line of [
    'tenant list',
    "tenant create shop --name 'Shop' --country DE",
    'key create --tenant my-shop',
    'key revoke 01900000-0000-7000-8000-000000000000 --tenant my-shop',
    'key list --tenant nobody',
    'token revoke 01900000-0000-7000-8000-000000000000 --tenant my-shop',
    'product show none --tenant my-shop',
    'product create cup --name Cup --tenant my-shop',
    'product create cup --name Cup --tenant my-shop',
    `passport set cup '${join(folder, 'values.json')}' --tenant my-shop`,
    'product archive none --tenant my-shop',
    'product activate none nothing --tenant my-shop',
    'registry set none ready --tenant my-shop',
    `carrier add none --tenant my-shop --type qr ${site}`,
    'audit --limit 1',
    'migrate',
  ]) {
    const { stdout, stderr } = await command(line);
    const printed = [...`${stdout}${stderr}`.matchAll(/(?:`|Next: |^ {2})(product-passport [^`\n]+)/gm)];
    for (const [, hint = ''] of printed) {
      messages.push(hint);
      const stderr = expect.stringMatching(/^(?:Store this key now: .*\n)?$/);
      expect([hint, await runHere(hint)]).toEqual([hint, expect.objectContaining({ code: 0, stderr })]);
    }
  }
  expect(messages.length).toBeGreaterThanOrEqual(12);
});

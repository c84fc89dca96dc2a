/** Every command's help has an example, and the examples run as printed. So do the commands that messages suggest. */

import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { loadProgram } from '../../../server/src/cli/program.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { ending } from '../../support/ending.ts';
import { halves } from '../../support/pictures.ts';
import { root } from '../../support/program.ts';

/** Commands that listen until they are stopped. Other tests start them as their examples do. */
const servers = ['serve', 'mock'];

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  process.chdir(folder);
  ending.defer(async () => {
    process.chdir(root);
    await rm(folder, { recursive: true });
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

test('every command follows the grammar: singular nouns, the product as first argument, a tenant that is optional', () => {
  const check = (command: Program, nouns: string[]): void => {
    for (const each of command.commands) {
      const options = each.options.map(({ long }) => long);
      const named = each.registeredArguments.map((argument) => argument.name());
      const path = [...nouns, each.name()].join(' ');
      if (each.commands.length > 0) expect(path).not.toMatch(/s$/);
      // Without a product it deletes the scans of the whole tenant.
      const isOption = options.includes('--product') && path !== 'scan delete';
      expect([path, isOption, named.findIndex((name) => /^products?$/.test(name)) > 0]).toEqual([path, false, false]);
      expect([path, each.options.find(({ long }) => long === '--tenant')?.mandatory ?? false]).toEqual([path, false]);
      check(each, [...nouns, each.name()]);
    }
  };
  check(createProgram(), []);
});

test('every command says in the same words what is wrong with its options and arguments', async () => {
  for (const [path, { options, registeredArguments: named }] of leavesOf(createProgram())) {
    const wrong: [words: string, message: string][] = options
      .filter(({ required }) => required)
      .map(({ long, flags }) => [String(long), `${long} needs a value: ${flags}.`]);
    const usage = named.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
    const needed = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    const missing = [...usage.filter((name) => name.startsWith('<')), ...needed];
    if (missing.length > 0) wrong.push(['', `${path} needs ${missing.join(', ')}.`]);
    wrong.push(['--no-such-option=secret', `${path} has no option --no-such-option.`]);
    if (needed.length === 0 && !named.some(({ variadic }) => variadic)) {
      const words = [...named, 'one more'].map((_, index) => `"a ${index}"`).join(' ');
      const takes = named.length === 0 ? 'no argument' : `only ${usage.join(' ')}`;
      wrong.push([words, `${path} takes ${takes}, and got ${words}. Quote a value with spaces.`]);
    }
    for (const [words, message] of wrong) {
      const hint = 'Run the command with --help to see its arguments and options.';
      const outcome = { code: 2, stdout: '', stderr: `product-passport: ${message}\n${hint}\n` };
      expect([path, await runHere(`product-passport ${path} ${words}`)]).toEqual([path, outcome]);
    }
  }
});

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
  expect(lines).toEqual(expect.arrayContaining(['serve', 'mock', 'migrate', 'key create']));
});

/** The only item of a list. */
async function idOf(path: string): Promise<string> {
  const [noun] = path.split(' ');
  const more = noun === 'carrier' ? 'usb-c-kabel --site-url https://passport.example.com' : '';
  const { stdout } = await runHere(`product-passport ${noun} list ${more} --tenant my-shop --json`);
  return JSON.parse(stdout).items[0].id;
}

/** The files that the examples suppose. */
async function writeFiles(): Promise<void> {
  await writeFile('values.json', JSON.stringify([{ field_key: 'cable_length', value: 2, unit: 'm' }]));
  await writeFile('cable.jpg', await halves(60, 40).jpeg().toBuffer());
  await writeFile('logo.png', await halves(60, 40).png().toBuffer());
}

/** In the order in which they run. */
const order = (path: string): number => {
  const first = ['tenant create', 'tenant language', 'product create', 'passport set'].indexOf(path);
  if (first >= 0) return first;
  return /restore|import/.test(path) ? 5 : /list|image/.test(path) ? 4 : 3;
};

test('the example in the help of every command runs as it is printed', async () => {
  await writeFiles();
  for (const path of leaves(createProgram()).sort((a, b) => order(a) - order(b))) {
    const { code, stdout } = await runHere(`product-passport ${path} --help`);
    const example = /^Example:\n {2}(product-passport .+)$/m.exec(stdout)?.[1] ?? '';
    expect([path, code, example.startsWith(`product-passport ${path}`)]).toEqual([path, 0, true]);
    if (servers.includes(path)) continue;
    const line = example.includes(' ID ') ? example.replace(' ID ', ` ${await idOf(path)} `) : example;
    expect([line, await runHere(line)]).toEqual([line, expect.objectContaining({ code: 0 })]);
  }
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
  expect((await runHere('product-passport template show none')).stderr).toContain('`product-passport template list`');
  expect((await runHere('product-passport template show battery')).stdout).toMatch(
    /^battery_category +portable, sli, lmt, ev, industrial$/m,
  );
});

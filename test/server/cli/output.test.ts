/** What commands write to terminals and pipes. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '../../../server/src/database/address.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { newFolder } from '../../support/files.ts';
import { run } from '../../support/program.ts';

const directory = newFolder();
let database = '';

beforeAll(async () => {
  database = join(directory, 'shop.sqlite');
  await command("tenant create my-shop --name 'My Shop' --country de");
});

function command(line: string): Promise<Outcome> {
  return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: database });
}

test('a command in a hint starts with npx if npx started the program', () => {
  const { npm_command } = process.env;
  process.env.npm_command = 'exec';
  const line = commandLine('tenant list', 'shop.sqlite');
  process.env.npm_command = npm_command;
  expect(line).toBe('npx product-passport tenant list --database shop.sqlite');
});

test('a reader that ends first stops an export, which fails; a list then ends without an error', async () => {
  const file = join(directory, 'many.sqlite');
  await command(`demo fill --products 3000 --database ${file}`);
  const piped = (words: string, lines: string) =>
    run(
      `${process.execPath} server/src/cli/main.ts ${words} --tenant many --database ${file} | head ${lines}; exit "\${PIPESTATUS[0]}"`,
    );
  expect(await piped('export', '-c 1')).toEqual({
    code: 1,
    stdout: '{',
    stderr: 'product-passport: the program that read the export ended, so the export was stopped.\n',
  });
  const { stdout, ...ended } = await piped('product list', '-n 2');
  expect(ended).toEqual({ code: 0, stderr: '' });
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

test('a terminal gets colours and a total; with NO_COLOR and in a pipe there are none', async () => {
  // A terminal of Python's standard library.
  const onTerminal = async (line: string, environment = {}) => {
    const program = `${process.execPath} server/src/cli/main.ts ${line}`;
    // No variable of the surroundings counts: CI, NO_COLOR and FORCE_COLOR also decide about colours.
    const given = { TERM: 'xterm', PATH: '"$PATH"', PRODUCT_PASSPORT_DATABASE: database, ...environment };
    const settings = Object.entries(given).map(([name, value]) => `${name}=${value}`);
    const terminal = `python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' ${program}`;
    const { stdout } = await run(`env -i ${settings.join(' ')} ${terminal}`);
    return stdout.replaceAll('\u001b', 'ESC').replaceAll('\r', '');
  };
  await command("tenant create terminal-shop --name 'Terminal' --country DE");
  expect(await onTerminal('tenant list')).toMatch(/^ESC\[1mSLUG .*ESC\[22m\n.*\n\n\d+ in total\n$/s);
  expect(await onTerminal('tenant show none')).toMatch(/^ESC\[31mproduct-passport:ESC\[39m there is no/);
  expect(await onTerminal('tenant list', { NO_COLOR: '1' })).toMatch(/^SLUG [^[]* in total\n$/);
  expect((await command('tenant list')).stdout).toMatch(/^SLUG [^[]*-\n$/);
});

test('a terminal gets tables and sentences in its width, with whole cells in their columns; a pipe gets long lines', async () => {
  const show = `${process.execPath} server/src/cli/main.ts template show battery`;
  const { stdout } = await run(`script -qec 'stty cols 100; ${show}' /dev/null`, { NO_COLOR: '1' });
  const lines = stripVTControlCharacters(stdout).replaceAll('\r', '').split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
  const piped = (await command('template show battery')).stdout;
  expect(lines.join('').replaceAll(/\s/g, '')).toHaveLength(piped.replaceAll(/\s/g, '').length);
  const at = lines.findIndex((line) => line.startsWith('warranty_months'));
  const columns = [0, ...['TYPE', 'REQUIRED', 'POINT'].map((name) => lines[2]?.indexOf(name))];
  const cells = columns.map((from, index) =>
    [lines[at], lines[at + 1]].map((line) => line?.slice(from, columns[index + 1]).trim()).join(' '),
  );
  expect(cells.slice(0, 3)).toEqual(['warranty_months ', 'whole number,', 'conditional ']);
  expect(Math.max(...piped.split('\n').map(({ length }) => length))).toBeGreaterThan(150);
  // A terminal that does not say how wide it is.
  const unknown = await run(`script -qec 'stty cols 0; ${show}' /dev/null`, { NO_COLOR: '1' });
  expect(unknown.stdout.replaceAll('\r', '')).toBe(piped);
});

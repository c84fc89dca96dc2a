/** What commands write to terminals and pipes. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { commandLine } from '../../../server/src/database/address.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { newMigratedDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { root, run } from '../../support/program.ts';
import { newTenant, storeProducts } from '../../support/tenant.ts';

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
    stderr:
      'product-passport: standard output cannot be written: broken pipe. The export was stopped, and a part of it is no export.\n',
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

test('a terminal gets tables and sentences in its width, with whole cells in their columns; a pipe gets long sentences', async () => {
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

test('a table in a pipe has at most 100 columns, with whole ids, and wide characters count twice', async () => {
  await command(
    "tenant create wide --name '製品パスポート 製品パスポート 製品パスポート 製品パスポート 製品パスポート' --country DE",
  );
  await command("key create --tenant wide --label 'the inventory of the second warehouse'");
  const widthOf = (line: string): number => line.length + (line.match(/[\u3000-\u9fff]/g)?.length ?? 0);
  const { id } = JSON.parse((await command('key list --tenant wide --json')).stdout).items[0];
  const keys = (await command('key list --tenant wide')).stdout;
  expect(keys).toMatch(new RegExp(`^${id}  [\\d-]+T.* of the$`, 'm'));
  const tenants = (await command('tenant list')).stdout.split('\n');
  expect(Math.max(...[...keys.split('\n'), ...tenants].map(widthOf))).toBeLessThanOrEqual(100);
  const at = tenants.findIndex((line) => line.startsWith('wide '));
  const [before = '', country] = tenants[at]?.split(/(?=DE)/) ?? [];
  expect([country?.slice(0, 2), widthOf(before)]).toEqual(['DE', tenants[0]?.indexOf('COUNTRY')]);
  expect(tenants[at + 1]).toMatch(/^ +製品パスポート/);
});

describe('product activate on a terminal', () => {
  const question = /anyway\? \(yes\/no\) /g;

  /** Runs a command on a terminal of its own, and types a reply to the question. `script` comes with Linux. */
  async function onTerminal(
    words: string,
    database: string,
    reply = '\n',
    beforeReply?: () => Promise<unknown>,
  ): Promise<{ code: number; text: string }> {
    const line = `${process.execPath} server/src/cli/main.ts product ${words} --tenant shop`;
    const env = { ...process.env, PRODUCT_PASSPORT_DATABASE: database, NO_COLOR: '1' };
    const terminal = spawn('script', ['-qec', `bash -c '${line}'`, '/dev/null'], { cwd: root, env });
    let text = '';
    terminal.stdout.on('data', async (part: Buffer) => {
      const asked = text.match(question)?.length ?? 0;
      text += part.toString();
      if ((text.match(question)?.length ?? 0) === asked) return;
      await beforeReply?.();
      terminal.stdin.write(reply);
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

  test('of more than twenty products, the failures and the number are printed; programs get every result', async () => {
    const dry = (words: string) =>
      runHere(`product-passport product activate ${words} --dry-run --tenant shop`, {
        PRODUCT_PASSPORT_DATABASE: database,
      });
    expect((await dry(`none --file ${slugs}`)).stdout).toMatch(/^none failed: [^\n]+\n$/);
    const all = await dry(`--file ${slugs}`);
    expect(all.stdout).toBe('30 products can be activated.\n');
    expect((await dry(`--file ${slugs} --json`)).stdout.match(/\n/g)).toHaveLength(30);
    const twenty = Array.from({ length: 20 }, (_, index) => `entwurf-${index + 10}`);
    const lines = twenty.map((slug) => `${slug} can become active.\n`).join('');
    expect((await dry(twenty.join(' '))).stdout).toBe(`${lines}20 products can be activated.\n`);
  });

  test('a batch is reviewed whole, and asked about once', async () => {
    const refused = await onTerminal(`activate --file ${slugs} none`, database, 'no\n');
    expect([refused.code, refused.text.match(question)?.length, await active()]).toEqual([1, 1, 0]);
    expect(refused.text.match(/^Warning: entwurf-\d+ lacks /gm)).toHaveLength(20);
    expect(refused.text).toContain('template: 30 of 30. The first 20 are named above.');

    const agreed = await onTerminal(`activate entwurf-1 entwurf-2`, database, 'y\n');
    expect([agreed.code, agreed.text.match(question)?.length]).toEqual([0, 1]);
    expect(agreed.text).toMatch(
      /\(yes\/no\) y\s+entwurf-1 is now active\.\nentwurf-2 is now active\.\n2 products were/,
    );
    expect(await active()).toBe(2);
  });

  test('the question names the fields that are more open than their template, and yes confirms them', async () => {
    const values = join(newFolder(), 'values.json');
    await writeFile(values, JSON.stringify([{ field_key: 'test_reports', value: 'https://shop.example/reports' }]));
    for (const line of ['product create offen --name Offen --product-group cable', `passport set offen ${values}`]) {
      await runHere(`product-passport ${line} --tenant shop --database ${database}`);
    }
    const { code, text } = await onTerminal('activate offen', database, 'y\n');
    expect([code, text.match(question)?.length]).toEqual([0, 1]);
    expect(text).toContain(
      'Yes confirms the fields that are more open than their template: test_reports. Activate offen',
    );
    const shown = await runHere(`product-passport product show offen --json --tenant shop --database ${database}`);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      product: { status: 'active' },
      confirmed: { open: ['test_reports'] },
    });
  });

  test('yes confirms only what was shown: a product that changes before the reply is not published', async () => {
    const values = join(newFolder(), 'values.json');
    await writeFile(values, JSON.stringify([{ field_key: 'test_reports', value: 'https://shop.example/reports' }]));
    const run = (line: string) => runHere(`product-passport ${line} --tenant shop --database ${database}`);
    for (const slug of ['gezeigt', 'anders']) await run(`product create ${slug} --name Kabel --product-group cable`);
    await run(`passport set gezeigt ${values}`);
    const open = () => run(`passport set anders ${values}`);
    const { code, text } = await onTerminal('activate gezeigt anders', database, 'y\n', open);
    expect([code, text]).toEqual([1, expect.stringContaining('gezeigt is now active.')]);
    expect(text).toContain('anders failed: anders was not activated: access_level of test_reports must be "authority"');
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
});

/**
 * What commands print, as whole sessions in `sessions.txt`. Each begins with `## NAME` and a new database. A session whose
 * name ends with `of sqlite` is not run on PostgreSQL. With `-u` the test writes what they print: add a line that starts with
 * `$`, run it with `-u`, and read the difference.
 *
 * A line of a session is a command (`$ COMMAND`), a file to write (`> FILE TEXT`) or a heading (`# TEXT`). Variables of the
 * environment stand before a command (`$ NAME=VALUE COMMAND`). The lines below a command are its output: `! ` marks standard
 * error, and `[1]` an exit code. ID stands for the id that the last `create` or `add` printed. Escapes are those of JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { dayOf } from '@product-passport/openapi';
import { version } from '../../../server/src/cli/output.ts';
import { settings } from '../../../server/src/config/settings.ts';
import { runHere } from '../../support/command.ts';
import { type DatabaseKind, newMigratedDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { root } from '../../support/program.ts';

const file = fileURLToPath(new URL('sessions.txt', import.meta.url));
const sessions = new Map(
  readFileSync(file, 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1).trim()]),
);

afterAll(() => {
  process.chdir(root);
  const texts = [...sessions].map(([name, session]) => `## ${name}\n\n${session}\n`);
  if (isUpdate()) writeFileSync(file, texts.join('\n'));
});

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Without what is different in each run. @param nameOf names an id */
function fixed(text: string, day: string, nameOf: (id: string) => string): string {
  const timeOf = (time: string): string => {
    const daysFromNow = Math.round((Date.parse(time) - Date.now()) / 86_400_000);
    return daysFromNow === 0 ? 'TIME' : `TIME+${daysFromNow}d`;
  };
  return (
    text
      .replaceAll(new RegExp(uuid, 'g'), nameOf)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+(\.\d{3})?Z/g, timeOf)
      .replaceAll(day, 'TODAY')
      // A narrow column has the day and the time of day in two lines.
      .replaceAll(/\d{4}-\d\d-\d\dT(?!\d)|TODAYT/g, 'DAYT')
      .replaceAll(/\b(T?)\d\d:\d\d:\d\dZ/g, '$1CLOCK')
      .replaceAll(/[0-9a-f]{64}/g, 'HASH')
      .replaceAll(/[\d.]+ seconds|(?<="seconds":)[\d.]+/g, 'SECONDS')
      .replaceAll(/ppk_[\w-]{43}/g, 'KEY')
      .replaceAll(/eyJ[\w.-]+/g, 'TOKEN')
      .replaceAll(`"version":"${version}"`, '"version":"VERSION"')
      .replaceAll(/"os_user":"[^"]+"/g, '"os_user":"USER"')
  );
}

const unescaped = (text: string): string => JSON.parse(`"${text.replaceAll('"', '\\"')}"`);

/** Runs the lines of a session in a folder of its own. */
async function transcript(lines: readonly string[], kind: DatabaseKind): Promise<string> {
  process.chdir(newFolder());
  const address = await newMigratedDatabase(kind);
  // As the default and as the variable, so that no suggested command names it.
  if (kind === 'SQLite') await copyFile(address, settings.database.default);
  else process.env.PRODUCT_PASSPORT_DATABASE = address;

  let made = '';
  const ids: string[] = [];
  const nameOf = (id: string): string => `ID${ids.includes(id) ? ids.indexOf(id) + 1 : ids.push(id)}`;
  async function run(line: string): Promise<string> {
    const words = line.replace(' ID', ` ${made}`);
    // Templates have days of their own.
    const day = words.startsWith('template ') ? 'no day' : dayOf(new Date());
    const [, variables = '', command = ''] = /^((?:[A-Z_]+=\S* )*)(.*)$/.exec(words) ?? [];
    const environment = Object.fromEntries(
      variables
        .split(' ')
        .map((one) => one.split('='))
        .slice(0, -1),
    );
    const { code, stdout, stderr } = await runHere(`product-passport ${unescaped(command)}`, environment);
    if (/ (create|add) /.test(words)) made = uuid.exec(stdout + stderr)?.[0] ?? made;
    const ending = code === 0 ? '' : `[${code}]\n`;
    return fixed(`${stdout}${stderr.replaceAll(/^(?=.)/gm, '! ')}${ending}`, day, nameOf).trimEnd();
  }

  const printed: string[] = [];
  for (const line of lines) {
    const [, file, text = ''] = /^> (\S+) ?(.*)$/.exec(line) ?? [];
    if (file !== undefined) await writeFile(file, unescaped(text));
    if (line.startsWith('# ') && printed.length > 0) printed.push('');
    printed.push(line);
    if (line.startsWith('$ ')) printed.push(...[await run(line.slice(2))].filter(Boolean));
  }
  delete process.env.PRODUCT_PASSPORT_DATABASE;
  return printed.join('\n');
}

/** Whether Jest runs with `-u`. */
function isUpdate(): boolean {
  const { snapshotState } = expect.getState() as unknown as { snapshotState: { _updateSnapshot: string } };
  return snapshotState._updateSnapshot === 'all';
}

test.each([...sessions])('%s', async (name, session) => {
  const lines = session.split('\n').filter((line) => /^[$>#] /.test(line));
  const printed = await transcript(lines, 'SQLite');
  if (!name.endsWith('of sqlite')) expect(await transcript(lines, 'PostgreSQL')).toBe(printed);
  if (isUpdate()) sessions.set(name, printed);
  else expect(printed).toBe(session);
});

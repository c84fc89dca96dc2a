/** Standard output and standard error that are full, broken or closed, in both programs. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { type Outcome, run } from '../../support/program.ts';

const server = `${process.execPath} server/src/cli/main.ts`;
const suite = `${process.execPath} contracts/conformance/cli/main.ts`;
const unwritten =
  /^product-passport(-contracts)?: standard output cannot be written: ([^:]+)\. The output is [^\n]+\n$/;

/** The exit code is that of the program. */
const unread = '| true; exit $PIPESTATUS';

let database = '';
const shell = (line: string): Promise<Outcome> => run(line, { PRODUCT_PASSPORT_DATABASE: database });
const command = (line: string): Promise<Outcome> =>
  runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: database });

describe.each(databaseKinds)('on %s', (kind) => {
  beforeAll(async () => {
    database = await newMigratedDatabase(kind);
    await command('tenant create shop --name Shop --country DE');
  });

  test.each([
    ['a full disk', '>/dev/full'],
    ['a pipe without a reader', unread],
  ])('a key and a token that %s swallows are revoked', async (_name, output) => {
    for (const [line, secret] of [
      ['key create', 'API key'],
      ['token create --all --role recycler', 'access token'],
    ]) {
      const { code, stderr } = await shell(`${server} ${line} ${output}`);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(`^[^\\n]+ The ${secret} [^ ]+ was revoked, [^\\n]+\\n$`),
      ]);
      const id = / ([^ ]{36}) was/.exec(stderr)?.[1];
      const listed = JSON.parse((await command(`${line?.split(' ')[0]} list --json`)).stdout);
      expect(listed.items).toContainEqual(expect.objectContaining({ id, revoked_at: expect.stringMatching(/Z$/) }));
    }
    const audit = JSON.parse((await command('audit --json')).stdout);
    expect(audit.items[0]).toMatchObject({ command: 'token create', changes: 2 });
  });

  test('an export to a full disk stops, and a list that nobody reads ends quietly', async () => {
    const stopped = await shell(`${server} export >/dev/full`);
    expect([stopped.code, stopped.stderr]).toEqual([
      1,
      expect.stringMatching(/: no space left on device\. The export /),
    ]);
    const { code, stderr } = await shell(`${server} key list ${unread}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

test.each([
  `${server} --help`,
  `${server} config --json`,
  `${server} serve --port 0 --database :memory: --log-level error`,
  `${suite} init`,
  `${suite} verify proxy --upstream http://127.0.0.1:9`,
])('%s fails with one sentence on a full disk', async (line) => {
  const { code, stderr } = await shell(`${line} >/dev/full`);
  const text = line.endsWith('--json') ? `product-passport: ${JSON.parse(stderr).error.message}\n` : stderr;
  expect([code, text]).toEqual([1, expect.stringMatching(unwritten)]);
});

test('a demo whose keys nobody has seen ends, and its keys and tokens are revoked', async () => {
  const file = join(newFolder(), 'demo.sqlite');
  const { code, stderr } = await shell(`${server} serve --demo --port 0 --database ${file} ${unread}`);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/broken pipe\. The keys and tokens of the demo were revoked/),
  ]);
  const { keys, valid_tokens } = JSON.parse((await command(`stats --json --database ${file}`)).stdout);
  expect([keys.valid, keys.revoked, valid_tokens]).toEqual([0, 5, 0]);
});

test('a file that takes a part of the output is an error, and so is a terminal that has gone', async () => {
  const file = join(newFolder(), 'part');
  const limited = await shell(`ulimit -f 1; NODE_DISABLE_COMPILE_CACHE=1 ${server} template list >${file}`);
  expect([limited.code, limited.stderr]).toEqual([1, expect.stringMatching(/: file too large\. /)]);
  expect((await stat(file)).size).toBe(1024);
  const program = 'import os, pty, subprocess, sys; ours, theirs = pty.openpty(); os.close(ours)';
  const gone = await shell(
    `python3 -c '${program}; sys.exit(subprocess.call(sys.argv[1:], stdout=theirs))' ${server} config`,
  );
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringMatching(/: i\/o error\. /)]);
});

test('a warning that cannot be written is an error; a note that nobody reads is none', async () => {
  const variable = 'PRODUCT_PASSPORT_NO_SETTING=1';
  expect((await shell(`${variable} ${server} config 2>/dev/full`)).code).toBe(1);
  expect((await shell(`${server} config 2>/dev/full`)).code).toBe(0);
  expect((await shell(`${variable} ${server} config 2> >(true)`)).code).toBe(0);
  expect(await shell(`${suite} init ${unread}`)).toEqual({ code: 0, stdout: '', stderr: '' });
});

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { announcement, run, start } from '../support/program.ts';
import { newMigratedDatabase } from '../support/service.ts';

const warning = /has no write-ahead log beside it, although no server closed it/;

async function serve(file: string) {
  const server = await start(`product-passport serve --json --port 0 --database ${file}`, /\}\n/);
  announcement(server.said());
  return server;
}

test('a copy of a file that a server has open is noticed, and a backup or a clean stop is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'passport-log-'));
  ending.defer(() => rm(folder, { recursive: true }));
  const file = await newMigratedDatabase('SQLite');
  const list = (address: string) => runHere(`product-passport tenant list --database ${address}`);

  const server = await serve(file);
  await runHere(`product-passport tenant create shop --name Shop --country DE --database ${file}`);
  const [copy, second, backup] = ['copy', 'second', 'backup'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await copyFile(file, copy);
  await copyFile(file, second);
  expect(await runHere(`product-passport backup ${backup} --database ${file}`)).toMatchObject({ code: 0, stderr: '' });
  // A command that ends beside the server leaves its mark.
  expect(await list(file)).toMatchObject({ code: 0, stderr: '' });
  await copyFile(file, join(folder, 'third'));

  const found = await list(copy);
  // The row is in the log that was not copied.
  expect(found).toMatchObject({ code: 0, stdout: 'There are no tenants yet.\n' });
  expect(found.stderr).toMatch(warning);
  expect((await list(copy)).stderr).toBe('');
  const ofCopy = await runHere(`product-passport backup ${join(folder, 'of-copy')} --database ${second}`);
  expect(ofCopy.stderr).toMatch(warning);
  expect((await list(join(folder, 'third'))).stderr).toMatch(warning);
  expect(await list(backup)).toMatchObject({ stderr: '', stdout: expect.stringContaining('shop') });

  await server.stop();
  await copyFile(file, join(folder, 'stopped'));
  expect(await list(join(folder, 'stopped'))).toMatchObject({ stderr: '', stdout: expect.stringContaining('shop') });

  const killed = await serve(file);
  await killed.stop('SIGKILL');
  // The log is there, so nothing is missing. This command closes the file last.
  expect(await list(file)).toMatchObject({ code: 0, stderr: '' });
  const again = await serve(file);
  expect(again.logged()).not.toMatch(warning);
  await again.stop();

  await copyFile(join(folder, 'third'), join(folder, 'fourth'));
  const logged = await run(`timeout 5 npx product-passport serve --json --port 0 --database ${second}`);
  expect(logged.stderr).toMatch(warning);
});

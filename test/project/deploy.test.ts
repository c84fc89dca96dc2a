/** The commands of the files in `deploy` start the server here, without systemd, Kubernetes or a container. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { settingNames, variableOf } from '../../server/src/config/settings.ts';
import { newDatabase } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { installPacked } from '../support/packages.ts';
import { freePort, root, run, start } from '../support/program.ts';

jest.setTimeout(240_000);

const read = (name: string) => readFile(join(root, 'deploy', name), 'utf8');
const unit = await read('product-passport.service');
const kubernetes = await read('kubernetes.yaml');

const entry = 'server/src/cli/main.ts';
const known = settingNames.map(variableOf);

/**
 * Starts a command of a file with its variables, and requests paths of the admin listener. Then stops it as its supervisor
 * does. Returns the statuses.
 */
async function startsWith(
  words: readonly string[],
  variables: Record<string, string>,
  paths: readonly string[],
): Promise<number[]> {
  const admin = await freePort();
  const ports = { PORT: '0', HOST: '127.0.0.1', PRODUCT_PASSPORT_ADMIN_PORT: String(admin) };
  const program = await start(`node ${words.join(' ')} --json`, /\}\n/, { ...variables, ...ports });
  const responses = await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${admin}${path}`)));
  expect(await program.stop()).toBe(0);
  return responses.map(({ status }) => status);
}

describe('the systemd unit', () => {
  const lines = unit.split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const variables = Object.fromEntries(valuesOf('Environment').map((line) => line.split(/=(.*)/s).slice(0, 2)));

  test('names only variables that exist', () => {
    const ofNode = ['NODE_ENV'];
    expect(Object.keys(variables).filter((name) => !ofNode.includes(name) && !known.includes(name))).toEqual([]);
  });

  test('its command starts the server, and a SIGTERM stops it in time', async () => {
    const [program, main = '', ...words] = (valuesOf('ExecStart')[0] ?? '').split(' ');
    expect(program).toBe('/usr/bin/node');
    expect(main.replace('/opt/product-passport/node_modules/@product-passport/', '').replace(/\.js$/, '.ts')).toBe(
      entry,
    );
    const database = join(newFolder(), 'product-passport.sqlite');
    const given = { ...variables, PRODUCT_PASSPORT_DATABASE: database };
    const [, address = ''] = /curl http:\/\/127\.0\.0\.1:9090(\S+)/.exec(unit) ?? [];
    expect(await startsWith([entry, ...words], given, [address])).toEqual([200]);
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(10);
  });

  // The gate also runs on machines without systemd.
  const analyzer = existsSync('/usr/bin/systemd-analyze') ? test : test.skip;

  analyzer('has no findings of systemd, and little exposure', async () => {
    // systemd checks that the user and the program of ExecStart exist.
    const local = unit.replace(/^User=.*$/m, 'User=daemon').replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
    const file = join(newFolder(), 'product-passport.service');
    await writeFile(file, local);
    const verified = await run(`systemd-analyze verify --man=no ${file}`);
    expect([verified.code, verified.stderr.split('\n').filter((line) => line.includes('product-passport'))]).toEqual([
      0,
      [],
    ]);
    // Of 10; a unit without hardening has 9.6.
    expect(await run(`systemd-analyze security --no-pager --offline=true --threshold=15 ${file}`)).toMatchObject({
      code: 0,
    });
    await writeFile(file, local.replace(/^(?:Protect|Private|Restrict|Capability|SystemCall).*$/gm, ''));
    expect((await run(`systemd-analyze security --no-pager --offline=true --threshold=15 ${file}`)).code).not.toBe(0);
  });
});

describe('the Kubernetes manifest', () => {
  const documents = parseAllDocuments(kubernetes).map((document) => document.toJS());
  const pod = documents[0].spec.template.spec;
  const [container] = pod.containers;

  test('names only variables that exist', () => {
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => !known.includes(name))).toEqual([]);
  });

  test('its command starts the server over PostgreSQL, and its probes succeed', async () => {
    const plain = container.env.filter(({ value }: { value?: string }) => value !== undefined);
    const variables = Object.fromEntries(plain.map(({ name, value }: Record<string, string>) => [name, value]));
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
    const database = await newDatabase('PostgreSQL');
    const given = { ...variables, PRODUCT_PASSPORT_DATABASE: database };
    const paths = probes.map(({ httpGet }) => httpGet.path);
    expect(await startsWith([entry, ...container.args], given, paths)).toEqual([200, 200, 200]);
  });
});

interface Instruction {
  keyword: string;
  rest: string;
}

/** The instructions of the last stage. No line of the file goes on in the next one. */
const dockerfile = await readFile(join(root, 'deploy/Dockerfile'), 'utf8');
const instructions = dockerfile
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Instruction => {
    const [keyword = '', ...words] = line.split(' ');
    return { keyword, rest: words.join(' ') };
  });
const stages = instructions.map(({ keyword }) => keyword).lastIndexOf('FROM');
const last = instructions.slice(stages);
const argumentOf = (keyword: string) => last.findLast((each) => each.keyword === keyword)?.rest ?? '';
const wordsOf = (keyword: string): string[] => JSON.parse(argumentOf(keyword).replace(/^--.* CMD /, ''));

describe('the commands of the image', () => {
  const folder = newFolder();
  let app = '';
  let environment: Record<string, string> = {};
  const isRoot = process.getuid?.() === 0;

  beforeAll(async () => {
    await chmod(folder, 0o755);
    app = (await installPacked(folder, 'server')).project;
    await mkdir(join(folder, 'data'));
    if (isRoot) await chown(join(folder, 'data'), 1000, 1000);
    const set = argumentOf('ENV')
      .split(' ')
      .map((each) => each.split(/=(.*)/s).slice(0, 2));
    const port = String(await freePort());
    const ports = { PORT: port, PRODUCT_PASSPORT_ADMIN_PORT: String(await freePort()) };
    environment = { PATH: process.env.PATH ?? '', ...Object.fromEntries(set), HOST: '127.0.0.1', ...ports };
    environment.PRODUCT_PASSPORT_DATABASE = here(environment.PRODUCT_PASSPORT_DATABASE ?? '');
  });

  /** Paths of the image as paths of the folder. */
  const here = (text: string) => text.replace(/^\/app(?=\/)/, app).replace(/^\/data(?=\/)/, join(folder, 'data'));

  function begin(words: string[]): ChildProcess {
    const [, ...rest] = words.map(here);
    const user = isRoot ? { uid: 1000, gid: 1000 } : {};
    return spawn(process.execPath, rest, { cwd: join(folder, 'data'), env: environment, ...user, stdio: 'ignore' });
  }

  async function codeOf(words: string[]): Promise<number> {
    const [code] = await once(begin(words), 'exit');
    return code;
  }

  async function healthy(): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if ((await codeOf(wordsOf('HEALTHCHECK'))) === 0) return;
      await setTimeout(100);
    }
    throw new Error('The server did not become healthy.');
  }

  test('the health check tells a server that runs from one that does not; a stop is clean, also that of the demo', async () => {
    const { services } = parse(await readFile(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true });
    for (const command of [wordsOf('CMD'), services.demo.command]) {
      expect(await codeOf(wordsOf('HEALTHCHECK'))).toBe(1);
      const server = begin([...wordsOf('ENTRYPOINT'), ...command]);
      await healthy();
      server.kill('SIGTERM');
      expect(await once(server, 'exit')).toEqual([0, null]);
    }
  });

  test('the data stays in the volume', async () => {
    const entry = wordsOf('ENTRYPOINT');
    const create = ['tenant', 'create', 'my-shop', '--name', 'My Shop', '--country', 'DE'];
    expect(await codeOf([...entry, ...create])).toBe(0);
    expect(await codeOf([...entry, ...create])).toBe(1); // the tenant is there
  });

  // Only root can run the program as another user. Without root, the user of the tests installed the program and may
  // change it.
  (isRoot ? test : test.skip)('the user can write to the volume, and not to the program', async () => {
    const write = (file: string) => codeOf(['node', '-e', `fs.writeFileSync('${file}', '')`]);
    expect(await write(join(folder, 'data', 'written'))).toBe(0);
    expect(await write(join(app, 'written'))).toBe(1);
  });
});

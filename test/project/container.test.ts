/**
 * Dockerfile and compose.yaml. No container engine is at hand: the tests run the commands of the image in a folder, as its
 * user where the tests may change the user.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { installPacked } from '../support/packed.ts';
import { freePort, root } from '../support/program.ts';

jest.setTimeout(240_000);

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
  let folder = '';
  let app = '';
  let environment: Record<string, string> = {};
  const isRoot = process.getuid?.() === 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'container-'));
    await chmod(folder, 0o755);
    app = (await installPacked(folder, ['openapi', 'server'])).project;
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
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
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

  test('the health check tells a server that runs from one that does not, and a stop is clean', async () => {
    expect(await codeOf(wordsOf('HEALTHCHECK'))).toBe(1);
    const server = begin([...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')]);
    await healthy();
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(await codeOf(wordsOf('HEALTHCHECK'))).toBe(1);
  });

  test('the data stays in the volume', async () => {
    const entry = wordsOf('ENTRYPOINT');
    const create = ['tenant', 'create', 'my-shop', '--name', 'My Shop', '--country', 'DE'];
    expect(await codeOf([...entry, ...create])).toBe(0);
    expect(await codeOf([...entry, ...create])).toBe(1); // the tenant is there
  });

  // Another user may write where the tests are installed, because it installed them.
  (isRoot ? test : test.skip)('the user can write to the volume, and not to the program', async () => {
    const write = (file: string) => codeOf(['node', '-e', `fs.writeFileSync('${file}', '')`]);
    expect(await write(join(folder, 'data', 'written'))).toBe(0);
    expect(await write(join(app, 'written'))).toBe(1);
  });

  test('the demo of compose.yaml starts', async () => {
    const { services } = parse(await readFile(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true });
    const server = begin([...wordsOf('ENTRYPOINT'), ...services.demo.command]);
    await healthy();
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});

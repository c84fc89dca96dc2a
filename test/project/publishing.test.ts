/** npm publishes the built SDK and no folder of this repository. The tests use a local registry. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Outcome, root, run } from '../support/program.ts';

let folder = '';
let published: string[] = [];
const registry = createServer((request, response) => {
  if (request.method === 'PUT') published.push(decodeURIComponent(request.url ?? ''));
  request.resume().on('end', () => response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}'));
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'publishing-'));
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  await writeFile(join(folder, 'npmrc'), `//127.0.0.1:${port()}/:_authToken=nothing-secret\n`);
});
beforeEach(() => {
  published = [];
});
afterAll(async () => {
  registry.close();
  await rm(folder, { recursive: true });
});

const port = (): number => (registry.address() as AddressInfo).port;

function publish(directory: string): Promise<Outcome> {
  const npmrc = { npm_config_userconfig: join(folder, 'npmrc') };
  return run(`npm publish --access public --registry http://127.0.0.1:${port()}/ ${directory}`, npmrc);
}

test('neither a workspace nor the repository itself can be published', async () => {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const links = Object.values<{ link?: boolean; resolved?: string }>(lockfile.packages).filter(({ link }) => link);
  const workspaces = links.map(({ resolved }) => `./${resolved}`);
  expect(workspaces).toEqual(expect.arrayContaining(['./contracts', './sdk', './server']));
  const refused = ['.', ...workspaces].map(async (workspace) => {
    const { code, stderr } = await publish(workspace);
    expect([workspace, code, stderr]).toEqual([workspace, 1, expect.stringContaining('EPRIVATE')]);
  });
  await Promise.all(refused);
  expect(published).toEqual([]);
});

test('the built SDK can be published', async () => {
  const built = join(folder, 'sdk');
  expect(await run(`npm run build -- ${built}`)).toMatchObject({ code: 0 });
  expect(await publish(built)).toMatchObject({ code: 0 });
  expect(published).toEqual(['/@product-passport/sdk']);
});

/** npm publishes the built packages and no folder of this repository. The tests use a local registry. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { packages } from '../../scripts/packages.ts';
import { packedByRun } from '../support/packed.ts';
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
  return run(`npm publish --registry http://127.0.0.1:${port()}/ ${directory}`, npmrc);
}

const manifestOf = async (directory: string) => JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));

test('neither a workspace nor the repository itself can be published', async () => {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const links = Object.values<{ link?: boolean; resolved?: string }>(lockfile.packages).filter(({ link }) => link);
  const workspaces = links.map(({ resolved }) => `./${resolved}`);
  expect(workspaces).toEqual(expect.arrayContaining(['./contracts', './openapi', './sdk', './server']));
  const refused = ['.', ...workspaces].map(async (workspace) => {
    const { code, stderr } = await publish(workspace);
    expect([workspace, code, stderr]).toEqual([workspace, 1, expect.stringContaining('EPRIVATE')]);
  });
  await Promise.all(refused);
  expect(published).toEqual([]);
});

test('the built packages can be published, with their siblings in the same version', async () => {
  const { build } = await packedByRun();
  const names = packages.map(({ workspace }) => `@product-passport/${workspace}`);
  expect(names).toEqual(expect.arrayContaining(['@product-passport/openapi', '@product-passport/sdk']));
  for (const { workspace } of packages) {
    expect(await publish(join(build, workspace))).toMatchObject({ code: 0 });
    const { version, dependencies } = await manifestOf(join(build, workspace));
    for (const name of names.filter((each) => each in dependencies)) expect(dependencies[name]).toBe(version);
  }
  expect(published).toEqual(names.map((name) => `/${name}`));
});

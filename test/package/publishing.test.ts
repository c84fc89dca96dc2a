/** npm publishes the built packages, and refuses the folders of this repository, which are private. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { packages } from '../../tools/packages.ts';
import { newFolder } from '../support/files.ts';
import { packedByRun } from '../support/packages.ts';
import { root, run } from '../support/program.ts';

jest.setTimeout(240_000);

const manifestOf = async (directory: string) => JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));

test('the repository and its workspaces are private', async () => {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const links = Object.values<{ link?: boolean; resolved?: string }>(lockfile.packages).filter(({ link }) => link);
  const workspaces = links.map(({ resolved }) => `./${resolved}`);
  expect(workspaces).toEqual(expect.arrayContaining(['./contracts', './openapi', './sdk', './server']));
  for (const workspace of ['.', ...workspaces]) {
    expect([workspace, (await manifestOf(join(root, workspace))).private]).toEqual([workspace, true]);
  }
});

test('the repository and all its workspaces have one version, also where they depend on each other, and no engines', async () => {
  const { workspaces } = await manifestOf(root);
  const manifests = globSync(
    workspaces.map((each: string) => `${each}/package.json`),
    { cwd: root },
  );
  const folders = ['.', ...manifests.map(dirname)];
  expect(folders).toEqual(expect.arrayContaining(['openapi', 'sdk', 'server', 'contracts', 'examples/node-script']));
  const { version } = await manifestOf(root);
  for (const each of folders) {
    const {
      name,
      engines,
      version: own = version,
      dependencies = {},
      devDependencies = {},
    } = await manifestOf(join(root, each));
    const siblings = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) =>
      dependency.startsWith('@product-passport/'),
    );
    expect([name, own, siblings]).toEqual([name, version, siblings.map(([dependency]) => [dependency, version])]);
    // npm warns of each that an older Node does not meet. The checkout brings its Node with it.
    expect([name, engines]).toEqual([name, undefined]);
  }
});

test('the built packages name their siblings in the same version and the Node that they need', async () => {
  const { build } = await packedByRun();
  const names = packages.map(({ workspace }) => `@product-passport/${workspace}`);
  expect(names).toEqual(expect.arrayContaining(['@product-passport/openapi', '@product-passport/sdk']));
  for (const { workspace } of packages) {
    const { version, dependencies, engines } = await manifestOf(join(build, workspace));
    expect([workspace, engines]).toEqual([workspace, { node: workspace === 'sdk' ? '>=20' : '>=22.12' }]);
    for (const name of names.filter((each) => each in dependencies)) expect(dependencies[name]).toBe(version);
  }
});

describe('the publishing workflow', () => {
  interface Step {
    run?: string;
  }
  let commands: string[] = [];
  beforeAll(async () => {
    const { jobs } = parse(await readFile(join(root, '.github/workflows/publish.yml'), 'utf8'));
    commands = jobs.publish.steps.flatMap(({ run: command }: Step) => command ?? []);
  });

  test('publishes every package with provenance, after the packages that it depends on', async () => {
    const published: string[] = [];
    for (const command of commands.filter((each) => each.startsWith('npm publish'))) {
      const [, workspace = ''] = /^npm publish --provenance --access public \.\/(\w+)\/dist$/.exec(command) ?? [];
      const { name, dependencies } = await manifestOf(join(root, workspace));
      const siblings = Object.keys(dependencies).filter((each) => each.startsWith('@product-passport/'));
      expect(published).toEqual(expect.arrayContaining(siblings));
      published.push(name);
    }
    expect(published.sort()).toEqual(packages.map(({ workspace }) => `@product-passport/${workspace}`).sort());
  });

  test('builds manifests with the repository, without which npm refuses provenance', async () => {
    const folder = newFolder();
    const build = commands.find((command) => command.startsWith('npm run build')) ?? '';
    const environment = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'someone/kit' };
    expect(await run(`${build} --to ${folder} openapi`, environment)).toMatchObject({ code: 0 });
    expect(await manifestOf(join(folder, 'openapi'))).toMatchObject({
      homepage: 'https://github.com/someone/kit#readme',
      bugs: 'https://github.com/someone/kit/issues',
      repository: { type: 'git', url: 'git+https://github.com/someone/kit.git', directory: 'openapi' },
    });
  });
});

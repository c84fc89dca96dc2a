/**
 * The page "From tarballs to production", block by block. The folders of the host are in a folder of the test, which starts
 * the command of the unit in place of systemd, and has the tarballs that the run has packed.
 */
import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { newPostgresDatabase } from '../support/database.ts';
import { newFolder } from '../support/files.ts';
import { installed, installPacked, packedByRun } from '../support/packages.ts';
import { freePort, type Running, root, run, start } from '../support/program.ts';

jest.setTimeout(240_000);

const page = await readFile(join(root, 'docs/how-to/production.md'), 'utf8');
const blocks = Array.from(page.matchAll(/(<!-- not run[^\n]*-->\n\n)?^```sh\n(.*?)^```$/gms)).flatMap(
  ([, mark, lines]) => (mark === undefined ? [lines ?? ''] : []),
);
const [pack = '', ...onHost] = blocks;
const choosesPostgres = />> \/etc\/product-passport\/environment/;

/** The folders of a host, which are in a folder of the test. */
interface Host {
  readonly folder: string;
  readonly port: number;
  readonly admin: number;
  readonly environment: Record<string, string>;
  /** The folder in which commands run. */
  cwd: string;
}

let server: Running | undefined;
afterEach(async () => void (await server?.stop()));

/** A text with the host's paths as those of the folder. */
const pathsOn = ({ folder }: Host, text: string): string =>
  text.replaceAll(/(?<=^|[\s'(])(?=\/(?:opt|etc|var\/lib)\/)/gm, folder);

async function newHost(): Promise<Host> {
  const folder = newFolder();
  const [port, admin] = await Promise.all([freePort(), freePort()]);
  const node = join(await installed(['node@22.12.0']), 'node_modules/node/bin');
  const path = [join(folder, 'bin'), node, process.env.PATH].join(delimiter);
  const quietly = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const folders = ['bin', 'checkout/dist', 'etc/systemd/system', 'var/lib/product-passport', 'opt'];
  await Promise.all(folders.map((name) => mkdir(join(folder, name), { recursive: true })));
  // The user of the server is that of the test.
  await writeFile(join(folder, 'bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
  await symlink(join(root, 'deploy'), join(folder, 'checkout/deploy'));
  // In an empty folder the command of the page would download. There, the run has installed the same tarballs.
  await installPacked(join(folder, 'opt'), 'server');
  await rename(join(folder, 'opt/project'), join(folder, 'opt/product-passport'));
  return { folder, cwd: folder, port, admin, environment: { PATH: path, NODE_OPTIONS: '', ...quietly } };
}

/** Packs what the run has built, as if a version came from the checkout, and copies it to the host. */
async function release({ folder, environment }: Host, version: string): Promise<void> {
  const { build } = await packedByRun();
  const checkout = join(folder, 'checkout');
  for (const name of ['openapi', 'server']) {
    const to = join(checkout, 'dist/build', name);
    await cp(join(build, name), to, { recursive: true });
    const manifest = JSON.parse(await readFile(join(to, 'package.json'), 'utf8'));
    manifest.version = version;
    if (name === 'server') manifest.dependencies['@product-passport/openapi'] = version;
    await writeFile(join(to, 'package.json'), JSON.stringify(manifest));
  }
  const [install, builds, ...lines] = pack.trim().split('\n');
  expect([install, builds]).toEqual(['npm ci', 'npm run build -- openapi server --to dist/build']);
  expect(await run(lines.join(' && '), environment, checkout)).toMatchObject({ code: 0 });
  await rename(join(checkout, 'dist/release'), join(folder, `release-${version}`));
}

/** Starts the command of the unit with its variables, as systemd does. */
async function startUnit(host: Host): Promise<void> {
  const { folder, environment } = host;
  const unit = await readFile(join(folder, 'etc/systemd/system/product-passport.service'), 'utf8');
  const valuesOf = (name: string) =>
    Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value);
  const [command = ''] = valuesOf('ExecStart');
  const [file = ''] = valuesOf('EnvironmentFile');
  const ports = `PORT=${host.port} PRODUCT_PASSPORT_ADMIN_PORT=${host.admin}`;
  const program = `exec ${command.replace('/usr/bin/', '')}`;
  const lines = ['set -ae', ...valuesOf('Environment'), `. ${file.replace('-', '')}`, ports, program];
  const script = join(folder, 'start');
  await writeFile(script, pathsOn(host, lines.join('\n')));
  server = await start(`bash ${script}`, /Ready in/, environment, join(folder, 'var/lib/product-passport'));
}

/** Runs commands, or does what systemd does for them. Returns what they printed. */
async function runPart(host: Host, part: string, postgres: string): Promise<string> {
  if (part === 'systemctl daemon-reload') return '';
  if (/^systemctl (?:enable --now|start) product-passport$/.test(part)) {
    await startUnit(host);
    return '';
  }
  if (part === 'systemctl stop product-passport') {
    expect(await server?.stop()).toBe(0);
    return '';
  }
  const lines = pathsOn(host, part)
    .replace('postgres://passport:secret@127.0.0.1:5432/passport', postgres)
    .replaceAll(':9090', `:${host.admin}`)
    .replaceAll(':3000', `:${host.port}`);
  const { code, stdout, stderr } = await run(`set -e\n${lines}`, host.environment, host.cwd);
  expect([part, code, code === 0 ? '' : stderr]).toEqual([part, 0, '']);
  return stdout;
}

/** Follows blocks of the page on a host. Returns the version of the server, the names of its files, and what was printed. */
async function follow(steps: readonly string[], postgres: string): Promise<string[]> {
  const host = await newHost();
  const printed: string[] = [];
  for (const block of steps) {
    const [, version] = /^cd release-(\S+)\n/.exec(block) ?? [];
    if (version !== undefined) {
      await release(host, version);
      host.cwd = join(host.folder, `release-${version}`);
    }
    const commands = block.replace(/^cd .*\n/, '');
    for (const part of commands.split(/^(systemctl .*)\n/m)) printed.push(await runPart(host, part, postgres));
  }
  await server?.stop();
  const modules = join(host.folder, 'opt/product-passport/node_modules');
  const manifest = await readFile(join(modules, '@product-passport/server/package.json'), 'utf8');
  const files = (await readdir(join(host.folder, 'var/lib/product-passport'))).map((name) =>
    name.replace(/\d{4}-\d\d-\d\d/, 'DATE'),
  );
  return [JSON.parse(manifest).version, ...files.sort(), printed.join('')];
}

test('a host is installed, backed up and upgraded on SQLite, and begins again on PostgreSQL', async () => {
  const onSqlite = onHost.filter((block) => !choosesPostgres.test(block));
  const start = onSqlite.findIndex((block) => block.includes('systemctl enable'));
  // The backup of the night exists already.
  const again = [...onHost.filter((block) => choosesPostgres.test(block)), ...onSqlite.slice(start, -2)];
  const steps = [...onSqlite, 'systemctl stop product-passport\n', ...again];
  expect(await follow(steps, await newPostgresDatabase())).toEqual([
    '0.1.1',
    'before-0.1.1.backup',
    'nightly-DATE.backup',
    'product-passport.sqlite',
    expect.stringMatching(/"ready".*"slug":"my-shop".*"ready".*"ready".*"slug":"my-shop"/s),
  ]);
});

/**
 * `npm run test:runtimes`: runs the same calls of the packed SDK against a reference server in every supported runtime.
 * npm installs a runtime on first use into a folder below the system's temporary folder. Arguments select runtimes:
 * `npm run test:runtimes -- node-20 bun`. A runtime that does not start counts as a failure.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launchBrowser } from '../support/browser.ts';
import { install, installed, pack } from '../support/packages.ts';
import { announcement, freePort, root, start } from '../support/program.ts';

const execute = promisify(execFile);
const say = (line: string) => process.stderr.write(`${line}\n`);

interface Target {
  baseUrl: string;
  siteUrl: string;
  apiKey: string;
  nowhere: string;
}

interface Result {
  ran: number;
  failures: string[];
}

/** A way to run the suite in a runtime: its name and its function. */
interface Way {
  name: string;
  run(project: string, target: Target): Promise<Result>;
}

/** The folder of packages, which are installed first if they are missing. */
const folderOf = (...packages: string[]) => installed(packages, () => say(`     installs ${packages.join(' ')}`));

/** Runs a program of the project and parses the result that it prints. */
async function printed(project: string, target: Target, command: string, ...words: string[]): Promise<Result> {
  const { stdout } = await execute(command, [...words, JSON.stringify(target)], { cwd: project, timeout: 120_000 });
  return JSON.parse(stdout);
}

async function versionOf(command: string): Promise<string> {
  const { stdout } = await execute(command, ['--version']);
  return /\d[\w.-]+/.exec(stdout)?.[0] ?? stdout.trim();
}

/** A runtime that loads the packages from npm, in both module formats. */
async function withModules(name: string, command: string, ...words: string[]): Promise<Way[]> {
  const version = await versionOf(command);
  return ['mjs', 'cjs'].map((format) => ({
    name: `${name} ${version}, ${format === 'mjs' ? 'ES modules' : 'CommonJS'}`,
    run: (project, target) => printed(project, target, command, ...words, `main.${format}`),
  }));
}

async function node(version: string): Promise<Way[]> {
  const folder = await folderOf(`node@${version}`);
  return withModules('Node', join(folder, 'node_modules/node/bin/node'));
}

async function bundle(project: string): Promise<void> {
  const esbuild = join(await folderOf('esbuild@0.28.2'), 'node_modules/.bin/esbuild');
  await execute(esbuild, ['main.mjs', '--bundle', '--format=esm', '--outfile=bundle.mjs'], { cwd: project });
}

/** Sends a request until the server listens, because workerd does not report it. */
async function fetchWhenListening(url: string, init: RequestInit): Promise<Response> {
  for (let waited = 0; ; waited += 100) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (waited > 20_000) throw error;
      await setTimeout(100);
    }
  }
}

async function workerd(): Promise<Way[]> {
  const command = join(await folderOf('workerd@1.20261117.1'), 'node_modules/.bin/workerd');
  const run = async (project: string, target: Target): Promise<Result> => {
    await bundle(project);
    const port = await freePort();
    const config = join(project, 'worker.capnp');
    await writeFile(
      config,
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
    );
    const server = spawn(command, ['serve', config], { stdio: ['ignore', 'inherit', 'inherit'] });
    try {
      const request = { method: 'POST', body: JSON.stringify(target) };
      const response = await fetchWhenListening(`http://127.0.0.1:${port}/`, request);
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Result;
    } finally {
      server.kill();
    }
  };
  return [{ name: `workerd ${await versionOf(command)}, bundled`, run }];
}

const types: Record<string, string> = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.html': 'text/html' };

/** Serves the files of the project from another origin than the service, and runs the bundled suite in a page. */
async function bundledPage(project: string, target: Target): Promise<Result> {
  await bundle(project);
  await writeFile(join(project, 'page.html'), '<!doctype html><script type="module" src="/bundle.mjs"></script>');
  const files = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const bytes = await readFile(join(project, pathname)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(bytes);
  });
  await once(files.listen(0, '127.0.0.1'), 'listening');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(files.address() as AddressInfo).port}/page.html`);
    await page.waitForFunction('globalThis.runSuite !== undefined');
    return await page.evaluate(`globalThis.runSuite(${JSON.stringify(target)})`);
  } finally {
    files.close();
    files.closeAllConnections();
    await browser.close();
  }
}

async function chromium(): Promise<Way[]> {
  const first = await launchBrowser();
  const version = first.version();
  await first.close();
  return [{ name: `Chromium ${version}, bundled, public side only`, run: bundledPage }];
}

const runtimes: Record<string, () => Promise<Way[]>> = {
  'node-20': () => node('20.20.2'),
  'node-22': () => node('22.23.3'),
  'node-24': () => withModules('Node', process.execPath),
  'node-26': () => node('26.10.0'),
  bun: async () => withModules('Bun', join(await folderOf('bun@1.4.5'), 'node_modules/.bin/bun')),
  deno: async () =>
    withModules(
      'Deno',
      join(await folderOf('deno@2.9.6'), 'node_modules/.bin/deno'),
      'run',
      '--allow-net',
      '--allow-env',
      '--allow-read',
    ),
  workerd,
  chromium,
};

function chosen(): string[] {
  const selected = process.argv.slice(2);
  const unknown = selected.filter((name) => !(name in runtimes));
  if (unknown.length === 0) return selected.length > 0 ? selected : Object.keys(runtimes);
  say(`There is no runtime ${unknown.join(', ')}. There are ${Object.keys(runtimes).join(', ')}.`);
  process.exit(2);
}

/** Prints each failure and the line of the report. */
async function report(name: string, run: () => Promise<Result>): Promise<boolean> {
  const { ran, failures } = await run().catch((error) => ({
    ran: 0,
    failures: [`did not run: ${error?.stack ?? error}`],
  }));
  const ok = failures.length === 0 && ran > 0;
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${Math.max(ran - failures.length, 0)} of ${ran} calls\n`);
  for (const failure of failures) process.stdout.write(`     ${failure.replaceAll('\n', '\n       ')}\n`);
  return ok;
}

const names = chosen();
const folder = await mkdtemp(join(tmpdir(), 'sdk-runtimes-'));
const command = `node ${join(root, 'server/src/cli/main.ts')} serve --demo --json --port 0 --database :memory:`;
const server = await start(command, /\}\n/);
let broken = 0;
try {
  const { project } = await install(folder, await pack(folder), ['sdk']);
  for (const file of ['suite.mjs', 'main.mjs', 'main.cjs']) {
    await cp(join(root, 'test/runtimes', file), join(project, file));
  }
  const { base_url: baseUrl, site_url: siteUrl, tenants } = announcement(server.said());
  const nowhere = `http://127.0.0.1:${await freePort()}/api/v1`;
  const target = { baseUrl, siteUrl, apiKey: tenants.find(({ slug }) => slug === 'skellig')?.api_key ?? '', nowhere };
  for (const name of names) {
    const ways = await runtimes[name]?.().catch((error) => [{ name, run: () => Promise.reject(error) }]);
    for (const way of ways ?? []) if (!(await report(way.name, () => way.run(project, target)))) broken += 1;
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
say(broken === 0 ? 'all runtimes passed' : `${broken} failed`);
process.exitCode = broken === 0 ? 0 : 1;

/** `serve --sandbox`: where it starts, where it refuses to, and what it prints. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { connectSandbox } from '../../../server/src/testing.ts';
import { runHere, type Serving, serveHere } from '../../support/command.ts';
import { newPostgresDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { root, run } from '../../support/program.ts';
import { rejection } from '../../support/thrown.ts';

const folder = newFolder();
let serving: Serving[] = [];

afterEach(async () => {
  await Promise.all(serving.map((server) => server.stop()));
  serving = [];
});

interface Printed {
  base_url: string;
  site_url: string;
  control_token: string;
  state_url: string;
  tenants: { slug: string; api_key: string }[];
}

async function served(options: string): Promise<Printed> {
  const server = await serveHere(`product-passport serve --json --port 0 ${options}`, /\}\n/);
  serving.push(server);
  return JSON.parse(server.said());
}

const connected = ({ base_url, control_token }: Printed) =>
  connectSandbox({ baseUrl: base_url, controlToken: control_token });

async function productsOf(baseUrl: string, key: string): Promise<number> {
  const me = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
  return (await me.json()).products_total;
}

describe('a sandbox starts', () => {
  test('in memory, and prints its control token and its state endpoint', async () => {
    const printed = await served('--sandbox');
    expect(printed).toMatchObject({ tenants: [], control_token: expect.stringMatching(/^sandbox_[\w-]{43}$/) });
    expect(printed.state_url).toBe(`${printed.site_url}/_sandbox/pact/states?control_token=${printed.control_token}`);
    const { apiKey } = await connected(printed).createTenant();
    expect(await productsOf(printed.base_url, apiKey)).toBe(0);
  });

  test.each(['GET', 'HEAD'])(
    'and answers %s /healthz without a key, so that a program can wait for it',
    async (method) => {
      const { site_url } = await served('--sandbox');
      expect(await fetch(`${site_url}/healthz`, { method })).toMatchObject({ status: 200 });
    },
  );

  test('and prints a command that creates a tenant', async () => {
    const server = await serveHere('product-passport serve --sandbox --port 0', /Ready in/);
    serving.push(server);
    const [curl = ''] = /curl .*/.exec(server.said()) ?? [];
    const { stdout } = await run(`${curl} --silent`);
    expect(JSON.parse(stdout)).toMatchObject({ api_key: expect.stringMatching(/^ppk_/), country: 'DE' });
  });

  test('in a new file, and again with the data of that file', async () => {
    const file = join(folder, 'sandbox.sqlite');
    const { apiKey, seed } = await connected(await served(`--sandbox --database ${file}`)).createTenant();
    await seed([{ name: 'Tasse' }]);
    await serving.pop()?.stop();
    const again = await served(`--sandbox --database ${file}`);
    expect(await productsOf(again.base_url, apiKey)).toBe(1);
  });

  test('with the tenants of the demo', async () => {
    const printed = await served('--sandbox --demo');
    expect(printed.tenants.map(({ slug }) => slug)).toEqual(['nordlicht', 'atelier-lumiere']);
    expect(await productsOf(printed.base_url, printed.tenants[0]?.api_key ?? '')).toBe(15);
    expect(existsSync(join(root, 'demo.sqlite'))).toBe(wasThere);
  });
});

const wasThere = existsSync(join(root, 'demo.sqlite'));

describe('a sandbox does not start', () => {
  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '128.0.0.1'])('on %s', async (host) => {
    const message = `a sandbox listens only on this machine's own address, not on ${host}. Use 127.0.0.1.`;
    const refused = await runHere(`product-passport serve --sandbox --port 0 --host ${host}`);
    expect(refused).toEqual({ code: 2, stdout: '', stderr: `product-passport: ${message}\n` });
    const database = await openDatabase(':memory:', { sandbox: true });
    ending.defer(() => database.destroy());
    const embedded = () => createApp({ database, host, sandbox: { controlToken: 'token' } });
    expect(await rejection(embedded)).toMatchObject({ message });
  });

  test('on a file that it did not create, which stays as it was', async () => {
    const ordinary = join(folder, 'ordinary.sqlite');
    await runHere(`product-passport tenant create shop --name Shop --country DE --database ${ordinary}`);
    const demo = join(folder, 'demo.sqlite');
    await (await openDatabase(demo, { demo: true })).destroy();
    const text = join(folder, 'text.sqlite');
    await writeFile(text, 'Not a database, but somebody needs it.'.repeat(100));
    for (const file of [ordinary, demo, text]) {
      const before = await readFile(file);
      const refused = await runHere(`product-passport serve --sandbox --port 0 --database ${file}`);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/was not created by a sandbox, so it was not changed|is not a SQLite database/);
      expect(await readFile(file)).toEqual(before);
    }
  });

  test('on a file that the environment names and that it did not create', async () => {
    const file = join(folder, 'shop.sqlite');
    await (await openDatabase(file)).destroy();
    const refused = await runHere('product-passport serve --sandbox --port 0', { PRODUCT_PASSPORT_DATABASE: file });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Use --database :memory:') });
  });

  test('on PostgreSQL', async () => {
    const address = await newPostgresDatabase();
    const refused = await runHere(`product-passport serve --sandbox --port 0 --database ${address}`);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot hold a sandbox, which supports only SQLite. Use --database :memory:/),
    });
    const database = await openDatabase(address);
    ending.defer(() => database.destroy());
    expect(await rejection(() => createApp({ database, sandbox: { controlToken: 'token' } }))).toMatchObject({
      message: expect.stringContaining('A sandbox needs a database that it created'),
    });
  });

  test('in a program with a database that was not opened for it', async () => {
    const database = await openDatabase(':memory:');
    ending.defer(() => database.destroy());
    expect(await rejection(() => createApp({ database, sandbox: { controlToken: 'token' } }))).toMatchObject({
      message: 'A sandbox needs a database that it created: open it with `openDatabase(address, { sandbox: true })`.',
    });
  });
});

test('without the option, its paths get the same response as every unknown path', async () => {
  const { site_url } = await served('--demo --database :memory:');
  const init = { method: 'POST', headers: { authorization: 'Bearer token' } };
  const ask = async (path: string) => {
    const response = await fetch(site_url + path, init);
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, body: await response.text() };
  };
  const unknown = await ask('/nowhere');
  expect(unknown).toMatchObject({ status: 404 });
  for (const path of ['/_sandbox', '/_sandbox/tenants', '/_sandbox/pact/states'])
    expect(await ask(path)).toEqual(unknown);
});

test('a script that only connects to a sandbox does not load the server', async () => {
  const script = `
    import { createRequire } from 'node:module';
    import '@product-passport/server/testing';
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify(loaded.filter((file) => file.includes('node_modules'))));
  `;
  const { stdout } = await run(`node --input-type=module -e "$SCRIPT"`, { SCRIPT: script });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('a script that does not stop its sandbox leaves no process behind', async () => {
  const script = `
    import { spawn } from 'node:child_process';
    import { connectSandbox } from '@product-passport/server/testing';
    const command = 'product-passport serve --sandbox --json --port 0 --stop-with-stdin'.split(' ');
    const server = spawn('npx', command, { stdio: ['pipe', 'pipe', 'inherit'] });
    const { value } = await server.stdout[Symbol.asyncIterator]().next();
    const { base_url: baseUrl, control_token: controlToken } = JSON.parse(value);
    const tenant = await connectSandbox({ baseUrl, controlToken }).createTenant();
    const seeded = await tenant.seed([{ name: 'Tasse', status: 'active' }]);
    console.log(JSON.stringify({ baseUrl, seeded: seeded.length }));
    process.exit(0);
  `;
  // In the checkout, so that it finds the package.
  const file = join(root, 'test/server/sandbox', `script-${process.pid}.mjs`);
  await writeFile(file, script);
  ending.defer(() => rm(file));
  // It leads a process group, which npx and the server join.
  const child = spawn('node', [file], { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const chunk of child.stdout) said += String(chunk);
  const { baseUrl, seeded } = JSON.parse(said);
  expect(seeded).toBe(1);
  const group = `ps -A -o pgid= -o stat= | awk '$1 == ${child.pid} && $2 !~ /^Z/'`;
  const { stdout } = await run(`for _ in $(seq 100); do [ -z "$(${group})" ] && break; sleep 0.1; done; ${group}`);
  expect(stdout).toBe('');
  await expect(fetch(baseUrl)).rejects.toThrow('fetch failed');
});

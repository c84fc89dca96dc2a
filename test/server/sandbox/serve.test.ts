import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createApp, openDatabase } from '../../../server/src/index.ts';
import { connectSandbox } from '../../../server/src/testing.ts';
import { runHere, type Serving, serveHere } from '../../support/command.ts';
import { newPostgresDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { root, run } from '../../support/program.ts';
import { rejection } from '../../support/thrown.ts';
import { sharedHeaders } from '../../support/wire.ts';

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
    expect(printed.tenants.map(({ slug }) => slug)).toEqual(['skellig', 'nordlicht', 'atelier-lumiere']);
    expect(await productsOf(printed.base_url, printed.tenants[0]?.api_key ?? '')).toBe(9);
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
});

test('without the option, its paths get the same response as every unknown path', async () => {
  const { site_url } = await served('--demo --database :memory:');
  const init = { method: 'POST', headers: { authorization: 'Bearer token' } };
  const ask = async (path: string) => {
    const response = await fetch(site_url + path, init);
    const headers = sharedHeaders(Object.fromEntries(response.headers));
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

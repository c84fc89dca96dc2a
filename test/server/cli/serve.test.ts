import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { runHere, type Serving, serveHere } from '../../support/command.ts';
import { ending, newFolder } from '../../support/files.ts';
import { type Announcement, announcement, type Running, root, run, start } from '../../support/program.ts';

const directory = newFolder();
let running: (Running | Serving)[] = [];

afterEach(async () => {
  await Promise.all(running.map((program) => program.stop()));
  running = [];
});

/** Ends what a child started in its process group, if anything is left of it. */
async function killGroup({ pid }: ChildProcess): Promise<void> {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
  }
}

async function serve(line: string): Promise<Announcement & { program: Serving }> {
  const program = await serveHere(`product-passport serve --json --port 0 ${line}`, /\}\n/);
  running.push(program);
  return { ...announcement(program.said()), program };
}

async function get(listening: Announcement, path: string, key = listening.tenants[0].api_key): Promise<Response> {
  return fetch(listening.base_url + path, { headers: { authorization: `Bearer ${key}` } });
}

interface DemoProduct extends Record<string, unknown> {
  tenant_slug: string;
  status: string;
  scan_weights: Record<string, number>;
}

describe('serve --demo', () => {
  test('serves the demo data with the expected completeness, scans of the last weeks, and access tokens', async () => {
    const listening = await serve('--demo --database :memory:');
    const demo: DemoProduct[] = JSON.parse(
      await readFile(join(root, 'server/data/demo_products.json'), 'utf8'),
    ).products;
    for (const { slug, api_key } of listening.tenants) {
      const { items } = await (await get(listening, '/products?limit=200', api_key)).json();
      const members = ['slug', 'name', 'gtin', 'status', 'registry_status', 'unique_product_identifier'];
      const expected = demo
        .filter(({ tenant_slug }) => tenant_slug === slug)
        .map((product) => ({
          ...Object.fromEntries(members.map((member) => [member, product[member]])),
          // The demo has no due diligence report, which batteries need from 18 August 2027 on.
          completeness: product.product_group === 'battery' ? expect.any(Number) : product.expected_completeness,
        }));
      expect(items).toMatchObject(expected);
    }
    const scans = await (await get(listening, '/analytics/scans?days=28')).json();
    const scanned = demo.filter(({ tenant_slug, status }) => tenant_slug === 'skellig' && status !== 'draft');
    const weightOf = (role: string) => scanned.reduce((sum, { scan_weights }) => sum + (scan_weights[role] ?? 0), 0);
    const roles = ['consumer', 'inspector', 'recycler'];
    expect(scans.by_view_role).toEqual(Object.fromEntries(roles.map((role) => [role, weightOf(role)])));
    expect(scans.top_products[0]).toMatchObject({ slug: 'smartphone-skye-9' });
    expect(scans.per_day.filter(({ count }: { count: number }) => count > 0).length).toBeGreaterThan(20);

    expect((await get(listening, '/me', listening.revoked_api_key)).status).toBe(401);
    const page = `${listening.site_url}/p/skellig/merino-jumper-inis`;
    const opened = listening.access_tokens.map(async ({ role, revoked, token }) => {
      const text = await (await fetch(`${page}?zugang=${token}`)).text();
      return [role, revoked, text.includes('supply_chain_actors')];
    });
    expect(await Promise.all(opened)).toEqual([
      ['inspector', false, true],
      ['recycler', false, true],
      ['recycler', true, false],
      // They open products of another tenant, or another product.
      ['inspector', false, false],
      ['recycler', false, false],
      ['recycler', false, false],
    ]);

    const battery = `${listening.site_url}/p/skellig/e-bike-battery-sprint-625/jsonld`;
    const recycler = listening.access_tokens.find(({ role, revoked }) => role === 'recycler' && !revoked)?.token;
    const { 'dpp:measurement': measured } = await (await fetch(`${battery}?zugang=${recycler}`)).json();
    const capacities = measured.filter(
      ({ variableMeasured }: Record<string, unknown>) => variableMeasured === 'remaining_capacity',
    );
    expect(capacities.map(({ observationDate, value }: Record<string, unknown>) => [observationDate, value])).toEqual([
      ['2026-05-12', 17.4],
      ['2026-07-14', 17.2],
      ['2026-09-15', 17],
    ]);
    expect(await (await fetch(battery)).json()).not.toHaveProperty('dpp:measurement');
  });
});

describe('serve', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGQUIT'] as const)(
    'finishes a running request on %s, and exits with 0',
    async (signal) => {
      const file = join(directory, `${signal}.sqlite`);
      const program = await start(`product-passport serve --demo --json --port 0 --database ${file}`, /\}\n/);
      running.push(program);
      const { base_url, tenants } = announcement(program.said());
      const { port } = new URL(base_url);
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      const body = JSON.stringify({ name: 'Halb gesendet' });
      const head = `POST /api/v1/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenants[0]?.api_key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`;
      socket.write(head);
      // The server has accepted the request: it sends 100 Continue.
      await once(socket, 'data');
      const ended = program.stop(signal);
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(body);
      await once(socket, 'close');
      expect(answer).toMatch(/HTTP\/1\.1 200 OK/);
      expect(await ended).toBe(0);
      const listed = await runHere(`product-passport product list --tenant skellig --database ${file} --json`);
      expect(listed.stdout).toContain('halb-gesendet');
    },
  );

  test('without a terminal SIGHUP and SIGUSR2 are lines in the log; a terminal that closes stops it', async () => {
    const line = 'serve --database :memory: --json --port 0';
    const program = await start(`product-passport ${line}`, /\}\n/);
    running.push(program);
    const { site_url } = announcement(program.said());
    for (const signal of ['SIGHUP', 'SIGUSR2', 'SIGHUP'] as const) {
      const seen = (): number => program.logged().split(`${signal} has no effect`).length;
      const before = seen();
      process.kill(program.child.pid ?? 0, signal);
      while (seen() === before) await setTimeout(20);
    }
    expect((await fetch(`${site_url}/api/v1/me`)).status).toBe(401);
    expect(await program.stop()).toBe(0);

    // The kernel sends the first SIGHUP, and a shell would send another one. An accepted request keeps the server from
    // ending in between: at the very end Node no longer handles signals.
    const [log, script] = [join(directory, 'terminal.log'), join(directory, 'terminal.py')];
    const shell = `exec product-passport ${line} --demo --log-level info 2>${log}`;
    await writeFile(
      script,
      `import json, os, pty, socket, time
pid, terminal = pty.fork()
if pid == 0: os.execvp('sh', ['sh', '-c', '${shell}'])
said = b''
while b'\\n' not in said: said += os.read(terminal, 4096)
shop = json.loads(said)
key, port = shop['tenants'][0]['api_key'], int(shop['site_url'].split(':')[-1])
client = socket.create_connection(('127.0.0.1', port))
head = ['POST /api/v1/products HTTP/1.1', 'Host: x', 'Authorization: Bearer ' + key, 'Content-Type: application/json',
        'Content-Length: 12', 'Expect: 100-continue']
client.sendall('\\r\\n'.join(head + ['', '']).encode())
assert b'100 Continue' in client.recv(4096)
os.close(terminal)
while 'server stopping' not in open('${log}').read(): time.sleep(0.02)
os.kill(pid, 1)
client.sendall(b'{"name":"A"}')
print(client.recv(4096).split()[1].decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`,
    );
    expect(await run(`python3 ${script}`)).toMatchObject({ stdout: '200 0\n' });
  });

  test('the young generation of V8 has 8 MiB again after V8 has shrunk it', async () => {
    const preloaded = join(directory, 'young.cjs');
    // On a signal it lets V8 shrink the young generation, allocates 40 MB, and prints the sizes in MiB.
    await writeFile(
      preloaded,
      `const v8 = require('node:v8');
      v8.setFlagsFromString('--expose-gc');
      const collect = require('node:vm').runInNewContext('gc');
      const { setTimeout, setImmediate } = require('node:timers/promises');
      const size = () => {
        const { space_used_size, space_available_size } =
          v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
        return Math.round((space_used_size + space_available_size) / 1024 / 1024);
      };
      process.once('SIGUSR2', async () => {
        const sizes = [];
        for (; size() > 1; collect()) await setTimeout(50);
        sizes.push(size());
        for (let turn = 0, kept = []; turn < 2000; turn++, await setImmediate()) {
          for (let index = 0; index < 200; index++) kept.push({ index, more: [index, { turn }] });
          if (kept.length > 4000) kept = [];
        }
        sizes.push(size());
        console.error('sizes: ' + sizes);
      });`,
    );
    const line = 'product-passport serve --json --port 0 --database :memory: --log-level warn';
    const program = await start(line, /\}\n/, { NODE_OPTIONS: `--require=${preloaded}` });
    running.push(program);
    process.kill(program.child.pid ?? 0, 'SIGUSR2');
    while (!program.logged().includes('sizes')) await setTimeout(20);
    expect(program.logged()).toContain('sizes: 1,8\n');
  });

  test('stores its public address, which commands then use, and warns of another one', async () => {
    const database = join(directory, 'served.sqlite');
    const command = async (line: string) => runHere(`product-passport ${line} --database ${database}`);
    await command("tenant create shop --name 'Shop' --country DE");
    await command('product create cup --name Cup --gtin 9520001000010');
    const start = async (line: string) => {
      const server = await serveHere(`product-passport serve --port 0 --database ${database} ${line}`, /Ctrl\+C/);
      await server.stop();
      return server;
    };
    const first = await start('--demo --log-level info --site-url https://passport.example');
    expect(first.said()).toContain('It has data already, so --demo loaded nothing.');
    expect(first.logged()).not.toContain('--site-url');
    for (const line of ['carrier add cup --type qr', 'product show cup']) {
      expect((await command(line)).stdout).toContain('https://passport.example/01/09520001000010');
    }
    const own = await command('carrier list cup --site-url https://own.example');
    expect(own.stdout).toContain('https://own.example/01/');
    const second = await start('--site-url https://other.example');
    expect(second.logged()).toContain('--site-url was https://passport.example before');
    const { id } = JSON.parse((await command('key create --json')).stdout);
    const third = await start('');
    expect(third.logged()).toMatch(
      /The database has https:\/\/other\.example; this start uses http:\/\/127\.0\.0\.1:\d+\. Add --site-url https:/,
    );
    // The first steps are done while a tenant has a valid key.
    expect(third.said()).not.toContain('key create');
    await command(`key revoke ${id}`);
    expect((await start('')).said()).toContain('  product-passport key create --tenant shop --database ');
  });

  test('prints short addresses of the pages for roles, on this machine alone', async () => {
    const serve = 'product-passport serve --demo --port 0 --database :memory:';
    const program = await serveHere(serve, /Ready in/);
    running.push(program);
    const [, recycler = ''] = /^ {2}Recycler {2}(http:\S+\/demo\/recycler)$/m.exec(program.said()) ?? [];
    expect(program.said()).toMatch(/^ {2}Inspector http:\S+\/demo\/inspector$/m);
    const redirect = await fetch(recycler, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/p\/skellig\/e-bike-battery-sprint-625\?zugang=ey/),
    ]);
    expect(await (await fetch(recycler)).text()).toContain('remaining_capacity');
    const elsewhere = await serveHere(`${serve} --site-url https://passport.example`, /Ready in/);
    running.push(elsewhere);
    const [, local = ''] = /(http:\S+)\/docs/.exec(elsewhere.said()) ?? [];
    expect(elsewhere.said()).not.toContain('/demo/');
    expect((await fetch(`${local}/demo/recycler`)).status).toBe(404);
  });
});

describe('started by npm', () => {
  const memory = '--port 0 --database :memory:';

  /** Starts a command, and sends SIGTERM to npm alone, as a supervisor does. */
  async function withoutNpm(command: string, ready: RegExp): Promise<Running> {
    const program = await start(command, ready);
    ending.defer(() => killGroup(program.child));
    const ended = once(program.child, 'exit');
    program.child.kill('SIGTERM');
    await ended;
    return program;
  }

  // Its output closes once everything that writes to it has ended.
  test.each([
    [`npx product-passport serve ${memory}`, /Ready in/, '"reason":"npm ended"'],
    [`npm start -- ${memory}`, /Ready in/, ''],
    ['npx product-passport-contracts verify proxy --upstream http://127.0.0.1:1', /Press Ctrl/, 'incomplete'],
    ['npx product-passport-contracts verify client --serve', /Press Ctrl/, 'incomplete'],
  ])('%s ends with npm', async (command, ready, lastWords) => {
    const program = await withoutNpm(command, ready);
    await program.end();
    expect(program.said() + program.logged()).toContain(lastWords);
  });

  test('--keep-running goes on without npm', async () => {
    const command = `npx product-passport serve --sandbox --json --port 0 --keep-running`;
    const program = await withoutNpm(command, /\}\n/);
    await setTimeout(2500);
    expect((await fetch(`${announcement(program.said()).site_url}/healthz`)).status).toBe(200);
  });
});

describe('--stop-with-stdin', () => {
  const options = '--demo --json --port 0 --database :memory: --log-level info';
  const ready = /\}\n/;

  async function started(line: string, environment: Record<string, string> = {}) {
    const program = await start(line, ready, environment);
    ending.defer(() => killGroup(program.child));
    return { ...program, url: `${announcement(program.said()).base_url}/me` };
  }

  const responds = (url: string): Promise<boolean> =>
    fetch(url).then(
      async (response) => (await response.text()).length > 0,
      () => false,
    );

  /** Waits until no process of a group runs. A container may keep dead ones (`Z`) in its table. */
  async function groupEnds(group: number | undefined): Promise<void> {
    for (;;) {
      const { stdout } = await run('ps -A -o pgid= -o stat=');
      const states = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      if (!states.some(([pgid, state = '']) => pgid === String(group) && !state.startsWith('Z'))) return;
      await setTimeout(50);
    }
  }

  test('neither the server nor npx remains after a kill of the program that started them', async () => {
    const words = ['product-passport', 'serve', ...options.split(' '), '--stop-with-stdin'];
    const PARENT = `
      const { spawn } = require('node:child_process');
      spawn('npx', ${JSON.stringify(words)}, { stdio: ['pipe', 'inherit', 'inherit'] });
      setInterval(() => undefined, 1000);`;
    const { child, url } = await started('node -e "$PARENT"', { PARENT });
    expect(await responds(url)).toBe(true);
    child.kill('SIGKILL'); // only the parent: `npx` and the server get no signal
    await groupEnds(child.pid);
    expect(await responds(url)).toBe(false);
  });

  test('a file as standard input stops the server as well', async () => {
    const { code, stdout } = await run(`product-passport serve ${options} --stop-with-stdin < /dev/null`);
    expect([code, announcement(stdout)]).toEqual([0, expect.objectContaining({ base_url: expect.any(String) })]);
  });

  test('a signal stops the server while its standard input is open', async () => {
    const { child } = await started(`product-passport serve ${options} --stop-with-stdin < <(sleep 600)`);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

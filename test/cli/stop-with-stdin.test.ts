/** A test runner that ends in any way leaves no server behind: `serve --stop-with-stdin`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { announcement, root, run } from '../support/program.ts';

const serve = 'product-passport serve --demo --json --port 0 --database :memory: --log-level info';
let children: ChildProcess[] = [];

afterEach(() => {
  // The server is in the process group of the child that this test started.
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch (error) {
      expect(error).toMatchObject({ code: 'ESRCH' });
    }
  }
  children = [];
});

interface Started {
  child: ChildProcess;
  url: string;
  logged: () => string;
}

/** Starts a command with a pipe as its standard input, and waits for the server's line of JSON. */
async function started(command: string, words: string[]): Promise<Started> {
  const child = spawn(command, words, { cwd: root, detached: true, stdio: 'pipe' });
  children.push(child);
  let logged = '';
  child.stderr.on('data', (chunk: Buffer) => {
    logged += chunk.toString();
  });
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('}\n')) break;
  }
  child.stdout.resume();
  return { child, url: `${announcement(said).base_url}/me`, logged: () => logged };
}

const answers = (url: string): Promise<boolean> =>
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

test('the server stops cleanly when its standard input closes', async () => {
  const { child, url, logged } = await started('npx', [...serve.split(' '), '--stop-with-stdin']);
  expect(await answers(url)).toBe(true);
  child.stdin?.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(await answers(url)).toBe(false);
  expect(logged()).toContain('"msg":"server stopped"');
});

test('neither the server nor npx remains after a kill of the program that started them', async () => {
  const parent = `
    const { spawn } = require('node:child_process');
    spawn('npx', ${JSON.stringify([...serve.split(' '), '--stop-with-stdin'])}, { stdio: ['pipe', 'inherit', 'inherit'] });
    setInterval(() => undefined, 1000);
  `;
  const { child, url } = await started(process.execPath, ['-e', parent]);
  expect(await answers(url)).toBe(true);
  child.kill('SIGKILL'); // only the parent: `npx` and the server get no signal
  await once(child, 'exit');
  await groupEnds(child.pid);
  expect(await answers(url)).toBe(false);
});

test('a file as standard input stops the server as well', async () => {
  const { code, stdout } = await run(`npx ${serve} --stop-with-stdin < /dev/null`);
  expect([code, announcement(stdout)]).toEqual([0, expect.objectContaining({ base_url: expect.any(String) })]);
});

test('a signal stops the server while its standard input is open', async () => {
  const { child } = await started('node', [
    'server/src/cli/main.ts',
    ...serve.split(' ').slice(1),
    '--stop-with-stdin',
  ]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('without the option, the server ignores its standard input', async () => {
  const { child, url } = await started('npx', serve.split(' '));
  child.stdin?.end();
  await setTimeout(500);
  expect(await answers(url)).toBe(true);
});

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DemoKeys } from '../../server/src/demo/fill.ts';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command line as a person types it in the checkout or another folder, and waits for its end. */
export function run(command: string, environment: Record<string, string> = {}, cwd = root): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 };
    execFile('bash', ['-c', command], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

/** Requests something that all test files of a run share from `global-setup.ts`. */
export async function askRun(method: 'POST' | 'DELETE', what: string, body?: string): Promise<string> {
  const address = process.env.TEST_RUN;
  if (!address) throw new Error('TEST_RUN is not set: start the tests with Jest, whose global setup sets it.');
  const response = await fetch(new URL(what, address), { method, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** A program that goes on until it is stopped. */
export interface Running {
  child: ChildProcess;
  /** What it has written to standard output so far. */
  said(): string;
  /** What it has written to standard error so far. */
  logged(): string;
  /** Waits for its end, and returns its exit code; `null` after a signal. */
  end(): Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a command line, and waits until its standard output matches. It leads a process group, so that all of it stops. */
export async function start(
  command: string,
  ready: RegExp,
  environment: Record<string, string> = {},
  cwd = root,
): Promise<Running> {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd,
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let logged = '';
  const ended = once(child, 'close');
  const end = async (): Promise<number | null> => {
    await ended;
    return child.exitCode;
  };
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, signal);
    return end();
  };
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (ready.test(said)) resolve();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      logged += chunk.toString();
    });
    createInterface({ input: child.stderr }).on('line', noteFailedRequests);
    child.once('close', (code) => reject(new Error(`${command} ended with ${code}:\n${said}${logged}`)));
  });
  return { child, said: () => said, logged: () => logged, end, stop };
}

type Pair<One> = [One, One, ...One[]];

/** What `product-passport serve --demo --json` prints once it listens and has filled its database. */
export interface Announcement extends DemoKeys {
  base_url: string;
  site_url: string;
  /** Only of a server with an admin port. */
  admin_url?: string;
  tenants: Pair<DemoKeys['tenants'][number]>;
  access_tokens: Pair<DemoKeys['access_tokens'][number]>;
  /** Only of a sandbox. */
  control_token?: string;
}

/** Reads the announcement, which stands on a line of its own among those that npm prints. */
export function announcement(said: string): Announcement {
  const line = said.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`The server printed no line of JSON:\n${said}`);
  return JSON.parse(line);
}

/** A port that is free now, below those that systems give to connections of other programs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + randomInt(10_000);
    const server = createServer().listen(port, '127.0.0.1');
    // `once` rejects if the server emits an error.
    const isFree = await once(server, 'listening').then(Boolean, () => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** A folder of Linux whose files are in memory. */
export const sharedMemory = '/dev/shm';

/** The path of a new folder. Its name has the id of this process, for `removeLeftFolders`. */
export function temporaryFolder(name: string, parent = tmpdir()): string {
  return mkdtempSync(join(parent, `passport-${name}-${process.pid}-`));
}

/** Removes the temporary folders of processes that were killed. A PostgreSQL without its folder ends by itself. */
export async function removeLeftFolders(): Promise<void> {
  for (const parent of [tmpdir(), sharedMemory]) {
    const names = await readdir(parent).catch(() => []);
    for (const name of names) {
      const owner = /^passport-[a-z-]+-(\d+)-\w+$/.exec(name)?.[1];
      if (owner === undefined || isRunning(Number(owner))) continue;
      // Another run may remove it, too, and another user's folder stays.
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // The process of another user runs, too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

declare global {
  /** `environment.js` defines it. */
  var noteFailedRequest: ((reason: string) => void) | undefined;
}

/** Takes the lines of a server's log: the report of a failed test says why its servers responded with 500. */
export function noteFailedRequests(log: string): void {
  for (const line of log.split('\n')) {
    if (!line.includes('"msg":"request failed"')) continue;
    const { method, route, err } = JSON.parse(line);
    globalThis.noteFailedRequest?.(`The server responded with 500 to ${method} ${route}: ${err.stack}`);
  }
}

/** Starts `npm run mock` on this port, without npm. */
export const startPrism = (port: number): Promise<Running> =>
  start(`prism mock openapi.yaml --port ${port}`, /Prism is listening/, { NODE_OPTIONS: '' }, root);

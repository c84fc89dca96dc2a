/** Starts the programs that the bench compares, each in a process of its own. */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, root } from '../../test/support/program.ts';

const probe = fileURLToPath(new URL('probe.ts', import.meta.url));

/** A program that listens. */
export interface Program {
  readonly host: string;
  /** Time from the start of the process to its first response, in milliseconds. */
  readonly firstResponse: number;
  /** Processor time since the start, in microseconds. */
  processorTime(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a program and waits for its first response, of any status.
 *
 * @param file a script for Node
 * @param words its arguments; `{port}` becomes the port
 */
export async function start(file: string, ...words: string[]): Promise<Program> {
  const port = await freePort();
  const host = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = fork(
    resolve(root, file),
    words.map((word) => word.replace('{port}', String(port))),
    {
      cwd: root,
      execArgv: ['--import', probe, '--disable-warning=ExperimentalWarning'],
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  while (!(await responds(host))) {
    if (child.exitCode !== null) throw new Error(`${file} ended before it listened.`);
    await setTimeout(2);
  }
  const firstResponse = performance.now() - started;
  return {
    host,
    firstResponse,
    async processorTime() {
      const report = once(child, 'message');
      child.send('');
      return (await report)[0];
    },
    stop: () => ended(child),
  };
}

async function responds(host: string): Promise<boolean> {
  const response = await fetch(`${host}/.well-known/gs1resolver`).catch(() => undefined);
  await response?.arrayBuffer();
  return response !== undefined;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}

/** Builds the server as it is published. @returns the file of the command line */
export async function buildServer(folder: string): Promise<string> {
  const build = join(folder, 'build');
  await promisify(execFile)('npm', ['run', 'build', '--', '--to', build, 'openapi', 'server'], { cwd: root });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@product-passport'), { recursive: true });
  await symlink(join(build, 'openapi'), join(modules, '@product-passport/openapi'));
  // The libraries of the checkout. Its own packages are links to sources.
  const libraries = await readdir(join(root, 'node_modules'));
  for (const name of libraries.filter((each) => !each.startsWith('.') && each !== '@product-passport')) {
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  // Those whose version is not that of other packages.
  await symlink(join(root, 'server/node_modules'), join(build, 'server/node_modules'));
  return join(build, 'server/bundle/main.js');
}

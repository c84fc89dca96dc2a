/** Starts the programs that the bench compares, each in a process of its own. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, root } from '../../test/support/program.ts';
import { installed } from '../../test/support/tools.ts';
import type { Probe } from './probe.ts';

const probeFile = fileURLToPath(new URL('probe.ts', import.meta.url));

/** The public address in links. It is the same for all servers, so that their responses have the same bytes. */
const siteUrl = 'https://passport.example.com';

interface StartOptions {
  environment?: Record<string, string>;
  stderr?: 'inherit' | number;
  /** Whether `probe` works. Default true. Without, a program starts sooner: Node removes no types from the probe. */
  isProbed?: boolean;
}

/** A program that listens. */
export class Program {
  readonly host: string;
  /** Time from the start of the process to its first response, in milliseconds. */
  readonly firstResponse: number;
  readonly #child: ChildProcess;

  /**
   * Starts a program and waits for its first response, of any status.
   *
   * @param file a script for Node
   * @param words its arguments; `{port}` becomes the port
   */
  static async start(
    file: string,
    words: string[],
    { environment = {}, cwd = root, stderr = 'inherit', isProbed = true }: StartOptions & { cwd?: string } = {},
  ): Promise<Program> {
    const port = await freePort();
    const host = `http://127.0.0.1:${port}`;
    const started = performance.now();
    const child = fork(
      resolve(root, file),
      words.map((word) => word.replace('{port}', String(port))),
      {
        cwd,
        execArgv: [...(isProbed ? ['--import', probeFile] : []), '--disable-warning=ExperimentalWarning'],
        env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...environment },
        stdio: ['ignore', 'ignore', stderr, 'ipc'],
      },
    );
    let ended = false;
    child.once('exit', () => {
      ended = true;
    });
    for (;;) {
      const response = await fetch(`${host}/.well-known/gs1resolver`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response) return new Program(host, performance.now() - started, child);
      if (ended) throw new Error(`${file} ended before it listened.`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  private constructor(host: string, firstResponse: number, child: ChildProcess) {
    this.host = host;
    this.firstResponse = firstResponse;
    this.#child = child;
  }

  /** @param watch whether to measure the blocks of the event loop from now on */
  async probe({ watch = false } = {}): Promise<Probe> {
    const report = once(this.#child, 'message');
    this.#child.send({ watch });
    const [probe] = await report;
    return probe;
  }

  /** The resident memory in MB. It needs no probe, whose own modules take memory. */
  get memory(): number {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.#child.pid)])) / 1000;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill();
    await exit;
  }
}

/** The file of the command line. */
let commandLine = 'server/src/cli/main.ts';

/** From now on the programs of the server are those of a built package. */
export function useBuilt(file: string): void {
  commandLine = file;
}

/** The reference server on a database that has its tables and data. `stderr` is where its log goes. */
export function startServer(
  database: string,
  { words: more = [], ...options }: StartOptions & { words?: string[] } = {},
): Promise<Program> {
  const words = ['serve', '--database', database, '--port', '{port}', '--site-url', siteUrl, '--log-level', 'warn'];
  return Program.start(commandLine, [...words, ...more], options);
}

/** The reference server with the demo, as a first user starts it. */
export function startDemo(file: string, options: StartOptions = {}): Promise<Program> {
  return Program.start(commandLine, ['serve', '--demo', '--database', file, '--port', '{port}', '--json'], options);
}

export function startPrism(options: StartOptions = {}): Promise<Program> {
  const words = ['mock', 'openapi.yaml', '--port', '{port}', '--verboseLevel', 'silent'];
  return Program.start('node_modules/@stoplight/prism-cli/dist/index.js', words, options);
}

/** @param file a JSON file with a list for each noun, in a folder with a subfolder `public` */
export async function startJsonServer(file: string): Promise<Program> {
  const folder = await installed(['json-server@1.0.0-beta.15']);
  return Program.start(join(folder, 'node_modules/json-server/lib/bin.js'), [file, '--port', '{port}'], {
    // In production it does not watch its files.
    environment: { NODE_ENV: 'production' },
    cwd: dirname(file),
  });
}

/** Hapi without plugins. @param file a JSON file with the responses to send */
export function startBareHapi(file: string): Promise<Program> {
  return Program.start('tools/bench/bare-hapi.ts', [file, '{port}']);
}

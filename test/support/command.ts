/**
 * The command line `product-passport`, or another script, within the test's own process, which costs a hundredth of a
 * process start.
 * What only a process can show (signals, kills, inherited files, the environment) is tested through `program.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { noteFailedRequests } from './program.ts';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** What one command line has written so far. */
class Output {
  stdout = '';
  stderr = '';
  ready = /$^/;
  /** Ends a server. */
  stop: ((signal: NodeJS.Signals) => void) | undefined;
  #resolve: () => void = () => {};
  readonly isReady = new Promise<void>((resolve) => {
    this.#resolve = resolve;
  });

  write(name: 'stdout' | 'stderr', text: string): void {
    this[name] += text;
    if (this.ready.test(this.stdout)) this.#resolve();
  }
}

type Listener = (...args: never[]) => void;

const current = new AsyncLocalStorage<Output>();

for (const name of ['stdout', 'stderr'] as const) {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (text: string | Uint8Array, ...more: never[]): boolean => {
    const output = current.getStore();
    if (!output) return write(text, ...more);
    output.write(name, String(text));
    const done: unknown = more.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}

// A command has no terminal here, even if the tests have one, unless a test says so.
for (const stream of [process.stdin, process.stdout, process.stderr]) {
  Object.defineProperty(stream, 'isTTY', { value: false, writable: true, configurable: true });
}

// The process of the tests keeps no listener of a command: several servers share it, and each is stopped by itself.
for (const name of ['on', 'once'] as const) {
  const listen = process[name].bind(process) as (event: string | symbol, listener: Listener) => NodeJS.Process;
  process[name] = (event: string | symbol, listener: Listener): NodeJS.Process => {
    const output = current.getStore();
    if (!output) return listen(event, listener);
    if (event === 'SIGTERM') output.stop = listener as (signal: NodeJS.Signals) => void;
    return process;
  };
}

// The real one writes to the process's own standard error. `test/faults/unread-log.test.ts` starts processes for it.
jest.unstable_mockModule('../../server/src/log/standard-error.ts', () => ({
  StandardError: class {
    readonly #output = current.getStore();
    write(line: string): void {
      this.#output?.write('stderr', line);
      noteFailedRequests(line);
    }
    finish(): void {}
  },
}));

const { loadProgram, run } = await import('../../server/src/cli/program.ts');
const createProgram = await loadProgram();

/** Sets the words and the variables of a program. Returns what takes them back. */
function enter(words: readonly string[], environment: Record<string, string>): () => void {
  const { argv } = process;
  const before = { ...process.env };
  Object.assign(process.env, environment);
  process.argv = [process.execPath, ...words];
  return () => {
    process.argv = argv;
    for (const name of Object.keys(environment)) delete process.env[name];
    Object.assign(process.env, before);
  };
}

/** Starts a command line. Its arguments and environment are read before the first `await`. */
function begin(command: string, environment: Record<string, string>, output: Output): Promise<void> {
  const words = shellWords(command);
  if (words[0] !== 'product-passport') throw new Error(`Only product-passport runs in this process: ${command}`);
  const leave = enter(words, environment);
  try {
    return current.run(output, () => run(createProgram()));
  } finally {
    leave();
  }
}

let last: Promise<unknown> = Promise.resolve();
let scripts = 0;

/** Runs a program to its end. One runs after the other: the exit code is the process's. */
function alone(program: (output: Output) => Promise<unknown>): Promise<Outcome> {
  const outcome = last.then(async () => {
    const output = new Output();
    process.exitCode = undefined;
    try {
      await program(output);
      return { code: Number(process.exitCode ?? 0), stdout: output.stdout, stderr: output.stderr };
    } finally {
      process.exitCode = undefined;
    }
  });
  last = outcome.catch(() => undefined);
  return outcome;
}

/** Runs a command line. */
export function runHere(command: string, environment: Record<string, string> = {}): Promise<Outcome> {
  return alone((output) => begin(command, environment, output));
}

/** Runs a script of the checkout. Each run is a new module, and its imports are the same ones. */
export function scriptHere(file: string, words: string[], environment: Record<string, string>): Promise<Outcome> {
  return alone((output) => {
    const leave = enter([file, ...words], environment);
    scripts += 1;
    return current.run(output, () => import(`${file}?run=${scripts}`)).finally(leave);
  });
}

/** A server that runs in this process until it is stopped. */
export interface Serving {
  said(): string;
  logged(): string;
  stop(): Promise<void>;
}

/** Starts `product-passport serve …`, and waits until its standard output matches. */
export async function serveHere(
  command: string,
  ready: RegExp,
  environment: Record<string, string> = {},
): Promise<Serving> {
  const output = new Output();
  output.ready = ready;
  const ended = begin(command, environment, output);
  const early = ended.then(() => {
    process.exitCode = undefined;
    throw new Error(`${command} ended:\n${output.stdout}${output.stderr}`);
  });
  await Promise.race([output.isReady, early]);
  early.catch(() => undefined);
  return {
    said: () => output.stdout,
    logged: () => output.stderr,
    stop: async () => {
      output.stop?.('SIGTERM');
      await ended;
    },
  };
}

/** The words of a simple command line as a shell splits them: quotes hold spaces, and nothing else is special. */
function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_all, single, double) => single ?? double),
  );
}

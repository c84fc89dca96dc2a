/** The installed program in a process of its own. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { createJudge } from '../../contracts/judge/judge.ts';
import { announcement, type Running, start } from '../../test/support/program.ts';
import { type Incoming, send } from '../../test/support/wire.ts';

const judge = createJudge();

/** How long a response may take, in milliseconds. */
const maxWait = 30_000;

export interface Ask {
  method?: string;
  path: string;
  key?: string | undefined;
  json?: unknown;
  headers?: OutgoingHttpHeaders;
}

export class Server {
  readonly port: number;
  readonly #running: Running;
  readonly #agent = new Agent({ keepAlive: true });

  static async start(address: string, options = ''): Promise<Server> {
    const line = `product-passport serve --json --port 0 --database ${address} ${options}`;
    return new Server(await start(line, /\}\n/));
  }

  private constructor(running: Running) {
    const { base_url } = announcement(running.said());
    this.#running = running;
    this.port = Number(new URL(base_url).port);
  }

  get hasEnded(): boolean {
    return this.#running.child.exitCode !== null || this.#running.child.signalCode !== null;
  }

  /** The processor time of the server so far, in milliseconds. Linux counts hundredths of a second. */
  processorTime(): number {
    const text = readFileSync(`/proc/${this.#running.child.pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** The number of scans that the log reports as lost. */
  lostScans(): number {
    return Array.from(this.#running.logged().matchAll(/"lost":(\d+)/g), ([, count]) => Number(count)).reduce(
      (a, b) => a + b,
      0,
    );
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const code = await this.#running.stop(signal);
    this.#agent.destroy();
    return code;
  }

  /** Throws an `AssertionError` if the response breaks the contract or takes too long, and another error if the connection breaks. */
  async ask({ method = 'GET', path, key, json, headers: given }: Ask): Promise<Incoming> {
    const headers: OutgoingHttpHeaders = {
      ...given,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const started = performance.now();
    const response = await send(this.port, this.#agent, { method, path, headers, body });
    const milliseconds = performance.now() - started;
    assert.ok(milliseconds < maxWait, `${method} ${path} took ${Math.round(milliseconds)} ms`);
    const [finding] = judge.response({ method, path, ...response, body: response.text });
    assert.ok(!finding, `${method} ${path} → ${response.status}: ${finding?.where} ${finding?.what}`);
    return response;
  }
}

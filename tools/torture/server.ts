/** The installed program in a process of its own. */
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createJudge } from '../../contracts/judge/judge.ts';
import { announcement, type Running, start } from '../../test/support/program.ts';
import { type Incoming, send } from '../../test/support/wire.ts';
import { Finding } from './report.ts';

const judge = createJudge();

/** How long a response may take, in milliseconds. */
const longestWait = 30_000;

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
  readonly #adminUrl: string | undefined;
  readonly #agent = new Agent({ keepAlive: true });

  static async start(address: string, options = '', environment: Record<string, string> = {}): Promise<Server> {
    const line = `product-passport serve --json --port 0 --database ${address} ${options}`;
    const running = await start(line, /\}\n/, environment);
    const { base_url, admin_url } = announcement(running.said());
    return new Server(running, Number(new URL(base_url).port), admin_url);
  }

  private constructor(running: Running, port: number, adminUrl: string | undefined) {
    this.#running = running;
    this.port = port;
    this.#adminUrl = adminUrl;
  }

  /** The text of `/metrics`. Only of a server with an admin port. */
  async metrics(): Promise<string> {
    return (await fetch(`${this.#adminUrl}/metrics`)).text();
  }

  get pid(): number {
    return this.#running.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#running.child.exitCode !== null || this.#running.child.signalCode !== null;
  }

  logged(): string {
    return this.#running.logged();
  }

  /** How many scans the log reports as lost. */
  lostScans(): number {
    const counts = this.logged().matchAll(/"lost":(\d+)/g);
    return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const code = await this.#running.stop(signal);
    this.#agent.destroy();
    return code;
  }

  /** Throws a `Finding` if the response breaks the contract or takes too long, and another error if the connection breaks. */
  async ask({ method = 'GET', path, key, json, headers: given }: Ask): Promise<Incoming> {
    const headers: OutgoingHttpHeaders = {
      ...given,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    };
    const body = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
    const timer = new AbortController();
    const late = setTimeout(longestWait, undefined, { signal: timer.signal, ref: false }).then(() => {
      throw new Finding(`${method} ${path} got no response within ${longestWait} ms`);
    });
    late.catch(() => undefined);
    const incoming = await Promise.race([send(this.port, this.#agent, { method, path, headers, body }), late]);
    timer.abort();
    const findings = judge.response({
      method,
      path,
      status: incoming.status,
      headers: incoming.headers,
      body: incoming.text,
    });
    const [first] = findings;
    if (first) throw new Finding(`${method} ${path} → ${incoming.status}: ${first.where} ${first.what}`);
    return incoming;
  }
}

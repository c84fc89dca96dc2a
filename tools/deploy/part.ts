/** What a part of the check is, and what parts share: servers over one database, and clients that count failures. */
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { announcement, type Running, start } from '../../test/support/program.ts';

/** A part of the check. */
export interface Part {
  readonly name: string;
  /** The programs that it runs, each with the Debian package that has it. */
  readonly needs: Readonly<Record<string, string>>;
  /** Throws if something is wrong. `say` prints a line of the result. */
  run(say: (line: string) => void, ending: AsyncDisposableStack): Promise<void>;
}

export const siteUrl = 'https://passport.example.com';

export interface Target {
  readonly port: number;
  /** Whether the request goes over TLS. Default true. */
  readonly isSecure?: boolean;
  readonly host?: string;
}

export interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The client's address. */
  readonly from?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Connections stay open, as those of browsers. The certificate is the check's own, so nobody has signed it. */
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: new URL(siteUrl).host });

/** Sends one request, once. Rejects if the connection fails. */
export async function ask({ port, isSecure = true, host = '127.0.0.1' }: Target, sent: Ask): Promise<Response> {
  const { method = 'GET', path, headers, json, from } = sent;
  const body = json === undefined ? undefined : JSON.stringify(json);
  const options = {
    ...{ host, port, method, path, timeout: 30_000 },
    ...(from !== undefined && { localAddress: from }),
    headers: {
      host: new URL(siteUrl).host,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...headers,
    },
  };
  const outgoing = isSecure ? secureRequest({ ...options, agent }) : plainRequest(options);
  outgoing.once('timeout', () => outgoing.destroy(new Error('no response within 30 s')));
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** What a load sent, and what failed. */
export class Tally {
  /** By method. */
  readonly sent: Record<string, number> = {};
  readonly failed: Record<string, number> = {};
  /** One failure of each kind. */
  readonly kinds = new Set<string>();
  /** The names of the products that the server acknowledged. */
  readonly acknowledged: string[] = [];

  get total(): number {
    return Object.values(this.sent).reduce((sum, count) => sum + count, 0);
  }

  toString(): string {
    const each = Object.entries(this.sent).map(([method, count]) => {
      return `${count} ${method} (${this.failed[method] ?? 0} failed)`;
    });
    return [each.join(', '), ...this.kinds].join('; ');
  }

  async add(target: Target, sent: Ask): Promise<void> {
    const { method = 'GET' } = sent;
    this.sent[method] = (this.sent[method] ?? 0) + 1;
    const outcome = await ask(target, sent).then(
      ({ status, text }) => (status === 200 ? undefined : `${status} ${text.slice(0, 80).replaceAll('\n', ' ')}`),
      (error: Error) => error.message,
    );
    if (outcome === undefined && method === 'POST') this.acknowledged.push((sent.json as { name: string }).name);
    if (outcome === undefined) return;
    this.failed[method] = (this.failed[method] ?? 0) + 1;
    this.kinds.add(`${method}: ${outcome}`);
  }
}

/** Sends requests from several clients at a time until `isOver`. Each client waits for its response. */
export async function load(
  target: Target,
  { clients, next, isOver }: { clients: number; next: (index: number) => Ask; isOver: (tally: Tally) => boolean },
): Promise<Tally> {
  const tally = new Tally();
  let index = 0;
  const client = async (): Promise<void> => {
    while (!isOver(tally)) {
      index += 1;
      await tally.add(target, next(index));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return tally;
}

/** A server on a loopback address of its own, so that all servers have the same ports, as on machines of their own. */
export interface Instance {
  readonly host: string;
  readonly port: number;
  readonly adminPort: number;
  readonly database: string;
  readonly options?: string;
}

export function startInstance({ host, port, adminPort, database, options = '' }: Instance): Promise<Running> {
  const line = [
    `product-passport serve --json --log-level warn --site-url ${siteUrl} --trust-proxy 1 --host ${host}`,
    `--port ${port} --admin-host ${host} --admin-port ${adminPort} --database ${database} ${options}`,
  ].join(' ');
  return start(line, /\}\n/);
}

/** The keys and tokens of a new demo in an empty database. */
export async function fillDemo(database: string): Promise<ReturnType<typeof announcement>> {
  const server = await start(
    `product-passport serve --demo --json --log-level warn --port 0 --database ${database}`,
    /\}\n/,
  );
  await server.stop();
  return announcement(server.said());
}

/** Requests exactly as sent: nothing is normalized, completed or retried. */
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Outgoing {
  readonly method: string;
  /** The path with its query, sent unchanged. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Several pieces are sent in chunks, without a `Content-Length`. */
  readonly body?: Buffer | readonly Buffer[] | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request through the server's port. */
export function send(port: number, agent: Agent, { method, path, headers, body }: Outgoing): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    const pieces = body === undefined ? [] : [body].flat();
    const length = Buffer.isBuffer(body) ? { 'content-length': body.length } : {};
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers: { ...length, ...headers } });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
}

/** A response without the headers in which identical responses differ. */
export function sharedHeaders<Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> {
  const { date: _date, 'x-request-id': _id, ...shared } = headers;
  return shared;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends bytes over a new connection and reads until the server closes it. Expects one response. */
export function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))));
  });
}

function parse(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: answer.slice(end + 4),
  };
}

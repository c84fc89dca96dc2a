/** A client that costs a tenth of Node's own, so that one process makes the load. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Finding } from './report.ts';

export function creation(name: string, head: string): string {
  const body = JSON.stringify({ name });
  return `POST /api/v1/products HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** One connection that is used again. */
export class RawClient {
  readonly #socket: Socket;
  readonly #opened = performance.now();
  #received = Buffer.alloc(0);
  #pending: PromiseWithResolvers<RawResponse> | undefined;
  #responses = 0;
  #reason = 'the server closed it';
  /** The server has announced that it closes the connection. */
  isClosing = false;

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', ({ message }) => {
      this.#reason = message;
    });
    // A connection that ends between two requests breaks none.
    socket.on('close', () => this.#pending?.reject(this.#broken()));
  }

  ask(request: string): Promise<RawResponse> {
    const pending = Promise.withResolvers<RawResponse>();
    this.#pending = pending;
    if (this.#socket.destroyed) pending.reject(this.#broken());
    else this.#socket.write(request);
    return pending.promise;
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    const first = firstResponse(this.#received);
    if (!first) return;
    this.#received = Buffer.from(first.rest);
    this.#responses += 1;
    this.isClosing = first.response.headers.connection === 'close';
    this.#pending?.resolve(first.response);
    this.#pending = undefined;
  }

  #broken(): Finding {
    const age = Math.round(performance.now() - this.#opened);
    return new Finding(
      `a connection of ${age} ms ended before the whole response ${this.#responses + 1}: ${this.#reason}, after ${this.#received.length} bytes`,
    );
  }

  close(): void {
    this.#socket.destroy();
  }
}

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** How long the server may keep a connection that the client has half-closed, in milliseconds. */
const longestWait = 20_000;

/** Sends bytes, half-closes the connection, and reads until the server closes it. */
export function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    socket.setTimeout(longestWait, () => socket.destroy(new Error(`no end of the connection after ${longestWait} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses the bytes may reset what it has not read.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** The first response in these bytes, and what follows; `undefined` if it is not complete. */
export function firstResponse(bytes: Buffer): { response: RawResponse; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const text = bytes.toString('utf8', start, start + length);
  return { response: { status: Number(line.split(' ')[1]), headers, text }, rest: bytes.subarray(start + length) };
}

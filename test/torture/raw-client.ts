/** A client that costs a tenth of Node's own, so that one process makes the load. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { firstResponse } from './raw.ts';
import { Finding } from './report.ts';

export function creation(name: string, head: string): string {
  const body = JSON.stringify({ name });
  return `POST /api/v1/products HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** One connection that is used again. */
export class RawClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #pending: PromiseWithResolvers<Buffer> | undefined;
  /** The server has announced that it closes the connection. */
  isClosing = false;

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#pending?.resolve(chunk));
    let reason = 'the server closed it';
    socket.on('error', ({ message }) => {
      reason = message;
    });
    socket.on('close', () => {
      const message = `a connection ended before the whole response: ${reason}, after ${this.#received.length} bytes`;
      this.#pending?.reject(new Finding(message));
    });
  }

  async ask(request: string): Promise<{ status: number; headers: Record<string, string> }> {
    this.#pending = Promise.withResolvers();
    this.#socket.write(request);
    for (;;) {
      const chunk = await this.#pending.promise;
      this.#pending = Promise.withResolvers();
      this.#received = Buffer.concat([this.#received, chunk]);
      const first = firstResponse(this.#received);
      if (!first) continue;
      this.#received = Buffer.from(first.rest);
      // A connection that ends between two requests breaks none.
      this.#pending.promise.catch(() => undefined);
      this.isClosing = first.response.headers.connection === 'close';
      return first.response;
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

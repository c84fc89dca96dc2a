import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../result.ts';

export interface Origin {
  /** Scheme, host and port. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. @param port default: any free port */
export async function listen(server: Server, port = 0): Promise<Origin> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error) => {
    throw unusablePort(port, error);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The error for a port that the user named. */
function unusablePort(port: number, { code, message }: NodeJS.ErrnoException): UsageError {
  const reason = code === 'EADDRINUSE' ? 'is in use. Choose another one' : `cannot be used: ${message}`;
  return new UsageError(`Port ${port} ${reason}.`);
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export interface RoundRobin {
  port: number;
  /** How many connections each port got. */
  connections: number[];
  close(): Promise<void>;
}

/** Leads each connection to the next port, as a balancer of TCP does: the servers see the bytes as the client sent them. */
export async function roundRobin(ports: () => readonly number[]): Promise<RoundRobin> {
  const connections: number[] = [];
  let next = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const all = ports();
    const index = next % all.length;
    next += 1;
    connections[index] = (connections[index] ?? 0) + 1;
    const peer = connect({ port: all[index] ?? 0, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.pipe(peer).pipe(client);
    for (const [one, other] of [
      [client, peer],
      [peer, client],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroySoon());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: async () => void server.close(),
  };
}

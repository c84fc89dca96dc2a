/** A company's proxy: it forwards `http` requests and opens tunnels for `https`. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface ForwardProxy {
  readonly url: string;
  /** The first lines of the requests, such as `GET http://p.example.com/api/v1/me` and `CONNECT p.example.com:443`. */
  readonly lines: string[];
  close(): Promise<void>;
}

/**
 * @param ports the local port that each host leads to, as in `{ 'p.example.com': 3000 }`
 * @param login `user:password` that a tunnel requires
 */
export async function startForwardProxy(
  ports: Readonly<Record<string, number>>,
  login?: string,
): Promise<ForwardProxy> {
  const authorization = login && `Basic ${Buffer.from(login).toString('base64')}`;
  const lines: string[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    lines.push(`${method} ${url}`);
    const { hostname, pathname, search } = new URL(url);
    const target = { host: '127.0.0.1', port: ports[hostname], method, path: pathname + search, headers };
    const onward = request(target, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, outgoing, () => {});
    });
    onward.once('error', () => outgoing.writeHead(502).end());
    pipeline(incoming, onward, () => {});
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    lines.push(`CONNECT ${url}`);
    if (authorization && headers['proxy-authorization'] !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const port = ports[new URL(`http://${url}`).hostname];
    if (port === undefined) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      pipeline(socket, onward, socket, () => {});
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

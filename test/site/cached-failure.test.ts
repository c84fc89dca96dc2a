import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ending } from '../support/ending.ts';
import { announcement, start } from '../support/program.ts';
import { send } from '../support/wire.ts';

test('a page that failed for lack of file descriptors works once there are some', async () => {
  const serve = 'product-passport serve --demo --json --port 0 --database :memory:';
  const server = await start(`bash -c "ulimit -n 64; exec ${serve}"`, /\}\n/);
  ending.defer(async () => void (await server.stop()));
  const port = Number(new URL(announcement(server.said()).site_url).port);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ending.defer(() => agent.destroy());
  const statusOf = async (path: string): Promise<number> =>
    (await send(port, agent, { method: 'GET', path, headers: {} })).status;
  // Keeps a connection open for the requests below.
  expect(await statusOf('/p/nordlicht/none')).toBe(404);

  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // The server closes a connection if it has no file descriptor left.
  await Promise.race(sockets.map((socket) => once(socket.resume(), 'close')));
  const path = '/p/nordlicht/usb-c-kabel-240-w-2-m';
  expect(await statusOf(path)).toBe(500);
  for (const socket of sockets) socket.destroy();

  let status = await statusOf(path);
  for (const end = Date.now() + 5000; status !== 200 && Date.now() < end; status = await statusOf(path))
    await setTimeout(50);
  expect(status).toBe(200);
});

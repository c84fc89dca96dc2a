import { setTimeout } from 'node:timers/promises';
import { connect } from '../../server/src/database/connection.ts';
import { Random } from './random.ts';
import { creation, RawClient } from './raw-client.ts';
import { expectThat } from './report.ts';
import type { Server } from './server.ts';
import type { Shop } from './shop.ts';

/** Requests on one connection, and connections at a time. */
const onEach = 20;
const atOnce = 64;

/** SIGTERM while clients create products: each product that is stored has its response, and the other way round. */
export async function stopUnderLoad(
  server: Server,
  { address, tenants: [tenant] }: Shop,
  seed: number,
): Promise<string> {
  if (!tenant) throw new Error('There is no tenant.');
  const head = `Host: x\r\nAuthorization: Bearer ${tenant.key}\r\n`;
  const acknowledged = new Set<string>();
  const creating = Array.from({ length: atOnce }, async (_, index) => {
    for (let turn = 0; await createSome(server.port, `Ende ${index}-${turn}`, head, acknowledged); turn += 1);
  });
  await setTimeout(300 + new Random(seed).below(1000));
  const started = performance.now();
  const code = await server.stop('SIGTERM');
  const took = performance.now() - started;
  await Promise.all(creating);
  expectThat(code === 0, () => `the server ended with ${code}`);
  const database = connect(address);
  const stored: string[] = await database('products').where('name', 'like', 'Ende %').pluck('name');
  await database.destroy();
  const without = stored.filter((name) => !acknowledged.has(name));
  expectThat(without.length === 0, () => `${without.length} products have no response, as ${without[0]}`);
  expectThat(stored.length === acknowledged.size, () => `${acknowledged.size} got 200, ${stored.length} are stored`);
  return `${stored.length} products stored and acknowledged, ended after ${Math.round(took)} ms`;
}

/** Creates products over one connection. Returns false when the server has ended. */
async function createSome(port: number, name: string, head: string, acknowledged: Set<string>): Promise<boolean> {
  const client = await RawClient.open(port).catch(() => undefined);
  try {
    for (let number = 0; client && !client.isClosing && number < onEach; number += 1) {
      const own = `${name}-${number}`;
      const { status } = await client.ask(creation(own, head));
      if (status === 200) acknowledged.add(own);
    }
    return client !== undefined;
  } catch {
    // The server ended the connection. What it has stored without a response is found afterwards.
    return false;
  } finally {
    client?.close();
  }
}

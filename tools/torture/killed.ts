/** Rounds with `kill -9` at random moments under concurrent writes. */
import { setTimeout } from 'node:timers/promises';
import { Random } from './random.ts';
import type { Report } from './report.ts';
import { Server } from './server.ts';
import type { Shop } from './shop.ts';
import { checkScans, checkStored } from './stored.ts';
import { Workload } from './workload.ts';

export async function runKilled(
  { shop, kind, rounds, seed }: { shop: Shop; kind: string; rounds: number; seed: number },
  report: Report,
): Promise<void> {
  const workload = new Workload(shop, new Random(seed));
  // The order of the writers is not that of another run, but the moments are.
  const moments = new Random(seed);
  let lost = 0;
  for (let round = 1; round <= rounds; round += 1) {
    await report.round('killed', kind, round, async () => {
      const server = await Server.start(shop.address);
      let isKilled = false;
      const ended = workload.run(server, { isOver: () => isKilled, mayRefuse: () => false });
      const wait = 100 + moments.below(2500);
      // A writer that finds something ends the round early.
      await Promise.race([setTimeout(wait), ended]);
      isKilled = true;
      await server.stop('SIGKILL');
      lost += server.lostScans();
      await ended;
      const next = await Server.start(shop.address);
      try {
        const stored = await checkStored(workload, next);
        return `killed after ${wait} ms, ${stored}, ${await checkScans(workload, lost)}`;
      } finally {
        await next.stop();
      }
    });
  }
}

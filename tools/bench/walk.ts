/** Reads all products of a tenant through the SDK, and reports how long it took. A process of its own. */
import { createClient } from '@product-passport/sdk';

export interface Walk {
  products: number;
  seconds: number;
  /** The largest resident memory, in bytes. */
  memory: number;
}

const [, , baseUrl = '', apiKey = ''] = process.argv;
const client = createClient({ baseUrl, apiKey });
const begin = performance.now();
let products = 0;
let memory = 0;
for await (const _ of client.products.list({ limit: 200 })) {
  products += 1;
  if (products % 1000 === 0) memory = Math.max(memory, process.memoryUsage.rss());
}
const walk: Walk = {
  products,
  seconds: (performance.now() - begin) / 1000,
  memory: Math.max(memory, process.memoryUsage.rss()),
};
process.send?.(walk);
process.disconnect();

// Lists the products without a GTIN, through the proxy of HTTP_PROXY or HTTPS_PROXY, with a header of its own.
// In this repository: npm start -w examples/proxy
import { createClient } from '@product-passport/sdk';
import { logAttempts } from '@product-passport/sdk/telemetry';
import { EnvHttpProxyAgent, fetch } from 'undici';

// At most 4 connections, which stay open for 30 s. Hosts in NO_PROXY are reached without the proxy.
const dispatcher = new EnvHttpProxyAgent({ connections: 4, keepAliveTimeout: 30_000 });

const client = createClient({
  baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', // with /api/v1
  apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
  onAttempt: logAttempts(), // prints a wait of more than two seconds
  fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, 'x-team': 'erp' }, dispatcher }),
});

let missing = 0;
for await (const { slug, gtin } of client.products.list({ limit: 200 })) {
  if (gtin !== null) continue;
  missing += 1;
  console.log(slug);
}
console.log(`${missing} without a GTIN`);
await dispatcher.close();

/** Starts the server twice, in the ways of the package's README. Prints what it received as JSON. */
import { createApp, openDatabase } from '@product-passport/server';
import { startServer } from '@product-passport/server/testing';

async function read(baseUrl, key) {
  const response = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: await response.json() };
}

const server = await startServer({ demo: true });
const page = await fetch(`${server.siteUrl}/p/skellig/usb-c-cable-240-w-2-m`);
const text = await page.text();
const home = await (await fetch(`${server.siteUrl}/`, { headers: { accept: 'text/html' } })).text();
const stylesheet = await fetch(new URL(/href="([^"]+\.css)"/.exec(home)?.[1] ?? '', server.siteUrl));
const demo = await read(server.baseUrl, server.apiKey);
await server.stop();

const database = await openDatabase(':memory:');
const app = await createApp({ database });
await app.start();
const embedded = await read(`${app.info.uri}/api/v1`, 'none');
await app.stop();
await database.destroy();

const closed = await import('@product-passport/server/src/internal.js').catch((error) => error.code);
process.stdout.write(
  JSON.stringify({
    version: process.versions.node,
    demo: [demo.status, demo.body.products_total],
    page: [page.status, text.includes('<html'), stylesheet.status],
    embedded: [embedded.status, embedded.body.error.code],
    closed,
  }),
);

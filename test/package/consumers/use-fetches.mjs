/** Calls through implementations of `fetch` whose responses have a Node stream: node use-fetches.mjs <package>… */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createClient } from '@product-passport/sdk';

const server = createServer(({ url }, response) => {
  if (url.endsWith('moved')) response.writeHead(307, { location: '/elsewhere' }).end('x'.repeat(1_000_000));
  else if (url.endsWith('stalls')) response.writeHead(200).write('{');
  else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"name":"Größe"}'));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${server.address().port}/api/v1`;

const found = {};
for (const name of process.argv.slice(2)) {
  const { default: implementation } = await import(name);
  const whileReading = new AbortController();
  const fetch = async (url, init) => {
    const response = await implementation(url, init);
    if (url.endsWith('stalls')) setTimeout(() => whileReading.abort());
    return response;
  };
  const { products } = createClient({ baseUrl, apiKey: 'ppk_key', fetch, maxAttempts: 1 });
  const failed = (slug, signal) => products.get(slug, { signal }).catch(({ code, phase }) => `${code}, ${phase}`);
  found[name] = [(await products.get('helm')).name, await failed('moved'), await failed('stalls', whileReading.signal)];
}
server.closeAllConnections();
server.close();
process.stdout.write(JSON.stringify(found));

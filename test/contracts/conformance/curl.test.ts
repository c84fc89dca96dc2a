/** Each kind of `curl` line in a report, in a real shell: a listener receives the request of the report. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { WireRequest } from '../../../contracts/conformance/http/exchange.ts';
import { curlOf } from '../../../contracts/conformance/report/curl.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { newFolder } from '../../support/files.ts';
import { listen } from '../../support/serve.ts';
import { exchangeWith, resultWith, runWith } from '../../support/suite.ts';

/** What the shell has. Only the names of redaction expand. */
const environment = {
  GITHUB_TOKEN: 'canary-github',
  PRODUCT_PASSPORT_KEY: 'key-of-the-shell',
  PRODUCT_PASSPORT_SECOND_KEY: 'second-key-of-the-shell',
  PRODUCT_PASSPORT_RECYCLER_TOKEN: 'token-of-the-shell',
  PRODUCT_PASSPORT_DEPLOY_TOKEN: 'canary-deploy',
  PRODUCT_PASSPORT_KEY_OF_SHOP: 'canary-shop',
};

/** What the listener receives when the line of this request is pasted. */
async function pasted(part: Partial<WireRequest>) {
  const listener = createServer();
  const site = await listen(listener);
  try {
    const known = {
      base_url: `${site}/api/v1`,
      tenants: [{ api_key: 'ppk_first_key' }, { api_key: 'ppk_second_key' }],
      access_tokens: [{ tenant: 'a', product: null, role: 'recycler', token: 'token-of-a-recycler' }],
    };
    const request: WireRequest = { method: 'GET', path: '/api/v1/me', headers: {}, ...part };
    const { cases } = reportOf(runWith([resultWith({ exchanges: [exchangeWith({ request })] })]), known);
    const shown = cases[0]?.exchanges[0];
    const line = shown?.curl ?? '';
    const received = once(listener, 'request');
    const ended = promisify(execFile)('bash', ['-c', line], { env: { ...process.env, ...environment } });
    const [incoming, outgoing] = (await received) as [IncomingMessage, ServerResponse];
    const body = await buffer(incoming);
    outgoing.end();
    await ended;
    const { method, url, headers } = incoming;
    return { method, url, headers, body, line, base64: shown?.request.body_base64 };
  } finally {
    listener.close();
  }
}

test.each<[string, string | Buffer]>([
  ['JSON with spaces', '{ "name" : 1e400 }'],
  ['quotation marks', `it's "$HOME" $GITHUB_TOKEN \\n`],
  ['letters beyond ASCII', 'Stühle, 茶碗'],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0xff, 0xed, 0xa0, 0x80, 0x5d])],
  ['U+0000', '[]\0'],
  ['control characters', '"\u007f\u0015\u001b[201~\u009b\t"'],
  ['the name of a file', '@/etc/passwd'],
  ['20,000 characters', 'x'.repeat(20_000)],
  ['more than 1 MiB', JSON.stringify({ name: 'x'.repeat(2 ** 20) })],
  ['nothing', ''],
])('a line repeats the body byte for byte, and no terminal acts on it: %s', async (what, text) => {
  const sent = Buffer.from(text);
  for (const headers of [{}, { 'content-type': 'text/plain' }]) {
    const { method, headers: received, body, line, base64 } = await pasted({ method: 'PUT', headers, body: sent });
    expect([method, received['content-type'], body.equals(sent)]).toEqual(['PUT', Object.values(headers)[0], true]);
    expect(base64).toBe(what.includes('UTF-8') ? sent.toString('base64') : undefined);
    expect(line).toMatch(/^\P{Cc}+$/u);
  }
});

test.each([
  ["/api/v1/products/it's"],
  ['/api/v1/products/..'],
  ['/api/v1/products/%zz'],
  ['/api/v1/products?search=[1-9]{a,b}'],
  ['/p/a/b?etag=$GITHUB_TOKEN&name=$PRODUCT_PASSPORT_DEPLOY_TOKEN', '/p/a/b?etag=$GITHUB_TOKEN&name=***'],
  ['/p/a/b?zugang=token-of-a-recycler', '/p/a/b?zugang=token-of-the-shell'],
])('a line repeats the path %s', async (path, expected = path) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(await pasted({ method, path })).toMatchObject({ method, url: expected });
  }
});

test.each([
  ['', ''],
  ['Bearer ppk_first_key', 'Bearer key-of-the-shell'],
  ['Bearer ppk_second_key', 'Bearer second-key-of-the-shell'],
  ['Bearer unknown', 'Bearer unknown'],
  ['W/"$GITHUB_TOKEN"', 'W/"$GITHUB_TOKEN"'],
  [`"$(id)\`id\`'$GITHUB_TOKEN'"`, `"$(id)\`id\`'$GITHUB_TOKEN'"`],
  ['"$PRODUCT_PASSPORT_KEY"', '"***"'],
  ['"$PRODUCT_PASSPORT_DEPLOY_TOKEN"', '"***"'],
  ['ppk_first_key_OF_SHOP', 'key-of-the-shell_OF_SHOP'],
  ['$PRODUCT_PASSPORT_ppk_first_key', '***'],
])('a line expands only the names of redaction: the header %s', async (value, expected) => {
  const { headers } = await pasted({ headers: { 'if-none-match': value } });
  expect(headers['if-none-match']).toBe(expected);
});

test('a line runs no command that stands in a method', async () => {
  const file = join(newFolder(), 'made');
  const request: WireRequest = { method: `GET; touch ${file};`, path: '/', headers: {} };
  const line = curlOf(request, 'http://127.0.0.1:9');
  await promisify(execFile)('bash', ['-c', line]).catch(() => undefined);
  expect([line.includes(file), existsSync(file)]).toEqual([true, false]);
});

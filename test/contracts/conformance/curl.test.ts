/** Each kind of `curl` line in a report, in a real shell against a running server: it gets the status of the report. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import { claims } from '../../../contracts/conformance/claims.ts';
import type { Exchange, WireRequest } from '../../../contracts/conformance/http/exchange.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import { curlOf } from '../../../contracts/conformance/report/curl.ts';
import { type ReportedExchange, reportOf } from '../../../contracts/conformance/report/report.ts';
import { verify } from '../../../contracts/conformance/verify.ts';
import { exchangeWith, resultWith, runWith } from '../../support/conformance-run.ts';
import { newFolder } from '../../support/files.ts';
import { startDemo } from '../../support/suite.ts';

jest.setTimeout(240_000);

interface Pair {
  readonly sent: Exchange;
  readonly shown: ReportedExchange;
}

const textOf = ({ request }: Exchange): string => Buffer.from(request.body ?? []).toString('utf8');

/** What a shell or curl could get wrong. */
const kinds: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
  'an apostrophe': (exchange) => textOf(exchange).includes("'"),
  'quotation marks inside a text': (exchange) => textOf(exchange).includes('\\"'),
  'letters beyond ASCII': (exchange) => /[^\0-\x7f]/.test(textOf(exchange)) && !textOf(exchange).includes('\ufffd'),
  'bytes that are not UTF-8': (exchange) => textOf(exchange).includes('\ufffd'),
  'U+0000': (exchange) => textOf(exchange).includes('\0'),
  'a body of more than 1 MiB': (exchange) => textOf(exchange).length > 2 ** 20,
  'a long body': (exchange) => textOf(exchange).length > 20_000 && textOf(exchange).length < 2 ** 20,
  'an empty body': ({ request }) => request.body?.length === 0,
  'a body without a type': ({ request }) => request.body !== undefined && !request.headers['content-type'],
  'another key': ({ request }) => /unknown-key/.test(request.headers.authorization ?? ''),
  'no key': ({ request }) => request.path.startsWith('/api/') && request.headers.authorization === undefined,
  'an empty header': ({ request }) => Object.values(request.headers).includes(''),
  'an apostrophe in the path': ({ request }) => request.path.includes("'"),
  'dots in the path': ({ request }) => /\/\.\.$/.test(request.path),
  'a wrong percent sign': ({ request }) => request.path.includes('%zz'),
  HEAD: ({ request }) => request.method === 'HEAD',
  OPTIONS: ({ request }) => request.method === 'OPTIONS',
  'a token': ({ request }) => request.path.includes('zugang='),
};

let provider: Provider;
let pairs: readonly Pair[] = [];

/** Every request of these cases, as it was sent and as the report has it. */
async function run(): Promise<void> {
  provider = await startDemo('SQLite');
  const only = [
    'AUTH-1',
    'AUTH-2',
    'AUTH-3',
    'AUTH-4',
    'HTTP-1',
    'HTTP-2',
    'HTTP-3',
    'PASS-5',
    'PASS-9',
    'PROD-7',
    'PUB-3',
    'SRCH-1',
    'SRCH-2',
  ];
  const found = await verify({ provider, claims, only, seed: 1, generated: 0 });
  const { cases } = reportOf(found, provider);
  pairs = found.results.flatMap(({ exchanges }, index) =>
    exchanges.flatMap((sent, at) => {
      const shown = cases[index]?.exchanges[at];
      // A creation that succeeds would get another slug, and a line cannot repeat a revoked state.
      return shown === undefined || sent.response === undefined ? [] : [{ sent, shown }];
    }),
  );
}

/** The variables that stand for keys and tokens. */
function variables(): Record<string, string> {
  const [first, second] = provider.tenants ?? [];
  const token = (role: string, revoked: boolean): string =>
    provider.access_tokens?.find((one) => one.role === role && (one.revoked ?? false) === revoked)?.token ?? '';
  return {
    PRODUCT_PASSPORT_KEY: first?.api_key ?? '',
    PRODUCT_PASSPORT_SECOND_KEY: second?.api_key ?? '',
    PRODUCT_PASSPORT_REVOKED_KEY: provider.revoked_api_key ?? '',
    PRODUCT_PASSPORT_RECYCLER_TOKEN: token('recycler', false),
    PRODUCT_PASSPORT_INSPECTOR_TOKEN: token('inspector', false),
    PRODUCT_PASSPORT_REVOKED_TOKEN: provider.access_tokens?.find(({ revoked }) => revoked)?.token ?? '',
    PRODUCT_PASSPORT_EXPIRED_TOKEN: provider.expired_access_token ?? '',
  };
}

async function statusOf(line: string): Promise<number> {
  const options = { env: { ...process.env, ...variables() }, encoding: 'latin1', maxBuffer: 2 ** 26 } as const;
  const { stdout } = await promisify(execFile)('bash', ['-c', line], options);
  const statuses = [...stdout.matchAll(/^HTTP\/[\d.]+ (\d{3})/gm)].map(([, status]) => Number(status));
  // A large body may get "100 Continue" first.
  return statuses.find((status) => status >= 200) ?? 0;
}

test('the lines repeat their requests', async () => {
  await run();
  const wrong: string[] = [];
  for (const [kind, isOf] of Object.entries(kinds)) {
    const ofKind = pairs.filter(({ sent }) => isOf(sent));
    if (ofKind.length === 0) wrong.push(`no request has ${kind}`);
    for (const { sent, shown } of ofKind.slice(0, 3)) {
      const status = await statusOf(shown.curl);
      if (status !== sent.response?.status) {
        wrong.push(`${kind}: ${status} in place of ${sent.response?.status}: ${shown.curl.slice(0, 300)}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

describe('a line of a hostile request', () => {
  const environment = {
    GITHUB_TOKEN: 'canary-github',
    PRODUCT_PASSPORT_KEY: 'canary-key-of-the-shell',
    PRODUCT_PASSPORT_DEPLOY_TOKEN: 'canary-deploy',
    PRODUCT_PASSPORT_KEY_OF_SHOP: 'canary-shop',
  };

  /** What the listener receives when the line of this request is pasted. */
  async function pasted(part: Partial<WireRequest>) {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    try {
      const site = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
      const known = { base_url: `${site}/api/v1`, tenants: [{ api_key: 'ppk_first_key' }] };
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
      return { request: incoming, body, line, shown: shown?.request };
    } finally {
      listener.close();
    }
  }

  test.each([
    ['W/"$GITHUB_TOKEN"', 'W/"$GITHUB_TOKEN"'],
    [`"$(id)\`id\`'$GITHUB_TOKEN'"`, `"$(id)\`id\`'$GITHUB_TOKEN'"`],
    ['"$PRODUCT_PASSPORT_KEY"', '"***"'],
    ['"$PRODUCT_PASSPORT_DEPLOY_TOKEN"', '"***"'],
    ['ppk_first_key_OF_SHOP', 'canary-key-of-the-shell_OF_SHOP'],
    ['$PRODUCT_PASSPORT_ppk_first_key', '***'],
  ])('expands only the names of redaction: the ETag %s', async (etag, expected) => {
    const { request } = await pasted({ headers: { 'if-none-match': etag } });
    expect(request.headers['if-none-match']).toBe(expected);
  });

  test('expands nothing in a path or a body, and reads no file', async () => {
    const path = '/p/a/b?etag=$GITHUB_TOKEN&name=$PRODUCT_PASSPORT_DEPLOY_TOKEN';
    const sent = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: Buffer.from('@/etc/passwd') };
    const { request, body } = await pasted({ ...sent, path });
    expect(request.url).toBe('/p/a/b?etag=$GITHUB_TOKEN&name=***');
    expect(`${body}`).toBe('@/etc/passwd');
  });

  test('has no control character that a terminal acts on', async () => {
    const { body, line } = await pasted({ method: 'PUT', body: Buffer.from('"\u007f\u0015\u001b[201~\u009b\t"') });
    expect(`${body}`).toBe('"\u007f\u0015\u001b[201~\u009b\t"');
    expect(line).toMatch(/^\P{Cc}+$/u);
  });

  test.each([
    ['JSON with spaces', Buffer.from('{ "name" : 1e400 }')],
    ['quotation marks', Buffer.from(`it's "$HOME" \\n`)],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0xff, 0xed, 0xa0, 0x80, 0x5d])],
    ['U+0000', Buffer.from('[]\0')],
    ['nothing', Buffer.alloc(0)],
  ])('repeats the body byte for byte, and the report has its bytes: %s', async (what, sent) => {
    const { body, shown } = await pasted({ method: 'PUT', headers: { 'content-type': 'text/plain' }, body: sent });
    expect(body).toEqual(sent);
    expect(shown?.body_base64).toBe(what.includes('UTF-8') ? sent.toString('base64') : undefined);
  });

  test('runs no command that stands in a method', async () => {
    const file = join(newFolder(), 'made');
    const request: WireRequest = { method: `GET; touch ${file};`, path: '/', headers: {} };
    const line = curlOf(request, 'http://127.0.0.1:9');
    await promisify(execFile)('bash', ['-c', line]).catch(() => undefined);
    expect([line.includes(file), existsSync(file)]).toEqual([true, false]);
  });
});

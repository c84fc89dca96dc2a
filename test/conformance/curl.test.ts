/** Each kind of `curl` line in a report, in a real shell against a running server: it gets the status of the report. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';
import { claims } from '../../contracts/conformance/claims.ts';
import type { Exchange } from '../../contracts/conformance/http/exchange.ts';
import type { Provider } from '../../contracts/conformance/provider.ts';
import { type ReportedExchange, reportOf } from '../../contracts/conformance/report/report.ts';
import { verify } from '../../contracts/conformance/verify.ts';
import { startDemo } from '../support/suite.ts';

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

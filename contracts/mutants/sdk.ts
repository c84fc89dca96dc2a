/** Mistakes in the SDK that the consumer tests must notice, and those tests in this process. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MatchersV3 } from '@pact-foundation/pact';
import type { Operation } from '@product-passport/sdk';
import { build } from 'esbuild';
import { jsonIn } from '../conformance/http/exchange.ts';
import {
  type Case,
  clientsAt,
  type ExpectedRequest,
  type ExpectedResponse,
  outcomeFaults,
  requestOf,
  type Sdk,
} from '../consumer/case.ts';
import { interactions } from '../consumer/interactions.ts';
import type { Edit } from './matrix.ts';
import { edited, type Row } from './matrix.ts';

/** An edit with the operation of an interaction that must fail. */
export interface SdkEdit extends Edit {
  /** Below sdk/src. */
  readonly file: string;
  readonly failsIn: Operation;
}

const mistake = (id: string, what: string, file: string) => ({
  replaces: (from: string, to: string) => ({
    noticedBy: (failsIn: Operation): SdkEdit => ({ id, mistake: what, file, from, to, failsIn }),
  }),
});

export const sdkEdits: readonly SdkEdit[] = [
  mistake('another-scheme', 'The key is sent with the scheme Token.', 'call.ts')
    .replaces('`Bearer ', '`Token ')
    .noticedBy('getMe'),
  mistake('another-header', 'The key is sent in another header.', 'call.ts')
    .replaces(', authorization: `', ", 'x-api-key': `")
    .noticedBy('getMe'),
  mistake('no-content-type', 'A body is sent as plain text.', 'api.ts')
    .replaces(
      'headers: Object.fromEntries(given),',
      "headers: { ...Object.fromEntries(given), 'content-type': 'text/plain' },",
    )
    .noticedBy('createProduct'),
  mistake('query-dropped', 'The query is not sent.', 'api.ts')
    .replaces('params: { path, query }', 'params: { path }')
    .noticedBy('listProducts'),
  mistake('body-dropped', 'Bodies are not sent.', 'api.ts')
    .replaces('...(body !== undefined && { body }),', '')
    .noticedBy('createProduct'),
  mistake('patch-in-place-of-put', 'Values are written with PATCH.', 'generated/requests.ts')
    .replaces('"PUT"', '"PATCH"')
    .noticedBy('putPassport'),
  mistake('another-path', 'The statistics are requested at another path.', 'generated/requests.ts')
    .replaces('/api/v1/analytics/scans', '/api/v1/analytics')
    .noticedBy('getScanStatistics'),
  mistake('wrong-operation', 'The carriers of a product are read from its passport.', 'client.ts')
    .replaces("request('listCarriers'", "request('getPassport'")
    .noticedBy('listCarriers'),
  mistake('offset-always-sent', 'A list always sends offset=0.', 'client.ts')
    .replaces('(offset = first.offset)', '(offset = first.offset ?? 0)')
    .noticedBy('listProducts'),
  mistake('filter-lost', 'A list with an offset forgets its other parameters.', 'client.ts')
    .replaces('{ ...first, offset }', '{ offset }')
    .noticedBy('listProducts'),
  mistake('scan-query-dropped', 'The period of the statistics is not sent.', 'client.ts')
    .replaces("request('getScanStatistics', { query }", "request('getScanStatistics', {}")
    .noticedBy('getScanStatistics'),
  mistake('errors-as-values', 'The body of an error is returned as a value.', 'response.ts')
    .replaces('return response.ok ? objectOf(text) : undefined;', 'return objectOf(text);')
    .noticedBy('createProduct'),
  mistake('error-code-lost', 'The code of an error is not read.', 'response.ts')
    .replaces("if (typeof code === 'string' && code) return fail(message, code);", '')
    .noticedBy('listProducts'),
  mistake('redirect-unknown', '307 does not count as a redirect.', 'response.ts')
    .replaces('/^30[12378]/', '/^30[1238]/')
    .noticedBy('resolveGtin'),
  mistake('status-lost', 'Errors do not have the status of the response.', 'errors.ts')
    .replaces('this.status = response.status;', 'this.status = 400;')
    .noticedBy('createProduct'),
  mistake('page-error-code', 'A page that does not exist has another code.', 'public.ts')
    .replaces("404: 'not_found'", "404: 'gone'")
    .noticedBy('getPassportPage'),
  mistake('page-as-error', 'A page is not read as HTML.', 'public.ts')
    .replaces('/html/i', '/xhtml/i')
    .noticedBy('getPassportPage'),
  mistake('page-accepts-json', 'The page is requested as JSON.', 'public.ts')
    .replaces("'', 'text/html'", "'', 'application/json'")
    .noticedBy('getPassportPage'),
  mistake('token-dropped', 'The access token is not sent.', 'public.ts')
    .replaces("['lang', 'zugang', 'version'] as const", "['lang', 'version'] as const")
    .noticedBy('getPassportPage'),
  mistake('document-path', 'The JSON-LD document is requested at another path.', 'public.ts')
    .replaces("'getPassportJsonld', '/jsonld'", "'getPassportJsonld', '.jsonld'")
    .noticedBy('getPassportJsonld'),
  mistake('another-link-type', 'The resolver is requested with another link type.', 'public.ts')
    .replaces("'gs1:dpp'", "'gs1:pip'")
    .noticedBy('resolveGtin'),
  mistake('short-gtin', 'A GTIN is filled up to 13 digits.', 'gs1.ts')
    .replaces("padStart(14, '0')", "padStart(13, '0')")
    .noticedBy('resolveGtin'),
  mistake('no-opening-bracket', 'The array of values has no opening bracket.', 'put.ts')
    .replaces('body: `[', 'body: `')
    .noticedBy('putPassport'),
  mistake('findings-lost', 'The number of values that do not fit is not read.', 'put.ts')
    .replaces("headers.get('passport-findings')", "headers.get('x-findings')")
    .noticedBy('putPassport'),
  mistake('empty-page-refused', 'A list without products is refused.', 'pages.ts')
    .replaces('Array.isArray(page?.items)', 'Array.isArray(page?.items) && page.items.length > 0')
    .noticedBy('listProducts'),
  mistake('null-members-dropped', 'Members that are null are not sent.', 'api.ts')
    .replaces('    above.push(value);\n    return value;', '    above.push(value);\n    return value ?? undefined;')
    .noticedBy('createProduct'),
];

const siteUrl = 'http://passports.test';

/**
 * The cases in which the SDK sends another request than the pact has, or makes something else of the response.
 *
 * @param operation Default: all
 */
export async function consumerFindings(sdk: Sdk, operation = ''): Promise<readonly string[]> {
  const chosen = interactions.filter(({ description }) => description.startsWith(operation));
  return (await Promise.all(chosen.map((one) => faultsOf(sdk, one)))).flat();
}

async function faultsOf(sdk: Sdk, one: Case): Promise<string[]> {
  const faults: string[] = [];
  const clients = clientsAt(siteUrl, one, sdk, async (sent) => {
    faults.push(...(await requestFaults(sent, one.request)));
    return responseOf(one.response);
  });
  const outcome = await outcomeFaults(one, clients);
  return [...faults, ...outcome].map((what) => `${one.description}: ${what}`);
}

async function requestFaults(sent: Request, expected: ExpectedRequest): Promise<string[]> {
  const [actual, wanted] = await Promise.all([sent, requestOf(siteUrl, expected)].map(partsOf));
  const differing = Object.entries(wanted ?? {}).filter(([name, part]) => !isDeepStrictEqual(actual?.[name], part));
  return differing.map(([name]) => `The request has another ${name}: ${JSON.stringify(actual?.[name])}`);
}

/** The parts of a request that the pact compares. Headers that it does not expect may have any value. */
async function partsOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  const names = ['accept', 'authorization', 'content-type'].filter((name) => request.headers.has(name));
  return {
    ...{ method: request.method, path: pathname, query: Object.fromEntries(searchParams), body: jsonIn(text) ?? text },
    ...Object.fromEntries(names.map((name) => [name, request.headers.get(name)])),
  };
}

function responseOf({ status, contentType, body, html, location, findings }: ExpectedResponse): Response {
  const headers = new Headers();
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (location !== undefined) headers.set('location', String(MatchersV3.reify(location as string)));
  if (findings !== undefined) headers.set('passport-findings', `${findings}`);
  const text = html ?? (body === undefined ? null : JSON.stringify(MatchersV3.reify(body as object)));
  return new Response(text, { status, headers });
}

const source = fileURLToPath(new URL('../../sdk/src/', import.meta.url));

/** A copy of the SDK, with a mistake if one is given. */
export async function loadSdk(edit?: SdkEdit): Promise<Sdk> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './client.ts'; export * from './public.ts';",
      resolveDir: source,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'edit',
        setup({ onLoad }) {
          onLoad({ filter: /sdk\/src\/.*\.ts$/ }, async ({ path }) => {
            const text = await readFile(path, 'utf8');
            const isEdited = edit !== undefined && path === source + edit.file;
            return { contents: isEdited ? edited(text, edit) : text, loader: 'ts' };
          });
        },
      },
    ],
  });
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('The bundler made no file.');
  return import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`);
}

/** Why the mistake is not noticed, or nothing. */
export async function whyUnnoticed(edit: SdkEdit): Promise<string | undefined> {
  const { failsIn } = edit;
  const found = await consumerFindings(await loadSdk(edit), `${failsIn}: `);
  return found.length > 0 ? undefined : `No interaction of ${failsIn} fails.`;
}

export const sdkRows: readonly Row[] = sdkEdits.map(({ id, mistake, failsIn }) => ({
  ...{ id, mistake, noticed: { consumer: failsIn } },
}));

/** The consumer tests in this process: each case of the pact, with a service that responds as the pact says. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MatchersV3 } from '@pact-foundation/pact';
import { build } from 'esbuild';
import { jsonIn } from '../../conformance/http/exchange.ts';
import {
  type Case,
  type ExpectedRequest,
  type ExpectedResponse,
  outcomeFaults,
  requestOf,
  type Sdk,
  serviceAt,
} from '../../consumer/case.ts';
import { interactions } from '../../consumer/interactions.ts';
import { edited, type Row } from '../matrix.ts';
import type { SdkMutant } from './mutants.ts';

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
  const service = serviceAt(siteUrl, one, sdk, async (sent) => {
    faults.push(...(await requestFaults(sent, one.request)));
    return responseOf(one.response);
  });
  const outcome = await outcomeFaults(one, service);
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

function responseOf({ status, contentType, body, html, location }: ExpectedResponse): Response {
  const headers = new Headers();
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (location !== undefined) headers.set('location', String(MatchersV3.reify(location as string)));
  const text = html ?? (body === undefined ? null : JSON.stringify(MatchersV3.reify(body as object)));
  return new Response(text, { status, headers });
}

const source = fileURLToPath(new URL('../../../sdk/src/', import.meta.url));

/** A copy of the SDK, with a mistake if one is given. */
export async function loadSdk(edit?: SdkMutant): Promise<Sdk> {
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

/** `survived` says why the mutant survived, if it did. */
export async function deathOf(mutant: SdkMutant): Promise<{ survived: string | undefined; row: Row }> {
  const { id, mistake, killedBy } = mutant;
  const found = await consumerFindings(await loadSdk(mutant), `${killedBy}: `);
  const isNoticed = found.length > 0;
  return {
    survived: isNoticed ? undefined : `No interaction of ${killedBy} fails.`,
    row: { id, mistake, noticed: { consumer: isNoticed ? killedBy : null } },
  };
}

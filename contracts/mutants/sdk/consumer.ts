/** The consumer tests in this process: each case of the pact, with a service that responds as the pact says. */
import { isDeepStrictEqual } from 'node:util';
import { MatchersV3 } from '@pact-foundation/pact';
import { jsonIn } from '../../conformance/request-faults.ts';
import {
  type Case,
  type ExpectedRequest,
  type ExpectedResponse,
  outcomeFaults,
  plainJson,
  type Sdk,
  serviceAt,
} from '../../consumer/case.ts';
import { interactions } from '../../consumer/interactions.ts';
import type { Row } from '../matrix.ts';
import type { SdkMutant } from './mutants.ts';
import { loadSdk } from './sdk.ts';

const siteUrl = 'http://passports.test';

export interface Finding {
  /** The description of the case. */
  readonly description: string;
  readonly what: string;
}

/**
 * The cases in which the SDK sends another request than the pact has, or makes something else of the response.
 *
 * @param operations Default: all
 */
export async function consumerFindings(sdk: Sdk, operations = ['']): Promise<readonly Finding[]> {
  const chosen = interactions.filter(({ description }) => operations.some((name) => description.startsWith(name)));
  const found = await Promise.all(
    chosen.map(async (one) => (await faultsOf(sdk, one)).map((what) => ({ description: one.description, what }))),
  );
  return found.flat();
}

async function faultsOf(sdk: Sdk, one: Case): Promise<string[]> {
  const faults: string[] = [];
  const service = serviceAt(siteUrl, one, sdk, async (sent) => {
    faults.push(...(await requestFaults(sent, one.request)));
    return responseOf(one.response);
  });
  const outcome = await outcomeFaults(one, service);
  return [...faults, ...outcome];
}

async function requestFaults(sent: Request, expected: ExpectedRequest): Promise<string[]> {
  const url = new URL(sent.url);
  const { method, path, query = {}, accept, key, body, rawBody } = expected;
  const text = await sent.text();
  const type = sent.headers.get('content-type');
  const differences: [string, unknown, unknown][] = [
    ['method', sent.method, method],
    ['path', url.pathname, path],
    ['query', Object.fromEntries(url.searchParams), query],
    ['body', text === '' ? undefined : (jsonIn(text) ?? text), body ?? rawBody?.text],
  ];
  if (accept !== undefined) differences.push(['Accept', sent.headers.get('accept'), accept]);
  if (key !== undefined) differences.push(['Authorization', sent.headers.get('authorization'), `Bearer ${key}`]);
  if (body !== undefined) differences.push(['Content-Type', type, 'application/json']);
  if (rawBody !== undefined) {
    differences.splice(3, 1, ['body', text, rawBody.text]);
    differences.push(['Content-Type', type, rawBody.contentType]);
  }
  return differences
    .filter(([, actual, wanted]) => !isDeepStrictEqual(plainJson(actual), plainJson(wanted)))
    .map(([what, actual]) => `The request has another ${what}: ${JSON.stringify(actual)}`);
}

function responseOf({ status, contentType, body, html, location }: ExpectedResponse): Response {
  const headers = new Headers();
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (location !== undefined) headers.set('location', String(MatchersV3.reify(location as string)));
  const text = html ?? (body === undefined ? null : JSON.stringify(MatchersV3.reify(body as object)));
  return new Response(text, { status, headers });
}

export interface SdkDeath {
  /** Why the mutant survived, or nothing. */
  readonly survived: string | undefined;
  readonly row: Row;
}

export async function deathOf(mutant: SdkMutant): Promise<SdkDeath> {
  const { id, mistake, killedBy } = mutant;
  const found = await consumerFindings(await loadSdk(mutant), [`${killedBy}: `]);
  const isNoticed = found.length > 0;
  return {
    survived: isNoticed ? undefined : `No interaction of ${killedBy} fails.`,
    row: { id, mistake, noticed: { consumer: isNoticed ? killedBy : null } },
  };
}

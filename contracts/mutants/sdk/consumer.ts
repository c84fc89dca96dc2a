/** The consumer tests in this process: each case of the pact, with a service that responds as the pact says. */
import { isDeepStrictEqual } from 'node:util';
import { MatchersV3 } from '@pact-foundation/pact';
import type { Fetch } from '@product-passport/sdk';
import type { Case, ExpectedRequest, ExpectedResponse, Service } from '../../consumer/case.ts';
import { interactions } from '../../consumer/interactions.ts';
import { keys } from '../../states/keys.ts';
import type { Row } from '../matrix.ts';
import type { SdkMutant } from './mutants.ts';
import { loadSdk, type Sdk } from './sdk.ts';

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

async function faultsOf({ createClient, createPublicClient }: Sdk, one: Case): Promise<string[]> {
  const { call, request, alter, response } = one;
  const faults: string[] = [];
  const respond = async (sent: Request): Promise<Response> => {
    // The target of a redirect is not part of the interaction.
    if (!sent.url.startsWith(siteUrl)) return new Response('', { headers: { 'content-type': 'text/html' } });
    faults.push(...(await requestFaults(alter === undefined ? sent : alter(sent), request)));
    return responseOf(response);
  };
  const send: Fetch = (address, init) => respond(new Request(address, init));
  const limits = { timeoutMs: 1000, deadlineMs: 1000, maxAttempts: 1 };
  const service: Service = {
    client: createClient({ baseUrl: `${siteUrl}/api/v1`, apiKey: request.key ?? keys.valid, fetch: send, ...limits }),
    site: createPublicClient({ siteUrl, fetch: send }),
    async plain(path, headers = {}) {
      const reply = await respond(new Request(siteUrl + path, { headers }));
      return reply.headers.get('location') ?? reply.json();
    },
  };
  const outcome = await Promise.resolve()
    .then(() => call(service))
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  return [...faults, ...outcomeFaults(outcome, response)];
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
    ['body', text === '' ? undefined : (parsed(text) ?? text), body ?? rawBody?.text],
  ];
  if (accept !== undefined) differences.push(['Accept', sent.headers.get('accept'), accept]);
  if (key !== undefined) differences.push(['Authorization', sent.headers.get('authorization'), `Bearer ${key}`]);
  if (body !== undefined) differences.push(['Content-Type', type, 'application/json']);
  if (rawBody !== undefined) {
    differences.splice(3, 1, ['body', text, rawBody.text]);
    differences.push(['Content-Type', type, rawBody.contentType]);
  }
  return differences
    .filter(([, actual, wanted]) => !isDeepStrictEqual(plain(actual), plain(wanted)))
    .map(([what, actual]) => `The request has another ${what}: ${JSON.stringify(actual)}`);
}

function responseOf({ status, contentType, body, html, location }: ExpectedResponse): Response {
  const headers = new Headers();
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (location !== undefined) headers.set('location', String(MatchersV3.reify(location as string)));
  const text = html ?? (body === undefined ? null : JSON.stringify(MatchersV3.reify(body as object)));
  return new Response(text, { status, headers });
}

function outcomeFaults(outcome: { value: unknown } | { error: unknown }, expected: ExpectedResponse): string[] {
  const { status, body, html, location, code } = expected;
  if ('error' in outcome) {
    const { name, status: thrown, code: own } = Object(outcome.error);
    if (code === undefined) return [`The call rejects with ${outcome.error}.`];
    const isExpected = name === 'ApiError' && thrown === status && own === code;
    return isExpected ? [] : [`The call rejects with ${name} ${thrown} ${own}, not with ApiError ${status} ${code}.`];
  }
  if (code !== undefined) return [`The call succeeds in place of the error ${code}.`];
  const wanted = MatchersV3.reify((html ?? location ?? body) as object);
  const isSame = isDeepStrictEqual(plain(outcome.value), plain(wanted));
  return isSame ? [] : [`The call returns another value: ${JSON.stringify(outcome.value)}`];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Drops members that are undefined, and prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
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

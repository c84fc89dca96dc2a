/** Judges requests and responses that somebody else sent: recorded ones, or those that pass a proxy. */

import { partsWithKey, queryFaults, sideOf } from '@product-passport/openapi';
import { operationAt } from '../../judge/operation-at.ts';
import { outcomeOver } from '../case.ts';
import type { Claim } from '../claims.ts';
import { findingsOf, resultOfCheck } from '../client/check.ts';
import { checks } from '../client/checks.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import { type Judges, requestFaults, trafficJudges } from '../judges.ts';
import { addressesOf, type Provider } from '../provider.ts';
import { checkIds, type Result, type Run, verdictOf } from '../result.ts';
import { choiceOf } from '../run.ts';
import { loadedSuite, suiteFacts } from '../verify.ts';

export interface TrafficOptions {
  readonly exchanges: readonly Exchange[];
  readonly claims: readonly Claim[];
  readonly provider: Provider;
  /** Operations that must occur, or the beginnings of their names. Default: none. */
  readonly required?: readonly string[] | undefined;
}

/**
 * One result for each operation: its responses conform to the contract. A request that breaks the contract is a warning,
 * because the provider may refuse it, and a failure if it has the API key in its address or its body.
 *
 * @throws UsageError if a required operation is not one of the claims
 */
export function judgeTraffic({ exchanges, claims, provider, required = [] }: TrafficOptions): Run {
  const { contract, suite } = loadedSuite();
  const chosen = suite.wholeRunCases.filter(choiceOf({ claims }));
  const names = contract.operations
    .map(({ operationId }) => operationId)
    .filter((name) => chosen.some(({ id }) => operationOf(id) === name));
  checkIds('--require', required, 'operation of the claims', names);
  const judges = trafficJudges(contract);
  const isRequired = (id: string): boolean => required.some((name) => operationOf(id)?.startsWith(name));
  const outcomes = chosen
    .map((one) => withRequests(outcomeOver(one, { exchanges, judges, provider }), exchanges, judges))
    .map((one) => ({ ...one, scored: one.status !== 'skipped' || isRequired(one.id) }));
  const results = [...outcomes, keyOutside(exchanges, provider)];
  const seen = new Set(exchanges.flatMap(({ request }) => operationIn(judges, request) ?? []));
  const missing = names.filter((name) => !seen.has(name));
  const isJudged = outcomes.some(({ id, status }) => operationOf(id) !== undefined && status !== 'skipped');
  const times = exchanges.map(({ sentAt }) => Date.parse(sentAt)).filter((time) => !Number.isNaN(time));
  const [first, last] = times.length === 0 ? [] : [new Date(Math.min(...times)), new Date(Math.max(...times))];
  const { verdict, because } = verdictOf(results, true, 'Every response that was judged conforms to the contract.');
  return {
    ...(verdict === 'passed' && !isJudged
      ? { verdict: 'incomplete', because: 'No response was judged.' }
      : { verdict, because }),
    notes: [
      ...outcomes.flatMap(({ id, warnings }) =>
        warnings.filter((text) => text.startsWith('request: ')).map((text) => `${operationOf(id)}: ${text}`),
      ),
      ...unknownRequests(exchanges, judges),
      ...(missing.length > 0 ? [`Operations that did not occur: ${missing.join(', ')}.`] : []),
    ],
    claims,
    baseUrl: addressesOf(provider).baseUrl,
    seed: 0,
    ...suiteFacts(first, last),
    results,
  };
}

/** The operation of `HTTP-6.getMe`. */
function operationOf(id: string): string | undefined {
  return /^HTTP-[67]\.(\w+)$/.exec(id)?.[1];
}

function operationIn({ reference }: Judges, { method, path }: WireRequest): string | undefined {
  return operationAt(reference.operations, method, path)?.operationId;
}

/** Requests to the API that the contract does not have. The provider may respond to them as it likes. */
function unknownRequests(exchanges: readonly Exchange[], judges: Judges): string[] {
  const unknown = exchanges
    .map(({ request }) => request)
    .filter((request) => sideOf(request.path).secured && operationIn(judges, request) === undefined);
  const lines = unknown.map(({ method, path }) => `${method} ${path.split('?', 1)[0]}`);
  return [...new Set(lines)].map((line) => `${line}: request: the contract has no such operation.`);
}

/** The check of a client, over requests of any client. */
function keyOutside(exchanges: readonly Exchange[], { tenants = [] }: Provider): Result {
  const check = checks.find(({ id }) => id === 'CLIENT-6.address');
  if (check === undefined) throw new Error('There is no check CLIENT-6.address.');
  const keys = tenants.map(({ api_key }) => api_key);
  const faults = exchanges.flatMap((exchange) => {
    const { method, path, body } = exchange.request;
    const line = `${method} ${path.split('?', 1)[0]}`;
    const parts = partsWithKey(path, Buffer.from(body ?? []).toString(), keys);
    return parts.map((part) => ({ reason: `${line}: ${part} contains the API key. Logs keep it.`, exchange }));
  });
  const { examples = [], ...found } = findingsOf(faults);
  return resultOfCheck(check, found, { claim: 'client', exchanges: examples });
}

/** Adds the faults of requests to the case of their operation, `HTTP-6.getMe`. */
function withRequests(outcome: Result, exchanges: readonly Exchange[], judges: Judges): Result {
  const operation = judges.reference.operations.find((one) => `HTTP-6.${one.operationId}` === outcome.id);
  if (operation === undefined) return outcome;
  const requests = exchanges
    .map(({ request }) => request)
    .filter((request) => operationIn(judges, request) === operation.operationId);
  const faults = requests.flatMap((request) => [
    ...requestFaults(judges.reference, request).filter((fault) => !request.isBodyOmitted || !fault.startsWith('body')),
    ...queryFaults(request.path, operation),
  ]);
  const omitted = requests.filter(({ isBodyOmitted }) => isBodyOmitted).length;
  const warnings = [
    ...outcome.warnings,
    ...(omitted > 0 ? [`Request bodies that were not recorded: ${omitted}.`] : []),
    ...new Set(faults.map((fault) => `request: ${fault}`)),
  ];
  return { ...outcome, warnings };
}

/** Parameters of the address in which clients send a key. */
const keyParameter = /^(?:x-)?(?:api[-_]?key|key|access[-_]?token|token|bearer|authorization)$/i;

export function withSecretsOf(exchanges: readonly Exchange[], provider: Provider): Provider {
  const keys = new Set(
    exchanges.map(({ request }) => (request.headers.authorization ?? '').replace(/^\S+\s+/, '').trim()),
  );
  const queries = exchanges.map(({ request }) => new URLSearchParams(request.path.split('?').slice(1).join('?')));
  for (const [index, query] of queries.entries()) {
    if (!sideOf(exchanges[index]?.request.path ?? '').secured) continue;
    for (const [name, value] of query) if (keyParameter.test(name)) keys.add(value);
  }
  const tokens = new Set(queries.flatMap((query) => query.getAll('zugang').filter(isSecret)));
  return {
    ...provider,
    tenants: [...keys].filter(isSecret).map((api_key) => ({ api_key })),
    access_tokens: [...tokens].map((token) => ({ tenant: '', product: null, role: 'access', token })),
  };
}

/** Shorter texts appear in responses by chance. A mask, with which recordings hide secrets, also hides other values. */
function isSecret(text: string): boolean {
  return text.length >= 8 && !/^\W*(?:redacted|masked|removed|filtered|hidden|sanitized|x*)\W*$/i.test(text);
}

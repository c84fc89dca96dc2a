/** Judges requests and responses that somebody else sent: recorded ones, or those that pass a proxy. */

import { partsWithKey } from '@product-passport/openapi';
import { operationAt } from '../../judge/operation-at.ts';
import { outcomeOver } from '../case.ts';
import type { Claim } from '../claims.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Judges, requestFaults, trafficJudges } from '../judges.ts';
import { addressesOf, type Provider } from '../provider.ts';
import { type Result, type Run, verdictOf } from '../result.ts';
import { choiceOf } from '../run.ts';
import { loadedSuite, suiteFacts } from '../verify.ts';

export interface TrafficOptions {
  readonly exchanges: readonly Exchange[];
  readonly claims: readonly Claim[];
  readonly provider: Provider;
}

/**
 * One result for each operation: its responses conform to the contract. A request that breaks the contract is a warning,
 * because the provider may refuse it. The verdict is `incomplete` if an operation of the claims does not occur.
 */
export function judgeTraffic({ exchanges, claims, provider }: TrafficOptions): Run {
  const { contract, suite } = loadedSuite();
  const judges = trafficJudges(contract);
  const results = suite.wholeRunCases
    .filter(choiceOf({ claims }))
    .map((one) => withRequests(outcomeOver(one, { exchanges, judges, provider }), exchanges, judges, provider));
  const times = exchanges.map(({ sentAt }) => Date.parse(sentAt)).filter((time) => !Number.isNaN(time));
  const [first, last] = times.length === 0 ? [] : [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return {
    ...verdictOf(results, true),
    claims,
    baseUrl: addressesOf(provider).baseUrl,
    seed: 0,
    ...suiteFacts(first, last),
    results,
  };
}

/** Adds the faults of requests to the case of their operation, `HTTP-6.getMe`. */
function withRequests(
  outcome: Result,
  exchanges: readonly Exchange[],
  { reference }: Judges,
  { tenants = [] }: Provider,
): Result {
  const [family, operationId] = outcome.id.split('.', 2);
  if (family !== 'HTTP-6') return outcome;
  const keys = tenants.map(({ api_key }) => api_key);
  const requests = exchanges
    .map(({ request }) => request)
    .filter(({ method, path }) => operationAt(reference.operations, method, path)?.operationId === operationId);
  const faults = requests.flatMap((request) => [
    ...requestFaults(reference, request).filter((fault) => !request.isBodyOmitted || !fault.startsWith('body')),
    ...partsWithKey(request.path, Buffer.from(request.body ?? []).toString(), keys).map(
      (part) => `${part} contains the API key`,
    ),
  ]);
  const omitted = requests.filter(({ isBodyOmitted }) => isBodyOmitted).length;
  const warnings = [
    ...outcome.warnings,
    ...(omitted > 0 ? [`Request bodies that were not recorded: ${omitted}.`] : []),
    ...new Set(faults.map((fault) => `request: ${fault}`)),
  ];
  return { ...outcome, warnings };
}

export function withSecretsOf(exchanges: readonly Exchange[], provider: Provider): Provider {
  const keys = new Set(
    exchanges.map(({ request }) => (request.headers.authorization ?? '').replace(/^\S+\s+/, '').trim()),
  );
  const queries = exchanges.map(({ request }) => new URLSearchParams(request.path.split('?').slice(1).join('?')));
  const tokens = new Set(queries.flatMap((query) => query.getAll('zugang').filter(isSecret)));
  return {
    ...provider,
    tenants: [...keys].filter(isSecret).map((api_key) => ({ api_key })),
    access_tokens: [...tokens].map((token) => ({ tenant: '', product: null, role: 'access', token })),
  };
}

/** Shorter texts appear in responses by chance: `***`, with which recordings mask secrets, also hides values in responses. */
function isSecret(text: string): boolean {
  return text.length >= 8;
}

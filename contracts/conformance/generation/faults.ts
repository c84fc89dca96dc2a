/** What is wrong with the response to a generated request. */
import { isRecord } from '@product-passport/openapi';
import { outcomeOf } from '../api.ts';
import { secretsInResponses } from '../cases/leaks.ts';
import { shown } from '../check.ts';
import type { Exchange, WireResponse } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import type { Provider } from '../provider.ts';
import { jsonIn } from '../request-faults.ts';
import type { Expectation } from './expectation.ts';

/** Faults of the response alone: its status, shape and headers, and what it leaks. */
export function responseFaults(exchange: Exchange, judges: Judges, provider: Provider): string[] {
  const { request, response, failure = '' } = exchange;
  if (response === undefined) return [failure];
  const { method, path } = request;
  const { status, headers, text: body, isUtf8 } = response;
  const findings = judges.core.answer({ method, path, status, headers, body, isUtf8 });
  const broken = findings.filter(({ severity }) => severity === 'failure').map(({ where, what }) => `${where} ${what}`);
  const leaked = secretsInResponses.flatMap(
    ({ findings }) => findings({ exchanges: [exchange], judges, provider }).reasons,
  );
  return [...broken, ...leaked];
}

/** Whether the outcome is the one that the description says. */
export function outcomeFaults(expected: Expectation, { response }: Exchange): string[] {
  const { status = 500 } = response ?? {};
  // A server error is a fault of its own.
  if (expected.kind === 'open' || response === undefined || status === 429 || status >= 500) return [];
  const got = outcomeOf({ status, code: codeIn(response) });
  if (expected.kind === 'accepted') return status < 400 ? [] : [`a valid request must not get ${got}`];
  const { statuses, codes } = expected;
  const isRefused = statuses === undefined ? status >= 400 && status < 500 : statuses.includes(status);
  if (!isRefused) return [`the request must get ${statuses?.join(' or ') ?? 'a 4xx status'}, gets ${got}`];
  const isNamed = codes === undefined || codes.some((code) => code === codeIn(response));
  return isNamed ? [] : [`error.code must be ${codes.join(' or ')}, is ${shown(codeIn(response))}`];
}

function codeIn({ text }: WireResponse): string | undefined {
  const json = jsonIn(text);
  const code = isRecord(json) && isRecord(json.error) ? json.error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

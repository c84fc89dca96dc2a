/** What the API's own description says about the response to a generated request. */
import { isRecord } from '@product-passport/openapi';
import { shown } from '../../judge/finding.ts';
import { describedStatus } from '../../judge/possible-responses.ts';
import { outcomeOf } from '../api.ts';
import type { Exchange, WireResponse } from '../http/exchange.ts';
import { jsonIn } from '../request-faults.ts';

/**
 * - `success`: no provider has a reason to refuse the request.
 * - `open`: each provider decides.
 * - `refusal`: any 4xx status.
 * - a list: one of these errors.
 */
export type Outcome = 'success' | 'open' | 'refusal' | readonly Refusal[];

interface Refusal {
  readonly status: number;
  /** Absent: the description names only the status. */
  readonly code?: string;
}

/** The outcome of a violation with this code. Providers decide about a violation that the description does not name. */
export function refusedWith(code: string | undefined): Outcome {
  const status = code === undefined ? undefined : describedStatus[code];
  return code === undefined || status === undefined ? 'open' : [{ status, code }];
}

/** The outcome of a request with these parts. A provider may check an open part first, and refuse it with its own code. */
export function together(parts: readonly Outcome[]): Outcome {
  const refusals = parts.flatMap((part) => (typeof part === 'string' ? [] : part));
  const isOpen = parts.includes('open');
  if (parts.includes('refusal') || (isOpen && refusals.length > 0)) return 'refusal';
  if (refusals.length > 0) return refusals;
  return isOpen ? 'open' : 'success';
}

export function isRefusal(outcome: Outcome): boolean {
  return outcome !== 'success' && outcome !== 'open';
}

/** How the response differs from the outcome. The judge reports server errors, and 429 says nothing about the request. */
export function outcomeFaults(outcome: Outcome, { response }: Exchange): string[] {
  if (response === undefined || response.status === 429 || response.status >= 500 || outcome === 'open') return [];
  const { status } = response;
  const code = codeIn(response);
  const got = outcomeOf({ status, code });
  if (outcome === 'success') return status < 400 ? [] : [`a valid request must not get ${got}`];
  if (outcome === 'refusal') return status >= 400 ? [] : [`the request must get a 4xx status, gets ${got}`];
  const sameStatus = outcome.filter((refusal) => refusal.status === status);
  if (sameStatus.length === 0) {
    const statuses = new Set(outcome.map((refusal) => refusal.status));
    const named = new Set(outcome.flatMap((refusal) => refusal.code ?? []));
    const instead = named.size === 0 ? '' : ` in place of ${[...named].join(' or ')}`;
    return [`the request must get ${[...statuses].join(' or ')}, gets ${got}${instead}`];
  }
  const codes = sameStatus.map((refusal) => refusal.code);
  if (codes.includes(undefined) || codes.includes(code)) return [];
  return [`error.code must be ${[...new Set(codes)].join(' or ')}, is ${shown(code)}`];
}

function codeIn({ text }: WireResponse): string | undefined {
  const json = jsonIn(text);
  const code = isRecord(json) && isRecord(json.error) ? json.error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

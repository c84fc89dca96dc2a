/** A program honours 429 and Retry-After. */
import { earlyRequests, isApiPath, lineOf, pausesIn } from '@product-passport/openapi';
import {
  breachesOf,
  type ClientCheck,
  type ClientRun,
  type Findings,
  findingsOf,
  survival,
  withoutEnd,
} from '../check.ts';
import { type ClientRequest, isSuccess, sentOf } from '../client-request.ts';

const clause = '/components/responses/RateLimited';

export const limits: readonly ClientCheck[] = [
  {
    id: 'CLIENT-2.wait',
    title: 'After a 429 the program sends nothing until the seconds in Retry-After have passed.',
    clause,
    findings: ({ main }) => early(main.requests),
  },
  {
    id: 'CLIENT-2.repeat',
    title: 'A request that got 429 is sent again, and the program goes on.',
    clause,
    findings: (run) => lost(run),
  },
];

const notExercised = 'No request of the program got 429, because it sent too few.';

function early(requests: readonly ClientRequest[]): Findings {
  const sent = requests.map(sentOf);
  if (pausesIn(sent).length === 0) return { notExercised };
  return breachesOf(earlyRequests(sent));
}

function lost(run: ClientRun): Findings {
  const { requests } = run.main;
  const refused = requests.filter(({ fault }) => fault?.code === 'rate_limited');
  if (refused.length === 0) return { notExercised };
  // The program may have been about to send it.
  if (typeof run.main.ending === 'string') return { notExercised: withoutEnd[run.main.ending] };
  const accepted = requests.filter(({ fault, exchange }) => fault === undefined && isApiPath(exchange.request.path));
  const faults = refused
    .filter((refusal) => {
      const { arrivedAt } = refusal;
      const later = accepted.filter((one) => one.arrivedAt > arrivedAt);
      const isRepeated = later.some((one) => sentOf(one).identity === sentOf(refusal).identity);
      return !isRepeated && (later.length > 0 || isSuccess(run.main));
    })
    .map((one) => ({
      reason: `${lineOf(one.exchange.request)} got 429 and was never sent again.`,
      exchange: one.exchange,
    }));
  return faults.length > 0 ? findingsOf(faults) : survival(run, 'limits', 'a request gets 429');
}

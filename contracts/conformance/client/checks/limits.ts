/** A program honours 429 and Retry-After. */
import { earlyRequests, isApiPath, lineOf, pausesIn } from '@product-passport/openapi';
import { breachesOf, type ClientRun, type Findings, findingsOf, survival, withoutEnd } from '../check.ts';
import { isSuccess, sentOf } from '../client-request.ts';

const notExercised = 'No request of the program got 429, because it sent too few.';

export function early({ main }: ClientRun): Findings {
  const sent = main.requests.map(sentOf);
  if (pausesIn(sent).length === 0) return { notExercised };
  return breachesOf(earlyRequests(sent));
}

export function lost(run: ClientRun): Findings {
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

/** A program honours 429 and Retry-After. */
import { type ClientCheck, type ClientRun, type Findings, findingsOf, survival, withoutEnd } from '../check.ts';
import { type ClientRequest, identityOf, isApi, isSuccess, lineOf } from '../client-request.ts';

const clause = '/components/responses/RateLimited';

/** Other requests may be under way when the response arrives, in milliseconds. */
const underWay = 500;
/** A timer may fire early, in milliseconds. */
const tolerance = 50;

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

/** The responses that began a pause: the first 429 of each. */
function pauses(requests: readonly ClientRequest[]): readonly ClientRequest[] {
  let endsAt = 0;
  return requests.filter((one) => {
    if (one.event !== 'limited' || one.arrivedAt < endsAt) return false;
    endsAt = one.respondedAt + secondsOf(one) * 1000 - tolerance;
    return true;
  });
}

function secondsOf({ exchange }: ClientRequest): number {
  return Number(exchange.response?.headers['retry-after']);
}

function early(requests: readonly ClientRequest[]): Findings {
  const began = pauses(requests);
  if (began.length === 0) return { notExercised };
  const faults = began.flatMap((pause) => {
    const seconds = secondsOf(pause);
    const endsAt = pause.respondedAt + seconds * 1000 - tolerance;
    const identity = identityOf(pause.exchange.request);
    return requests
      .filter(({ exchange, arrivedAt }) => {
        const isRepeat = identityOf(exchange.request) === identity;
        const knownAt = pause.respondedAt + (isRepeat ? 0 : underWay);
        return isApi(exchange.request) && arrivedAt > knownAt && arrivedAt < endsAt;
      })
      .map((one) => ({
        reason: `${lineOf(pause)} got 429 with Retry-After: ${seconds}. ${lineOf(one)} came before the ${seconds} seconds had passed.`,
        exchange: one.exchange,
      }));
  });
  return findingsOf(faults);
}

function lost(run: ClientRun): Findings {
  const { requests } = run.main;
  const refused = requests.filter(({ event }) => event === 'limited');
  if (refused.length === 0) return { notExercised };
  // The program may have been about to send it.
  if (typeof run.main.ending === 'string') return { notExercised: withoutEnd[run.main.ending] };
  const accepted = requests.filter(({ event, exchange }) => event !== 'limited' && isApi(exchange.request));
  const faults = refused
    .filter(({ exchange, arrivedAt }) => {
      const later = accepted.filter((one) => one.arrivedAt > arrivedAt);
      const isRepeated = later.some((one) => identityOf(one.exchange.request) === identityOf(exchange.request));
      return !isRepeated && (later.length > 0 || isSuccess(run.main));
    })
    .map((one) => ({ reason: `${lineOf(one)} got 429 and was never sent again.`, exchange: one.exchange }));
  return faults.length > 0 ? findingsOf(faults) : survival(run, 'limits', 'a request gets 429');
}

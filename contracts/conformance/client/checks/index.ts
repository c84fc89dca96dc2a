import { blindRepeats, earlyRequests, isApiPath, keyPlaces, lineOf, pausesIn } from '@product-passport/openapi';
import {
  breachesOf,
  type Cause,
  type ClientCheck,
  type ClientRun,
  checksOf,
  type Findings,
  findingsOf,
  survival,
  withoutEnd,
} from '../check.ts';
import { isSuccess, sentOf } from '../client-request.ts';
import { readings } from './pages.ts';
import { bodies, headers, operations, parameters } from './requests.ts';

const notLimited = 'No request of the program got 429, because it sent too few.';

function early({ main }: ClientRun): Findings {
  const sent = main.requests.map(sentOf);
  if (pausesIn(sent).length === 0) return { notExercised: notLimited };
  return breachesOf(earlyRequests(sent));
}

function lost(run: ClientRun): Findings {
  const { requests } = run.main;
  const refused = requests.filter(({ fault }) => fault?.code === 'rate_limited');
  if (refused.length === 0) return { notExercised: notLimited };
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

function repeats({ main: { requests } }: ClientRun): Findings {
  if (!requests.some(({ fault }) => fault?.connection === 'lose_response'))
    return { notExercised: 'The program created fewer than two products.' };
  return breachesOf(blindRepeats(requests.map(sentOf)));
}

const causes: Readonly<Record<Cause, string>> = {
  none: '',
  program: ' It fails without disturbances, too.',
  together: ' It succeeds without disturbances, and no disturbance alone makes it fail.',
  limits: ' It succeeds if no request gets 429.',
  drops: ' It succeeds if no response to a create is lost.',
  fields: ' It succeeds if no response has an unknown field.',
  values: ' It succeeds if no response has an unknown value.',
  pages: ' It succeeds if pages are large and the list does not grow.',
  redirect: '',
};

function endingOf({ main, cause }: ClientRun): Findings {
  if (typeof main.ending === 'string') return { notExercised: withoutEnd[main.ending] };
  return main.ending.isSuccess ? {} : { reasons: [`The command ended ${main.ending.words}.${causes[cause]}`] };
}

function addresses({ main: { requests }, apiKey }: ClientRun): Findings {
  if (requests.length === 0) return { notExercised: 'The program sent no request.' };
  const faults = requests.flatMap(({ exchange }) => {
    const { method, path, body } = exchange.request;
    const places = keyPlaces(path, Buffer.from(body ?? []).toString(), [apiKey]);
    return places.map((place) => ({ reason: `${method}: ${place} contains the key. Logs keep it.`, exchange }));
  });
  return findingsOf(faults);
}

function redirects({ redirected, apiKey }: ClientRun): Findings {
  if (redirected === undefined) return { notExercised: 'The program ran only once, without a redirect.' };
  const sent = redirected.requests.filter(({ isRedirected }) => isRedirected).map(({ exchange }) => exchange);
  if (sent.length === 0) return { notExercised: 'No request of the program got a redirect.' };
  const isIn = (text: string): boolean => text.includes(apiKey) || text.includes(encodeURIComponent(apiKey));
  const faults = redirected.elsewhere
    .filter(({ request }) => Object.values(request.headers).some(isIn))
    .map((exchange) => ({
      reason: `${lineOf(exchange.request)} went to another origin, with the key.`,
      exchange,
    }));
  return faults.length > 0 ? findingsOf(faults) : { examples: sent };
}

/** @param text what a response with the addition has */
function survives(kind: 'fields' | 'values', what: string, text: string) {
  return (run: ClientRun): Findings => {
    const responses = run.main.requests.map(({ exchange }) => exchange.response);
    const isMet = responses.some((response) => response?.status === 200 && response.text.includes(text));
    if (!isMet) return { notExercised: 'No response had one.' };
    return survival(run, kind, `responses have a ${what} that the program does not know`);
  };
}

const fields = survives('fields', 'field', '"added_later":');
const values = survives('values', 'value', ':"added_later"');

const description = '/info/description';
const key = '/components/securitySchemes/apiKey';
const refusal = '/components/responses/RateLimited';
const list = '/paths/~1api~1v1~1products/get';
const creation = '/paths/~1api~1v1~1products/post';

export const checks: readonly ClientCheck[] = checksOf<ClientCheck['findings']>([
  ['CLIENT-1.operation', '/paths', 'The program sends only operations of the contract.', operations],
  [
    'CLIENT-1.parameters',
    '/paths',
    'Paths and queries have only parameters of the contract, with valid values.',
    parameters,
  ],
  [
    'CLIENT-1.headers',
    key,
    'A request to the API has the key as a bearer token, and a body has the type application/json.',
    headers,
  ],
  ['CLIENT-1.body', description, 'A body is JSON that conforms to the schema of its operation.', bodies],
  [
    'CLIENT-2.wait',
    refusal,
    'After a 429 the program sends nothing until the seconds in Retry-After have passed.',
    early,
  ],
  ['CLIENT-2.repeat', refusal, 'A request that got 429 is sent again, and the program goes on.', lost],
  [
    'CLIENT-3.create',
    creation,
    'If the response to a create is lost, the program looks for the product before it creates again.',
    repeats,
  ],
  ['CLIENT-4.fields', description, 'The program survives a field that it does not know.', fields],
  ['CLIENT-4.values', description, 'The program survives a value of an open set that it does not know.', values],
  ['CLIENT-5.pages', list, 'The program reads a list of products to its end, whatever the size of a page.', readings],
  ['CLIENT-6.address', key, 'The key is never part of an address or a body.', addresses],
  ['CLIENT-6.redirect', key, 'The program does not send the key to another origin that a redirect names.', redirects],
  ['CLIENT-7.exit', description, 'The command ends with exit code 0.', endingOf],
]);

import { blindRepeats, keyPlaces } from '@product-passport/openapi';
import type { Exchange } from '../../http/exchange.ts';
import {
  breachesOf,
  type Cause,
  type ClientCheck,
  type ClientRun,
  type Findings,
  findingsOf,
  survival,
  withoutEnd,
} from '../check.ts';
import { type Attempt, type ClientRequest, sentOf } from '../client-request.ts';
import { limits } from './limits.ts';
import { pages } from './pages.ts';
import { requests } from './requests.ts';

const creations: readonly ClientCheck[] = [
  {
    id: 'CLIENT-3.create',
    title: 'If the response to a create is lost, the program looks for the product before it creates again.',
    clause: '/paths/~1api~1v1~1products/post',
    findings: ({ main }) => repeats(main.requests),
  },
];

function repeats(requests: readonly ClientRequest[]): Findings {
  if (!requests.some(({ fault }) => fault?.connection === 'lose_response'))
    return { notExercised: 'The program created fewer than two products.' };
  return breachesOf(blindRepeats(requests.map(sentOf)));
}

const ending: readonly ClientCheck[] = [
  {
    id: 'CLIENT-7.exit',
    title: 'The command ends with exit code 0.',
    clause: '/info/description',
    findings: endingOf,
  },
];

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

const clause = '/info/description';

const keyClause = '/components/securitySchemes/apiKey';

const secrecy: readonly ClientCheck[] = [
  {
    id: 'CLIENT-6.address',
    title: 'The key is never part of an address or a body.',
    clause: keyClause,
    findings: ({ main, apiKey }) => addresses(main, apiKey),
  },
  {
    id: 'CLIENT-6.redirect',
    title: 'The program does not send the key to another origin that a redirect names.',
    clause: keyClause,
    findings: ({ redirected, apiKey }) => redirects(redirected, apiKey),
  },
];

function addresses({ requests }: Attempt, apiKey: string): Findings {
  if (requests.length === 0) return { notExercised: 'The program sent no request.' };
  const faults = requests.flatMap(({ exchange }) =>
    placesOf(exchange, apiKey).map((place) => ({
      reason: `${exchange.request.method}: ${place} contains the key. Logs keep it.`,
      exchange,
    })),
  );
  return findingsOf(faults);
}

function placesOf({ request: { path, body } }: Exchange, apiKey: string): string[] {
  return keyPlaces(path, Buffer.from(body ?? []).toString(), [apiKey]);
}

function redirects(redirected: Attempt | undefined, apiKey: string): Findings {
  if (redirected === undefined) return { notExercised: 'The program ran only once, without a redirect.' };
  const sent = redirected.requests.filter(({ isRedirected }) => isRedirected).map(({ exchange }) => exchange);
  if (sent.length === 0) return { notExercised: 'No request of the program got a redirect.' };
  const faults = redirected.elsewhere
    .filter(({ request }) => Object.values(request.headers).some((value) => isIn(value, apiKey)))
    .map((exchange) => ({ reason: reasonOf(exchange), exchange }));
  return faults.length > 0 ? findingsOf(faults) : { examples: sent };
}

function reasonOf({ request: { method, path } }: Exchange): string {
  return `${method} ${path} went to another origin, with the key.`;
}

function isIn(text: string, apiKey: string): boolean {
  return text.includes(apiKey) || text.includes(encodeURIComponent(apiKey));
}

const growth: readonly ClientCheck[] = [
  {
    id: 'CLIENT-4.fields',
    title: 'The program survives a field that it does not know.',
    clause,
    findings: (run) => survived(run, 'fields', 'responses have a field that the program does not know', hasJson),
  },
  {
    id: 'CLIENT-4.values',
    title: 'The program survives a value of an open set that it does not know.',
    clause,
    findings: (run) => survived(run, 'values', 'responses have a value that the program does not know', hasNewValue),
  },
];

function survived(
  run: ClientRun,
  kind: 'fields' | 'values',
  what: string,
  isMeant: (one: ClientRequest) => boolean,
): Findings {
  if (!run.main.requests.some(isMeant)) return { notExercised: 'No response had one.' };
  return survival(run, kind, what);
}

function hasJson({ exchange: { response } }: ClientRequest): boolean {
  return response?.status === 200 && response.text.includes('"added_later":');
}

function hasNewValue({ exchange: { response } }: ClientRequest): boolean {
  return response?.status === 200 && response.text.includes(':"added_later"');
}

export const checks: readonly ClientCheck[] = [
  ...requests,
  ...limits,
  ...creations,
  ...growth,
  ...pages,
  ...secrecy,
  ...ending,
];

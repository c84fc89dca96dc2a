/** The key goes only to the service, and only in the header Authorization. */
import type { Exchange } from '../../http/exchange.ts';
import { type ClientCheck, type Findings, findingsOf } from '../check.ts';
import type { Attempt } from '../client-request.ts';

const clause = '/components/securitySchemes/apiKey';

export const secrecy: readonly ClientCheck[] = [
  {
    id: 'CLIENT-6.address',
    title: 'The key is never part of an address or a body.',
    clause,
    findings: ({ main, apiKey }) => addresses(main, apiKey),
  },
  {
    id: 'CLIENT-6.redirect',
    title: 'The program does not send the key to another origin that a redirect names.',
    clause,
    findings: ({ redirected, apiKey }) => redirects(redirected, apiKey),
  },
];

function addresses({ requests }: Attempt, apiKey: string): Findings {
  if (requests.length === 0) return { notExercised: 'The program sent no request.' };
  const faults = requests
    .filter(({ exchange: { request } }) => isIn(request.path, apiKey) || isIn(textOf(request.body), apiKey))
    .map(({ exchange }) => {
      const where = isIn(exchange.request.path, apiKey) ? 'the address' : 'the body';
      return { reason: `${exchange.request.method}: ${where} contains the key. Logs keep it.`, exchange };
    });
  return findingsOf(faults);
}

function redirects(redirected: Attempt | undefined, apiKey: string): Findings {
  if (redirected === undefined) return { notExercised: 'The program ran only once, without a redirect.' };
  const sent = redirected.requests.filter(({ event }) => event === 'redirected').map(({ exchange }) => exchange);
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

function textOf(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? []).toString('utf8');
}

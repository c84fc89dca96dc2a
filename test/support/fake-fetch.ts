import { type Attempt, type ClientOptions, createClient, type Fetch } from '../../sdk/src/index.ts';
import { createPublicClient } from '../../sdk/src/public.ts';
import { endless } from './thrown.ts';

export type FakeResponse = Response | Error | ((request: Request) => Response | Promise<Response>);

/** More than any test needs. An endless call fails with a message before memory runs out. */
const maxRequests = 11_000;

/** A `fetch` that returns the responses in order, then repeats the last one, and records the requests. */
export function fakeFetch(...responses: FakeResponse[]) {
  const requests: Request[] = [];
  const fetch = async (...[url, init]: Parameters<Fetch>): Promise<Response> => {
    if (requests.length === maxRequests) throw new Error(`${endless}: ${maxRequests}.`);
    const request = new Request(url, init);
    const response = responses[Math.min(requests.push(request), responses.length) - 1];
    if (response instanceof Error || response === undefined) throw response;
    return response instanceof Response ? response.clone() : response(request);
  };
  return { fetch, requests };
}

/** Both clients with these responses: one attempt for each call unless the options say otherwise. */
export function connect(responses: FakeResponse | readonly FakeResponse[], options: Partial<ClientOptions> = {}) {
  const { fetch, requests } = fakeFetch(...[responses].flat());
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => attempts.push(attempt);
  const shared = { maxAttempts: 1, fetch, onAttempt, ...options };
  const client = createClient({ baseUrl, apiKey, ...shared });
  const sent = () => requests.map(({ method, url }) => `${method} ${url.replace(siteUrl, '')}`);
  const site = createPublicClient({ ...shared, siteUrl: options.siteUrl ?? siteUrl });
  return { client, site, requests, attempts, sent };
}

export const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
export const refusal = (status: number, code: string, message = 'Because.') =>
  json({ error: { code, message } }, { status });
export const html = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } });
/** What a browser's `fetch` gives for a redirect that it is not to follow: only its network can make such a response. */
export const hiddenRedirect = () =>
  Object.defineProperties(new Response(null), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });

export const baseUrl = 'https://passport.example.com/api/v1';
export const siteUrl = 'https://passport.example.com';
export const apiKey = 'ppk_dGhpcyBpcyBub3QgYSBrZXksIGJ1dCBsb29rcyBsaWtl';

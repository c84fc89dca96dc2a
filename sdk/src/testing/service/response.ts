import { errorPage } from './page.ts';
import { type Refusal, statuses } from './refusal.ts';
import type { State } from './state.ts';

type Headers = Readonly<Record<string, string>>;

/** A response with the headers that every response of the service has. */
export function send(
  state: State,
  status: number,
  type: string | undefined,
  body: string | null,
  headers: Headers = {},
) {
  const { freedoms } = state;
  const content = type === undefined ? {} : { 'content-type': freedoms.contentType(type) };
  const all = { ...freedoms.headers(state.next()), ...content, ...headers };
  return new Response(body, { status, headers: all });
}

export function sendJson(state: State, body: unknown, status = 200, headers: Headers = {}): Response {
  return send(state, status, 'application/json', JSON.stringify(body), headers);
}

/** The response of a refusal: the contract's envelope, or a page. */
export function sendRefusal(state: State, { fault, headers }: Refusal, at: 'api' | 'page' | 'public'): Response {
  const { freedoms } = state;
  const message = freedoms.message(fault);
  const isMissing = at !== 'api' && fault === 'not_found';
  const status = isMissing ? freedoms.notPublic : statuses[fault];
  if (at === 'page' || (at === 'public' && freedoms.publicErrorsAreHtml)) {
    return send(state, status, 'text/html', errorPage(message), headers);
  }
  return sendJson(state, { error: { code: freedoms.code(fault), message } }, status, headers);
}

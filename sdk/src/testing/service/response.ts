import { errorPage } from './page.ts';
import { type ServiceError, statuses } from './service-error.ts';
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
  const { behaviour } = state;
  const content = type === undefined ? {} : { 'content-type': behaviour.contentType(type) };
  const all = { ...behaviour.headers(state.next()), ...content, ...headers };
  return new Response(body, { status, headers: all });
}

export function sendJson(state: State, body: unknown, status = 200, headers: Headers = {}): Response {
  return send(state, status, 'application/json', JSON.stringify(body), headers);
}

/** An error response: the contract's body, or a page. */
export function sendError(state: State, { code, headers }: ServiceError, at: 'api' | 'page' | 'public'): Response {
  const { behaviour } = state;
  const message = behaviour.message(code);
  const isMissing = at !== 'api' && code === 'not_found';
  const status = isMissing ? behaviour.notPublic : statuses[code];
  if (at === 'page' || (at === 'public' && behaviour.publicErrorsAreHtml)) {
    return send(state, status, 'text/html', errorPage(message), headers);
  }
  return sendJson(state, { error: { code: behaviour.code(code), message } }, status, headers);
}

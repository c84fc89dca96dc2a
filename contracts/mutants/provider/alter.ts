/** Ways to wrap a provider. Each changes one thing and passes everything else on. */
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import type { Handler } from './mutant.ts';

/** Which requests a change applies to: a method and a pattern of the path, as in `GET /api/v1/products`. */
export interface At {
  readonly method?: string;
  readonly path: RegExp;
}

export type Wrap = (service: FakeService) => Handler;

/** Changes the request before the provider receives it. `undefined` leaves it. */
export function changeRequest(at: At, change: (request: Request) => Promise<Request> | Request): Wrap {
  return (service) => async (request) => service.fetch(matches(at, request) ? await change(request) : request);
}

/** Changes the response. */
export function changeResponse(
  at: At,
  change: (response: Response, request: Request) => Promise<Response> | Response,
): Wrap {
  return (service) => async (request) => {
    const response = await service.fetch(request.clone());
    return matches(at, request) ? change(response, request) : response;
  };
}

/** Changes the JSON body of responses with this status. */
export function changeJson(at: At, change: (body: never, request: Request) => unknown, status = 200): Wrap {
  return changeResponse(at, async (response, request) => {
    if (response.status !== status) return response;
    const body = change((await response.json()) as never, request);
    return withBody(response, JSON.stringify(body));
  });
}

/** Responds without the provider. */
export function respondWith(at: At, respond: (request: Request) => Response | Promise<Response>): Wrap {
  return (service) => async (request) => (matches(at, request) ? respond(request) : service.fetch(request));
}

export function withBody(response: Response, body: string): Response {
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

export function withStatus(response: Response, status: number): Response {
  return new Response(response.body, { status, headers: response.headers });
}

function matches({ method, path }: At, request: Request): boolean {
  return (method === undefined || method === request.method) && path.test(new URL(request.url).pathname);
}

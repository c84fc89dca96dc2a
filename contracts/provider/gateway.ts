/**
 * A proxy between Pact and the server for one interaction. It sets up the provider states, replaces the pact's
 * placeholders with the issued keys and tokens, and keeps the response for the judge. Bodies pass unchanged.
 *
 * Pact's own `Verifier` has a proxy too, but that one rejects a body that is not JSON before the server receives it, and
 * continues after an unknown state or a failed state handler.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json, text } from 'node:stream/consumers';
import type { Answer, RequestLine } from '../judge/judge.ts';
import { isStateName } from '../states/catalogue.ts';
import type { Service } from './service.ts';
import { stateHandlers } from './states.ts';

const statesPath = '/_states';

export interface Gateway {
  readonly url: string;
  readonly statesUrl: string;
  /** The server's responses, each with its request. */
  readonly responses: (RequestLine & Answer)[];
  /** Why provider states could not be set up. */
  readonly failures: string[];
  close(): void;
}

interface StateChange {
  readonly action: 'setup' | 'teardown';
  readonly state: string;
  readonly params: unknown;
}

export async function openGateway(service: Service): Promise<Gateway> {
  const responses: (RequestLine & Answer)[] = [];
  const failures: string[] = [];

  const server = createServer((request, response) => {
    const work = request.url === statesPath ? handleState(request, response) : forward(request, response);
    work.catch((error: unknown) => {
      failures.push(reasonOf(error));
      response.writeHead(502).end();
    });
  });

  /** The status is always 200: Pact retries after any other status for two minutes. */
  async function handleState(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { action, state, params } = (await json(request)) as StateChange;
    // Teardown has nothing to do: every interaction has its own server.
    if (action === 'setup') await setUp(state, params).catch((error: unknown) => failures.push(reasonOf(error)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  async function setUp(state: string, params: unknown): Promise<void> {
    if (!isStateName(state)) throw new Error(`The catalogue has no provider state "${state}".`);
    // The catalogue typed the parameters on the consumer side; the pact carries them as JSON.
    const handler: (service: Service, parameters: never) => Promise<void> = stateHandlers[state];
    await handler(service, params as never);
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (failures.length > 0) throw new Error('The request was not sent, because a provider state failed.');
    const { method } = request;
    const path = withIssuedToken(request.url ?? '');
    // Without compression, so that the judge can read the body.
    const { authorization, 'accept-encoding': _, ...headers } = request.headers;
    const { port } = service.app.info;
    const body = await buffer(request);
    const upstream = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, connection: 'close' },
        agent: false,
      };
      const sent = send(options, resolve).on('error', reject);
      if (authorization !== undefined) sent.setHeader('authorization', withIssuedKey(authorization));
      sent.end(body);
    });
    const { statusCode: status = 0, headers: upstreamHeaders } = upstream;
    const upstreamBody = await text(upstream);
    responses.push({ method, path, status, headers: upstreamHeaders, body: upstreamBody });
    response.writeHead(status, upstreamHeaders).end(upstreamBody);
  }

  function withIssuedKey(authorization: string): string {
    const [scheme, placeholder = ''] = authorization.split(' ');
    return `${scheme} ${service.issuedKeys.get(placeholder) ?? placeholder}`;
  }

  function withIssuedToken(path: string): string {
    return path.replace(/(?<=[?&]zugang=)[^&]*/, (placeholder) => service.issuedKeys.get(placeholder) ?? placeholder);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    statesUrl: url + statesPath,
    responses,
    failures,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Stands between Pact and the server, for one interaction. It sets up the states, puts the issued keys and tokens in the
 * place of the pact's placeholders, and keeps the answer for the judge; bytes pass as they are.
 *
 * Pact's own `Verifier` has such a thing too, but it refuses a body that is no JSON before the server sees it, and it
 * goes on where a state is unknown or its handler fails.
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
  /** What was answered by the server, and to what. */
  readonly answers: (RequestLine & Answer)[];
  /** Why states could not be set up. */
  readonly failures: string[];
  close(): void;
}

interface StateChange {
  readonly action: 'setup' | 'teardown';
  readonly state: string;
  readonly params: unknown;
}

export async function openGateway(service: Service): Promise<Gateway> {
  const answers: (RequestLine & Answer)[] = [];
  const failures: string[] = [];

  const server = createServer((request, response) => {
    const work = request.url === statesPath ? answerState(request, response) : forward(request, response);
    work.catch((error: unknown) => {
      failures.push(reasonOf(error));
      response.writeHead(502).end();
    });
  });

  /** Always with 200: another status Pact would try again, for two minutes. */
  async function answerState(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { action, state, params } = (await json(request)) as StateChange;
    // There is nothing to tear down: every interaction has a server of its own.
    if (action === 'setup') await setUp(state, params).catch((error: unknown) => failures.push(reasonOf(error)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }

  async function setUp(state: string, params: unknown): Promise<void> {
    if (!isStateName(state)) throw new Error(`The catalogue has no state "${state}".`);
    // The consumer's side typed the parameters by the same catalogue; in between they were JSON.
    const handler: (service: Service, parameters: never) => Promise<void> = stateHandlers[state];
    await handler(service, params as never);
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (failures.length > 0) throw new Error('So the server was not asked.');
    const { method } = request;
    const path = withIssuedToken(request.url ?? '');
    // Uncompressed, so that the judge can read it too.
    const { authorization, 'accept-encoding': _, ...headers } = request.headers;
    const { port } = service.app.info;
    const body = await buffer(request);
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
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
    const { statusCode: status = 0, headers: answeredHeaders } = answered;
    const answeredBody = await text(answered);
    answers.push({ method, path, status, headers: answeredHeaders, body: answeredBody });
    response.writeHead(status, answeredHeaders).end(answeredBody);
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
    answers,
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

/** Verifies one interaction against the real server. */

import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { member } from '@product-passport/openapi';
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { createLog } from '../../server/src/log/log.ts';
import { createJudge, type ReceivedResponse, type RequestLine } from '../judge/judge.ts';
import type { Interaction, PactFile } from '../pact-file.ts';
import type { PactVerifier } from './verifier.ts';

const judge = createJudge();

/**
 * Returns the reasons why the server does not keep the interaction. The list is empty if it does. Pact accepts additional
 * fields in a response, so the judge checks the response too.
 *
 * @param service one server serves all interactions: the first state of each removes the data of the one before
 */
export async function verify(
  service: Service,
  verifier: PactVerifier,
  pact: PactFile,
  interaction: Interaction,
): Promise<readonly string[]> {
  const gateway = await openGateway(service);
  service.log.length = 0;
  try {
    const mismatches = await verifier.mismatches(pact, interaction, gateway);
    const findings = gateway.responses.flatMap(judge.response).map(({ where, what }) => `${where} ${what}`);
    const reasons = [...gateway.failures, ...mismatches, ...findings];
    return reasons.length === 0 ? [] : [...reasons, ...service.log];
  } finally {
    gateway.close();
  }
}

const statesPath = '/_states';

interface Gateway {
  readonly url: string;
  readonly statesUrl: string;
  /** The server's responses, each with its request. */
  readonly responses: (RequestLine & ReceivedResponse)[];
  /** Why provider states could not be set up. */
  readonly failures: string[];
  close(): void;
}

async function openGateway(service: Service): Promise<Gateway> {
  const responses: (RequestLine & ReceivedResponse)[] = [];
  const failures: string[] = [];

  const server = createServer((request, response) => {
    const work = request.url === statesPath ? changeState(request, response) : forward(request, response);
    work.catch((error: Error) => {
      failures.push(error.message);
      response.writeHead(502).end();
    });
  });

  /** Pact reports a failed state without its reason. */
  async function changeState(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const changed = await fetch(service.stateUrl, { method: 'POST', body: await text(request) });
    const body = await changed.text();
    if (!changed.ok) failures.push(String(member(member(JSON.parse(body), 'error'), 'message')));
    response.writeHead(changed.status, { 'content-type': 'application/json' }).end(body);
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '' } = request;
    // Without compression, so that the judge can read the body.
    const { 'accept-encoding': _, ...headers } = request.headers;
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
      send(options, resolve).on('error', reject).end(body);
    });
    const { statusCode: status = 0, headers: upstreamHeaders } = upstream;
    const upstreamBody = await text(upstream);
    responses.push({ method, path, status, headers: upstreamHeaders, body: upstreamBody });
    response.writeHead(status, upstreamHeaders).end(upstreamBody);
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

export interface Service {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly database: AppOptions['database'];
  /** The state endpoint, with its token. */
  readonly stateUrl: string;
  /** What the server logged. */
  readonly log: string[];
  stop(): Promise<void>;
}

/** It appears only in this process. */
const controlToken = 'the-control-token-of-the-provider-tests';

export async function startService(): Promise<Service> {
  const database = await openDatabase(':memory:', { sandbox: true });
  const log: string[] = [];
  const app = await createApp({
    database,
    sandbox: { controlToken },
    // A fixed time, so that midnight cannot pass between a state and its request.
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    log: createLog('warn', { write: (line) => log.push(line) }),
  });
  await app.start();
  return {
    app,
    database,
    stateUrl: `http://127.0.0.1:${app.info.port}/_sandbox/pact/states?control_token=${controlToken}`,
    log,
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
    },
  };
}

/** The state endpoint over HTTP, which any Pact verifier can call. contracts/README.md documents it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isRecord } from '@product-passport/openapi';
import { isStateName } from '../states/catalogue.ts';
import type { Service } from './service.ts';
import { stateHandlers } from './states.ts';

/** Values that a state returns for the requests in the pact, by name. */
export type ReturnValues = Readonly<Record<string, unknown>>;

export async function setUp(service: Service, state: string, parameters: unknown): Promise<ReturnValues> {
  if (!isStateName(state)) throw new Error(`The catalogue has no provider state "${state}".`);
  // The catalogue typed the parameters on the consumer side; the pact carries them as JSON.
  const handler: (service: Service, parameters: never) => Promise<unknown> = stateHandlers[state];
  const values = await handler(service, parameters as never);
  return isRecord(values) ? values : {};
}

/**
 * Responds to a state change. A failure has status 400, because Pact's verifier retries after a 5xx, 408 or 429 for two
 * minutes. Teardown has nothing to do.
 */
export async function respondToStateChange(
  request: IncomingMessage,
  response: ServerResponse,
  setUpState: (state: string, parameters: unknown) => Promise<ReturnValues>,
): Promise<void> {
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  try {
    const change: unknown = await json(request);
    if (!isRecord(change)) throw new Error('The body of a state change must be a JSON object.');
    send(200, change.action === 'teardown' ? {} : await setUpState(String(change.state), change.params ?? {}));
  } catch (error) {
    send(400, { error: { message: reasonOf(error) } });
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

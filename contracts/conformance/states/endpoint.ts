/** The state URL of a provider: sets up provider states as contracts/README.md describes. */
import { isRecord } from '@product-passport/openapi';
import { type Connection, NoResponse, openConnection } from '../http/connection.ts';
import type { Exchange, WireResponse } from '../http/exchange.ts';
import { jsonIn } from '../request-faults.ts';
import { UsageError } from '../usage-error.ts';

/** The state cannot be set up. The message says what the endpoint responded. */
export class NotSetUp extends Error {
  override readonly name = 'NotSetUp';
}

export interface StateEndpoint {
  /** In the order in which they were sent. */
  readonly exchanges: readonly Exchange[];
  /**
   * @returns the return values of the state
   * @throws NotSetUp when the endpoint refuses the state
   * @throws UsageError when the address is not that of a state endpoint
   */
  setUp(state: string, params: object): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

/** Sends no key and follows no redirect. */
export function openStateEndpoint(stateUrl: string, timeout: number): StateEndpoint {
  const { origin, pathname, search } = new URL(stateUrl);
  const connection = openConnection({ baseUrl: `${origin}/api/v1`, siteUrl: origin }, { timeout });
  const exchanges: Exchange[] = [];
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'product-passport-verify',
  };

  return {
    exchanges,
    async setUp(state, params) {
      const begin = performance.now();
      const body = Buffer.from(JSON.stringify({ action: 'setup', state, params }));
      const request = { method: 'POST', path: pathname, headers, body };
      const sentAt = new Date().toISOString();
      const response = await responseTo(connection, { ...request, path: `${pathname}${search}` }, stateUrl);
      const milliseconds = Math.round(performance.now() - begin);
      // The query is not recorded: it may hold a secret.
      exchanges.push({ caseId: 'STATE-URL', purpose: 'valid', origin, request, response, sentAt, milliseconds });
      return valuesIn(response, state, `${origin}${pathname}`);
    },
    close: () => connection.close(),
  };
}

async function responseTo(
  connection: Connection,
  request: Exchange['request'],
  stateUrl: string,
): Promise<WireResponse> {
  try {
    return await connection.send(request);
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    throw new UsageError(`The state URL ${withoutQuery(stateUrl)} does not respond: ${error.message}.`);
  }
}

function valuesIn({ status, text }: WireResponse, state: string, address: string): Readonly<Record<string, unknown>> {
  const json = jsonIn(text);
  if (status >= 300 && status < 400) {
    throw new UsageError(`The state URL ${address} redirects (${status}). Use the address it leads to.`);
  }
  if (status >= 400 && status < 500 && status !== 404) {
    throw new NotSetUp(`The state URL refused the state "${state}" (${status}).${messageIn(json)}`);
  }
  if (status !== 200 || !isRecord(json)) {
    throw new UsageError(
      `The state URL ${address} must respond with 200 and a JSON object, responds with ${status}. Check the address.`,
    );
  }
  return json;
}

function messageIn(json: unknown): string {
  const error = isRecord(json) && isRecord(json.error) ? json.error.message : undefined;
  return typeof error === 'string' ? ` It says: ${error}` : '';
}

function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Sends the load with autocannon, in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from '../../test/support/packages.ts';

/** Requests of one kind, sent over 32 connections. `[<id>]` in a body becomes a new text each time. */
export interface Load {
  host: string;
  method: 'GET' | 'POST' | 'PUT';
  headers: Record<string, string>;
  requests: { path: string; body?: string }[];
  seconds: number;
}

export interface Outcome {
  /** Responses per second. */
  rate: number;
  /** The number of responses. */
  total: number;
  /** Errors of the connection, and responses with a status of 400 or more. */
  failures: number;
}

interface Client {
  setRequests(requests: object[]): void;
}
interface Result {
  start: Date;
  finish: Date;
  requests: { total: number };
  errors: number;
  '4xx': number;
  '5xx': number;
}

/** Starts the process. The function that it returns sends one load. @throws if a request fails */
export function startGenerator(): { run(load: Load): Promise<Outcome>; stop(): void } {
  // The timer of autocannon (retimer) is set to a negative time if it fires late.
  const execArgv = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning'];
  const child = fork(fileURLToPath(import.meta.url), { execArgv });
  return {
    async run(load) {
      const report = once(child, 'message');
      child.send(load);
      const [outcome]: Outcome[] = await report;
      if (!outcome || outcome.failures > 0) {
        throw new Error(
          `${load.method} ${load.requests[0]?.path} of ${load.host}: ${outcome?.failures} requests failed.`,
        );
      }
      return outcome;
    },
    stop: () => child.disconnect(),
  };
}

async function send({ host, method, headers, requests, seconds }: Load): Promise<Outcome> {
  const folder = await installed(['autocannon@9.0.0']);
  const autocannon = createRequire(join(folder, 'package.json'))('autocannon');
  const made = requests.map((request) => ({ method, headers, ...request }));
  let clients = 0;
  const result: Result = await autocannon({
    url: host,
    connections: 32,
    duration: seconds,
    // It stops at the end of a sample. The default is a second.
    sampleInt: 50,
    idReplacement: requests.some(({ body }) => body !== undefined),
    requests: made,
    // Each connection begins with another request, so that they do not all write to the same product.
    setupClient(client: Client) {
      clients += 1;
      const start = clients % made.length;
      client.setRequests([...made.slice(start), ...made.slice(0, start)]);
    },
  });
  const took = (result.finish.getTime() - result.start.getTime()) / 1000;
  const { total } = result.requests;
  return { rate: total / took, total, failures: result.errors + result['4xx'] + result['5xx'] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', async (load: Load) => process.send?.(await send(load)));
  process.on('disconnect', () => process.exit());
}

/** The load generator in JavaScript, a process of its own: runs one load after the other for the bench. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from '../../test/support/tools.ts';

/** Requests of one kind, sent by several connections for some seconds. `[<id>]` in a body becomes a new text each time. */
export interface Load {
  host: string;
  method: 'GET' | 'POST' | 'PUT';
  headers: Record<string, string>;
  requests: { path: string; body?: string | undefined }[];
  connections: number;
  /** Seconds, or a number of requests. */
  until: { seconds: number } | { requests: number };
}

export interface Outcome {
  /** Responses per second. */
  rate: number;
  /** The number of responses. */
  total: number;
  /** Latency in milliseconds. */
  latency: { median: number; p99: number };
  /** Errors of the connection, and responses with a status of 400 or more. */
  failures: number;
  /** The share of one processor that the busiest process or thread of the generator used. */
  busy: number;
}

interface Client {
  setRequests(requests: object[]): void;
}
interface Result {
  start: Date;
  finish: Date;
  requests: { total: number };
  latency: { p50: number; p99: number };
  errors: number;
  '4xx': number;
  '5xx': number;
}
type Autocannon = (options: {
  url: string;
  connections: number;
  duration?: number;
  amount?: number;
  sampleInt: number;
  idReplacement: boolean;
  requests: object[];
  setupClient: (client: Client) => void;
}) => Promise<Result>;

const folder = installed(['autocannon@9.0.0']);

process.on('message', async ({ host, method, headers, requests, connections, until }: Load) => {
  const hasBody = requests.some(({ body }) => body !== undefined);
  const made = requests.map(({ path, body }) => ({ method, path, headers, ...(body === undefined ? {} : { body }) }));
  const autocannon: Autocannon = createRequire(join(await folder, 'package.json'))('autocannon');
  let clients = 0;
  const before = process.cpuUsage();
  const result = await autocannon({
    url: host,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.requests }),
    // It stops at the end of a sample. The default is a second.
    sampleInt: 50,
    idReplacement: hasBody,
    requests: made,
    // Each connection begins with another request, so that they do not all write to the same product.
    setupClient(client) {
      clients += 1;
      const start = clients % made.length;
      client.setRequests([...made.slice(start), ...made.slice(0, start)]);
    },
  });
  const seconds = (result.finish.getTime() - result.start.getTime()) / 1000;
  const { user, system } = process.cpuUsage(before);
  const outcome: Outcome = {
    rate: result.requests.total / seconds,
    total: result.requests.total,
    latency: { median: result.latency.p50, p99: result.latency.p99 },
    failures: result.errors + result['4xx'] + result['5xx'],
    busy: (user + system) / 1e6 / seconds,
  };
  process.send?.(outcome);
});
process.on('disconnect', () => process.exit());

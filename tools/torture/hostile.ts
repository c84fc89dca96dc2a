/** The contract's own requests with broken bytes, by a tenant that may not see the other one. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { errorMeanings, readContract } from '@product-passport/openapi';
import { connect as connectDatabase } from '../../server/src/database/connection.ts';
import { writePassport } from '../../server/src/passports/write.ts';
import type { Report } from './report.ts';
import { Server } from './server.ts';
import { Random, type Shop } from './workload.ts';

const { operations, ...contract } = readContract();
const codes = errorMeanings({ ...contract, operations }) as ReadonlyMap<string, unknown>;

/** What nobody but the other tenant may see, in lower case. It is in hidden values of the other tenant. */
const canary = 'kanarienvogel';

/** How many requests are under way at a time, and how many are in a round. */
const parallel = 32;
const inRound = 10_000;

export async function runHostile(
  shop: Shop,
  seed: number,
  kind: string,
  requests: number,
  report: Report,
): Promise<void> {
  const [own, other] = shop.tenants;
  const database = connectDatabase(shop.address);
  const services = { database, now: () => new Date(), urnNamespace: 'dpp' };
  const hidden = { access_level: 'authority', field_key: canary, value: canary } as const;
  await writePassport(services, other, 'tasse-a', [hidden]).finally(() => database.destroy());
  const server = await Server.start(shop.address, '--log-level debug --admin-port 0');
  try {
    for (let round = 1; (round - 1) * inRound < requests; round += 1) {
      const count = Math.min(inRound, requests - (round - 1) * inRound);
      await report.round('hostile', kind, round, () => attack(server, shop, new Random(seed * 1000 + round), count));
    }
    await report.round('metrics and log after hostile requests', kind, 1, async () => {
      const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
      assert.equal(await server.stop(), 0, 'the server did not end with 0');
      const log = server.logged();
      for (const secret of [canary, own.key, other.key]) {
        assert.ok(!`${metrics}\n${log}`.toLowerCase().includes(secret.toLowerCase()), `they have ${secret}`);
      }
      const [error] = log.split('\n').filter((line) => /"level":[56]0/.test(line));
      assert.equal(error, undefined, `the log has an error: ${error}`);
      return `${log.split('\n').length} lines of the log`;
    });
  } finally {
    if (!server.hasEnded) await server.stop('SIGKILL');
  }
}

async function attack(server: Server, { tenants }: Shop, random: Random, count: number): Promise<string> {
  const statuses: Record<string, number> = {};
  let begun = 0;
  const client = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const bytes = broken(
        wholeRequest(
          tenants.map(({ slug }) => slug),
          tenants[0].key,
          random,
        ),
        random,
      );
      const received = (await exchange(server.port, bytes)).toString('latin1');
      const responses = received.split(/(?=HTTP\/1\.1 \d{3} )/).filter((text) => text !== '');
      for (const response of responses) {
        const fault = faultOf(response, bytes.toString('latin1'), tenants[0].key);
        assert.ok(!fault, `${response.slice(9, 12)} ${fault} to ${JSON.stringify(bytes.toString('latin1', 0, 600))}`);
        statuses[response.slice(9, 12)] = (statuses[response.slice(9, 12)] ?? 0) + 1;
      }
      assert.ok(!server.hasEnded, 'the server ended');
    }
  };
  await Promise.all(Array.from({ length: parallel }, client));
  return JSON.stringify(statuses);
}

/** A request of an operation with the contract's examples, or with names that exist. */
function wholeRequest(slugs: readonly string[], key: string, random: Random): Buffer {
  const { method, path, parameters, body } = random.pick(operations);
  const existing: Record<string, string> = { tenant: random.pick(slugs), product: 'tasse-a', slug: 'tasse-a' };
  const given = ({ name, example }: (typeof parameters)[number]): string =>
    encodeURIComponent((random.next() < 0.7 && existing[name]) || String(example));
  const inPath = new Map(parameters.map((each) => [each.name, given(each)]));
  const query = parameters.filter((each) => each.in === 'query').map((each) => `${each.name}=${given(each)}`);
  const target = `${path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? '')}?${query.join('&')}`;
  const examples = Object.values(body?.examples ?? {}).map(({ value }) => JSON.stringify(value));
  const content = examples.length > 0 ? random.pick(examples) : '';
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', `Authorization: Bearer ${key}`];
  if (content) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

const insertions = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  '%00',
  'HTTP/1.1',
  'Host: x\r\n',
  'Transfer-Encoding: chunked\r\n',
  '{',
  ']',
  '"',
  '-1',
];

/** Changes, repeats, removes and inserts a few bytes, or leaves all as they are. */
function broken(whole: Buffer, random: Random): Buffer {
  let bytes = whole;
  for (let changes = random.below(5); changes > 0; changes -= 1) {
    const at = random.below(bytes.length + 1);
    const length = random.below(random.pick([2, 16, 200]));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
    const noise = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)));
    const text = Buffer.from(random.pick(insertions));
    const results = [
      [before, after],
      [before, part, part, after],
      [before, noise, after],
      [before, text, part, after],
      [before],
    ];
    bytes = Buffer.concat(random.pick(results));
  }
  return bytes;
}

/** What is wrong with a response, whatever the server understood. */
function faultOf(response: string, sent: string, key: string): string | undefined {
  const [head = '', ...rest] = response.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  const status = Number(head.slice(9, 12));
  if (!(status >= 100 && status < 500)) return 'is a server error';
  if (response.toLowerCase().includes(canary)) return 'has a value of the other tenant';
  // A redirect repeats the `zugang` of its request.
  const [target = ''] = status === 307 ? sent.split('\r\n', 1) : [];
  if (response.includes(key) && !target.includes(key)) return 'has the API key';
  if (Buffer.byteLength(text, 'latin1') !== Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0))
    return 'is not whole';
  if (status < 400 || /content-type: text\/html/i.test(head) || text === '') return undefined;
  try {
    const { error, ...more } = JSON.parse(text);
    const isEnvelope = Object.keys(error).join() === 'code,message' && Object.keys(more).length === 0;
    return isEnvelope && codes.has(error.code) ? undefined : `is not the envelope: ${text.slice(0, 200)}`;
  } catch {
    return `is not JSON: ${text.slice(0, 200)}`;
  }
}

/** How long the server may keep a connection that the client has half-closed, in milliseconds. */
const maxWait = 20_000;

/** Sends bytes, half-closes the connection, and reads until the server closes it. */
function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes));
    socket.setTimeout(maxWait, () => socket.destroy(new Error(`The connection is open after ${maxWait} ms.`)));
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.destroy());
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that refuses the bytes may reset what it has not read.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

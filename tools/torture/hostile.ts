/** Seeded requests from the contract, and broken bytes, by a tenant that may not see the other one. */
import { readContract } from '@product-passport/openapi';
import fc from 'fast-check';
import { requestsOf } from '../../contracts/conformance/generation/requests.ts';
import type { WireRequest } from '../../contracts/conformance/http/exchange.ts';
import { createJudge } from '../../contracts/judge/judge.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/lifecycle/create.ts';
import { moveProduct } from '../../server/src/lifecycle/status.ts';
import { writePassport } from '../../server/src/passports/write.ts';
import { createKey } from '../../server/src/tenants/keys.ts';
import { insertTenant } from '../../server/src/tenants/store.ts';
import { exchangeBytes, firstResponse, type RawResponse } from './raw-client.ts';
import { expectThat, Finding, type Report } from './report.ts';
import { Server } from './server.ts';
import { Random } from './workload.ts';

const contract = readContract();
const judge = createJudge(contract, { serverErrors: 'failure' });
const codes = new Set([
  ...judge.operations.flatMap((operation) => Object.values(operation.codes).flat()),
  // Those that the contract lists beside the operations.
  ...['method_not_allowed', 'request_timeout', 'headers_too_large'],
]);

const operationIds = new Set<string>(contract.operations.map(({ operationId }) => operationId));

/** What nobody but the other tenant may see. It is in names, slugs, values and keys of the other tenant. */
const canary = 'kanarienvogel';

/** Requests that are under way at a time, and in one round. */
const atOnce = 32;
const inRound = 10_000;

interface World {
  keys: { own: string; other: string };
  /** Path parameters that exist. Of the other tenant, only a public product is named. */
  existing: readonly Readonly<Record<string, string>>[];
}

async function fill(address: string): Promise<World> {
  const database = await openDatabase(address);
  const services = { database, now: () => new Date(), urnNamespace: 'dpp' };
  const keys: string[] = [];
  try {
    for (const [slug, gtin, hidden] of [
      ['eigen', '9520001000010', 'eigenes'],
      ['fremd', '9520001000027', canary],
    ] as const) {
      const tenant = await insertTenant(database, { slug, name: slug, country: 'DE', plan: 'business' }, new Date());
      if (!tenant) throw new Error(`The tenant ${slug} already exists.`);
      const wish = { slug: null, gtin: null, product_group: 'cable' as const, model: null };
      await createProduct(services, tenant, { ...wish, name: 'Tasse', gtin });
      await createProduct(services, tenant, { ...wish, name: `${hidden} Entwurf`, model: hidden });
      for (const access_level of ['restricted', 'authority'] as const) {
        const value = { field_key: `${hidden}_${access_level}`, value: `${hidden} ${access_level}`, access_level };
        await writePassport(services, tenant, 'tasse', [value as Parameters<typeof writePassport>[3][number]]);
      }
      await moveProduct(services, tenant.id, 'tasse', 'active');
      keys.push((await createKey(database, tenant.id, hidden, new Date())).key);
    }
  } finally {
    await database.destroy();
  }
  const [own = '', other = ''] = keys;
  const existing = [
    { tenant: 'eigen', product: 'tasse', slug: 'tasse', gtin: '09520001000010' },
    { tenant: 'fremd', product: 'tasse', slug: 'tasse', gtin: '09520001000027' },
    { tenant: 'fremd', product: `${canary}-entwurf`, slug: `${canary}-entwurf`, gtin: '9520001000027' },
  ];
  return { keys: { own, other }, existing };
}

export async function runHostile(
  { address, kind, seed, requests }: { address: string; kind: string; seed: number; requests: number },
  report: Report,
): Promise<void> {
  const world = await fill(address);
  const server = await Server.start(address, '--log-level debug --admin-port 0');
  try {
    const rounds = Math.ceil(requests / inRound);
    for (let round = 1; round <= rounds; round += 1) {
      const count = Math.min(inRound, requests - (round - 1) * inRound);
      await report.round('hostile', kind, round, () => attack(server, world, seed + round, count));
    }
    await report.round('metrics after hostile requests', kind, 1, async () =>
      checkMetrics(await server.metrics(), world),
    );
    await report.round('log and end after hostile requests', kind, 1, async () => {
      expectThat((await server.stop()) === 0, () => 'the server did not end with 0');
      const log = server.logged();
      expectThat(!Object.values(world.keys).some((key) => log.includes(key)), () => 'the log has an API key');
      const line = log.split('\n').find((each) => each.includes(canary));
      expectThat(line === undefined, () => `the log has a value of the other tenant: ${line}`);
      const errors = log.split('\n').filter((each) => /"level":[56]0/.test(each));
      expectThat(errors.length === 0, () => `the log has errors: ${errors[0]}`);
      return `${log.split('\n').length} lines of the log`;
    });
  } finally {
    if (!server.hasEnded) await server.stop('SIGKILL');
  }
}

const isOfServer = (value: string): boolean => /^[A-Za-z_ -]{1,40}$/.test(value);
const isNumber = (value: string): boolean => /^(?:v?[0-9.]+|\+Inf)$/.test(value);

/** Labels hold nothing of a tenant or of what a client wrote: operations of the contract, statuses, codes, names of tables. */
function checkMetrics(text: string, { keys, existing }: World): string {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const secrets = [canary, ...Object.values(keys), ...new Set(existing.flatMap((names) => Object.values(names)))];
  const values: Readonly<Record<string, (value: string) => boolean>> = {
    operation: (value) => value === 'none' || operationIds.has(value),
    status: (value) => /^[1-5]\d\d$/.test(value),
    code: (value) => value === '' || codes.has(value),
    table: (value) => /^[a-z_]{0,30}$/.test(value),
    // Of the server itself: pools, limits, the memory and the garbage collection of Node.
    ...Object.fromEntries(['kind', 'limit', 'pool', 'state', 'space', 'type'].map((name) => [name, isOfServer])),
    ...Object.fromEntries(['le', 'version', 'major', 'minor', 'patch'].map((name) => [name, isNumber])),
  };
  for (const line of lines) {
    const secret = secrets.find((each) => line.toLowerCase().includes(each.toLowerCase()));
    expectThat(secret === undefined, () => `the metrics have ${secret}: ${line}`);
    for (const [, name = '', value = ''] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
      expectThat(values[name]?.(value) ?? false, () => `the metrics have the label ${name} with ${value}: ${line}`);
    }
  }
  const counted = lines.filter((line) => line.startsWith('product_passport_requests_total{')).length;
  expectThat(counted > 20, () => `the metrics have only ${counted} counts of requests`);
  return `${lines.length} lines, ${counted} counts of requests`;
}

async function attack(server: Server, world: World, seed: number, count: number): Promise<string> {
  const random = new Random(seed);
  const { operations } = contract;
  const each = Math.ceil(count / operations.length);
  const all = operations.flatMap((operation, index) => {
    // A variant has the same rules at another path.
    const requests = world.existing.map((path) => requestsOf(operation, { path, fieldKeys: ['cable_length', 'x'] }));
    const generated = fc.sample(fc.oneof(...requests), { numRuns: each, seed: seed * 1000 + index });
    return generated.map(({ request }) => request);
  });
  const statuses = new Map<number, number>();
  const work = all.slice(0, count).values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const request of work) {
      for (const { status } of await one(server, world, request, random)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      if (server.hasEnded) throw new Finding('the server ended');
    }
  });
  await Promise.all(workers);
  const shown = [...statuses].sort(([a], [b]) => a - b).map(([status, number]) => `${number} × ${status}`);
  return shown.join(', ');
}

async function one(server: Server, world: World, request: WireRequest, random: Random): Promise<RawResponse[]> {
  const key = random.pick([world.keys.own, world.keys.own, world.keys.own, '', `${world.keys.other}x`]);
  const whole = bytesOf(request, key);
  const isBroken = random.next() < 0.5;
  const bytes = isBroken ? broken(whole, random) : whole;
  const received = await exchangeBytes(server.port, bytes);
  const shown = (): string => JSON.stringify(bytes.toString('latin1').slice(0, 600));
  const responses: RawResponse[] = [];
  for (let rest = received; rest.length > 0; ) {
    const first = firstResponse(rest);
    if (!first)
      throw new Finding(`half a response ${JSON.stringify(rest.toString('latin1').slice(0, 200))} to ${shown()}`);
    responses.push(first.response);
    rest = first.rest;
  }
  for (const response of responses) {
    const fault =
      faultOf(response, world, bytes.toString('latin1')) ?? (isBroken ? undefined : judged(request, response));
    if (fault !== undefined) throw new Finding(`${response.status} ${fault} to ${shown()}`);
  }
  expectThat(isBroken || responses.length === 1, () => `${responses.length} responses to ${shown()}`);
  return responses;
}

function bytesOf({ method, path, headers, body }: WireRequest, key: string): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    connection: 'close',
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

/** Changes, repeats, removes and inserts a few bytes. */
function broken(whole: Buffer, random: Random): Buffer {
  let bytes = whole;
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(bytes.length + 1);
    const length = random.below(random.pick([2, 16, 200]));
    const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
    const noise = Buffer.from(Array.from({ length: 1 + random.below(8) }, () => random.below(256)));
    const text = Buffer.from(
      random.pick([
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
      ]),
    );
    bytes = Buffer.concat(
      random.pick([
        [before, after],
        [before, part, part, after],
        [before, noise, after],
        [before, text, part, after],
        [before],
      ]),
    );
  }
  return bytes;
}

/** What every response must keep, whatever the server understood. */
function faultOf({ status, headers, text }: RawResponse, { keys }: World, sent: string): string | undefined {
  if (!(status >= 100 && status < 500)) return 'is a server error';
  const whole = JSON.stringify(headers) + text;
  // A change of bytes can repair the other tenant's key, to which an x is added.
  const isOfOther = new RegExp(`${keys.other}(?![\\w-])`).test(sent);
  if (whole.toLowerCase().includes(canary) && !isOfOther) return 'has bytes of the other tenant';
  // A redirect repeats the `zugang` of its request, whatever it is.
  const [line = ''] = status === 307 ? sent.split('\r\n', 1) : [];
  if (Object.values(keys).some((key) => whole.includes(key) && !line.includes(key))) return 'has an API key';
  if (status < 400 || headers['content-type']?.startsWith('text/html') || text === '') return undefined;
  try {
    const { error, ...more } = JSON.parse(text);
    const isEnvelope = Object.keys(error).join() === 'code,message' && Object.keys(more).length === 0;
    return isEnvelope && codes.has(error.code) ? undefined : `is not the envelope: ${text.slice(0, 200)}`;
  } catch {
    return `is not JSON: ${text.slice(0, 200)}`;
  }
}

function judged({ method, path }: WireRequest, { status, headers, text }: RawResponse): string | undefined {
  // The contract describes these in its text: a browser that prefers HTML gets a page for an error that it can act on.
  const isPage = headers['content-type']?.startsWith('text/html') === true;
  if (isPage && path.startsWith('/01/') && [400, 404, 405].includes(status)) return;
  const [finding] = judge.response({ method, path, status, headers, body: text });
  return finding && `${finding.where} ${finding.what}`;
}

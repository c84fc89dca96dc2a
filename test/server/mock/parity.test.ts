/**
 * The same requests to the static mock and to the sandbox: each difference is a line with a reason, or a fault. The suite
 * compares the SDK's fake service.
 */

import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createJudge } from '../../../contracts/judge/judge.ts';
import { readContract } from '../../../openapi/src/index.ts';
import { type Sandbox, startSandbox } from '../../../server/src/testing.ts';
import { type Mock, startMock } from '../../support/program.ts';
import { type Incoming, type Outgoing, send } from '../../support/wire.ts';
import { otherRequests, requestsOf } from './requests.ts';

const { operations, besideOperations } = readContract();
const judge = createJudge();
const agent = new Agent({ keepAlive: true });
const slug = 'usb-c-cable-240-w-2-m';
const gtin = '9520001200045';

interface Service {
  readonly host: string;
  readonly key: string;
}

let mock: Mock;
let sandbox: Sandbox;
let services: { mock: Service; sandbox: Service };

beforeAll(async () => {
  [mock, sandbox] = await Promise.all([startMock(), startSandbox()]);
  const tenant = await sandbox.createTenant({ slug: 'skellig' });
  const values = [{ field_key: 'cable_length', value: 2, unit: 'm' }];
  const product = { slug, name: 'USB-C Cable 240 W 2 m', gtin, product_group: 'cable' as const, values };
  await tenant.seed([{ ...product, status: 'active' }], { keepGtins: true });
  services = {
    mock: { host: mock.host, key: 'any' },
    sandbox: { host: sandbox.siteUrl, key: tenant.apiKey },
  };
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([mock?.stop(), sandbox?.stop()]);
});

/** What the contract says about a response, by name. */
type Facts = Readonly<Record<string, string>>;

/** The headers whose values the contract leaves to each response or service. */
const individual = new Set(['x-request-id', 'etag', 'content-security-policy']);

function codeIn({ headers, text }: Incoming): string {
  if (!headers['content-type']?.startsWith('application/json') || text === '') return 'none';
  return JSON.parse(text).error?.code ?? 'none';
}

function factsOf({ method, path }: Outgoing, response: Incoming, { host }: Service): Facts {
  const { status, headers, text } = response;
  const operation = operations.find((candidate) => candidate.method === method && matches(candidate.path, path));
  const documented = (operation?.responses[status] ?? besideOperations[status])?.headers ?? {};
  const sameHost = (value: unknown) =>
    String(value)
      .replaceAll(host, '{site}')
      .replaceAll('https://passport.example.com', '{site}')
      .replaceAll(/, */g, ', ');
  const findings = judge.response({ method, path, status, headers, body: text });
  return {
    status: String(status),
    code: codeIn(response),
    'content-type': headers['content-type'] ?? 'none',
    body: findings.length === 0 ? 'as documented' : JSON.stringify(findings),
    ...Object.fromEntries(
      Object.keys(documented).map((header) => {
        const value = headers[header.toLowerCase()];
        if (value === undefined) return [header, 'none'];
        return [header, individual.has(header.toLowerCase()) ? 'present' : sameHost(value)];
      }),
    ),
  };
}

function matches(template: string, path: string): boolean {
  const form = template.replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${form}/?$`).test(path.replace(/\?.*$/, ''));
}

async function factsFrom(service: Service): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  for (const { name, request } of [
    ...operations.flatMap((operation) => requestsOf(operation, service)),
    ...otherRequests(service),
  ]) {
    const { port } = new URL(service.host);
    if (facts.has(name)) throw new Error(`Two requests have the name "${name}".`);
    facts.set(name, factsOf(request, await send(Number(port), agent, request), service));
  }
  return facts;
}

/** A line for each difference. If the statuses differ, nothing else is compared. */
function differencesOf(name: string, ofMock: Facts, ofSandbox: Facts): string[] {
  const differ = (fact: string) => ofMock[fact] !== ofSandbox[fact];
  const facts = differ('status') ? ['status'] : [...new Set([...Object.keys(ofMock), ...Object.keys(ofSandbox)])];
  return facts
    .filter(differ)
    .map((fact) => `${name}: ${fact} is ${ofMock[fact] ?? 'none'}, in the sandbox ${ofSandbox[fact] ?? 'none'}`);
}

interface Accepted {
  readonly reason: string;
  readonly differences: readonly string[];
}

/** The same differences must occur in both directions: a line too many fails, and so does one that no longer occurs. */
test('the static mock and the sandbox differ as accepted, and in nothing else', async () => {
  const accepted: Accepted[] = JSON.parse(
    await readFile(new URL('accepted-differences.json', import.meta.url), 'utf8'),
  );
  for (const { reason } of accepted) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  const ofMock = await factsFrom(services.mock);
  expect(ofMock.size).toBeGreaterThan(400);
  const ofSandbox = await factsFrom(services.sandbox);
  const found = [...ofMock].flatMap(([name, one]) => differencesOf(name, one, ofSandbox.get(name) ?? {}));
  expect(found.toSorted()).toEqual(accepted.flatMap(({ differences }) => differences).toSorted());
});

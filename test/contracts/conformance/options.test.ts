/** What the suite sends, and when: plan, --rate, 429, --start, init and the environment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Plan, serviceWithStates } from '../../../contracts/conformance/plan.ts';
import type { FakeService } from '../../../sdk/src/testing/service/index.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { root } from '../../support/program.ts';
import { serveFetch } from '../../support/serve.ts';
import { asFile, typeSuite } from '../../support/suite.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  /** In milliseconds. */
  readonly at: number;
}

type Handler = (request: Request) => Promise<Response>;

let url = '';
let service: FakeService;
let handle: Handler;
let sent: Sent[] = [];
beforeAll(async () => {
  const served = await serveFetch((request) => {
    const { pathname, search } = new URL(request.url);
    sent.push({ method: request.method, path: `${pathname}${search}`, at: performance.now() });
    return handle(request);
  });
  ending.defer(() => served.close());
  url = served.url;
});
beforeEach(async () => {
  sent = [];
  service = await serviceWithStates({ siteUrl: url });
  handle = (request) => service.fetch(request);
});

const isPage = ({ method, path }: Sent): boolean => method === 'GET' && /^\/p\/[^/]+\/[^/]+\/?(\?|$)/.test(path);

describe('plan', () => {
  test('has the numbers of verify, and names the products that it creates', async () => {
    const plan: Plan = JSON.parse((await typeSuite('plan', '--json')).stdout);
    expect(sent).toEqual([]);
    const slugs = async (): Promise<string[]> => {
      const headers = { authorization: `Bearer ${service.provider.tenants[0]?.api_key}` };
      const response = await service.fetch(`${url}/api/v1/products?limit=200`, { headers });
      return (await response.json()).items.map(({ slug }: { slug: string }) => slug);
    };
    const before = await slugs();
    // The plan has one generated request of each operation, which is what so short a time allows.
    const { stdout } = await typeSuite('verify', ...asFile(service.provider), '--seed', '1', '--generated', '0.001');

    const total = Object.values(plan.requests).reduce((sum, count) => sum + count, 0);
    // A generated request may lead to another one.
    expect(Math.abs(total - sent.length)).toBeLessThanOrEqual(3);
    expect(plan.scans).toBe(sent.filter(isPage).length);
    const results = stdout.trimEnd().split('\n').at(-1) ?? '';
    const cases = results.match(/\d+/g)?.reduce((sum, count) => sum + Number(count), 0);
    expect(plan.cases).toBe(cases);
    const added = (await slugs()).filter((slug) => !before.includes(slug));
    const planned = plan.created.filter(({ tenant }) => tenant === 'first').map(({ slug }) => slug);
    expect(planned.length).toBeGreaterThan(5);
    expect(added.length).toBe(planned.length);
    expect(added.filter((slug) => slug.startsWith('verify-')).filter((slug) => !planned.includes(slug))).toEqual([]);
  });

  test('for people names the total, the products and the scans', async () => {
    const { code, stdout, stderr } = await typeSuite('plan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+ cases of core, public\./);
    expect(stdout).toMatch(/^It sends about \d+ requests:$/m);
    expect(stdout).toMatch(/adds at most five:$/m);
    expect(stdout).toMatch(/^It requests \d+ passport pages\. Each counts as a scan\.$/m);
  });
});

describe('the speed', () => {
  test('--rate is the maximum number of requests per second', async () => {
    await typeSuite('verify', ...asFile(service.provider), '--only', 'PAGE-1', '--rate', '40');
    expect(sent.length).toBeGreaterThan(5);
    const [first, last] = [sent.at(0)?.at ?? 0, sent.at(-1)?.at ?? 0];
    // A busy machine may receive the first request late.
    expect(last - first).toBeGreaterThan(((sent.length - 1) * 1000) / 40 - 100);
  });
});

describe('--start', () => {
  /** A shell that starts a child of its own, as npx does, and writes a file when the child ends. */
  const command = (line: string): { readonly command: string; readonly ended: string } => {
    const folder = newFolder();
    const ended = join(folder, 'ended');
    const script = fileWith(
      [
        // First, because the suite may stop the provider as soon as it has read the line.
        `process.on('SIGTERM', () => { require('node:fs').writeFileSync(${JSON.stringify(ended)}, String(process.pid)); process.exit(); });`,
        `console.log('A line that is not JSON');`,
        `console.log(${JSON.stringify(line)});`,
        'setInterval(() => {}, 1000);',
      ].join('\n'),
    );
    return { command: `${process.execPath} ${script} & wait`, ended };
  };

  test('reads the line of the provider, and stops the provider with its children', async () => {
    const { command: start, ended } = command(JSON.stringify(service.provider));
    const { stdout } = await typeSuite('verify', '--start', start, '--only', 'PAGE-1.defaults');
    expect(stdout).toMatch(/^1 passed$/m);
    for (let tries = 0; tries < 500 && !existsSync(ended); tries += 1) await delay(20);
    expect(existsSync(ended)).toBe(true);
  });

  test('stops the provider after a failure, too', async () => {
    const { command: start, ended } = command('{"base_url": "nowhere"}');
    expect((await typeSuite('verify', '--start', start)).code).toBe(2);
    for (let tries = 0; tries < 500 && !existsSync(ended); tries += 1) await delay(20);
    expect(existsSync(ended)).toBe(true);
  });

  test('stops the provider and writes the report after Ctrl+C', async () => {
    const { command: provider, ended } = command(JSON.stringify(service.provider));
    const report = newFolder();
    const main = join(root, 'contracts/conformance/cli/main.ts');
    const child = spawn(process.execPath, [main, 'verify', '--rate', '50', '--start', provider, '--report', report]);
    while (sent.length < 10) await delay(20);
    // A shell and npx may both send the signal.
    for (const signal of ['SIGINT', 'SIGINT'] as const) child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(3);
    expect(existsSync(ended)).toBe(true);
    const written = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
    expect(written).toMatchObject({ verdict: 'incomplete', because: 'Only a part of the cases ran.' });
  });
});

test('init prints a template that verify accepts once its values are filled in', async () => {
  const { code, stdout } = await typeSuite('init');
  const { tenants, revoked_api_key, access_tokens, expired_access_token, active_product, field_keys } =
    service.provider;
  const values = [
    ...tenants.map(({ api_key }) => api_key),
    revoked_api_key,
    ...access_tokens.filter(({ tenant }) => tenant === active_product.tenant).map(({ token }) => token),
    expired_access_token,
  ];
  const filled = stdout
    .replaceAll('http://127.0.0.1:3000', url)
    .replace(
      '"material", "weight"',
      field_keys
        .slice(0, 2)
        .map((key) => `"${key}"`)
        .join(', '),
    )
    .replaceAll('active-product', active_product.slug)
    .replaceAll('first-tenant', tenants[0]?.slug ?? '')
    .replaceAll('second-tenant', tenants[1]?.slug ?? '')
    .replaceAll('"..."', () => JSON.stringify(values.shift()));
  expect(code).toBe(0);
  expect(values).toEqual([]);
  expect(filled).toContain('//');
  const verified = await typeSuite(
    'verify',
    '--provider',
    fileWith(filled),
    '--claim',
    'core,public',
    '--generated',
    '0',
  );
  expect(verified.stdout).toMatch(/^conformant: .*\n\d+ passed\n/m);
  expect(verified.code).toBe(0);
});

test('the environment has the address and the key of the only tenant', async () => {
  const { tenants } = service.provider;
  Object.assign(process.env, { PRODUCT_PASSPORT_URL: `${url}/api/v1`, PRODUCT_PASSPORT_KEY: tenants[0]?.api_key });
  try {
    expect((await typeSuite('verify', '--only', 'PAGE-1.defaults')).stdout).toMatch(/^1 passed$/m);
    process.env.PRODUCT_PASSPORT_URL = 'http://127.0.0.1:1/api/v1';
    const named = ['--base-url', `${url}/api/v1`];
    expect((await typeSuite('verify', ...named, '--only', 'PAGE-1.defaults')).stdout).toMatch(/^1 passed$/m);
    const file = asFile(service.provider);
    expect((await typeSuite('verify', ...file, '--only', 'PAGE-1.defaults')).stdout).toMatch(/^1 passed$/m);
  } finally {
    delete process.env.PRODUCT_PASSPORT_URL;
    delete process.env.PRODUCT_PASSPORT_KEY;
  }
});

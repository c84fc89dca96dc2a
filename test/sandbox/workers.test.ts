/** Fifty workers share one sandbox at the same time, and none sees anything of another. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Sandbox, startSandbox } from '../../server/src/testing.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const day = 86_400_000;

/** What one worker sees of its own tenant. Each number differs from worker to worker. */
async function work(number: number): Promise<object> {
  const tenant = await sandbox.createTenant();
  const ask = (path: string): Promise<Response> =>
    fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${tenant.apiKey}` } });
  const count = 1 + (number % 4);
  const products = Array.from({ length: count }, () => ({
    name: `Kabel ${number}`,
    gtin: '9520001000072',
    values: [{ field_key: 'worker', value: number }],
    status: 'active' as const,
  }));
  const seeded = await tenant.seed(products);
  const start = Date.now();
  await tenant.advanceClock({ days: 1 + number });
  await tenant.addScans(`kabel-${number}`, [{ daysAgo: 0, count: number + 1 }]);
  await tenant.fault({ status: 500 + number, code: `fault_of_${number}`, times: count, operation: 'listProducts' });

  const faults: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const response = await ask('/products');
    faults.push(`${response.status} ${(await response.json()).error.code}`);
  }
  const list = await (await ask('/products')).json();
  const { values } = await (await ask(`/products/kabel-${number}/passport`)).json();
  const scans = await (await ask('/analytics/scans')).json();
  const resolved = await fetch(`${sandbox.siteUrl}/01/${seeded[0]?.gtin}`, { redirect: 'manual' });
  const requests = await tenant.requests();
  return {
    faults,
    total: list.total,
    names: [...new Set(list.items.map(({ name }: { name: string }) => name))],
    gtins: new Set(seeded.map(({ gtin }) => gtin)).size,
    value: values[0].value,
    days: Math.round((start - Date.parse(list.items[0].created_at)) / day),
    scans: scans.total,
    leadsToItself: resolved.headers.get('location')?.includes(`/p/${tenant.slug}/kabel-${number}`),
    requests: requests.map(({ operation, status }) => `${operation} ${status}`),
  };
}

test('each worker sees its own products, faults, clock, scans and requests', async () => {
  const workers = Array.from({ length: 50 }, (_, number) => number);
  const seen = await Promise.all(workers.map(work));
  expect(seen).toEqual(
    workers.map((number) => {
      const count = 1 + (number % 4);
      return {
        faults: Array(count).fill(`${500 + number} fault_of_${number}`),
        total: count,
        names: [`Kabel ${number}`],
        gtins: 1,
        value: number,
        days: 1 + number,
        scans: number + 1,
        leadsToItself: true,
        requests: [
          ...Array(count).fill(`listProducts ${500 + number}`),
          'listProducts 200',
          'getPassport 200',
          'getScanStatistics 200',
          'resolveGtin 307',
        ],
      };
    }),
  );
});

test('a reset of one worker in the middle of the work of others removes nothing of theirs', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => sandbox.createTenant()));
  await Promise.all(
    others.map(({ seed, fault }) => Promise.all([seed([{ name: 'Tasse' }]), fault({ status: 503 }), first?.reset()])),
  );
  for (const { apiKey } of others) {
    const me = () => fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect((await me()).status).toBe(503);
    expect((await (await me()).json()).products_total).toBe(1);
  }
});

test('a tenant takes 50 ms or less', async () => {
  const durations: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    const start = performance.now();
    await sandbox.createTenant();
    durations.push(performance.now() - start);
  }
  durations.sort((a, b) => a - b);
  expect(durations[100]).toBeLessThanOrEqual(50);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { addressLimit } from '../../server/src/http/rate-limit.ts';
import { networkOf } from '../../server/src/http/visit.ts';
import type { Client, Reply } from '../support/client.ts';
import { useService } from '../support/service.ts';

const perMinute = 3;
const service = useService('SQLite', { publicRateLimit: perMinute, trustProxy: 1 });
let client: Client;
let path = '';

beforeAll(async () => {
  client = await service.newTenant();
  await client.create({ name: 'Tasse', gtin: '9520001000010' });
  await service.activate(client, 'tasse');
  path = `/p/${client.tenant.slug}/tasse`;
});

function get(at: string, address: string, headers: Record<string, string> = {}): Promise<Reply> {
  return client.call({ path: at, headers: { ...headers, 'x-forwarded-for': address }, key: null });
}

describe('the limit by address', () => {
  test('counts every request without a valid key, and responds with 429 and Retry-After', async () => {
    const address = '192.0.2.1';
    for (const at of [path, `${path}/jsonld`, '/01/9520001000010'])
      expect((await get(at, address)).status).toBeLessThan(400);
    const page = await get(path, address, { 'accept-language': 'de' });
    expect(page.status).toBe(429);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<h1>Einen Moment bitte</h1>');
    for (const at of [`${path}/jsonld`, '/01/9520001000010', '/01/0', `/p/${client.tenant.slug}/none/jsonld`]) {
      const { outcome, headers } = await get(at, address);
      expect(outcome).toBe('429 rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await get(path, '192.0.2.2')).status).toBe(200);
    // The contract does not describe all of these paths.
    for (const at of ['/api/v1/me', '/none', '/docs', '/.well-known/gs1resolver']) {
      const response = await fetch(`http://127.0.0.1:${service.port}${at}`, {
        headers: { 'x-forwarded-for': address },
      });
      expect([response.status, ((await response.json()) as { error: object }).error]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited' }),
      ]);
    }
    const key = `ppk_${'x'.repeat(43)}`;
    const invalid = { path: '/api/v1/me', headers: { 'x-forwarded-for': address }, key };
    expect((await client.call(invalid)).outcome).toBe('429 rate_limited');
    expect((await client.call({ path: '/api/v1/me', headers: { 'x-forwarded-for': address } })).status).toBe(200);
  });

  test('counts the requests for images', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.77' };
    const statuses: number[] = [];
    for (let count = 0; count <= perMinute; count += 1) {
      statuses.push((await fetch(`http://127.0.0.1:${service.port}${path}/image/x.webp`, { headers })).status);
    }
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  test('a client cannot choose its own address', async () => {
    const statuses: number[] = [];
    for (const spoofed of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'])
      statuses.push((await get(path, `${spoofed}, 192.0.2.78`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('counts the addresses of one IPv6 network together, as one person has all of them', async () => {
    const limitNetwork = addressLimit(1);
    const limit = (address: string): Promise<void> => limitNetwork(networkOf(address));
    await limit('2001:db8:1:2::1');
    await expect(limit('2001:db8:1:2:ffff:ffff:ffff:ffff')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(limit('2001:0DB8:0001:0002::')).rejects.toMatchObject({ code: 'rate_limited' });
    await limit('2001:db8:1:3::1');
    await limit('192.0.2.1');
    await expect(limit('::ffff:192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' });
    await limit('192.0.2.2');
    await limit('::1');
  });
});

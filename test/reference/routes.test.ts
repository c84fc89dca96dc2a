/** The API reference and the contract over HTTP. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { useService } from '../support/service.ts';

const contract = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');

describe('the reference on a server', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, { redirect: 'manual', ...init });

  test('serves the contract byte for byte', async () => {
    const response = await request('/openapi.yaml');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8']);
    expect(await response.text()).toBe(contract);
  });

  test('serves the same contract as JSON', async () => {
    const response = await request('/openapi.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await response.json()).toEqual(parse(contract));
  });

  const paths = ['/openapi.yaml', '/openapi.json', '/docs', '/docs/', '/docs/products', '/docs/schemas'];
  test.each(paths)('%s has an ETag, and is not sent twice', async (path) => {
    const first = await request(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await request(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test.each(paths)('%s may be read by every site, also with HEAD, and OPTIONS lists the methods', async (path) => {
    const head = await request(path, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('access-control-allow-origin')]).toEqual([200, '', '*']);
    const options = await request(path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await request(path, { method: 'POST', body: 'x' });
    expect([post.status, (await post.json()).error.code]).toEqual([405, 'method_not_allowed']);
    expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['/docs/none', '/docs/products/none', '/docs/try', '/docs/__proto__', '/openapi.xml'])(
    '%s gives the same 404 as any other unknown path',
    async (path) => {
      const [response, other] = [await request(path), await request('/none')];
      expect([response.status, await response.text()]).toEqual([404, await other.text()]);
      expect(response.headers.get('content-type')).toBe(other.headers.get('content-type'));
    },
  );

  test('an unknown page is an error page for a browser', async () => {
    for (const path of ['/docs/none', '/docs/products/none']) {
      const response = await request(path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
  });

  test('allows no script, and only its own stylesheet', async () => {
    const policy = (await request('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; style-src 'self'");
    expect(policy).not.toContain('script-src');
  });

  test('names its own address in the examples', async () => {
    expect(await (await request('/docs/tenant')).text()).toContain('curl https://passport.example.com/api/v1/me');
  });
});

describe('the page that sends requests', () => {
  const service = useService('SQLite', { docsTry: true });

  test('is linked and isolated, if the server is started with it', async () => {
    const site = `http://127.0.0.1:${service.port}`;
    expect(await (await fetch(`${site}/docs`)).text()).toContain('href="/docs/try"');
    const { status, headers } = await fetch(`${site}/docs/try`);
    expect([status, headers.get('cross-origin-opener-policy')]).toEqual([200, 'same-origin']);
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self';.* connect-src 'self'/,
    );
    expect((await fetch(`${site}/docs/try`, { method: 'POST' })).status).toBe(405);
  });
});

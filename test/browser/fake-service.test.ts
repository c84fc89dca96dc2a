/** The tests of a browser page use the fake service, as the README of the SDK shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { createFakeService } from '../../sdk/src/testing.ts';
import { launchBrowser } from '../support/browser.ts';
import { ending } from '../support/files.ts';
import { root } from '../support/program.ts';

// The README has this code.
const routeTo = (service: { fetch: typeof fetch }, page: Page) =>
  page.route('http://passports.test/**', async (route) => {
    const request = route.request();
    const init = { method: request.method(), headers: request.headers(), body: request.postData() };
    const response = await service.fetch(request.url(), { ...init, redirect: 'manual' });
    const headers = Object.fromEntries(response.headers);
    await route.fulfill({ status: response.status, headers, body: await response.text() });
  });
// Until here.

let browser: Browser;
beforeAll(async () => {
  browser = ending.use(await launchBrowser());
});

test('the README has the code of this test', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8');
  const [, code = ''] = /The README has this code\.\n(.*)\/\/ Until here/s.exec(source) ?? [];
  expect(code).toContain('page.route');
  expect(readFileSync(join(root, 'sdk/README.md'), 'utf8')).toContain(code);
});

test('a page in Chromium reads a passport of the fake service, and gets its errors', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createPublicClient } from './sdk/src/public.ts';
        const site = createPublicClient({ siteUrl: 'http://passports.test' });
        const [tenant, product] = location.hash.slice(1).split('/');
        site.passports.document(tenant, product).then(({ name }) => name, ({ code }) => code)
          .then((text) => { document.title = text; });`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
  });
  const service = createFakeService();
  const page = await browser.newPage();
  await routeTo(service, page);
  const script = outputFiles[0]?.text ?? '';
  await page.route('http://shop.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><script>${script}</script>` }),
  );
  const titleAt = async (hash: string): Promise<string> => {
    await page.goto('about:blank');
    await page.goto(`http://shop.test/#${hash}`);
    await page.waitForFunction('document.title !== ""');
    return page.title();
  };
  expect(await titleAt('skellig/bicycle-helmet')).toBe('Bicycle Helmet');
  expect(await titleAt('skellig/bicycle-lamp')).toBe('not_found');
  service.activate('skellig', 'bicycle-lamp');
  expect(await titleAt('skellig/bicycle-lamp')).toBe('Bicycle Lamp');
  await page.close();
});

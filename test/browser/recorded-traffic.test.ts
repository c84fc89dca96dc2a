/** `verify har` judges what a real recorder writes, with bodies and without. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { launchBrowser } from '../support/browser.ts';
import { ending, newFolder } from '../support/files.ts';
import { announcement, start } from '../support/program.ts';
import { typeReporting } from '../support/suite.ts';

const browser = ending.use(await launchBrowser());
const demo = await start(
  'product-passport serve --demo --json --port 0 --database :memory: --log-level silent',
  /\}\n/,
);
ending.defer(async () => void (await demo.stop()));
const { base_url, site_url, tenants } = announcement(demo.said());

test.each([
  ['embed', 'passed', 'and are not judged: 0 of requests, 1 of responses.'],
  ['attach', 'skipped', 'and are not judged: 0 of requests, 5 of responses.'],
  ['omit', 'skipped', 'and are not judged: 0 of requests, 5 of responses.'],
] as const)('a recording of Chromium by Playwright, content: %s', async (content, status, counted) => {
  const file = join(newFolder(), 'recorded.har');
  const context = await browser.newContext({
    extraHTTPHeaders: { authorization: `Bearer ${tenants[0].api_key}` },
    recordHar: { path: file, content },
  });
  const page = await context.newPage();
  await page.goto(`${base_url}/me`);
  await page.goto(`${base_url}/products/none`);
  // A redirect, which has no body for a browser.
  await page.goto(`${site_url}/01/09520001000072`);
  await context.close();

  const options = ['--base-url', base_url, '--claim', 'core,public'];
  const { stderr, report } = await typeReporting('verify', 'har', file, ...options);
  const { cases, verdict } = report;
  expect(cases.filter((one) => one.status === 'failed')).toEqual([]);
  const ids = ['HTTP-6.getMe', 'HTTP-6.getProduct', 'HTTP-6.getPassportPage', 'LEAK-3.sql'];
  expect(ids.map((id) => cases.find((one) => one.id === id)?.status)).toEqual(ids.map(() => status));
  expect(stderr).toContain(counted);
  expect(verdict).toBe(status === 'skipped' ? 'incomplete' : 'passed');
});

/**
 * The HTML report in a real browser, and the JUnit file through its XML parser. `SCREENSHOTS=folder` saves screenshots.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { junitOf, writeReports } from '../../../contracts/conformance/report/write.ts';
import type { Result } from '../../../contracts/conformance/result.ts';
import { launchBrowser } from '../../support/browser.ts';
import { ending, newFolder } from '../../support/files.ts';
import { everyStatus, exchangeWith, provider, resultWith, runWith } from '../../support/suite.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hostile = `</script><script>document.title = 'taken over'</script><img src="http://elsewhere.test/x"> ]]> \u0000\u0007`;
const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(20);

const hostileResult = resultWith({
  id: 'LEAK-1.hostile',
  title: `A title with ${hostile}`,
  status: 'failed',
  reasons: [hostile, long],
  exchanges: [
    exchangeWith({
      purpose: 'faulty',
      request: {
        method: 'POST',
        path: `/api/v1/products?${long}`,
        headers: { [long]: long },
        body: Buffer.from(hostile),
      },
      response: { status: 500, headers: { 'content-type': 'text/html', 'x-long': long }, text: hostile },
    }),
    { ...exchangeWith(), failure: 'the connection was closed' },
  ],
});
const small: readonly Result[] = [...everyStatus, hostileResult];

let browser: Browser;

beforeAll(async () => {
  browser = ending.use(await launchBrowser());
});

/** Writes the reports of a run, and returns the address of the page. */
async function written(results: readonly Result[]): Promise<string> {
  const folder = newFolder();
  const run = runWith(results);
  const repeat = (id: string): string => `npx verify --start 'npm start' --seed 42 --only ${id}`;
  writeReports(folder, reportOf(run, provider), run.created, repeat);
  return pathToFileURL(join(folder, 'report.html')).href;
}

async function opened(results: readonly Result[], options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(await written(results));
  return page;
}

/** The visible text, with single spaces. */
async function textOf(page: Page, selector: string): Promise<string> {
  const [text = ''] = await page.locator(selector).allInnerTexts();
  return text.replace(/\s+/g, ' ');
}

/** The ids of the cases that the page shows. */
async function shownIds(page: Page): Promise<string[]> {
  return page.locator('.case:visible').evaluateAll((cases) => cases.map(({ id }) => id));
}

describe('the page', () => {
  test.each(
    ([360, 1280] as const).flatMap((width) =>
      (['light', 'dark', 'print'] as const).map((medium) => ({ width, medium })),
    ),
  )('fits and is accessible: $width px, $medium', async ({ width, medium }) => {
    const page = await opened(small, { viewport: { width, height: 900 } });
    await page.emulateMedia({
      media: medium === 'print' ? 'print' : 'screen',
      colorScheme: medium === 'dark' ? 'dark' : 'light',
    });
    const overflow = (): Promise<number> =>
      page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
    expect(await overflow()).toBe(0);
    expect(await violations(page)).toEqual([]);
    if (medium === 'print') expect(await closed(page)).toEqual([]);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await overflow()).toBe(0);
    expect(await violations(page)).toEqual([]);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: join(folder, `report-${width}-${medium}.png`), fullPage: true });
  });

  test('sends no request but its own, runs no script of a response, and logs nothing', async () => {
    const page = await browser.newPage();
    const seen: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) seen.push(request.url());
    });
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(String(error)));
    const url = await written(small);
    await page.goto(url);
    expect(seen).toEqual([url]);
    expect(await page.title()).toBe('Not conformant – http://passports.test/api/v1 – conformance report');
  });

  test('says the verdict, the facts of the run, and of each case what is wrong and who acts', async () => {
    const page = await opened(everyStatus);
    const [text = ''] = await page.locator('body').allInnerTexts();
    expect(text.replace(/\s*\n\s*/g, '\n')).toMatchSnapshot();
    await page.locator('#TEN-1\\.other > summary').click();
    expect(await textOf(page, '#TEN-1\\.other')).toContain('Add a second tenant with its key');
  });

  test('opens one case of each cause, and shows the others on demand', async () => {
    const page = await opened(
      [...'abcde'].map((name) =>
        resultWith({ id: `PAGE-1.${name}`, status: 'failed', reasons: [`limit must be 3, is "${name}"`] }),
      ),
    );
    expect(await page.locator('.case[open]').evaluateAll((cases) => cases.map(({ id }) => id))).toEqual(['PAGE-1.a']);
    expect(await textOf(page, '.findings')).toMatch(
      /^limit must be 3, is "a" A client .* Products, list PAGE-1\.a 4 more cases$/,
    );
    await page.locator('.findings summary').click();
    await page.getByRole('link', { name: 'PAGE-1.d', exact: true }).first().click();
    await page.locator('#PAGE-1\\.d[open]').waitFor();
  });

  test('of the tests of a program has names of groups, no claim, and no text above another on a phone', async () => {
    const page = await opened(
      [
        resultWith({ id: 'data.urn-without-tenant-and-without-product', claim: 'tests', status: 'failed' }),
        resultWith({ id: 'unusual.extra-members', claim: 'tests' }),
      ],
      { viewport: { width: 360, height: 900 } },
    );
    expect(await page.locator('.family h2').allInnerTexts()).toEqual(['Written data', 'Correct services']);
    expect(await page.locator('.case dt').allTextContents()).not.toContain('Claim');
    const boxes = await page
      .locator('.case > summary')
      .first()
      .evaluate((summary) => [...summary.children].map((part) => part.getBoundingClientRect()));
    const [status, , id] = boxes;
    expect(status?.right).toBeLessThanOrEqual(id?.left ?? 0);
  });

  test('is readable without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(await written(everyStatus));
    await page.locator('.folded > summary').click();
    expect(await page.locator('.case:visible').count()).toBe(everyStatus.length);
    for (const selector of ['#filters', '.copy']) expect(await page.locator(`${selector}:visible`).count()).toBe(0);
    await page.locator('#PAGE-3\\.past .exchange > summary').click();
    expect(await page.locator('#PAGE-3\\.past .exchange pre').first().isVisible()).toBe(true);
  });
});

describe('search and filters', () => {
  test.each<[what: string, choice: Readonly<Record<string, string>>, ids: string[]]>([
    ['the id', { Search: 'page-1.' }, ['PAGE-1.echo', 'PAGE-1.defaults']],
    ['the title', { Search: 'another  TENANT' }, ['TEN-1.other']],
    ['a reason', { Search: 'must be 3' }, ['PAGE-1.echo']],
    ['nothing', { Search: 'nothing like this' }, []],
    ['the status', { Status: 'failed' }, ['PAGE-1.echo']],
    ['the family', { Family: 'PAGE-2' }, ['PAGE-2.limit-0', 'PAGE-2.limit-1']],
    ['family and status', { Family: 'PAGE-2', Status: 'unexpected-pass' }, ['PAGE-2.limit-1']],
    ['the claim', { Claim: 'public' }, ['PAGE-3.past']],
  ])('find cases by %s', async (_what, choice, ids) => {
    const page = await opened(everyStatus);
    for (const [label, value] of Object.entries(choice)) {
      const control = page.getByLabel(label, { exact: true });
      await (label === 'Search' ? control.fill(value) : control.selectOption(value));
    }
    expect(await shownIds(page)).toEqual(ids);
    expect(await textOf(page, '[role=status]')).toBe(`${ids.length} of 7 cases`);
    if (ids.length > 0) return;
    await page.getByRole('button', { name: 'Show all cases' }).click();
    // The passed case is folded.
    expect(await shownIds(page)).toHaveLength(6);
    expect(await textOf(page, '[role=status]')).toBe('7 cases');
  });

  test('a link to a case opens it, also if a filter hides it', async () => {
    const page = await opened(everyStatus);
    const isOpen = (): Promise<boolean> => page.locator('#PAGE-1\\.defaults').evaluate((one) => one.checkVisibility());
    expect(await isOpen()).toBe(false);
    await page.getByLabel('Search').fill('tenant');
    await page.evaluate(() => {
      location.hash = '#PAGE-1.defaults';
    });
    await expect(isOpen()).resolves.toBe(true);
  });

  test('the copy button copies the command', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(await written(everyStatus));
    await page.locator('#PAGE-1\\.echo .exchange .copy').click();
    await page.locator('#PAGE-1\\.echo .copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `curl -i --path-as-is -H 'authorization: Bearer '"$PRODUCT_PASSPORT_KEY" 'http://passports.test/api/v1/products?limit=3'`,
    );
  });
});

test('junit.xml is XML with a suite for each family, and its counts agree with the verdict', async () => {
  const xml = junitOf(reportOf(runWith(small), provider));
  expect(xml).toMatchSnapshot();
  const page = await browser.newPage();
  const faults = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'text/xml');
    return [...document.querySelectorAll('parsererror')].map(({ textContent }) => textContent);
  }, xml);
  expect(faults).toEqual([]);
});

/** The parts that cannot be read, because they are closed. */
function closed(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('details > :not(summary, :empty)')]
      .filter((part) => part.checkVisibility === undefined || !part.checkVisibility({ contentVisibilityAuto: true }))
      .map((part) => part.outerHTML.slice(0, 100)),
  );
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const results: AxeResults = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })",
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

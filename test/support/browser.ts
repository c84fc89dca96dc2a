import type { Browser } from 'playwright-core';
import { ending } from './ending.ts';
import { launchBrowser } from './tools.ts';

/** A browser that is closed when the test file ends. */
export async function startBrowser(): Promise<Browser> {
  const browser = await launchBrowser();
  ending.defer(() => browser.close());
  return browser;
}

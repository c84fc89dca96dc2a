/** A real browser: Chromium from npm on Linux, an installed Chrome elsewhere. */
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';
import { ending } from './ending.ts';

export async function startBrowser(): Promise<Browser> {
  const browser = await launcher.launch(
    process.platform === 'linux'
      ? {
          executablePath: await chromium.executablePath(),
          args: ['--headless=shell', '--no-sandbox', '--disable-gpu'],
        }
      : { channel: 'chrome' },
  );
  ending.defer(() => browser.close());
  return browser;
}

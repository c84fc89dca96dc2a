/** A real browser: Chromium from npm on Linux, an installed Chrome elsewhere. */
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as launcher } from 'playwright-core';

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch(
    process.platform === 'linux'
      ? {
          executablePath: await chromium.executablePath(),
          args: ['--headless=shell', '--no-sandbox', '--disable-gpu'],
        }
      : { channel: 'chrome' },
  );
}

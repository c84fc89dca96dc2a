import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium as launcher } from 'playwright-core';
import { installed } from './tools.ts';

/** A browser that is closed when the test file ends. */
export async function startBrowser(): Promise<Browser> {
  // `npm run test:runtimes` launches a browser outside of Jest.
  const { ending } = await import('./ending.ts');
  const browser = await launchBrowser();
  ending.defer(() => browser.close());
  return browser;
}

export async function launchBrowser(): Promise<Browser> {
  return launcher.launch(
    process.platform === 'linux'
      ? { executablePath: await chromium(), args: ['--headless=shell', '--no-sandbox', '--disable-gpu'] }
      : { channel: 'chrome' },
  );
}

async function chromium(): Promise<string> {
  const folder = await installed(['@sparticuz/chromium@153.0.0']);
  const { default: binary } = createRequire(join(folder, 'package.json'))('@sparticuz/chromium');
  return binary.executablePath();
}

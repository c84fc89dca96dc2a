/** Tools of single tests, which are no dependencies of the checkout: installed on first use, and kept for later runs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, chromium as launcher } from 'playwright-core';

const execute = promisify(execFile);
const cache = join(tmpdir(), 'product-passport-runtimes');

/**
 * Installs packages into their own folder, if they are not installed yet.
 *
 * @param packages names with exact versions, as in `bun@1.4.5`
 * @param before called before an installation
 */
export async function installed(packages: readonly string[], before: () => void = () => {}): Promise<string> {
  const folder = join(cache, packages.join('+').replaceAll(/[^\w.@+-]/g, '-'));
  if (existsSync(join(folder, 'installed'))) return folder;
  before();
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(join(cache, 'new-'));
  const names = packages.map((each) => each.slice(0, each.lastIndexOf('@')));
  const allowScripts = Object.fromEntries(names.map((name) => [name, true]));
  await writeFile(join(own, 'package.json'), JSON.stringify({ private: true, allowScripts }));
  await execute('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: own });
  await writeFile(join(own, 'installed'), 'yes');
  try {
    await rename(own, folder);
  } catch (error) {
    // Another run was quicker, or an older one was interrupted.
    if (existsSync(join(folder, 'installed'))) await rm(own, { recursive: true });
    else throw error;
  }
  return folder;
}

/** A browser, also outside of Jest. Whoever launches it closes it. */
export async function launchBrowser(): Promise<Browser> {
  const linux = { args: ['--headless=shell', '--no-sandbox', '--disable-gpu'] };
  for (;;) {
    const own = process.platform === 'linux' ? { ...linux, executablePath: await chromium() } : { channel: 'chrome' };
    try {
      return await launcher.launch(own);
    } catch (error) {
      // Another process still unpacks the program.
      if (!String(error).includes('ETXTBSY')) throw error;
      await setTimeout(100);
    }
  }
}

async function chromium(): Promise<string> {
  const folder = await installed(['@sparticuz/chromium@153.0.0']);
  const { default: binary } = createRequire(join(folder, 'package.json'))('@sparticuz/chromium');
  return binary.executablePath();
}

/** Every example program, and all code of the SDK's manual, against the static mock without a `Prefer` header. */

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ending, newFolder } from '../support/files.ts';
import { type Mock, root, run, startMock } from '../support/program.ts';
import { installPacked } from '../support/shared.ts';
import { launchBrowser } from '../support/tools.ts';

jest.setTimeout(120_000);

let mock: Mock;
let environment: Record<string, string> = {};

/** Inside the checkout, so that the code finds the packages as a program of the checkout does. */
const folder = join(root, 'test/server/mock', `programs-${process.pid}`);

beforeAll(async () => {
  await mkdir(folder);
  mock = await startMock();
  const key = 'ppk_any';
  environment = { PRODUCT_PASSPORT_URL: `${mock.host}/api/v1`, PRODUCT_PASSPORT_KEY: key };
});
afterAll(async () => {
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

const cannot = 'A static mock cannot do this';

/** What the page shows of the passport of the contract's example. */
const pageTexts = {
  de: '✓ Die Werte passen zum Hash. | Inhaltsstoffe | Halogenfrei | Nicht bekannt | Identifikation | Kabellänge | 2 m',
  en: '✓ The values match the hash. | Substances | Halogen free | Not known | Identification | Cable length | 2 m',
};

/** What runs in each folder of `examples`. */
const examples: Record<string, () => Promise<void>> = {
  'node-script': async () => {
    expect(await run('npm start -w examples/node-script', environment)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^waschmittel-meeresbrise 55 %: .*\n1 incomplete$/m),
    });
  },
  'commonjs-script': async () => {
    const line = "npm start -w examples/commonjs-script -- 'USB-C-Kabel 3 m'";
    expect(await run(line, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^usb-c-kabel-240-w-2-m \d+ %$/m),
    });
    expect(await run('npm start -w examples/commonjs-script', environment)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give the name of the product'),
    });
  },
  'jest-tests': async () => {
    const program = join(folder, 'relabel.ts');
    const relabel = join(root, 'examples/jest-tests/relabel.js');
    await writeFile(
      program,
      `import { createClient } from '@product-passport/sdk';
       import { createRequire } from 'node:module';
       const { relabel } = createRequire(import.meta.url)('${relabel}');
       const client = createClient({ baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', apiKey: 'any' });
       console.log(await relabel(client, 'kabel', { field_key: 'halogen_free', value: true }));`,
    );
    expect(await run(`node ${program}`, environment)).toMatchObject({ code: 0, stdout: '[]\n' });
  },
  'browser-page': async () => {
    const packed = newFolder();
    const { project } = await installPacked(packed, ['sdk']);
    await cp(join(root, 'examples/browser-page/index.html'), join(project, 'index.html'));
    const types: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html' };
    const files = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
      const bytes = await readFile(join(project, pathname)).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(bytes);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    try {
      const page = await ending.use(await launchBrowser()).newPage();
      const { port } = files.address() as AddressInfo;
      const headers = {
        ...{ 'retry-after': '3', 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' },
      };
      await page.route(`${mock.host}/**`, (route) => route.fulfill({ status: 429, headers }), { times: 1 });
      for (const [lang, texts] of Object.entries(pageTexts)) {
        await page.goto(
          `http://127.0.0.1:${port}/index.html?site=${mock.host}&tenant=nordlicht&product=any&lang=${lang}`,
        );
        // The first request has to wait.
        if (lang === 'de') await page.getByText('Der Dienst ist ausgelastet. Bitte warten.').waitFor();
        await page.waitForFunction("/^[✓✗]/.test(document.querySelector('p').textContent)");
        const shown = await page.locator('main > *:not(dl), dt, dd').allTextContents();
        expect(shown.join(' | ').replaceAll('\u00a0', ' ')).toBe(`USB-C-Kabel 240 W 2 m | ${texts}`);
      }
    } finally {
      files.close();
      files.closeAllConnections();
    }
  },
  proxy: async () => {
    expect(await run('npm start -w examples/proxy', environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^thermobecher-kaje\n1 without a GTIN$/m),
    });
  },
  // The last two cannot work, because they use `products.ensure`.
  opentelemetry: async () => {
    const { code, stderr } = await run('npm start -w examples/opentelemetry', environment);
    expect([code, stderr]).toEqual([1, expect.stringContaining(cannot)]);
  },
  'inventory-sync': async () => {
    const inventory = await readFile(join(root, 'examples/inventory-sync/inventory.csv'), 'utf8');
    const rows = join(folder, 'rows.csv');
    await writeFile(rows, inventory.split('\r\n').slice(0, 69).join('\r\n'));
    const { code, stdout, stderr } = await run(`npm start -w examples/inventory-sync -- ${rows}`, environment);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(cannot);
  },
};

/** What `examples` has beside clients. */
const others = ['README.md', 'github-actions', 'gitlab-ci', 'opentelemetry-server'];

describe('the examples', () => {
  test('are all tried', async () => {
    const folders = (await readdir(join(root, 'examples'))).filter((name) => !others.includes(name));
    expect(Object.keys(examples).sort()).toEqual(folders.sort());
  });

  test.each(Object.entries(examples))('%s', async (_folder, runs) => {
    await runs();
  });
});

interface Block {
  language: string;
  code: string;
}

async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(join(root, page), 'utf8');
  return Array.from(text.matchAll(/^```(\w*)\n(.*?)^```$/gms), ([, language = '', code = '']) => ({ language, code }));
}

/** Runs code as one program, with the addresses of the mock. */
async function runCode(blocks: readonly Block[]) {
  const file = join(folder, 'program.ts');
  const program = blocks.map(({ code }) => code).join('\n');
  const ofMock = program
    .replaceAll('https://passport.example.com', mock.host)
    .replaceAll('https://id.example.org', mock.host);
  await writeFile(file, `${ofMock}\nexport {};\n`);
  return run(`node ${file}`, environment);
}

describe('the code of the manual', () => {
  const needsState = ({ code }: Block) => /await client\.products\.ensure/.test(code);

  /** `test/package/package.test.ts` runs it, with MSW installed. */
  const needsWorker = ({ code }: Block) => code.includes("from 'msw'");

  test('of the SDK runs from top to bottom, without the blocks that need state or a package', async () => {
    const blocks = (await blocksOf('sdk/README.md')).filter(({ language }) => language === 'ts');
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.filter(needsState)).toHaveLength(1);
    expect(blocks.filter(needsWorker)).toHaveLength(1);
    const { code, stdout, stderr } = await runCode(blocks.filter((block) => !needsState(block) && !needsWorker(block)));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Nordlicht Demo GmbH has 15 products\n');
    expect(stdout).toContain('USB-C-Kabel 240 W 2 m matches its hash\n');
    // The bulk loop prints the error of each item.
    expect(stdout).toContain(cannot);
  });

  test('of the SDK that needs state ends with an error that says so', async () => {
    const [connect, ...others] = (await blocksOf('sdk/README.md')).filter(({ language }) => language === 'ts');
    if (connect === undefined) throw new Error('The README has no code.');
    const { code, stderr } = await runCode([connect, ...others.filter(needsState)]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(cannot)]);
  });
});

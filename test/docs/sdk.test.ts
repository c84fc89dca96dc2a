/** The code in the SDK's pages and docstrings: all of it compiles, and all of it runs or gives a reason. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announcement, type Running, root, run, start } from '../support/program.ts';

interface Block {
  page: string;
  language: string;
  code: string;
  /** The reason why the code does not run. */
  reason: string | undefined;
}

const fence = /(?:^<!-- not run(?: here)?: ([^\n]+) -->\n\n)?^```(\w*)\n(.*?)^```$/gms;

function blocksOf(page: string, text: string): Block[] {
  return Array.from(text.matchAll(fence), ([, reason, language = '', code = '']) => ({ page, language, code, reason }));
}

/** The text of a module's docstrings. */
function docstrings(source: string): string {
  return Array.from(source.matchAll(/\/\*\*(.*?)\*\//gs), ([, text = '']) => text.replaceAll(/^ *\* ?/gm, '')).join(
    '\n',
  );
}

async function allBlocks(): Promise<Block[]> {
  const pages = ['sdk/README.md', 'sdk/api.md'];
  const modules = (await readdir(join(root, 'sdk/src'), { recursive: true })).filter((name) => name.endsWith('.ts'));
  const read = (name: string) => readFile(join(root, name), 'utf8');
  const found = [
    ...pages.map(async (page) => blocksOf(page, await read(page))),
    ...modules.map(async (name) => blocksOf(name, docstrings(await read(`sdk/src/${name}`)))),
  ];
  return (await Promise.all(found)).flat();
}

/** Inside the checkout, so that the code finds the packages as a program of the checkout does. */
const folder = join(root, 'test/docs', `blocks-${process.pid}`);
let blocks: Block[] = [];
let server: Running;

beforeAll(async () => {
  blocks = await allBlocks();
  await mkdir(folder);
  server = await start('npx product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The program of a page: its blocks from top to bottom, because a block may use names of earlier ones. */
function programOf(page: string): string {
  return (
    blocks
      // `test/package/package.test.ts` runs the block with MSW, where MSW is installed.
      .filter((block) => block.page === page && block.language === 'ts' && !block.code.includes("from 'msw'"))
      .map(({ code }) => code)
      .join('\n')
  );
}

test('all code compiles', async () => {
  const pages = [...new Set(blocks.filter(({ language }) => language === 'ts').map(({ page }) => page))];
  expect(pages).toContain('sdk/README.md');
  for (const [index, page] of pages.entries()) {
    await writeFile(join(folder, `${index}.ts`), `// ${page}\n${programOf(page)}\nexport {};\n`);
  }
  await writeFile(join(folder, 'tsconfig.json'), '{ "extends": "../../../tsconfig.json", "include": ["*.ts"] }');
  expect(await run(`tsc --noEmit -p ${folder}`)).toMatchObject({ stdout: '', code: 0 });
});

/** Runs the program of a module's docstrings against the server, and returns the lines that it prints. */
async function printedBy(module: string): Promise<string[]> {
  const { site_url, tenants } = announcement(server.said());
  const file = join(folder, 'program.ts');
  await writeFile(file, programOf(module).replaceAll('https://passport.example.com', site_url));
  const { code, stdout, stderr } = await run(`node ${file}`, { PRODUCT_PASSPORT_KEY: tenants[0].api_key });
  expect([module, code, stderr]).toEqual([module, 0, '']);
  return stdout.trim().split('\n');
}

// `test/package/readmes.test.ts` runs the README.
test('the code in docstrings runs', async () => {
  expect(await printedBy('client.ts')).toContain('usb-c-cable-240-w-2-m USB-C Cable 240 W 2 m');
  expect(await printedBy('public.ts')).toEqual(['USB-C Cable 240 W 2 m']);
  const ofReads = await printedBy('dpp.ts');
  expect(ofReads).toEqual(
    expect.arrayContaining([expect.stringMatching(/^0088:\d+ active$/), 'Identification – Cable length: 2\u00a0m']),
  );
  expect((await printedBy('bulk.ts')).sort()).toEqual(['sample-1 is there', 'sample-2 is there']);
  expect(await printedBy('check.ts')).toEqual(['[0].unit of "cable_length" must be "m" (got "km")']);
  const shown = await printedBy('show.ts');
  expect(shown).toEqual(expect.arrayContaining(['Kabellänge', 'Identification – Cable length: 2\u00a0m']));
});

test('code that does not run has a reason', () => {
  const tested = ['sdk/README.md', 'client.ts', 'public.ts', 'dpp.ts', 'bulk.ts', 'check.ts', 'show.ts'];
  const silent = blocks.filter(({ page, language, reason }) => {
    return reason === undefined && !(tested.includes(page) && language === 'ts');
  });
  expect(silent).toEqual([]);
  expect(blocks.filter(({ reason }) => reason !== undefined).map(({ reason }) => reason)).toEqual([
    'test/package/readmes.test.ts runs it in an empty folder',
    'the tests of the command line run these commands',
  ]);
});

/** Checks sdk/api.md and the error codes in the docstrings against the SDK. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codesOf as codesOfResponse, readContract } from '../../openapi/src/index.ts';
import { operations } from '../../sdk/src/generated/samples.ts';
import { manifestOf } from '../../tools/packages.ts';
import { root } from '../support/program.ts';

const page = await readFile(join(root, 'sdk/api.md'), 'utf8');
const entries = page
  .split(/^## /m)
  .slice(1)
  .map((text) => [/^`@product-passport\/sdk(.*)`/.exec(text)?.[1] ?? '', text] as const);
const lines = page.split('\n').filter((text) => text.startsWith('- '));

const titled = (text: string) => Array.from(text.matchAll(/^- `([\w.]+)/gm), ([, name]) => name);

test('the page has a section for every entry point, with all its exports', async () => {
  const { exports = {} } = manifestOf('sdk');
  const sources = Object.entries(exports).filter(([, source]) => source.endsWith('.ts'));
  expect(entries.map(([entry]) => `.${entry}`)).toEqual(sources.map(([entry]) => entry));
  for (const [index, [, source]] of sources.entries()) {
    const text = entries[index]?.[1] ?? '';
    const values = Object.keys(await import(join(root, 'sdk', source)));
    expect(titled(text)).toEqual(expect.arrayContaining(values));
    // A class that exists only as a type is marked.
    const classes = Array.from(text.matchAll(/^- `(\w+Error)\b[^`]*\{[^`]*`( \(type only\))?/gm));
    for (const [, name = '', remark] of classes)
      expect([name, remark === undefined]).toEqual([name, values.includes(name)]);
  }
  const [, publicEntry] = entries.find(([entry]) => entry === '/public') ?? [];
  expect(publicEntry).toMatch(/^- `ConflictError.*` \(type only\): /m);
});

test('every line has a description', () => {
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((text) => !/^- `[^`]+`(?: \(type only\))?: \S.*\.$/.test(text))).toEqual([]);
  // A longer line must be split into the parts of the type.
  expect(lines.filter((text) => text.length > 400)).toEqual([]);
});

const quoted = (text: string) => Array.from(text.matchAll(/`([\w.]+)`/g), ([, name = '']) => name);

/** The docstrings of a module, each on one line, with the following name. */
async function docstringsOf(module: string) {
  const source = await readFile(join(root, 'sdk/src', module), 'utf8');
  const found = source.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s+(?:(?:export|readonly|interface|function) )*(\w+)/gs);
  return Array.from(found, ([, text = '', name = '']) => ({ name, text: text.replaceAll(/\s*\n\s*\*\s*/g, ' ') }));
}

const codesOf = (operation: string): readonly string[] =>
  operations.find(({ operationId }) => operationId === operation)?.codes ?? [];

/** The codes that the contract documents for the server but for no operation. */
function codesOfServer(): string[] {
  const known = operations.flatMap(({ codes }) => codes);
  const codes = Object.values(readContract().outsideOperations).flatMap(codesOfResponse);
  return codes.filter((code) => !known.includes(code));
}

test.each([
  ['client.ts', 'Client'],
  ['public.ts', 'PublicClient'],
])('%s: every method lists its codes, and %s lists the codes of all methods', async (module, client) => {
  const docstrings = await docstringsOf(module);
  const methods = docstrings.flatMap(({ name, text }) => {
    const [, codes = '', contract] = /(?:Codes: ([^:]*)\. )?Contract: ([^:]*)\.\s*$/.exec(text) ?? [];
    return contract ? [{ name, codes, operations: quoted(contract) }] : [];
  });
  expect(methods.map(({ name }) => name).sort()).toEqual(
    titled(page)
      .flatMap((title = '') => (title.startsWith(`${client}.`) ? title.split('.').slice(-1) : []))
      // What `http` calls, and so the codes, the program says.
      .filter((name) => name !== 'siteUrl' && name !== 'http')
      .sort(),
  );

  const { text = '' } = docstrings.find(({ name }) => name === client) ?? {};
  const common = quoted(/Codes of every method: ([^.]*)\./.exec(text)?.[1] ?? '');
  const server = codesOfServer();
  expect(server).not.toEqual([]);
  for (const { name, codes, operations } of methods) {
    const [, other] = /^those of `products\.(\w+)`$/.exec(codes) ?? [];
    const listed = quoted(methods.find((method) => method.name === other)?.codes ?? codes);
    const given = new Set([...operations.flatMap(codesOf), ...server]);
    if (name === 'ensure') given.delete('not_found'); // after which it creates
    expect([name, ...[...listed, ...common].sort()]).toEqual([name, ...[...given].sort()]);
  }
});

/** The comparison with the last published version reports what breaks programs of users, and accepts additions. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { breaksOf, type Snapshot } from '../../tools/published/breaks.ts';
import { exportFacts } from '../../tools/published/exports.ts';
import { run } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'passport-published-'));

const contract = {
  openapi: '3.1.0',
  paths: {
    '/items': {
      post: {
        operationId: 'createItem',
        security: [],
        parameters: [{ name: 'days', in: 'query', schema: { type: 'integer', default: 7, maximum: 9 } }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string', maxLength: 20, pattern: '^a', 'x-error-codes': { maxLength: 'too_long' } },
                  kind: { type: ['string', 'null'], enum: ['big', 'small', null] },
                },
              },
            },
          },
        },
        responses: {
          200: {
            headers: { ETag: { required: true, schema: { type: 'string' } } },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['id'],
                  properties: {
                    id: { type: 'string', maxLength: 36 },
                    state: { enum: ['on', 'off'] },
                    plan: { type: 'string', 'x-extensible-enum': ['free', 'paid'] },
                    tags: { type: 'array', items: { type: 'string' } },
                  },
                },
              },
            },
          },
          400: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    error: { type: 'object', properties: { code: { type: 'string', enum: ['bad', 'worse'] } } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

const sdk = `
  export interface Options { url: string; retries?: number; onRetry?: (attempt: Attempt) => void }
  interface Attempt { number: number; cause?: string }
  export type Level = 'low' | 'high';
  export interface Item { id: string; level: Level; note?: string }
  export interface Client { readonly items: { get(id: string): Promise<Item>; put(item: Item): Promise<void> } }
  export function createClient(options: Options): Client { return {} as Client; }
  export const version = '1';
  export class ItemError extends Error { readonly code: string = ''; #secret = 1; }
`;

let sources = 0;
function factsOf(source: string) {
  sources += 1;
  const file = join(folder, `index-${sources}.ts`);
  writeFileSync(file, source);
  return exportFacts({ '.': file }, { noLib: true, types: [] });
}

const published: Snapshot = {
  version: '1.2.0',
  contract,
  exports: factsOf(sdk),
  caseIds: ['PAGE-1.defaults', 'PAGE-1.echo'],
  migrations: ['0001_tables'],
  migrationFiles: { '0001_tables.ts': 'a', 'columns.ts': 'b' },
  schema: ['CREATE TABLE items (id text)'],
};

/** The snapshot with one text of its JSON replaced. */
function edited(part: 'contract' | 'migrations' | 'migrationFiles' | 'schema', from: string, to: string): Snapshot {
  const text = JSON.stringify(published[part]);
  if (!text.includes(from)) throw new Error(`${part} has no ${from}`);
  return { ...published, [part]: JSON.parse(text.replace(from, to)) };
}

describe('openapi.yaml', () => {
  test.each([
    ['"/items"', '"/things"', 'openapi.yaml: request POST /items is gone.'],
    ['"post"', '"put"', 'request POST /items is gone'],
    ['"createItem"', '"makeItem"', 'operationId was "createItem" and is now "makeItem"'],
    ['"security":[]', '"security":[{"key":[]}]', 'request POST /items required was ["body"] and is now ["key","body"]'],
    ['"name":"days"', '"name":"weeks"', 'query days is gone'],
    ['"in":"query"', '"in":"query","required":true', 'required was ["body"] and is now ["query days","body"]'],
    ['"default":7', '"default":8', 'query days default was 7 and is now 8'],
    ['"maximum":9', '"maximum":8', 'query days maximum was 9 and is now 8'],
    ['["name"]', '["name","kind"]', 'body required was ["name"] and is now ["name","kind"]'],
    ['"maxLength":20', '"maxLength":19', 'body.name maxLength was 20 and is now 19'],
    ['"^a"', '"^ab"', 'body.name pattern was "^a" and is now "^ab"'],
    ['"too_long"', '"bad"', 'body.name maxLength code was "too_long" and is now "bad"'],
    ['["string","null"]', '"string"', 'body.kind type was ["string","null"] and is now "string"'],
    ['"small",', '', 'body.kind values'],
    ['"200"', '"201"', 'response POST /items 200 is gone'],
    ['"ETag":{"required":true', '"ETag":{"required":false', '200 required was ["ETag"] and is now []'],
    ['"ETag"', '"Age"', '200 header ETag is gone'],
    ['["id"]', '[]', '200 application/json required was ["id"] and is now []'],
    ['"maxLength":36', '"maxLength":40', '.id maxLength was 36 and is now 40'],
    ['"state"', '"status"', '200 application/json.state is gone'],
    ['["on","off"]', '["on"]', '.state values was ["on","off"] and is now ["on"]'],
    ['["on","off"]', '["on","off","odd"]', '.state values was ["on","off"] and is now ["on","off","odd"]'],
    ['["free","paid"]', '["free"]', '.plan known was ["free","paid"] and is now ["free"]'],
    ['"items":{"type":"string"}', '"items":{"type":["string","null"]}', '.tags[] type'],
    ['"worse"', '"worst"', '.error.code known was ["bad","worse"] and is now ["bad","worst"]'],
  ])('%s may not become %s', (from, to, text) => {
    expect(breaksOf(published, edited('contract', from, to))).toContainEqual(expect.stringContaining(text));
  });

  test.each([
    ['"paths":{', '"paths":{"/more":{"get":{"operationId":"more","responses":{}}},'],
    ['"parameters":[', '"parameters":[{"name":"more","in":"query","schema":{}},'],
    ['"maximum":9', '"maximum":10'],
    ['["name"]', '[]'],
    ['"maxLength":20', '"maxLength":21'],
    ['["string","null"]', '["string","null","number"]'],
    ['"small"', '"small","tiny"'],
    ['"kind":{', '"more":{"type":"string"},"kind":{'],
    ['"state":{', '"more":{"type":"string"},"state":{'],
    ['["id"]', '["id","state"]'],
    ['["free","paid"]', '["free","paid","gold"]'],
    ['["bad","worse"]', '["bad","worse","worst"]'],
    ['"400":{', '"409":{"content":{}},"400":{'],
  ])('%s may become %s', (from, to) => {
    expect(breaksOf(published, edited('contract', from, to))).toEqual([]);
  });
});

describe('the exports of the SDK', () => {
  const withSource = (from: string, to: string): Snapshot => {
    if (!sdk.includes(from)) throw new Error(`the source has no ${from}`);
    return { ...published, exports: factsOf(sdk.replace(from, to)) };
  };

  test.each([
    ['export const version', 'const version', 'SDK: response ..version is gone.'],
    ['url: string;', '', 'request Options.url is gone'],
    ['url: string;', 'url: string; key: string;', 'request Options required was ["url"] and is now ["url","key"]'],
    ['retries?: number', 'retries?: string', 'request Options.retries type was ["number"] and is now ["string"]'],
    ['number: number;', 'number?: number;', 'response Attempt required was ["number"] and is now []'],
    ["'low' | ", '', 'response Level known'],
    ['note?: string', 'note?: string | null', 'response Item.note type'],
    [
      'get(id: string)',
      'get(id: string, deep: boolean)',
      'request Client.items.get() required was [0] and is now [0,1]',
    ],
    ['Promise<Item>', 'Promise<Item | null>', 'response Client.items.get returns type'],
    ['put(item: Item)', 'set(item: Item)', 'response Client.items.put is gone'],
    ['extends Error', '', 'response ItemError extends'],
    ['readonly code: string', 'readonly code: number', 'response ItemError.code type'],
  ])('%s may not become %s', (from, to, text) => {
    expect(breaksOf(published, withSource(from, to))).toContainEqual(expect.stringContaining(text));
  });

  test.each([
    ['retries?: number', 'retries?: number; more?: string'],
    ['retries?: number', 'retries?: number | string'],
    ['url: string', 'url?: string'],
    ["'low' | ", "'low' | 'middle' | "],
    ['number: number;', 'number: number; more: string;'],
    ['get(id: string)', 'get(name: string, options?: Options)'],
    ['items: {', 'items: { more(): void;'],
    ['#secret = 1', '#hidden = 2'],
    ['export const version', 'export const more = 1; export const version'],
  ])('%s may become %s', (from, to) => {
    expect(breaksOf(published, withSource(from, to))).toEqual([]);
  });

  test('may break with a new major version, and before 1.0 with a new minor version', () => {
    const broken = withSource('export const version', 'const version');
    const count = (from: string, to: string) =>
      breaksOf({ ...published, version: from }, { ...broken, version: to }).length;
    expect([count('1.2.0', '2.0.0'), count('0.1.0', '0.2.0')]).toEqual([0, 0]);
    expect([count('1.2.0', '1.3.0'), count('0.1.0', '0.1.1')]).not.toContain(0);
  });
});

test('a case id may not go, and more may come', () => {
  expect(breaksOf(published, { ...published, caseIds: ['PAGE-1.echo', 'PAGE-1.more'] })).toEqual([
    'Case ids: PAGE-1.defaults is gone.',
  ]);
});

describe('the schema', () => {
  test.each([
    ['migrationFiles', '"a"', '"c"', '0001_tables.ts has changed'],
    ['migrationFiles', '"columns.ts":"b"', '"column.ts":"b"', 'columns.ts has changed'],
    ['migrations', '["0001_tables"]', '["0000_more","0001_tables"]', 'no longer begin with 0001_tables'],
    ['schema', 'id text', 'id integer', 'now create: CREATE TABLE items (id integer)'],
  ] as const)('of a published migration stays: %s %s', (part, from, to, text) => {
    expect(breaksOf(published, edited(part, from, to))).toContainEqual(expect.stringContaining(text));
  });

  test('grows by new migrations', () => {
    const migrations = [...published.migrations, '0002_more'];
    const migrationFiles = { ...published.migrationFiles, '0002_more.ts': 'd' };
    expect(breaksOf(published, { ...published, migrations, migrationFiles })).toEqual([]);
  });
});

test('the command passes without a snapshot and with its own, and names a break', async () => {
  const file = join(folder, 'published.json');
  const command = (options = '') => run(`node tools/published.ts ${options} ${file}`);
  expect(await command()).toMatchObject({
    code: 0,
    stdout: `No version was published: there is no ${file} to compare with.\n`,
  });
  expect(await command('--snapshot')).toMatchObject({ code: 0 });
  expect(await command()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 breaks since version/) });
  const snapshot: Snapshot = JSON.parse(readFileSync(file, 'utf8'));
  expect(snapshot.schema.join('\n')).toContain('products');
  const more = { ...snapshot.exports, 'response ..gone exists': true };
  writeFileSync(file, JSON.stringify({ ...snapshot, exports: more, caseIds: [...snapshot.caseIds, 'PAGE-0.gone'] }));
  expect(await command()).toMatchObject({
    code: 1,
    stderr: 'SDK: response ..gone is gone.\nCase ids: PAGE-0.gone is gone.\n',
  });
}, 180_000);

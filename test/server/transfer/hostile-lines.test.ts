/** Hostile files, given to the command line, on a database that has another tenant. */
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { readDocument } from '@product-passport/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { connect } from '../../../server/src/database/connection.ts';
import { contentHash } from '../../../server/src/passports/version.ts';
import { Batch } from '../../../server/src/transfer/batch.ts';
import { maxLineBytes } from '../../../server/src/transfer/format.ts';
import type { ReadLine } from '../../../server/src/transfer/reader.ts';
import type { Content } from '../../../server/src/transfer/write.ts';
import { runHere } from '../../support/command.ts';
import { contentOf, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { type AnyLine, ending, newFolder, readLines, writeLines } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';

const folder = newFolder();
let whole: AnyLine[];

beforeAll(async () => {
  const { address } = await filledDatabase('SQLite');
  const file = join(folder, 'whole.jsonl');
  await runHere(`product-passport export --tenant shop --database ${address} ${file}`);
  whole = await readLines(file);
});

/** The text of the lines, with a part of one of them replaced. */
function replaced(part: string, by: string): string[] {
  const texts = whole.map((line) => JSON.stringify(line));
  const index = texts.findIndex((text) => text.includes(part));
  if (index < 0) throw new Error(`No line has ${part}.`);
  return texts.with(index, texts[index]?.replace(part, by) ?? '');
}

/** A number in place of a value, with the hash of what JSON.parse makes of it. */
function numberAsValue(literal: string): string[] {
  const lines = structuredClone(whole);
  const { passport } = lines.findLast(({ type }) => type === 'product') as unknown as {
    passport: { template_version: number; values: { value: unknown }[]; latest_version: Record<string, string> };
  };
  const [value] = passport.values;
  if (!value) throw new Error('The last product has no values.');
  value.value = 9_007_199_254_740_992;
  const { salt = '' } = passport.latest_version;
  passport.latest_version.content_hash = contentHash(salt, passport.template_version, passport.values as never);
  return lines.map((line) => JSON.stringify(line).replace('9007199254740992', literal));
}

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

const hostile: [string, () => string[], RegExp][] = [
  ['a header only', () => [JSON.stringify(whole[0]), 'trailer'], /line 2: the file has no tenant/],
  [
    'a trailer twice',
    () => [...whole.map((line) => JSON.stringify(line)), 'trailer'],
    /line \d+: the trailer does not fit the lines before it|line \d+: it stands behind the trailer/,
  ],
  ['markup as a language', () => replaced('"locale":"fr"', '"locale":"fr\\"><a>"'), /line \d+: .*locale/],
  ['U+0000', () => replaced('"L 1"', '"a\\u0000b"'), /line \d+: it has U\+0000/],
  [
    'U+0000 in the name of a member',
    () => replaced('{"a":[1,null,"x"]}', '{"a\\u0000":1}'),
    /line \d+: it has U\+0000/,
  ],
  ['100,000 nested arrays as a value', () => replaced('[1,null,"x"]', deep), /line \d+: .*more than 32 levels/],
  ['100,000 nested arrays as a line', () => [JSON.stringify(whole[0]), deep, 'trailer'], /line 2: its type/],
  ['100,000 nested arrays as a text', () => replaced('"L 1"', deep), /line \d+: product\.model must be/],
  ['four million escapes', () => replaced('"L 1"', `"${'\\n'.repeat(4_000_000)}"`), /line \d+: product\.model must/],
  ['a value beyond 2^53', () => numberAsValue('9007199254740993'), /line \d+: it has a number that no double/],
  ['a value beyond all doubles', () => numberAsValue('1e400'), /line \d+: it has a number that no double/],
  [
    'a position beyond 2^53',
    () => replaced('"position":1,', '"position":9007199254740993,'),
    /line 3: it has a number/,
  ],
  ['a position beyond 2^31', () => replaced('"position":1,', '"position":4294967297,'), /line 3: position must be/],
  ['a count beyond 2^31', () => replaced('"count":', '"count":9999999999'), /line \d+: items\.\d+\.count must be/],
];

test.each(databaseKinds)('an import on %s refuses hostile lines, and another tenant stays as it is', async (kind) => {
  const address = await newMigratedDatabase(kind);
  await runHere(`product-passport demo fill --tenant other --products 2 --scan-counts 2 --database ${address}`);
  const database = connect(address);
  ending.defer(() => database.destroy());
  const { id } = await database('products').first('id');
  // The audit trail keeps the entry of each discard.
  const before = await contentOf(address, ['audit_entries']);
  const carrier = whole.find(({ type }) => type === 'carriers') as unknown as { items: { product_id: string }[] };
  const foreign: (typeof hostile)[number] = [
    'a carrier of a product of another tenant',
    () => replaced(`"product_id":"${carrier.items[0]?.product_id}","id"`, `"product_id":"${id}","id"`),
    /line \d+: it belongs to a product that does not stand before it/,
  ];
  const file = join(folder, 'hostile.jsonl');
  for (const [name, lines, reason] of [...hostile, foreign]) {
    await writeLines(file, lines());
    const { code, stderr } = await runHere(`product-passport import ${file} --database ${address}`);
    expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(reason)]);
    expect([name, stderr]).toEqual([name, expect.stringMatching(/^product-passport: line \d+: [^\n]{1,600}\n$/)]);
    const shown = await runHere(`product-passport product list --tenant shop --database ${address}`);
    expect([name, shown.code]).toEqual([name, 1]);
    expect([name, await contentOf(address, ['audit_entries'])]).toEqual([name, before]);
  }
});

test('a line of 100 MB is refused as soon as it is too long', async () => {
  const huge = join(folder, 'huge.jsonl');
  await writeFile(huge, `${JSON.stringify(whole[0])}\n"`);
  const file = await open(huge, 'r+');
  // A hole in the file reads as zeros.
  await file.truncate(100_000_000);
  await file.close();
  const target = await newMigratedDatabase('SQLite');
  expect(await runHere(`product-passport import ${huge} --database ${target}`)).toMatchObject({
    code: 1,
    stderr: `product-passport: line 2: it has more than ${maxLineBytes} bytes. Nothing was stored.\n`,
  });
});

test.each(databaseKinds)('every line of an export and a backup of %s fits the published schema', async (kind) => {
  const folder = newFolder();
  const { address } = await filledDatabase(kind);
  await runHere(`product-passport token create --all --tenant shop --role inspector --database ${address}`);
  const schema = JSON.parse(await readFile('server/data/export.schema.json', 'utf8'));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...(readDocument() as object), $id: 'https://product-passport.example/openapi.json' });
  const validate = ajv.compile(schema);

  const files = [join(folder, 'export.jsonl'), join(folder, 'backup.jsonl')];
  await runHere(`product-passport export ${files[0]} --with-secrets --tenant shop --database ${address}`);
  if (kind === 'PostgreSQL') await runHere(`product-passport backup ${files[1]} --database ${address}`);
  const lines = (await Promise.all(files.slice(0, kind === 'PostgreSQL' ? 2 : 1).map(readLines))).flat();
  for (const line of lines) {
    validate(line);
    expect([line.type, validate.errors ?? []]).toEqual([line.type, []]);
  }
  const types = schema.oneOf.map(({ $ref }: { $ref: string }) => $ref.replace('#/$defs/', ''));
  const seen = new Set(lines.map(({ type }) => type));
  const missing = types.filter((type: string) => !seen.has(type));
  expect(missing).toEqual(kind === 'PostgreSQL' ? [] : ['installation', 'audit_entries', 'scans', 'history']);
  expect(lines.every((line) => validate({ ...line, surplus: 1 }) === false)).toBe(true);
});

test('a transaction of an import ends with its 500th line, and with the line that reaches 4 MiB', () => {
  const filled = (sizes: readonly number[]): number => {
    const batch = new Batch();
    for (const [index, size] of sizes.entries()) {
      batch.add({ number: index + 1, size } as ReadLine, {} as Content['line']);
      if (batch.isFull) return batch.take().length;
    }
    return 0;
  };
  expect(filled(Array(600).fill(1))).toBe(500);
  expect(filled(Array(600).fill(1024 * 1024))).toBe(4);
  expect(filled(Array(600).fill(1024 * 1024 - 1))).toBe(5);
});

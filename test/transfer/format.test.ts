import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocument } from '@product-passport/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { productColumns } from '../../server/src/products/store.ts';
import { sectionNames, sections } from '../../server/src/transfer/format.ts';
import { runHere } from '../support/command.ts';
import { ending } from '../support/ending.ts';
import { readLines } from '../support/export-file.ts';
import { filledDatabase } from '../support/filled-database.ts';
import { databaseKinds, newMigratedDatabase } from '../support/service.ts';
import { columnsOf, derivedTables } from '../support/tables.ts';

test.each(databaseKinds)('every line of an export and a backup of %s fits the published schema', async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'passport-format-'));
  ending.defer(() => rm(folder, { recursive: true }));
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
  expect(missing).toEqual(kind === 'PostgreSQL' ? [] : ['secret', 'audit_entries', 'scans', 'history']);
  expect(lines.every((line) => validate({ ...line, surplus: 1 }) === false)).toBe(true);
});

/** Columns of tables that stand in other lines than those of the lists. */
const elsewhere: Record<string, string[]> = {
  // With the latest version of its passport.
  products: [...productColumns, 'activated_at', 'position', 'withheld_versions'],
  // In the lines of the type `history`.
  passport_versions: ['replaced'],
  passport_values: [
    'access_level',
    'field_key',
    'is_unknown',
    'locale',
    'needs_review',
    'product_id',
    'source',
    'unit',
    'updated_at',
    'value',
  ],
  tenants: ['color', 'country', 'created_at', 'id', 'listed_at', 'name', 'plan', 'slug'],
  product_images: ['alt', 'bytes', 'created_at', 'height', 'media_type', 'product_id', 'sha256', 'width'],
  secrets: ['name', 'value'],
  token_secrets: ['accepted_until', 'created_at', 'kid', 'value'],
  audit_entries: ['arguments', 'changes', 'command', 'id', 'os_user', 'time', 'version'],
};

/** Columns that an import makes from others. */
const derived: Record<string, string[]> = {
  products: ['gtin14', 'name_folded'],
  product_counts: ['active', 'archived', 'draft', 'number'],
  scan_days: ['count', 'date', 'role'],
};

test.each(databaseKinds)('every column of %s is in the export, or follows from others', async (kind) => {
  const covered = new Map<string, string[]>();
  const lists = sectionNames.map((name) => [sections[name].table, [...sections[name].columns]] as const);
  for (const [table, columns] of [...lists, ...Object.entries(elsewhere), ...Object.entries(derived)]) {
    covered.set(table, [...(covered.get(table) ?? []), ...columns]);
  }
  const stored = await columnsOf(await newMigratedDatabase(kind));
  for (const [table, columns] of stored) {
    if (derivedTables.includes(table)) continue;
    // A new column goes into `productColumns` or `sections`, and into export.schema.json; or here, with its reason.
    const missing = columns.filter((column) => column !== 'tenant_id' && !covered.get(table)?.includes(column));
    expect([table, missing]).toEqual([table, []]);
  }
});

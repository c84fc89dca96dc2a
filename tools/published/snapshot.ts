/** What programs and data of users rely on in a version. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readDocument } from '../../openapi/src/index.ts';
import { connect } from '../../server/src/database/connection.ts';
import { migrationSource } from '../../server/src/database/migrations/index.ts';
import { manifestOf } from '../packages.ts';
import { exportFacts, type Facts } from './exports.ts';

export interface Snapshot {
  readonly version: string;
  /** openapi.yaml. */
  readonly contract: object;
  /** What the entries of the SDK export. */
  readonly exports: Facts;
  readonly caseIds: readonly string[];
  /** The names of the migrations, in their order. */
  readonly migrations: readonly string[];
  /** SHA-256 of each file that the migrations consist of. */
  readonly migrationFiles: Readonly<Record<string, string>>;
  /** The statements that create a SQLite database with these migrations. */
  readonly schema: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** @param only the names of the migrations that make the schema. Default: all of them */
export async function takeSnapshot(only?: readonly string[]): Promise<Snapshot> {
  const migrations = await migrationSource.getMigrations([]);
  const files = globSync('server/src/database/migrations/*.ts', { cwd: root }).sort();
  const fixed = files.filter((file) => !file.endsWith('/index.ts'));
  return {
    version: JSON.parse(textOf('package.json')).version,
    contract: readDocument(),
    exports: sdkFacts(),
    caseIds: textOf('contracts/conformance/case-ids.txt').trim().split('\n'),
    migrations,
    migrationFiles: Object.fromEntries(fixed.map((file) => [file, hashOf(textOf(file))])),
    schema: await schemaAfter(migrations.filter((name) => only?.includes(name) ?? true)),
  };
}

function sdkFacts(): Facts {
  const { exports = {} } = manifestOf('sdk');
  const entries = Object.entries(exports).filter(([, source]) => source.endsWith('.ts'));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return exportFacts(Object.fromEntries(entries.map(([entry, source]) => [entry, join(root, 'sdk', source)])), options);
}

async function schemaAfter(migrations: string[]): Promise<string[]> {
  const database = connect(':memory:');
  try {
    await database.migrate.latest({ migrationSource: { ...migrationSource, getMigrations: async () => migrations } });
    return await database('sqlite_master').whereNotNull('sql').orderBy('name').pluck('sql');
  } finally {
    await database.destroy();
  }
}

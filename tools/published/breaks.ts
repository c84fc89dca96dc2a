import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import ts from 'typescript';
import {
  type Contract,
  contractOf,
  type Operation,
  type Response,
  readDocument,
  type Schema,
} from '../../openapi/src/index.ts';
import { connect } from '../../server/src/database/connection.ts';
import { migrationSource } from '../../server/src/database/migrations/index.ts';
import { manifestOf } from '../packages.ts';
import { exportFacts, type Facts } from './exports.ts';

/** What a version breaks that programs or data of users rely on, in one sentence each. */
export function breaksOf(old: Snapshot, now: Snapshot): string[] {
  const contract = ({ contract }: Snapshot) => contractFacts(contractOf(contract));
  return [
    ...named('openapi.yaml', factBreaks(contract(old), contract(now))),
    ...(mayBreakSdk(old.version, now.version) ? [] : named('SDK', factBreaks(old.exports, now.exports))),
    ...named(
      'Case ids',
      old.caseIds.filter((id) => !now.caseIds.includes(id)).map((id) => `${id} is gone`),
    ),
    ...named('Schema', schemaBreaks(old, now)),
  ];
}

/** Semantic versioning: a major version may break exports, and before 1.0 a minor version may, too. */
function mayBreakSdk(old: string, now: string): boolean {
  const [oldMajor, oldMinor] = old.split('.');
  const [major, minor] = now.split('.');
  return major !== oldMajor || (major === '0' && minor !== oldMinor);
}

/** A published migration has run in databases of users: it stays as it is, and later ones come after it. */
function schemaBreaks(old: Snapshot, now: Snapshot): string[] {
  const isSameOrder = old.migrations.every((name, index) => now.migrations[index] === name);
  const changed = Object.keys(old.migrationFiles).filter(
    (file) => now.migrationFiles[file] !== old.migrationFiles[file],
  );
  return [
    ...changed.map((file) => `${file} has changed. Write a new migration`),
    ...(isSameOrder ? [] : [`the migrations no longer begin with ${old.migrations.join(', ')}`]),
    ...old.schema.filter((sql) => !now.schema.includes(sql)).map((sql) => `a new database no longer has: ${sql}`),
    ...now.schema
      .filter((sql) => !old.schema.includes(sql))
      .map((sql) => `the published migrations now create: ${sql}`),
  ];
}

function named(part: string, breaks: readonly string[]): string[] {
  return breaks.map((text) => `${part}: ${text}.`);
}

type Fact = readonly [key: string, value: unknown];

const keywords = ['type', 'required', 'pattern', 'format', 'default', 'maxLength', 'maximum', 'maxItems', 'minLength'];
const ownKeywords = ['minimum', 'minItems', 'x-clamp', 'x-trim', 'x-demands', 'x-max-depth', 'x-max-nodes'];

function contractFacts({ operations, besideOperations }: Contract): Facts {
  const facts = [...operations.flatMap(operationFacts), ...responseFacts('beside operations', besideOperations)];
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined));
}

function operationFacts({ method, path, operationId, secured, parameters, body, responses }: Operation): Fact[] {
  const at = `${method} ${path}`;
  const required = parameters.filter(({ required }) => required).map(({ in: where, name }) => `${where} ${name}`);
  return [
    [`request ${at} exists`, true],
    [`request ${at} operationId`, operationId],
    [`request ${at} required`, [...required, ...(secured ? ['key'] : []), ...(body ? ['body'] : [])]],
    ...parameters.flatMap(({ in: where, name, schema }) => schemaFacts(`request ${at} ${where} ${name}`, schema)),
    ...(body ? schemaFacts(`request ${at} body`, body.schema) : []),
    ...responseFacts(at, responses),
  ];
}

function responseFacts(where: string, responses: Readonly<Record<string, Response>>): Fact[] {
  return Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]): Fact[] => {
    const at = `response ${where} ${status}`;
    return [
      [`${at} exists`, true],
      [`${at} required`, Object.keys(headers).filter((name) => headers[name]?.required)],
      ...Object.entries(headers).flatMap(([name, { schema }]) => schemaFacts(`${at} header ${name}`, schema)),
      ...Object.entries(content).flatMap(([type, { schema }]) => schemaFacts(`${at} ${type}`, schema)),
    ];
  });
}

function schemaFacts(at: string, schema: Schema): Fact[] {
  const { properties = {}, items, additionalProperties: others } = schema;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  // Error codes may grow, although each error lists them.
  const valueKeyword = at.endsWith('.error.code') ? 'known' : 'values';
  return [
    [`${at} exists`, true],
    ...[...keywords, ...ownKeywords].map((keyword): Fact => [`${at} ${keyword}`, schema[keyword]]),
    [`${at} ${valueKeyword}`, values],
    ...(schema['x-extensible-enum'] ? [[`${at} known`, schema['x-extensible-enum']] as const] : []),
    ...Object.entries(schema['x-error-codes'] ?? {}).flatMap(([rule, code]): Fact[] => [
      [`${at} ${rule} exists`, true],
      [`${at} ${rule} code`, code],
    ]),
    ...Object.entries(properties).flatMap(([name, property]) => schemaFacts(`${at}.${name}`, property)),
    ...(items ? schemaFacts(`${at}[]`, items) : []),
    ...(typeof others === 'object' ? schemaFacts(`${at}.*`, others as Schema) : [[`${at} open`, others] as const]),
    ...['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => {
      const variants = (schema[keyword] ?? []) as readonly Schema[];
      return variants.flatMap((variant, index) => schemaFacts(`${at} ${keyword}[${index}]`, variant));
    }),
  ];
}

/** Whether everything that the inner value allows is allowed by the outer one. */
type Within = (inner: unknown, outer: unknown) => boolean;

const list = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat());
const contains = (larger: unknown, smaller: unknown): boolean =>
  list(smaller).every((one) => list(larger).some((other) => isDeepStrictEqual(one, other)));
const isSubset: Within = (inner, outer) => outer === undefined || (inner !== undefined && contains(outer, inner));
const isNotMore: Within = (inner, outer) => Number(inner ?? Infinity) <= Number(outer ?? Infinity);
const isNotLess: Within = (inner, outer) => Number(inner ?? -Infinity) >= Number(outer ?? -Infinity);

/** Any other keyword must not change at all. */
const rules: Readonly<Record<string, Within>> = {
  type: isSubset,
  required: (inner, outer) => contains(inner, outer),
  maxLength: isNotMore,
  maximum: isNotMore,
  maxItems: isNotMore,
  'x-max-depth': isNotMore,
  'x-max-nodes': isNotMore,
  minLength: isNotLess,
  minimum: isNotLess,
  minItems: isNotLess,
};

/** One sentence for each fact that a program may rely on and that is no longer true. */
function factBreaks(old: Facts, now: Facts): string[] {
  const gone = Object.keys(old).flatMap((key) => (key.endsWith(' exists') && !(key in now) ? [key.slice(0, -7)] : []));
  const isInside = (inner: string, outer: string) =>
    inner.startsWith(outer) && /[ .[(]/.test(inner[outer.length] ?? '');
  const roots = gone.filter((owner) => !gone.some((outer) => isInside(owner, outer)));
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  const changed = [...keys].filter((key) => {
    const exists = key.replace(/\S+$/, 'exists');
    return exists in old && exists in now && !isKept(key, old[key], now[key]);
  });
  return [
    ...roots.map((owner) => `${owner} is gone`),
    ...changed.map((key) => `${key} was ${shown(old[key])} and is now ${shown(now[key])}`),
  ];
}

/** Requests may become easier to send, and responses may only promise more. */
function isKept(key: string, old: unknown, now: unknown): boolean {
  const keyword = key.slice(key.lastIndexOf(' ') + 1);
  const isRequest = key.startsWith('request ');
  if (keyword === 'known') return contains(now, old);
  if (keyword === 'values') return isRequest ? isSubset(old, now) : contains(now, old) && contains(old, now);
  const rule = rules[keyword] ?? isDeepStrictEqual;
  return isRequest ? rule(old, now) : rule(now, old);
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

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

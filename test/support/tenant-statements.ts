/** The statements that the server sent to PostgreSQL in a run, and those that docs/explanation/scale.md does not allow. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from './tools.ts';

export interface Sent {
  /** The file in `server/src` that made it. */
  from: string;
  sql: string;
}

/** The look-ups across tenants, by the column that they look up. */
export const lookups: Readonly<Record<string, { column: string; tables: readonly string[] }>> = {
  'key by hash': { column: 'api_keys.hash', tables: ['api_keys', 'tenants'] },
  'tenant by slug': { column: 'tenants.slug', tables: ['tenants'] },
  'GTIN-14 to product': { column: 'products.gtin14', tables: ['products', 'tenants'] },
};

/** Tables without tenants: each node has all of their few rows. */
const installation: Readonly<Record<string, string>> = {
  installation: 'the secret of the scans’ hashes, and the time of their last deletion',
  token_secrets: 'the secrets of access tokens',
  audit_entries: 'the audit trail of the command line',
  migrations: 'which migrations ran',
  migrations_lock: 'Knex’s lock of migrations',
};

/** What may go over all tenants, by the file that sends it. No request runs any of it, except the index of the site map. */
const overAllTenants: Readonly<Record<string, string>> = {
  'database/migrations/': 'a migration changes whole tables, once',
  'database/open.ts': 'the start reads which tables there are',
  'database/totals.ts': '`stats` of the command line counts the rows of all tenants',
  'site/sitemap.ts': 'the index of `/sitemap.xml` lists the tenants with an open list, at most once a minute',
  'transfer/gtins.ts': 'an import looks up the GTINs of 500 products at once, as the resolver looks up one',
  'access/secrets.ts':
    '`token rotate-secret` reads when the last token of each secret expires, and can revoke all tokens',
  'tenants/store.ts':
    'the command line and the deletion of old scans list the tenants; a write of scans locks those of its visits',
};

/** What reads a tenant by its slug, and more of this tenant in the same statement. */
const fromSlug: Readonly<Record<string, string>> = {
  'passports/store.ts': 'a visit of a passport reads tenant, product and version at once, which saves a round trip',
};

/** Why a statement is not allowed; `undefined` if it is. */
export async function faultOf({ from, sql }: Sent): Promise<string | undefined> {
  if (Object.keys(overAllTenants).some((file) => from.startsWith(file))) return undefined;
  const { tables, unbound, equal } = await judgeStatement(sql);
  if (Object.values(lookups).some(({ column, tables: own }) => equal.includes(column) && isWithin(tables, own))) {
    return undefined;
  }
  if (equal.includes('tenants.slug') && !(from in fromSlug)) return `looks up more than the tenant by its slug`;
  const open = [...new Set(unbound)].filter((table) => !(table in installation) && !/^(pg|information)_/.test(table));
  return open.length === 0 ? undefined : `reads or writes ${open.join(' and ')} of every tenant`;
}

function isWithin(tables: string[], own: readonly string[]): boolean {
  return tables.every((table) => own.includes(table));
}

/** All statements that the processes of the run recorded. */
export async function statementsIn(folder: string): Promise<Sent[]> {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''));
  return Array.from(lines, (line): Sent => JSON.parse(line));
}

/** @throws an error that names every statement that is not allowed */
export async function checkStatements(folder: string): Promise<void> {
  const faults: string[] = [];
  for (const sent of await statementsIn(folder)) {
    const fault = await faultOf(sent);
    if (fault !== undefined) faults.push(`server/src/${sent.from} ${fault}:\n  ${sent.sql}`);
  }
  if (faults.length === 0) return;
  throw new Error(
    `${faults.length} statements are not bound to one tenant, and are none of the three look-ups of docs/explanation/scale.md. ` +
      `Add a condition on tenant_id, or name the exception with its reason in test/support/tenant-statements.ts.\n${faults.join('\n')}`,
  );
}

type Node = Readonly<Record<string, unknown>>;

/** A table of a query by the name that its columns have. */
interface Source {
  alias: string;
  /** `undefined`: a query or function in FROM, which is judged by itself. */
  table: string | undefined;
}

interface Scope {
  sources: Source[];
  /** The aliases of this query, and of those around it, that are bound to the tenant. */
  bound: Set<string>;
  /** The queries of WITH. */
  named: ReadonlySet<string>;
}

interface Judgement {
  tables: string[];
  /** Tables with rows of any tenant. */
  unbound: string[];
  /** Columns that equal a value, as `api_keys.hash`. */
  equal: string[];
}

interface Parser {
  parse(sql: string): Promise<{ stmts?: { stmt: Node }[] }>;
}

let parser: Promise<Parser> | undefined;

async function loadParser(): Promise<Parser> {
  return createRequire(join(await installed(['libpg-query@18.1.5']), 'package.json'))('libpg-query');
}

/** The column that names the tenant. */
const tenantColumn = (table: string): string => (table === 'tenants' ? 'id' : 'tenant_id');

/**
 * Whether a statement reads and writes one tenant only, from PostgreSQL's own parse tree.
 *
 * @param sql with `?` for each value, as Knex writes it, or with `$1`
 */
async function judgeStatement(sql: string): Promise<Judgement> {
  parser ??= loadParser();
  const tree = await (await parser).parse(numbered(sql));
  const judgement: Judgement = { tables: [], unbound: [], equal: [] };
  for (const { stmt } of tree.stmts ?? []) {
    judge(stmt, { sources: [], bound: new Set(), named: new Set() }, judgement);
  }
  return judgement;
}

function numbered(sql: string): string {
  let last = 0;
  return sql.replace(/\?/g, () => {
    last += 1;
    return `$${last}`;
  });
}

function judge(node: Node, outer: Scope, judgement: Judgement): void {
  const [[kind, statement] = []] = Object.entries(node);
  if (kind === 'SelectStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') {
    judgeQuery(statement as Node, outer, judgement);
  } else if (kind === 'InsertStmt') judgeInsert(statement as Node, outer, judgement);
}

function judgeInsert(statement: Node, outer: Scope, judgement: Judgement): void {
  const table = String(member(statement.relation, 'relname'));
  const columns = list(statement.cols).map((column) => member(member(column, 'ResTarget'), 'name'));
  judgement.tables.push(table);
  // Each row names its tenant.
  if (!columns.includes(tenantColumn(table))) judgement.unbound.push(table);
  const scope = withQueries(statement, outer, judgement);
  // PostgreSQL finds the row that conflicts by the inserted one, so an ON CONFLICT stays with its tenant.
  judgeNested([statement.selectStmt, statement.onConflictClause, statement.returningList], scope, judgement);
}

function judgeQuery(statement: Node, outer: Scope, judgement: Judgement): void {
  const scope = withQueries(statement, outer, judgement);
  for (const side of [statement.larg, statement.rarg]) if (side) judgeQuery(side as Node, scope, judgement);
  const conditions: Node[] = [];
  const from = [...list(statement.fromClause), ...list(statement.usingClause)];
  if (statement.relation) from.push({ RangeVar: statement.relation });
  for (const item of from) addSource(item, scope, conditions);
  if (statement.whereClause) conditions.push(statement.whereClause as Node);
  const equalities = conditions.flatMap(conjuncts).flatMap((condition) => equality(condition, scope));
  bind(scope, equalities);
  for (const { alias, table } of scope.sources) {
    if (table === undefined) continue;
    judgement.tables.push(table);
    if (!scope.bound.has(alias)) judgement.unbound.push(table);
  }
  for (const { column, value } of equalities) {
    const table = scope.sources.find(({ alias }) => alias === column.alias)?.table;
    if (value === 'given' && table) judgement.equal.push(`${table}.${column.name}`);
  }
  const { larg: _l, rarg: _r, withClause: _w, relation: _relation, ...parts } = statement;
  judgeNested(Object.values(parts), scope, judgement);
}

/** The scope inside a statement, after its WITH. */
function withQueries(statement: Node, outer: Scope, judgement: Judgement): Scope {
  const queries = list(member(statement.withClause, 'ctes')).map((cte) => member(cte, 'CommonTableExpr') as Node);
  const named = new Set([...outer.named, ...queries.map(({ ctename }) => String(ctename))]);
  const scope = { sources: [], bound: new Set(outer.bound), named };
  for (const { ctequery } of queries) judge(ctequery as Node, scope, judgement);
  return scope;
}

function addSource(item: Node, scope: Scope, conditions: Node[]): void {
  const join = item.JoinExpr as Node | undefined;
  if (join) {
    addSource(join.larg as Node, scope, conditions);
    addSource(join.rarg as Node, scope, conditions);
    if (join.quals) conditions.push(join.quals as Node);
    return;
  }
  const [part] = Object.values(item) as Node[];
  const name = String(member(part, 'relname'));
  const alias = String(member(member(part, 'alias'), 'aliasname') ?? name);
  // A query of FROM or WITH, and a function, has been judged, or has no rows of its own.
  const isTable = 'RangeVar' in item && !scope.named.has(name);
  scope.sources.push({ alias, table: isTable ? name : undefined });
  // The name may hide one of the query around it.
  if (isTable) scope.bound.delete(alias);
  else scope.bound.add(alias);
}

/** The conditions that all hold. */
function conjuncts(condition: Node): Node[] {
  const all = condition.BoolExpr as Node | undefined;
  return all?.boolop === 'AND_EXPR' ? list(all.args).flatMap(conjuncts) : [condition];
}

interface Column {
  alias: string;
  name: string;
}
interface Equality {
  column: Column;
  value: Column | 'given';
}

function equality(condition: Node, { sources }: Scope): Equality[] {
  const expression = condition.A_Expr as Node | undefined;
  const operator = member(member(list(expression?.name)[0], 'String'), 'sval');
  if (expression?.kind !== 'AEXPR_OP' || operator !== '=') return [];
  const sides = [expression.lexpr, expression.rexpr].map((side) => sideOf(side as Node, sources));
  const [left, right] = sides;
  if (!left || !right || (left === 'given' && right === 'given')) return [];
  if (left === 'given') return [{ column: right as Column, value: left }];
  return [{ column: left, value: right }, ...(right === 'given' ? [] : [{ column: right, value: left }])];
}

function sideOf(side: Node, sources: Source[]): Column | 'given' | undefined {
  if (side.TypeCast) return sideOf(member(side.TypeCast, 'arg') as Node, sources);
  if (side.ParamRef || side.A_Const) return 'given';
  const fields = list(member(side.ColumnRef, 'fields')).map((field) => member(member(field, 'String'), 'sval'));
  const [name, alias] = fields.reverse();
  if (name === undefined) return undefined;
  // A column without the name of its table belongs to the only one.
  return { name: String(name), alias: String(alias ?? (sources.length === 1 ? sources[0]?.alias : '')) };
}

/** Marks the sources whose tenant equals a given one, or that of a bound source. */
function bind({ sources, bound }: Scope, equalities: Equality[]): void {
  const tables = new Map(sources.map(({ alias, table }) => [alias, table]));
  const isTenant = ({ alias, name }: Column): boolean => {
    const table = tables.get(alias);
    // A slug belongs to one tenant, too.
    if (table === 'tenants' && name === 'slug') return true;
    return name === (table === undefined ? 'tenant_id' : tenantColumn(table));
  };
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const { column, value } of equalities) {
      if (isTenant(column) && (value === 'given' || (isTenant(value) && bound.has(value.alias)))) {
        bound.add(column.alias);
      }
    }
  }
}

/** Judges the queries inside expressions. */
function judgeNested(parts: unknown, scope: Scope, judgement: Judgement): void {
  if (parts === null || typeof parts !== 'object') return;
  if ('SelectStmt' in parts) judge(parts as Node, scope, judgement);
  else for (const part of Object.values(parts)) judgeNested(part, scope, judgement);
}

function member(node: unknown, name: string): unknown {
  return (node as Node | undefined)?.[name];
}

function list(nodes: unknown): Node[] {
  return (nodes as Node[] | undefined) ?? [];
}

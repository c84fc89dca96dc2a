/** Whether a statement reads and writes one tenant only, from PostgreSQL's own parse tree. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from './tools.ts';

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

export interface Judgement {
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

/** @param sql with `?` for each value, as Knex writes it, or with `$1` */
export async function judgeStatement(sql: string): Promise<Judgement> {
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

/**
 * The generated files. From openapi.yaml: the TypeScript types, the JSON Schema of the passport document, the SDK's
 * tables of requests and routes, the samples of its testing entry, and the page of its methods. From the templates and
 * the languages: the SDK's modules of them. From the server's commands and settings:
 * docs/reference/commands.md. From the conformance suite: the list of its case ids. From the migrations: the
 * script that makes a new SQLite database, and the types of its rows.
 */
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { checks } from '../contracts/conformance/client/checks/index.ts';
import { loadedSuite } from '../contracts/conformance/verify.ts';
import {
  type Contract,
  codesOf,
  contractOf,
  limitsOf,
  type Operation,
  type Parameter,
  type Schema,
  targetOf,
} from '../openapi/src/index.ts';
import { loadProgram } from '../server/src/cli/program.ts';
import { settingsTable, tableOf } from '../server/src/config/read.ts';
import { connect } from '../server/src/database/connection.ts';
import { migrationNames } from '../server/src/database/migrations/index.ts';
import { apiPage } from './api-page.ts';
import { samplesOf } from './samples.ts';
import { languageModule, languages, presentationModule, templatesModule } from './templates.ts';

export interface Output {
  readonly file: URL;
  /** @param document openapi.yaml */
  readonly make: (document: object) => string | Promise<string>;
}

export const outputs: readonly Output[] = [
  { file: new URL('../openapi/src/generated/types.ts', import.meta.url), make: types },
  {
    file: new URL('../contracts/generated/passport-document.schema.json', import.meta.url),
    make: (document) => jsonSchema(document, 'PassportDocument'),
  },
  {
    file: new URL('../sdk/src/generated/requests.ts', import.meta.url),
    make: (document) => banner + requestsOf(contractOf(document)),
  },
  {
    file: new URL('../sdk/src/generated/routes.ts', import.meta.url),
    make: (document) => banner + routesOf(contractOf(document)),
  },
  {
    file: new URL('../sdk/src/generated/samples.ts', import.meta.url),
    make: (document) => banner + samplesOf(contractOf(document)),
  },
  {
    file: new URL('../sdk/src/generated/templates.ts', import.meta.url),
    make: () => `${bannerOf('server/data/templates.json')}${templatesModule()}\n`,
  },
  {
    file: new URL('../sdk/src/generated/presentation.ts', import.meta.url),
    make: () => `${bannerOf('server/data/templates.json')}${presentationModule()}\n`,
  },
  ...languages.map((language) => ({
    file: new URL(`../sdk/src/generated/languages/${language}.ts`, import.meta.url),
    make: () => `${bannerOf(`server/data/languages/${language}.json`)}${languageModule(language)}\n`,
  })),
  { file: new URL('../sdk/api.md', import.meta.url), make: async () => apiPage(new URL('../sdk/', import.meta.url)) },
  {
    file: new URL('../contracts/conformance/case-ids.txt', import.meta.url),
    make: caseIds,
  },
  { file: new URL('../docs/reference/commands.md', import.meta.url), make: commandsPage },
  {
    file: new URL('../server/src/database/migrations/generated/sqlite.ts', import.meta.url),
    make: async () => `${bannerOf('the migrations')}${await sqliteScript()}`,
  },
  {
    file: new URL('../test/support/generated/tables.ts', import.meta.url),
    make: async () => `${bannerOf('the migrations')}${await tablesModule()}`,
  },
];
/** What the migrations do to an empty SQLite database, except for the rows that record them. */
async function sqliteScript(): Promise<string> {
  const database = connect(':memory:');
  const statements: string[] = [];
  database.on('query', ({ sql }: { sql: string }) => {
    if (/^\s*create /i.test(sql)) statements.push(sql.trim());
  });
  await database.transaction((transaction) => transaction.migrate.latest());
  await database.destroy();
  statements.push('insert into `migrations_lock` (`is_locked`) values (0)');
  return `export const sqliteScript = {
  migrations: ${JSON.stringify(migrationNames())},
  statements: ${JSON.stringify(`${statements.join(';\n')};`)},
};
`;
}

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: number;
}

/** The TypeScript types of SQLite's. PostgreSQL's driver gives a bigint as text. */
const columnTypes: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number | string',
  boolean: 'boolean | number',
  blob: 'Buffer',
};

/** The rows of each table. The index of names and what Knex records of migrations have no row type. */
async function tablesModule(): Promise<string> {
  const database = connect(':memory:');
  await database.transaction((transaction) => transaction.migrate.latest());
  const columns: Column[] = await database.raw(
    `SELECT tables.name AS "table", columns.name, lower(columns.type) AS type, columns."notnull" AS isRequired
     FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
     WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB 'migrations*'
     ORDER BY tables.name, columns.cid`,
  );
  await database.destroy();
  const tables = Map.groupBy(columns, ({ table }) => table);
  const members = [...tables].map(([table, own]) => {
    const rows = own.map(({ name, type, isRequired }) => {
      const known = columnTypes[type];
      if (known === undefined) throw new Error(`tools/generated.ts has no type for ${type} of ${table}.${name}.`);
      return `    ${name}: ${known}${isRequired ? '' : ' | null'};\n`;
    });
    return `  ${table}: {\n${rows.join('')}  };\n`;
  });
  return `/** The rows of each table, as a query returns them. */\nexport interface Tables {\n${members.join('')}}\n`;
}

/** The ids that users write into lists of expected failures and into options, one a line. */
function caseIds(): string {
  const ids = [...loadedSuite().ids, ...checks.map(({ id }) => id)];
  return `${ids.sort().join('\n')}\n`;
}

/** The page of the server's commands and settings. */
async function commandsPage(): Promise<string> {
  const program = (await loadProgram())();
  return `# Commands and settings

Generated by \`npm run generate\`. In the checkout a command starts with \`npx\`; \`--help\` of each one lists its options, with
an example.

## Commands

${tableOf(['Command', 'What it does'], commandsOf(program, program.name()))}
A command about one product takes its slug as the argument. With one tenant you need not name it; with several, add
\`--tenant SLUG\` or set \`PRODUCT_PASSPORT_TENANT\`. \`--json\` prints one line of JSON for programs, and an error as JSON on
standard error. These commands ask on a terminal before they go on: \`passport unset\`,
\`scan delete\`, \`version withhold\`, \`token rotate-secret --revoke-old\`, and \`product activate\` if something is wrong with a
passport. Elsewhere the first four need \`--yes\`, and \`product activate\` goes on with a warning. The exit code is 0 for
success, 1 for a finding or a failure, and 2 for a wrong command, option, argument or value.

A text file may be UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes it. A command refuses any other
encoding, such as Windows-1252, and names the line.

## Settings

Each setting of \`serve\` is an option and an environment variable. The option takes precedence. \`serve\` checks all settings
when it starts and names every mistake in one message. A duration is a number with its unit: \`500ms\`, \`30s\`, \`5m\` or \`1h\`. A
variable that begins with \`PRODUCT_PASSPORT_\` and is not in the table causes a warning with the nearest name.

${settingsTable()}`;
}

type Program = ReturnType<Awaited<ReturnType<typeof loadProgram>>>;

/** A row for each command that does something. */
function commandsOf({ commands }: Pick<Program, 'commands'>, above: string): string[][] {
  return commands.flatMap((command) => {
    const name = `${above} ${command.name()}`;
    if (command.commands.length > 0) return commandsOf(command, name);
    return [[`\`${name}${command.usage().replace('[options]', '').trimEnd()}\``, command.description()]];
  });
}

const bannerOf = (source: string) => `// Generated from ${source} by \`npm run generate\`. Do not edit.\n\n`;
const banner = bannerOf('openapi.yaml');

/** `'a' | 'b' | (string & {})`: accepts any string, and editors still suggest the known values. */
function extensibleEnum(known: string[]): ts.TypeNode {
  const members = known.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  const string = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const anyString = ts.factory.createIntersectionTypeNode([string, ts.factory.createTypeLiteralNode([])]);
  return ts.factory.createUnionTypeNode([...members, ts.factory.createParenthesizedType(anyString)]);
}

/** Lets optional properties be `undefined`, for programs with `exactOptionalPropertyTypes`. Neither is sent. */
function orUndefined(nodes: ts.Node[]): ts.Node[] {
  const undefinable = (member: ts.PropertySignature, type: ts.TypeNode) =>
    ts.factory.updatePropertySignature(
      member,
      member.modifiers,
      member.name,
      member.questionToken,
      ts.factory.createUnionTypeNode([type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]),
    );
  const { transformed } = ts.transform(nodes, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const seen = ts.visitEachChild(node, visit, context);
        if (!ts.isPropertySignature(seen) || !seen.questionToken || !seen.type) return seen;
        return seen.type.kind === ts.SyntaxKind.NeverKeyword ? seen : undefinable(seen, seen.type);
      };
      return visit(root);
    },
  ]);
  return transformed;
}

interface Described extends Schema {
  $ref?: string;
  description?: string;
}

/** Keywords that the generated type or docstring has anyway. */
const shownByType = ['enum', 'x-extensible-enum', 'const', 'format', 'default'];

/** A description with the limits of its schemas: the generator writes a docstring from the description alone. */
function withLimits(text: string | undefined, schemas: readonly Schema[]): { description?: string } {
  if (text === undefined) return {};
  const limits = schemas.flatMap(limitsOf).filter(({ keyword }) => !shownByType.includes(keyword));
  const words = limits.map((limit) => limit.text).join('; ');
  const sentence = words === '' ? '' : ` ${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return { description: text.trimEnd() + sentence };
}

/** The contract, with everything that a reader must know in the description of each property and parameter. */
function describedContract(contract: object): OpenAPI3 {
  // Not a structured clone: that would keep what YAML's aliases share, and describe it several times.
  const document: object = JSON.parse(JSON.stringify(contract));
  const whole = (schema: Described): Described =>
    schema.$ref === undefined ? schema : (targetOf(contract, schema.$ref).value as Described);
  const describe = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties, parameters } = node as { properties?: Described[]; parameters?: (Described & Parameter)[] };
    for (const property of Object.values(properties ?? {})) {
      const parts = [whole(property), ...(property.allOf ?? []).map(whole)];
      Object.assign(property, withLimits(property.description ?? parts[0]?.description, parts));
    }
    for (const parameter of Object.values(parameters ?? {}).filter(({ schema }) => schema)) {
      Object.assign(parameter, withLimits(parameter.description, [whole(parameter.schema)]));
    }
    for (const child of Object.values(node)) describe(child);
  };
  describe(document);
  return document as OpenAPI3;
}

async function types(document: object): Promise<string> {
  const nodes = await openapiTS(describedContract(document), {
    defaultNonNullable: false,
    transform(schema) {
      const known: unknown = Reflect.get(schema, 'x-extensible-enum');
      return Array.isArray(known) ? extensibleEnum(known.map(String)) : undefined;
    },
  });
  return banner + astToString(orUndefined(nodes)) + serverErrorCode(document);
}

/** The type of the error codes that `x-responses-beside-operations` has and no operation has. */
function serverErrorCode(document: object): string {
  const { operations, besideOperations } = contractOf(document);
  const known = operations.flatMap(({ responses }) => Object.values(responses).flatMap(codesOf));
  const codes = Object.values(besideOperations).flatMap(codesOf);
  const own = codes.filter((code) => !known.includes(code)).map((code) => `'${code}'`);
  return `/** Error codes of the server rather than an operation: any request may get them. */
export type ServerErrorCode = ${own.join(' | ')};\n`;
}

/** A schema of the contract as a JSON Schema document. OpenAPI 3.1 uses JSON Schema 2020-12. */
function jsonSchema(document: object, name: string): string {
  const used: Record<string, unknown> = {};
  const extract = (reference: string): unknown =>
    JSON.parse(JSON.stringify(targetOf(document, reference).value), (key, value) => {
      if (key.startsWith('x-')) return undefined;
      if (key !== '$ref') return value;
      const target = targetOf(document, value).steps.at(-1) ?? '';
      if (!(target in used)) {
        used[target] = undefined;
        used[target] = extract(value);
      }
      return `#/$defs/${target}`;
    });
  const schema = extract(`#/components/schemas/${name}`) as object;
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $comment: 'Generated from openapi.yaml by `npm run generate`. Do not edit.',
    title: name,
  };
  return `${JSON.stringify({ ...head, ...schema, $defs: used }, null, 2)}\n`;
}

/** A module with the method and the path of each operation under `/api`. */
export function requestsOf({ operations }: Contract): string {
  const api = operations.filter(({ path }) => path.startsWith('/api/'));
  const requests = api.map(({ operationId, method, path }) => [operationId, [method, path]]);
  return `export const requests = ${JSON.stringify(Object.fromEntries(requests), null, 2)} as const;\n`;
}

/**
 * A module with an entry for each operation: its method and path, the operation that it repeats (or itself), the
 * default and the bounds of its whole numbers, and the status of each error code.
 */
export function routesOf({ operations }: Contract): string {
  // An HTML page names no code. It has the code that the other operations have for its status.
  const usual = Object.fromEntries(
    operations
      .flatMap((operation) => refusalsOf(operation).map(([status, response]) => [status, codesOf(response)] as const))
      .filter(([, codes]) => codes.length === 1),
  );

  const routes = operations.map((operation) => {
    const { operationId, method, path, variantOf = operationId } = operation;
    const codes = refusalsOf(operation).flatMap(([status, response]) => {
      const named = response.content?.['text/html'] ? usual[status] : codesOf(response);
      return (named ?? []).map((code) => [code, Number(status)]);
    });
    return [
      operationId,
      { method, path, variantOf, integers: integersOf(operation), codes: Object.fromEntries(codes) },
    ] as const;
  });
  return `export const routes = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const;\n`;
}

function refusalsOf({ responses }: Operation) {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

function integersOf({ parameters }: Operation) {
  const integers = parameters.filter((parameter) => parameter.in === 'query' && parameter.schema.type === 'integer');
  return Object.fromEntries(
    integers.map(({ name, schema }) => [name, { default: schema.default, ...schema['x-clamp'] }]),
  );
}

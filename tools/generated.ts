/**
 * The generated files. From openapi.yaml: the TypeScript types, the JSON Schema of the passport document, the SDK's
 * table of requests, what its testing entry needs of the contract, and the page of its methods. From the templates and
 * the languages: the SDK's modules of them. From the server's commands and settings:
 * docs/reference/commands.md. From the conformance suite: the table of its cases, and the page of the description that they
 * test. From the migrations: the
 * script that makes a new SQLite database.
 */
import { readFileSync } from 'node:fs';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { checks } from '../contracts/conformance/client/checks.ts';
import { generatedFacts } from '../contracts/conformance/generation/cases.ts';
import { linkChecks } from '../contracts/conformance/link/verify-link.ts';
import { printable } from '../contracts/conformance/report/text.ts';
import { requirementsFile, requirementsText } from '../contracts/conformance/requirements.ts';
import { description, sections } from '../contracts/conformance/sources/description.ts';
import { sourceOf, sources } from '../contracts/conformance/sources/sources.ts';
import { loadedSuite } from '../contracts/conformance/verify.ts';
import { dppCases } from '../contracts/dpp/cases.ts';
import {
  type Contract,
  codesOf,
  contractOf,
  limitsOf,
  type Parameter,
  type Schema,
  targetOf,
} from '../openapi/src/index.ts';
import { loadProgram } from '../server/src/cli/program.ts';
import { optionOf, type Setting, settingNames, settings, variableOf } from '../server/src/config/settings.ts';
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
  { file: new URL('../contracts/conformance/requirements.md', import.meta.url), make: requirements },
  { file: new URL('../docs/reference/description.md', import.meta.url), make: descriptionPage },
  { file: new URL('../docs/reference/commands.md', import.meta.url), make: commandsPage },
  {
    file: new URL('../server/src/database/migrations/generated/sqlite.ts', import.meta.url),
    make: async () => `${bannerOf('the migrations')}${await sqliteScript()}`,
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

/** The ids that users write into lists of expected failures and into options, each with its rule and its set. */
function requirements(): string {
  const { contract, suite } = loadedSuite();
  const cases = [
    ...[...suite.cases, ...suite.wholeRunCases, ...generatedFacts(contract)],
    ...checks.map((check) => ({ ...check, claim: 'client' as const })),
    ...linkChecks.map((check) => ({ ...check, claim: 'link' as const })),
    ...dppCases(),
  ];
  const rows = cases.map((one) => ({ ...one, title: printable(one.title), source: sourceOf(one, contract) }));
  return requirementsText(rows, readFileSync(requirementsFile, 'utf8'));
}

/** The sentences of the API's description, each with the cases that rest on it. */
function descriptionPage(): string {
  const parts = sections.map((title, index) => {
    const ofSection = Object.entries(description).filter(([number]) => number.startsWith(`${index + 1}.`));
    const rows = ofSection.map(([number, sentence]) => {
      const isCited = new RegExp(`\\bD${number.replace('.', '\\.')}(?!\\d)`);
      const ids = Object.keys(sources).filter((id) => isCited.test(sources[id] ?? ''));
      return [`D${number}`, sentence, ids.map((id) => `\`${id}${/[.-]$/.test(id) ? '*' : ''}\``).join(', ')];
    });
    return `## ${index + 1}. ${title}\n\n${tableOf(['Number', 'Sentence', 'Cases'], rows)}`;
  });
  return `${descriptionIntroduction}${parts.join('\n')}`;
}

const descriptionIntroduction = `# What the API's description says

Generated by \`npm run generate\` from \`contracts/conformance/sources\`. The API's owner describes it in a text of its own. Here is
what the text says, in our words and by number, as far as a service can keep it or break it. The claims \`core\` and \`public\` ask
for this, for the RFCs beneath it, and for robustness where a case says so. \`PAGE-3.*\` are the cases whose ids begin so, without
those that have a longer row.
[The table of requirements](../../contracts/conformance/requirements.md) has each case with its source.
[The decisions](decisions.md) say how the suite reads what is debatable. \`openapi.yaml\` fills what section 13 leaves open, for the
claim \`reference\` only.

`;

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

A command whose output cannot be written exits with 1, for example on a full disk. It revokes an API key or an access token
that nobody has seen. The reader of a pipe may end first, as \`head\` does: this is no failure unless an export or a secret is
lost. A table is as wide as the terminal, and elsewhere has at most 100 columns.

A text file may be UTF-8, or UTF-16 with a byte order mark, as Windows PowerShell writes it. A command refuses any other
encoding, such as Windows-1252, and names the line. A file of values or slugs can have 16 MiB, a line of an export 32 MiB.

## Settings

Each setting of \`serve\` is an option and an environment variable. The option takes precedence. \`serve\` checks all settings
when it starts and names every mistake in one message. A duration is a number with its unit: \`500ms\`, \`30s\`, \`5m\` or \`1h\`. A
variable that begins with \`PRODUCT_PASSPORT_\` and is not in the table causes a warning with the nearest name.

${settingsTable()}`;
}

/** The table of settings for the documentation, in Markdown. */
function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const row: Setting<unknown> = settings[name];
    const fallback = row.otherwise ?? `\`${(row.format.show ?? String)(row.default)}\``;
    const meaning = row.isSecret ? `${row.meaning} (secret: \`config\` hides the password)` : row.meaning;
    return [`\`${optionOf(name)}\``, `\`${variableOf(name)}\``, meaning, row.format.description, fallback];
  });
  return tableOf(['Option', 'Environment variable', 'Meaning', 'Format', 'Default'], rows);
}

/** A table in Markdown. */
function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n');
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
  const { operations, outsideOperations } = contractOf(document);
  const known = operations.flatMap(({ responses }) => Object.values(responses).flatMap(codesOf));
  const codes = Object.values(outsideOperations).flatMap(codesOf);
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

/** A module with the method and the path of each operation, those that need a key first. */
export function requestsOf({ operations }: Contract): string {
  const main = operations.filter(({ variantOf }) => variantOf === undefined);
  const requests = (secured: boolean): string => {
    const own = main.filter(({ side }) => side.secured === secured);
    const all = own.map(({ operationId, method, path }) => [operationId, [method, path]]);
    return `${JSON.stringify(Object.fromEntries(all), null, 2)} as const;\n`;
  };
  const { root } = main.find(({ side }) => side.secured)?.side ?? {};
  return `export const apiRoot = '${root}';\n
export const requests = ${requests(true)}
export const publicRequests = ${requests(false)}`;
}

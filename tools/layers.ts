/**
 * The layers. `npm run check:layers` fails on an import that goes upward, and on a circle of imports. Imports of types
 * count too.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import ts from 'typescript';

interface Rule {
  name: string;
  comment: string;
  /** Patterns of the importing file. */
  from: { path: string; pathNot?: string };
  /** Patterns of the imported file. */
  to: { path: string | readonly string[] };
}

/**
 * Folders and files of server/src, lowest first. Each may import itself and the layers above it in this table.
 */
const serverLayers: readonly (readonly [string, string])[] = [
  ['command-line', 'what the command lines of the server and of the suite share'],
  ['operator-error.ts', 'an error whose message is for the person who runs a command'],
  ['log', 'the log'],
  ['database', 'connections and migrations'],
  ['config', 'the settings of the server'],
  ['audit', 'the audit trail of the command line'],
  ['services.ts', 'what every handler needs'],
  ['http', 'routes of the contract, admission with the API key, errors, headers'],
  ['metrics', 'what the server measures of itself'],
  ['admin', 'the listener for operators: health, readiness, metrics'],
  ['tenants', 'tenants and their API keys'],
  ['languages', 'the words of pages and templates in each language'],
  ['templates', 'the fields of each product group'],
  ['access', 'access tokens, and what each role may see'],
  ['products', 'the rows of products: list, search, one product'],
  ['images', 'the images of products'],
  ['passports', 'values and versions of a product'],
  ['carriers', 'data carriers and their pictures'],
  [
    'lifecycle',
    'creates a product with its passport, activates it with its carrier, archives it, moves its registry status',
  ],
  ['items', 'adds items of a model, and changes a model with its items'],
  ['scans', 'scans and their statistics'],
  ['transfer', 'export and import of a tenant, restore of a backup'],
  ['site', 'passport page, JSON-LD, Digital Link resolver'],
  ['docs', 'API reference'],
  ['sandbox', 'control of the server by tests, only with --sandbox'],
  ['app.ts', 'composes the server'],
  ['demo', 'fills a database with the demo'],
  ['index.ts', 'the package'],
  ['testing.ts', 'the package, for test runners'],
  ['cli', 'the command line'],
];

/** Parts of the repository, each with the parts, or folders of parts, that it may import. */
const parts: Record<string, readonly string[]> = {
  openapi: [],
  sdk: ['openapi/src/generated', 'openapi/src/rules'],
  server: ['openapi'],
  contracts: ['openapi', 'sdk', 'server'],
  examples: ['sdk'],
  tools: ['contracts', 'openapi', 'sdk', 'server', 'test'],
  test: ['contracts', 'examples', 'openapi', 'sdk', 'server', 'tools'],
};

/** Rules within a noun's folder: handlers call rules and stores, stores call rules, and rules call neither. */
const nounRules: readonly Rule[] = [
  {
    name: 'rules-import-no-store',
    comment: 'Rules are pure. A type that a rule and its store share stands with the rule.',
    from: { path: '^server/src/[^/]+/rules\\.ts$', pathNot: '^server/src/cli/' },
    to: {
      path: '(^server/src/(database/|[^/]+/(store|list|keys|secrets|read|write|lifecycle|handlers)\\.ts$)|node_modules/knex/)',
    },
  },
  {
    name: 'only-app-imports-handlers',
    comment: 'Handlers are composed in app.ts. What two of them share is a rule or a store.',
    from: { path: '^server/src/', pathNot: '^server/src/app\\.ts$' },
    to: { path: '^server/src/(?!http/)[^/]+/handlers\\.ts$' },
  },
  {
    name: 'http-imports-no-database',
    comment: 'app.ts hands in what http needs of the database.',
    from: { path: '^server/src/http/' },
    to: { path: '(^server/src/database/|node_modules/knex/)' },
  },
];

const order = 'The table serverLayers in tools/layers.ts gives the order.';

/** Patterns of the files that a part must not import. */
function foreignTo(part: string): string[] {
  const allowed = parts[part] ?? [];
  const others = Object.keys(parts).filter((other) => other !== part && !allowed.includes(other));
  const folders = allowed.filter((folder) => folder.includes('/')).join('|');
  return others.map((other) => (folders ? `^(?!(?:${folders})/)${other}/` : `^${other}/`));
}

const betweenParts = Object.keys(parts).map(
  (part): Rule => ({
    name: `${part}-imports-another-part`,
    comment: 'The table parts in tools/layers.ts says what each part may import.',
    from: { path: `^${part}/` },
    to: { path: foreignTo(part) },
  }),
);

const rules = [...nounRules, ...betweenParts];

/** The files that each file imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export function findings(imports: Imports): string[] {
  return [...upward(imports), ...forbidden(imports), ...withoutLayer(imports), ...circles(imports)];
}

function matches(file: string, patterns: string | readonly string[]): boolean {
  return [patterns].flat().some((pattern) => new RegExp(pattern).test(file));
}

function forbidden(imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) => {
    const ofFile = rules.filter(({ from }) => matches(file, from.path) && !matches(file, from.pathNot ?? []));
    return ofFile.flatMap(({ name, comment, to }) =>
      targets.filter((target) => matches(target, to.path)).map((target) => `${name}: ${file} → ${target}. ${comment}`),
    );
  });
}

/** The line of the table that a file belongs to, or -1. */
function layerOf(file: string): number {
  return serverLayers.findIndex(([layer]) => file === `server/src/${layer}` || file.startsWith(`server/src/${layer}/`));
}

function upward(imports: Imports): string[] {
  return [...imports].flatMap(([file, targets]) => {
    const layer = layerOf(file);
    const higher = layer < 0 ? [] : targets.filter((target) => layerOf(target) > layer);
    return higher.map(
      (target) => `upward: ${file} → ${target}. Hand the value in from app.ts, or move the code up. ${order}`,
    );
  });
}

function withoutLayer(imports: Imports): string[] {
  const files = [...imports.keys()].filter((file) => file.startsWith('server/src/') && layerOf(file) < 0);
  return files.map((file) => `${file} has no layer. Add its folder. ${order}`);
}

/** Each circle of imports, once. Tests may have circles. */
function circles(imports: Imports): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push(
        `circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}. Move what they need into a third file.`,
      );
      return;
    }
    if (done.has(file) || file.startsWith('test/')) return;
    for (const target of imports.get(file) ?? []) follow(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  return found;
}

function readImports(): Imports {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...Object.keys(parts)], {
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((file) => /\.[cm]?[jt]s$/.test(file) && existsSync(file));
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
      return [file, importedFiles.map(({ fileName }) => resolve(file, fileName))];
    }),
  );
}

/** The path of an imported file: of packages of this repository the one that their `exports` name. */
function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(file, '..', specifier);
  const [, part, entry] = /^@product-passport\/([^/]+)(.*)$/.exec(specifier) ?? [];
  if (part === undefined) return `node_modules/${specifier}/`;
  const { exports }: { exports: Record<string, unknown> } = JSON.parse(
    readFileSync(join(part, 'package.json'), 'utf8'),
  );
  const pattern = Object.keys(exports).find((key) => key.endsWith('*') && `.${entry}`.startsWith(key.slice(0, -1)));
  const target = exports[`.${entry}`] ?? exports[pattern ?? ''];
  const name = pattern === undefined ? '' : `.${entry}`.slice(pattern.length - 1);
  return join(part, typeof target === 'string' ? target.replace('*', name) : '');
}

if (import.meta.main) {
  const imports = readImports();
  const found = findings(imports);
  for (const finding of found) process.stderr.write(`${finding}\n`);
  process.stdout.write(
    `${imports.size} files, ${[...imports.values()].flat().length} imports, ${found.length} findings\n`,
  );
  process.exitCode = found.length > 0 ? 1 : 0;
}

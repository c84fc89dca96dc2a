/**
 * The layers. `npm run check:layers` fails on an import that goes upward, and on a circle of imports. Imports of types
 * count too.
 */

/**
 * Folders and files of server/src, lowest first. Each may import itself and the layers above it in this table. A file of a
 * folder that has its own line belongs to that line alone.
 */
const serverLayers = [
  ['contract', 'openapi.yaml: types, validation, error codes'],
  ['log', 'the log'],
  ['database', 'connections and migrations'],
  ['config', 'the settings of the server'],
  ['audit', 'the audit trail of the command line'],
  ['services.ts', 'what every handler needs'],
  ['http', 'routes of the contract, authentication, errors, headers'],
  ['metrics', 'what the server measures of itself'],
  ['admin', 'the listener for operators: health, readiness, metrics'],
  ['tenants', 'tenants and their API keys'],
  ['languages', 'the words of pages and templates in each language'],
  ['templates', 'the fields of each product group'],
  ['access', 'access tokens, and what each role may see'],
  ['products', 'the rows of products: list, search, registry'],
  ['images', 'the images of products'],
  ['passports', 'values and versions of a product'],
  ['carriers', 'data carriers and their pictures'],
  ['products/create.ts', 'creates a product with its passport'],
  ['products/lifecycle.ts', 'activates a product with its data carrier, and archives it'],
  ['products/handlers.ts', 'the operations on products'],
  ['scans', 'scans and their statistics'],
  ['transfer', 'export and import of a tenant, restore of a backup'],
  ['site', 'passport page, JSON-LD, Digital Link resolver'],
  ['docs', 'API reference'],
  ['sandbox', 'control of the server by tests, only with --sandbox'],
  ['app.ts', 'composes the server'],
  ['mock', 'the static mock: Prism behind the HTTP layer of the server'],
  ['demo', 'fills a database with the demo'],
  ['index.ts', 'the package'],
  ['testing.ts', 'the package, for test runners'],
  ['cli', 'the command line'],
];

/** Parts of the repository, each with the parts that it may import. */
const parts = {
  openapi: [],
  sdk: [],
  server: ['openapi'],
  contracts: ['openapi', 'sdk', 'server'],
  examples: ['sdk'],
  tools: ['contracts', 'openapi', 'sdk', 'server', 'test'],
  test: ['contracts', 'examples', 'openapi', 'sdk', 'server', 'tools'],
};

/** Rules within a noun's folder: handlers call rules and stores, stores call rules, and rules call neither. */
const nounRules = [
  {
    name: 'rules-import-no-store',
    comment: 'Rules are pure. A type that a rule and its store share stands with the rule.',
    severity: 'error',
    from: { path: '^server/src/[^/]+/(rules|version)\\.ts$' },
    to: {
      path: '(^server/src/(database/|[^/]+/(store|counts|list|search|keys|secrets|suffixes|create|read|write|lifecycle|handlers)\\.ts$)|node_modules/knex/)',
    },
  },
  {
    name: 'only-app-imports-handlers',
    comment: 'Handlers are composed in app.ts. What two of them share is a rule or a store.',
    severity: 'error',
    from: { path: '^server/src/', pathNot: '^server/src/app\\.ts$' },
    to: { path: '^server/src/(?!http/)[^/]+/handlers\\.ts$' },
  },
  {
    name: 'http-imports-no-database',
    comment: 'app.ts hands in what http needs of the database.',
    severity: 'error',
    from: { path: '^server/src/http/' },
    to: { path: '(^server/src/database/|node_modules/knex/)' },
  },
];

const isFile = (layer) => layer.endsWith('.ts');
const pathOf = (layer) => `^server/src/${layer.replace('.', '\\.')}${isFile(layer) ? '$' : '/'}`;

const filesInside = (layer) =>
  serverLayers
    .map(([each]) => each)
    .filter((each) => each.startsWith(`${layer}/`))
    .map(pathOf);

const upward = serverLayers.slice(0, -1).map(([layer], index) => ({
  name: `server-${layer.replace('/', '-')}-imports-upward`,
  comment:
    'The table serverLayers in tools/layers.js gives the order. Hand the value in from app.ts, or move the code up.',
  severity: 'error',
  from: { path: pathOf(layer), ...(filesInside(layer).length > 0 && { pathNot: filesInside(layer) }) },
  to: { path: serverLayers.slice(index + 1).map(([higher]) => pathOf(higher)) },
}));

const othersOf = (part) => Object.keys(parts).filter((other) => other !== part && !parts[part].includes(other));

const betweenParts = Object.keys(parts)
  .filter((part) => othersOf(part).length > 0)
  .map((part) => ({
    name: `${part}-imports-another-part`,
    comment: 'The table parts in tools/layers.js says what each part may import.',
    severity: 'error',
    from: { path: `^${part}/` },
    to: { path: othersOf(part).map((other) => `^${other}/`) },
  }));

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Move what both files need into a third one.',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { circular: true },
    },
    {
      name: 'every-server-file-has-a-layer',
      comment: 'Add the folder to the table serverLayers in tools/layers.js.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: serverLayers.map(([layer]) => pathOf(layer)) },
      to: {},
    },
    ...upward,
    ...nounRules,
    ...betweenParts,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/(dist|node_modules/\\.cache)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};

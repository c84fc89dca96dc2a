/** The packages that `npm run build` builds, one entry for each. */
import { globSync, readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../openapi/src/index.ts';

export type Format = 'esm' | 'cjs';

export interface Package {
  /** The folder of the workspace. Its manifest names the entries: the sources in `exports` and `bin`. */
  readonly workspace: string;
  /** The folder of the sources in the workspace. */
  readonly sources: string;
  /** The formats of the modules. Each is the folder in the package that `sources` becomes. */
  readonly formats: Readonly<Partial<Record<Format, string>>>;
  /** `any` has no types of Node: the package runs in every runtime with `fetch`. */
  readonly runtime: 'node' | 'any';
  /**
   * Modules of another workspace that the package carries instead of depending on it: their folder in the checkout, and
   * their folder among the package's modules. Only modules that the package imports are in it.
   */
  readonly carried?: Readonly<Record<string, string>>;
  /** Libraries that the package carries as one module each: their name, and the file of the checkout that it is made of. */
  readonly libraries?: Readonly<Record<string, string>>;
  /** Files of the package that no program imports as a module, by their path in the package. */
  readonly files?: Readonly<Record<string, Content>>;
  /** Entries that a bundle replaces, so that they start fast. Their modules stay in the package, too. */
  readonly bundled?: Bundled;
  /** Entries that only the built package has, because their files are not in the workspace. */
  readonly exports?: Readonly<Record<string, string>>;
}

export interface Bundled {
  /** The sources, as the manifest names them. */
  readonly entries: readonly string[];
  /** Libraries that stay outside of the bundle. */
  readonly external: readonly string[];
}

/** The folder of the bundle in a package. */
export const bundleFolder = 'bundle';

/** A file or folder of the checkout, or a function that makes the text. */
export type Content = string | (() => string);

const root = fileURLToPath(new URL('..', import.meta.url));

export const packages: readonly Package[] = [
  {
    workspace: 'openapi',
    // Not `src`: from esm/src, as from openapi/src, the contract is at ../../openapi.yaml.
    sources: '.',
    formats: { esm: 'esm' },
    runtime: 'node',
    files: {
      'openapi.yaml': 'openapi.yaml',
      'openapi.json': () => `${JSON.stringify(readDocument(), null, 2)}\n`,
      'pact.json': 'contracts/pacts/product-passport-sdk-product-passport-service.json',
      ...schemas(),
    },
    exports: {
      './openapi.yaml': './openapi.yaml',
      './openapi.json': './openapi.json',
      './pact.json': './pact.json',
      './schemas/*': './schemas/*',
    },
  },
  {
    workspace: 'contracts',
    // The modules read files of their folder, so every file has the same path as in the workspace.
    sources: '.',
    formats: { esm: '.' },
    runtime: 'node',
    carried: { 'server/src/command-line/': 'command-line/' },
    files: {
      'README.md': 'contracts/conformance/README.md',
      'conformance/requirements.md': 'contracts/conformance/requirements.md',
      schemas: 'contracts/schemas',
      'conformance/report/views': 'contracts/conformance/report/views',
    },
  },
  {
    workspace: 'server',
    // The modules read files of their folder, so every file has the same path as in the workspace.
    sources: '.',
    formats: { esm: '.' },
    runtime: 'node',
    files: {
      data: 'server/data',
      'src/carriers/views': 'server/src/carriers/views',
      'src/docs/views': 'server/src/docs/views',
      'src/site/views': 'server/src/site/views',
    },
    bundled: {
      entries: ['./src/cli/main.ts', './src/testing.ts'],
      external: [
        // The driver has machine code, and PostgreSQL's and the bar codes load at their first use.
        ...['sqlite3', 'pg', 'bwip-js'],
        'sharp',
        // Drivers of Knex that nothing here loads.
        ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'tedious'],
      ],
    },
  },
  {
    workspace: 'sdk',
    sources: 'src',
    formats: { esm: 'esm', cjs: 'cjs' },
    runtime: 'any',
    carried: { 'openapi/src/': 'contract/' },
    // Only the entry for tests loads it. As a dependency it would be installed for every program.
    libraries: { joi: 'node_modules/joi/dist/joi-browser.min.mjs' },
    files: { 'openapi.yaml': 'openapi.yaml', 'api.md': 'sdk/api.md' },
    exports: { './openapi.yaml': './openapi.yaml' },
  },
];

/** The JSON Schemas of the checkout: those made from the contract, and those written by hand. */
function schemas(): Record<string, string> {
  const files = globSync('contracts/{generated,schemas}/*.schema.json', { cwd: root });
  return Object.fromEntries(files.map((file) => [`schemas/${basename(file)}`, file]));
}

/** The members of a workspace's package.json that a build reads. */
export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** The manifest of a workspace, with an entry for each file that a pattern of its `exports` matches. */
export function manifestOf(workspace: string): Manifest {
  const folder = posix.join(root, workspace);
  const manifest: Manifest = JSON.parse(readFileSync(posix.join(folder, 'package.json'), 'utf8'));
  if (!manifest.exports) return manifest;
  const entries = Object.entries(manifest.exports).flatMap(([entry, path]) => {
    const [before = '', after] = path.split('*');
    if (after === undefined) return [[entry, path]];
    const found = globSync(path, { cwd: folder }).sort();
    const name = (file: string) => file.slice(posix.normalize(before).length, file.length - after.length);
    return found.map((file) => [entry.replace('*', name(file)), `./${file}`]);
  });
  return { ...manifest, exports: Object.fromEntries(entries) };
}

/** The sources that a manifest leads to. */
export function entriesOf({ exports = {}, bin = {} }: Manifest): string[] {
  return [...Object.values(exports), ...Object.values(bin)].filter((path) => path.endsWith('.ts'));
}

export interface Publication {
  /** The names at the top of the built package. */
  readonly files: readonly string[];
  /** The address of the repository, as in `https://github.com/owner/name`. */
  readonly repository: string | undefined;
}

/** The manifest for publishing. */
export function builtManifest(built: Package, workspace: Manifest, { files, repository }: Publication): object {
  const { private: _private, devDependencies: _tools, exports: sources = {}, bin, ...manifest } = workspace;
  const exports = Object.entries(sources).map(([entry, path]) => [entry, conditions(built, path)] as const);
  return {
    ...manifest,
    // Written here only: a workspace with `engines` warns on each `npm ci` with an older Node, which the pinned Node replaces.
    engines: { node: built.runtime === 'node' ? '>=22.12' : '>=20' },
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, loadedOf(built, path)])) }),
    ...(built.formats.cjs && forCommonJs(built, sources)),
    exports: { ...Object.fromEntries(exports), ...built.exports },
    files,
    ...(repository && {
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: built.workspace },
    }),
    publishConfig: { access: 'public' },
  };
}

/** The `exports` conditions of a source, as in `./src/public.ts`. */
function conditions(built: Package, source: string) {
  if (!source.endsWith('.ts')) return source;
  const files = (format: Format) => {
    const module = `./${moduleOf(built, source, format)}`;
    return { types: module.replace(/js$/, 'd.ts'), default: `./${loadedOf(built, source, format)}` };
  };
  return built.formats.cjs ? { import: files('esm'), require: files('cjs') } : files('esm');
}

/** `moduleResolution: node10`, TypeScript's default for CommonJS, does not read `exports`. */
function forCommonJs(built: Package, { '.': main = '', ...others }: Readonly<Record<string, string>>) {
  const module = (source: string) => `./${moduleOf(built, source, 'cjs')}`;
  const types = (source: string) => module(source).replace(/js$/, 'd.ts');
  const older = Object.entries(others).flatMap(([entry, source]) =>
    source.endsWith('.ts') ? [[entry.slice(2), [types(source)]]] : [],
  );
  return { main: module(main), types: types(main), typesVersions: { '*': Object.fromEntries(older) } };
}

/** The module of a source in the built package: `esm/public.js`. */
function moduleOf({ sources, formats }: Package, source: string, format: Format = 'esm'): string {
  return posix.join(formats[format] ?? '', posix.relative(sources, source)).replace(/ts$/, 'js');
}

/** What a program loads for a source: its module, or the bundle of it. */
function loadedOf(built: Package, source: string, format?: Format): string {
  const module = moduleOf(built, source, format);
  return built.bundled?.entries.includes(source) ? posix.join(bundleFolder, posix.basename(module)) : module;
}

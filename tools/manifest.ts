/** The manifest of a built package. In the checkout, `exports` and `bin` lead to the sources, which run unbuilt. */
import { posix } from 'node:path';
import type { Format, Package } from './packages.ts';

/** The members of a workspace's package.json that a build reads. */
export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
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
    ...(built.runtime === 'node' && { engines: { node: '>=22.12' } }), // the sources need Node 24, which runs TypeScript
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, path]) => [name, moduleOf(built, path)])) }),
    ...(built.formats.cjs && forCommonJs(built, sources)),
    exports: { ...Object.fromEntries(exports), ...built.exports },
    files,
    ...(repository && {
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
    return { types: module.replace(/js$/, 'd.ts'), default: module };
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

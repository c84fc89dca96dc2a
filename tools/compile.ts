/** Compiles the modules of a package with TypeScript: each source becomes one module, its declaration and its map. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Format, Package } from './packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The oldest supported target. */
const runtimes = {
  // Types of Intl are newer than what runtimes have.
  any: { target: 'es2022', lib: ['es2022', 'es2023.intl', 'dom', 'dom.iterable'], types: [] },
  node: { target: 'es2024' },
};
const formats = {
  esm: { module: 'nodenext' },
  cjs: { module: 'commonjs', moduleResolution: 'node10', verbatimModuleSyntax: false, esModuleInterop: true },
};

/** Compiles the entries, and the modules of the workspace that they import, into the folder of the format. */
export function compile(built: Package, format: Format, entries: readonly string[], dist: string): void {
  const workspace = join(root, built.workspace);
  const sources = join(workspace, built.sources);
  // An import of another workspace leads to its sources. `rootDir` covers them, and `writeEmitted` leaves them out.
  const outDir = join(dist, built.formats[format] ?? '');
  const compilerOptions = {
    ...runtimes[built.runtime],
    ...formats[format],
    noEmit: false,
    rootDir: root,
    outDir,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    // `npm run check:types` checks all sources for Node. Those for every runtime have fewer types here; CommonJS has the same.
    noCheck: format === 'cjs' || built.runtime === 'node',
  };
  const asked = { extends: join(root, 'tsconfig.json'), compilerOptions, files: entries, include: [] };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(asked, ts.sys, workspace);

  /** The path of a module among the package's modules. `undefined` for another workspace's. */
  function placeOf(module: string): string | undefined {
    const inCheckout = relative(root, module);
    const carried = Object.entries(built.carried ?? {}).find(([folder]) => inCheckout.startsWith(folder));
    const place = carried ? carried[1] + inCheckout.slice(carried[0].length) : relative(sources, module);
    return place.startsWith('..') ? undefined : place;
  }

  function writeEmitted(emitted: string, text: string): void {
    const [, stem = '', ending = ''] = /^(.*?)((?:\.d\.ts|\.js)(?:\.map)?)$/.exec(emitted) ?? [];
    const module = join(root, relative(outDir, `${stem}.ts`));
    const place = placeOf(module);
    if (place === undefined) return;
    const file = join(outDir, place.replace(/\.ts$/, ending));
    mkdirSync(dirname(file), { recursive: true });
    if (file.endsWith('.map')) writeFileSync(file, sourceMap(text, dirname(emitted), dirname(file)));
    else writeFileSync(file, withImports(text, module));
  }

  /**
   * Points the imports of code and declarations to the package's modules: some have another folder there. A library that
   * the package carries is a module at the top.
   */
  function withImports(text: string, module: string): string {
    return text.replaceAll(/(\bfrom |\bimport\(|\brequire\()(['"])([^'"]*)\2/g, (all, before, quote, path) => {
      const isCarried = Object.hasOwn(built.libraries ?? {}, path);
      if (!isCarried && !path.startsWith('.')) return all;
      const source = resolve(dirname(module), path.replace(/\.[jt]s$/, '.ts'));
      const place = isCarried ? `${path}.js` : placeOf(source);
      if (place === undefined) throw new Error(`${module} imports ${path}, which the package does not contain.`);
      const target = posix.relative(dirname(placeOf(module) ?? ''), place).replace(/\.ts$/, '.js');
      return `${before}${quote}${target.startsWith('.') ? target : `./${target}`}${quote}`;
    });
  }

  /** Points the sources of a source map into the package. TypeScript points them into the checkout. */
  function sourceMap(text: string, emittedIn: string, folder: string): string {
    const map: { sources: string[] } = JSON.parse(text);
    const inPackage = (source: string) =>
      relative(folder, join(dist, built.sources, placeOf(resolve(emittedIn, source)) ?? ''));
    return JSON.stringify({ ...map, sources: map.sources.map(inPackage) });
  }

  const program = ts.createProgram(fileNames, options);
  const { diagnostics } = program.emit(undefined, writeEmitted);
  // A program's own modules need no declarations: a type that no declaration can name stays inside.
  const isInside = ({ code, file }: ts.Diagnostic) =>
    built.runtime === 'node' && /^(?:4\d\d\d|2742)$/.test(String(code)) && !entries.includes(file?.fileName ?? '');
  const wrong = [...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics].filter((one) => !isInside(one));
  if (wrong.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(wrong, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }),
  );
}

/**
 * Builds the SDK's npm package into sdk/dist, or into the folder in the first argument: ES modules and CommonJS, each
 * with its own types, the manifest, the contract, and the documents. In the checkout, `exports` point to the sources,
 * which run unbuilt. npm cannot replace them when it packs, so the built folder is what is packed and published.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = new URL('../', import.meta.url);
const sdk = new URL('sdk/', root);
const dist = pathToFileURL(`${resolve(process.argv[2] ?? fileURLToPath(new URL('dist', sdk)))}/`);

/** The oldest supported target, without Node's types: the package runs in every runtime with `fetch`. */
const common = {
  noEmit: false,
  rootDir: 'src',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  declaration: true,
  sourceMap: true,
  inlineSources: true,
  noEmitOnError: true,
};
const formats = {
  esm: { module: 'nodenext' },
  cjs: { module: 'commonjs', moduleResolution: 'node10', verbatimModuleSyntax: false, esModuleInterop: true },
};

/** TypeScript replaces `.ts` by `.js` in the imports of emitted code, but not in declarations. */
function declaration(text: string): string {
  return text.replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2');
}

/** Points the sources of a source map into the package. TypeScript points them into the checkout. */
function sourceMap(text: string, folder: string): string {
  const map: { sources: string[] } = JSON.parse(text);
  const inPackage = (source: string) => {
    const name = relative(fileURLToPath(sdk), resolve(folder, source)); // src/client.ts
    return relative(folder, fileURLToPath(new URL(name, dist)));
  };
  return JSON.stringify({ ...map, sources: map.sources.map(inPackage) });
}

function writeEmitted(file: string, text: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  if (file.endsWith('.d.ts')) writeFileSync(file, declaration(text));
  else writeFileSync(file, file.endsWith('.map') ? sourceMap(text, folder) : text);
}

function compile(format: keyof typeof formats): void {
  const compilerOptions = { ...common, ...formats[format], outDir: fileURLToPath(new URL(format, dist)) };
  const asked = { extends: '../tsconfig.json', compilerOptions, include: ['src'] };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(asked, ts.sys, fileURLToPath(sdk));
  const program = ts.createProgram(fileNames, options);
  const { diagnostics } = program.emit(undefined, writeEmitted);
  const wrong = [...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (wrong.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(wrong, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }),
  );
}

/** The `exports` conditions of a source, as in `./src/public.ts`. */
function conditions(source: string) {
  const name = source.replace(/^\.\/src\/(.*)\.ts$/, '$1');
  if (name === source) return source;
  return {
    import: { types: `./esm/${name}.d.ts`, default: `./esm/${name}.js` },
    require: { types: `./cjs/${name}.d.ts`, default: `./cjs/${name}.js` },
  };
}

async function writeManifest(): Promise<void> {
  const {
    private: _,
    exports: sources,
    ...manifest
  } = JSON.parse(await readFile(new URL('package.json', sdk), 'utf8'));
  const entries = Object.entries<string>(sources).map(([entry, source]) => [entry, conditions(source)] as const);
  // `moduleResolution: node10`, TypeScript's default for CommonJS, does not read `exports`.
  const older = entries.flatMap(([entry, found]) =>
    entry === '.' || typeof found === 'string' ? [] : [[entry.slice(2), [found.require.types]]],
  );
  const built = {
    ...manifest,
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    typesVersions: { '*': Object.fromEntries(older) },
    // Only the built package has the contract beside its manifest, so sdk/package.json cannot export it.
    exports: { ...Object.fromEntries(entries), './openapi.yaml': './openapi.yaml' },
  };
  await writeFile(new URL('package.json', dist), `${JSON.stringify(built, null, 2)}\n`);
  await writeFile(new URL('cjs/package.json', dist), '{ "type": "commonjs", "sideEffects": false }\n');
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
compile('esm');
compile('cjs');
await writeManifest();
for (const page of ['README.md', 'api.md']) await cp(new URL(page, sdk), new URL(page, dist));
for (const paper of ['LICENSE', 'CHANGELOG.md', 'openapi.yaml']) await cp(new URL(paper, root), new URL(paper, dist));
process.stdout.write(`built ${fileURLToPath(dist)}\n`);

/**
 * Joins the entries of a package that must start fast, their modules and their libraries in a few files. Without it Node
 * finds, reads and links 700 files more at each start.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleFolder, type Format, type Package } from './packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the entries of a package into `dist/bundle`, with the licences of the libraries. Returns their texts. */
export async function bundle({ workspace, bundled }: Package, dist: string): Promise<string> {
  const folder = join(root, workspace);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [...(bundled?.entries ?? [])],
    outdir: join(dist, bundleFolder),
    entryNames: '[name]',
    chunkNames: '[hash]',
    bundle: true,
    // A command loads only what it needs.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    // Names stay, so that a stack trace says which function it was.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    external: [...(bundled?.external ?? [])],
    // Libraries in CommonJS require Node's own modules.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
    plugins: [inPlace(folder)],
    metafile: true,
    logLevel: 'warning',
  });
  const files = Object.keys(metafile.inputs).map((file) => join(folder, file));
  return licencesOf(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
}

/**
 * Writes a library as one module into the folder of each format, with the licences of what is in it. jsdom, which Jest
 * offers, has no TextEncoder.
 */
export async function bundleLibrary(name: string, file: string, { formats }: Package, dist: string): Promise<void> {
  for (const [format, folder] of Object.entries(formats) as [Format, string][]) {
    await build({
      entryPoints: [join(root, file)],
      outfile: join(dist, folder, `${name}.js`),
      format,
      target: 'es2022',
      minifyWhitespace: true,
      legalComments: 'none',
      banner: { js: `const TextEncoder=globalThis.TextEncoder??class{encode(text){${encode}}};` },
      logLevel: 'warning',
    });
    const { dependencies = {} } = manifestIn(join(root, 'node_modules', name));
    const libraries = [name, ...Object.keys(dependencies)].map((one) => join(root, 'node_modules', one));
    writeFileSync(join(dist, folder, `${name}.LICENSES.txt`), licencesOf(libraries));
  }
}

const encode = 'return Uint8Array.from(unescape(encodeURIComponent(text)),(unit)=>unit.charCodeAt(0))';

/** Lets each module find the files of its folder where they are without a bundle. */
function inPlace(folder: string): Plugin {
  return {
    name: 'in-place',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const inPackage = relative(folder, path).replace(/ts$/, 'js');
        const address = inPackage.startsWith('..')
          ? "import.meta.resolve('@product-passport/openapi')"
          : `new URL('${posix.join('..', inPackage)}', import.meta.url).href`;
        const contents = readFileSync(path, 'utf8')
          // What a module requires itself is bundled, too.
          .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
          .replaceAll('import.meta.url', address);
        return { contents, loader: 'ts' };
      }),
  };
}

/** The licences of the libraries in these folders. They require that their text is in each copy. */
function licencesOf(folders: readonly string[]): string {
  const texts = [...new Set(folders)].sort().map((library) => {
    const { name, version, license } = manifestIn(library);
    const found = globSync('{LICENSE,LICENCE,license}*', { cwd: library });
    return [`${name} ${version}, ${license}`, ...found.map((file) => readFileSync(join(library, file), 'utf8'))].join(
      '\n\n',
    );
  });
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`);
}

function manifestIn(folder: string): { name: string; version: string; license: string; dependencies?: object } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

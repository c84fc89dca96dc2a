/**
 * `npm run build` builds the npm packages of the workspaces, each into `<workspace>/dist`: the modules with their types,
 * the manifest, and the documents. Arguments select workspaces, and `--to FOLDER` builds into `FOLDER/<workspace>`.
 * `--repository URL` writes the repository into the manifests. npm requires it for provenance.
 *
 * In the checkout, `exports` lead to the sources, which run unbuilt. npm cannot replace them when it packs, so the built
 * folder is what is packed and published.
 */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundleLibrary } from './bundle.ts';
import { compile } from './compile.ts';
import { optionsOf, refuse } from './options.ts';
import {
  builtManifest,
  bundleFolder,
  type Content,
  entriesOf,
  manifestOf,
  type Package,
  packages,
} from './packages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

async function build(built: Package, dist: string, repository: string | undefined): Promise<void> {
  const { workspace, formats, files = {} } = built;
  const manifest = manifestOf(workspace);
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });

  for (const format of ['esm', 'cjs'] as const) {
    if (formats[format]) compile(built, format, entriesOf(manifest), dist);
  }
  if (formats.cjs) {
    await writeFile(join(dist, formats.cjs, 'package.json'), '{ "type": "commonjs", "sideEffects": false }\n');
  }
  for (const [name, file] of Object.entries(built.libraries ?? {})) await bundleLibrary(name, file, built, dist);
  if (built.bundled) await writeFile(join(dist, bundleFolder, 'LICENSES.txt'), await bundle(built, dist));
  const papers = { LICENSE: 'LICENSE', 'CHANGELOG.md': 'CHANGELOG.md', 'README.md': `${workspace}/README.md` };
  for (const [name, content] of Object.entries<Content>({ ...papers, ...files })) {
    if (typeof content === 'string') await cp(join(root, content), join(dist, name), { recursive: true });
    else await writeFile(join(dist, name), content());
  }
  const names = (await readdir(dist)).sort();
  const published = builtManifest(built, manifest, { files: names, repository });
  await writeFile(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  process.stdout.write(`built ${dist}\n`);
}

const known = packages.map(({ workspace }) => workspace);
const usage = `npm run build -- [${known.join('|')}] ... [--to FOLDER] [--repository URL]

  --to FOLDER        builds into FOLDER/<workspace> (default <workspace>/dist)
  --repository URL   the repository in the manifests
`;

const { values, positionals } = optionsOf(usage, {
  options: { to: { type: 'string' }, repository: { type: 'string' } },
  allowPositionals: true,
});
for (const name of positionals) {
  if (!known.includes(name)) refuse(`${name} is not in tools/packages.ts.`, usage);
}
for (const built of packages) {
  const { workspace } = built;
  if (positionals.length > 0 && !positionals.includes(workspace)) continue;
  const dist = values.to === undefined ? join(root, workspace, 'dist') : resolve(values.to, workspace);
  await build(built, dist, values.repository);
}

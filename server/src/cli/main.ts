#!/usr/bin/env node
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';

// Here and not in a module, because an older Node reads all imports first, and cannot read those of the program.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`product-passport needs Node 22.12 or later, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
// Eight readers of a SQLite file, and four threads for everything else. libuv reads it when its first thread starts.
process.env.UV_THREADPOOL_SIZE ??= '12';
// Under load V8 otherwise decides that objects of requests live long, and puts them where only a full collection frees them.
v8.setFlagsFromString('--no-allocation-site-pretenuring');
// In few steps to 4 or 16 MB, while the modules load. `serve` then limits the growth.
v8.setFlagsFromString('--semi-space-growth-factor=4');
// From the second start on this saves a third of the start time. It covers only modules that are imported after it.
if (process.env.NODE_COMPILE_CACHE === undefined) {
  const folder = cacheFolder();
  if (folder !== undefined) module.enableCompileCache(folder);
}
const { guardStreams } = await import('../command-line/streams.ts');
guardStreams('product-passport');
const { loadProgram, run } = await import('./program.ts');
const { explainCrash } = await import('../command-line/command.ts');
explainCrash('product-passport', () => 1);
const createProgram = await loadProgram(process.argv[2]);
await run(createProgram());

/**
 * The folder of compiled modules: `$XDG_CACHE_HOME/product-passport`, by default in `~/.cache`. It is not in the shared
 * temporary folder, where another user could put code that this one runs.
 *
 * @returns `undefined` where the user can write none, or where others can write, too
 */
function cacheFolder(): string | undefined {
  try {
    const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
    const folder = join(caches, 'product-passport');
    // One by one: a home that does not exist is not created.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}

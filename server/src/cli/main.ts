#!/usr/bin/env node
import module from 'node:module';

// Here and not in a module, because an older Node reads all imports first, and cannot read those of the program.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`product-passport needs Node 22.12 or later, and this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
// Eight readers of a SQLite file, and four threads for everything else. libuv reads it when its first thread starts.
process.env.UV_THREADPOOL_SIZE ??= '12';
// From the second start on this saves a third of the start time. It covers only modules that are imported after it.
module.enableCompileCache();
// The reader of a pipe may end first, as `head` does. The command then finishes without its output.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
const { run } = await import('./run.ts');
const { loadProgram } = await import('./program.ts');
const createProgram = await loadProgram(process.argv[2]);
await run(createProgram());

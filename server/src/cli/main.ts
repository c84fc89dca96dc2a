#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Eight readers of a SQLite file, and four threads for everything else. libuv reads it when its first thread starts.
process.env.UV_THREADPOOL_SIZE ??= '12';
// From the second start on this saves a third of the start time. It covers only modules that are imported after it.
enableCompileCache();
// The reader of a pipe may end first, as `head` does. The command then finishes without its output.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
const { run } = await import('./run.ts');
const { createProgram } = await (process.argv[2] === 'serve' ? import('./serve-program.ts') : import('./program.ts'));
await run(createProgram());

#!/usr/bin/env node

// Here and not in a module, because an older Node reads all imports first, and cannot read those of the program.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `product-passport-contracts needs Node 22.12 or later, and this is Node ${process.versions.node}.\n`,
  );
  process.exit(2);
}
const { guardStreams } = await import('../../../server/src/command-line/streams.ts');
guardStreams('product-passport-contracts');
const { exitCodeOf, name, runProgram } = await import('./program.ts');
const { explainCrash } = await import('../../../server/src/command-line/command.ts');
explainCrash(name, exitCodeOf);
process.exitCode = await runProgram(process.argv.slice(2));

export {};

/** Prints what the SDK's entries weigh in a bundle, minified and gzipped, and fails when one is over its limit. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const KiB = 1024;
const entries = [
  { name: '@product-passport/sdk', file: 'sdk/src/index.ts', most: 7 * KiB },
  { name: '@product-passport/sdk/public', file: 'sdk/src/public.ts', most: 3.5 * KiB },
  { name: '@product-passport/sdk/gs1', file: 'sdk/src/gs1.ts', most: 1.25 * KiB },
  { name: '@product-passport/sdk/verify', file: 'sdk/src/verify.ts', most: 1 * KiB },
];

for (const { name, file, most } of entries) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    charset: 'utf8',
  });
  const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  const isOver = size > most || size === 0;
  process.stdout.write(`${name}: ${size} bytes of ${most}${isOver ? ', too many' : ''}\n`);
  if (isOver) process.exitCode = 1;
}

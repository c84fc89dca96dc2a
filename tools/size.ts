/** Prints the size of each SDK entry, bundled, minified and gzipped, and fails if an entry exceeds its limit. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Each limit is 10 % above the size when it was set. */
const entries = [
  { name: '@product-passport/sdk', file: 'sdk/src/index.ts', max: 7878 },
  { name: '@product-passport/sdk/public', file: 'sdk/src/public.ts', max: 6354 },
  { name: '@product-passport/sdk/gs1', file: 'sdk/src/gs1.ts', max: 1405 },
  { name: '@product-passport/sdk/verify', file: 'sdk/src/verify.ts', max: 1158 },
  { name: '@product-passport/sdk/bulk', file: 'sdk/src/bulk.ts', max: 585 },
  { name: '@product-passport/sdk/check', file: 'sdk/src/check.ts', max: 3530 },
  { name: '@product-passport/sdk/telemetry', file: 'sdk/src/telemetry.ts', max: 424 },
];

for (const { name, file, max } of entries) {
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
  const isOver = size > max || size === 0;
  process.stdout.write(`${name}: ${size} bytes of ${max}${isOver ? ', over the limit' : ''}\n`);
  if (isOver) process.exitCode = 1;
}

/**
 * Prints the size of each SDK entry or export, bundled, minified and gzipped. Fails if one exceeds its limit, or if the SDK's
 * manual has another limit.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/**
 * Most limits are 10 % above the size when they were set. That of the client is 11 KiB: an operation of the API may raise
 * it, other code may not. Without `names` it is the whole entry.
 */
const entries: readonly { name: string; file: string; names?: string; row?: string; max: number }[] = [
  { name: '@product-passport/sdk', file: 'sdk/src/index.ts', max: 11_264 },
  { name: '@product-passport/sdk/public', file: 'sdk/src/public.ts', max: 6354 },
  {
    name: '@product-passport/sdk/dpp { createDppClient }',
    file: 'sdk/src/dpp.ts',
    names: 'createDppClient',
    max: 8806,
  },
  { name: '@product-passport/sdk/gs1', file: 'sdk/src/gs1.ts', max: 1405 },
  { name: '@product-passport/sdk/verify', file: 'sdk/src/verify.ts', max: 1158 },
  { name: '@product-passport/sdk/bulk', file: 'sdk/src/bulk.ts', max: 1126 },
  { name: '@product-passport/sdk/telemetry', file: 'sdk/src/telemetry.ts', max: 455 },
  ...[
    { names: 'checkFor, cable', max: 6700 },
    { names: 'missing, cable', max: 2324 },
    { names: 'show', max: 6000 },
    { names: 'checkFor, templates', max: 15_800 },
  ].map((one) => ({ name: `@product-passport/sdk/templates { ${one.names} }`, file: 'sdk/src/templates.ts', ...one })),
  ...readdirSync('sdk/src/generated/languages').map((file) => ({
    name: `@product-passport/sdk/templates/${file.replace('.ts', '')}`,
    file: `sdk/src/generated/languages/${file}`,
    row: '@product-passport/sdk/templates/{language}',
    max: 19_500,
  })),
];

// The formatter aligns tables with spaces.
const manual = readFileSync('sdk/README.md', 'utf8').replaceAll(/ +/g, ' ');

for (const { name, file, names = '*', row = name, max } of entries) {
  const { outputFiles } = await build({
    stdin: { contents: `export ${names === '*' ? '*' : `{ ${names} }`} from './${file}';`, resolveDir: '.' },
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
  const line = `| \`${row}\` | ${(max / 1024).toFixed(1)} KiB |`;
  const isInManual = manual.includes(line);
  if (!isInManual) process.stdout.write(`sdk/README.md has no row ${line}\n`);
  if (isOver || !isInManual) process.exitCode = 1;
}

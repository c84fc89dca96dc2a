/** Writes the generated files. `--check` writes nothing and fails if a committed file is stale. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDocument } from '../openapi/src/index.ts';
import { outputs } from './generated.ts';
import { optionsOf } from './options.ts';

const usage = `npm run generate           writes the generated files
npm run check:generated    fails if a committed file is stale
`;

const { check } = optionsOf(usage, { options: { check: { type: 'boolean', default: false } } }).values;

const root = fileURLToPath(new URL('..', import.meta.url));
const document = readDocument();
let stale = 0;
for (const { file, make } of outputs) {
  const text = await make(document);
  const name = relative(root, fileURLToPath(file));
  if (!check) {
    await mkdir(new URL('.', file), { recursive: true });
    await writeFile(file, text);
    process.stdout.write(`wrote ${name}\n`);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} is stale: run \`npm run generate\` and commit the result.\n`);
    stale += 1;
  }
}
if (stale > 0) process.exitCode = 1;
else if (check) process.stdout.write('generated files are fresh\n');

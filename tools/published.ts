/**
 * Compares this version with the last published one, and fails if it breaks programs or data of users. `--snapshot`
 * writes what this version publishes, for the comparisons of later versions. An argument replaces the snapshot's file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { breaksOf, type Snapshot, takeSnapshot } from './published/breaks.ts';

const { values, positionals } = parseArgs({ options: { snapshot: { type: 'boolean' } }, allowPositionals: true });
const [file = 'contracts/published.json'] = positionals;

if (values.snapshot) {
  const snapshot = await takeSnapshot();
  writeFileSync(file, `${JSON.stringify(snapshot, null, 2)}\n`);
  process.stdout.write(`${file} has version ${snapshot.version}.\n`);
} else if (!existsSync(file)) {
  process.stdout.write(`No version was published: there is no ${file} to compare with.\n`);
} else {
  const published: Snapshot = JSON.parse(readFileSync(file, 'utf8'));
  const breaks = breaksOf(published, await takeSnapshot(published.migrations));
  for (const text of breaks) process.stderr.write(`${text}\n`);
  process.stdout.write(`${breaks.length} breaks since version ${published.version}\n`);
  if (breaks.length > 0) process.exitCode = 1;
}

/**
 * Fails if package-lock.json lacks a package of the last commit, or has another version or integrity for it. Run it after
 * `npm install`, which adds packages for this platform: additions pass.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Entry {
  version?: string;
  integrity?: string;
}
type Lockfile = { packages: Record<string, Entry> };

const committed: Lockfile = JSON.parse(
  execFileSync('git', ['show', 'HEAD:./package-lock.json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
);
const installed: Lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const changes = Object.entries(committed.packages).flatMap(([path, before]) => {
  const after = installed.packages[path];
  if (!after) return [`${path} is gone`];
  return (['version', 'integrity'] as const).flatMap((field) =>
    before[field] === after[field]
      ? []
      : [`${path} has another ${field}: ${before[field] ?? 'none'} became ${after[field] ?? 'none'}`],
  );
});
const added = Object.keys(installed.packages).filter((path) => !committed.packages[path]);

for (const change of changes) process.stderr.write(`${change}\n`);
if (changes.length > 0) {
  process.stderr.write(
    'package-lock.json does not match the last commit. If you meant to change dependencies, commit it; otherwise do not run what was installed.\n',
  );
  process.exitCode = 1;
} else {
  process.stdout.write(`package-lock.json: ${Object.keys(committed.packages).length} entries as committed`);
  process.stdout.write(added.length > 0 ? `, added for this platform: ${added.join(', ')}\n` : '\n');
}

/**
 * `npm run deploy:check`: runs the files of `deploy` with the real programs. It takes about two minutes. Each part is `ok`, `failed` or `not run`. Needs Linux.
 *
 * `npm run deploy:check -- nginx haproxy` runs the named parts only.
 */
import assert, { AssertionError } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../test/support/program.ts';
import type { Part } from './part.ts';
import { proxyParts } from './proxies.ts';

/** The unit as it is, but for the user and the path of Node, which systemd looks for on this machine. */
const systemd: Part = {
  name: 'systemd',
  needs: { 'systemd-analyze': 'systemd' },
  async run(say) {
    const folder = mkdtempSync(join(tmpdir(), 'deploy-check-'));
    try {
      const unit = readFileSync(join(root, 'deploy/product-passport.service'), 'utf8');
      const file = join(folder, 'product-passport.service');
      writeFileSync(file, unit.replace(/^User=.*$/m, 'User=daemon').replace('/usr/bin/node', process.execPath));
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      const findings = stderr.split('\n').filter((line) => line.includes('product-passport'));
      assert.deepEqual([status, findings], [0, []], 'systemd-analyze verify');
      say('systemd-analyze verify: no findings');
      say('a start under systemd: not run');
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const parts: readonly Part[] = [...proxyParts, systemd];

function missingPackages(needs: Part['needs']): string[] {
  const isMissing = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0;
  return Object.entries(needs).flatMap(([program, name]) => (isMissing(program) ? [name] : []));
}

async function run(part: Part): Promise<boolean> {
  const say = (line: string): void => void process.stdout.write(`  ${line}\n`);
  const end = (line: string): void => void process.stdout.write(`${part.name}: ${line}\n`);
  const missing = missingPackages(part.needs);
  if (missing.length > 0) {
    end(`not run: needs package ${missing.join(', ')}`);
    return true;
  }
  const started = performance.now();
  try {
    await using ending = new AsyncDisposableStack();
    await part.run(say, ending);
  } catch (error) {
    end(`failed: ${error instanceof AssertionError ? error.message : (error as Error).stack}`);
    return false;
  }
  end(`ok (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  return true;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(', ')}: unknown. The parts are ${parts.map(({ name }) => name).join(', ')}.\n`);
  process.exit(2);
}
const packages = new Set(parts.flatMap(({ needs }) => Object.values(needs)));
process.stdout.write(`Debian packages: ${[...packages].join(', ')}\n`);
for (const part of parts) {
  if (chosen.length > 0 && !chosen.includes(part.name)) continue;
  if (!(await run(part))) process.exitCode = 1;
}

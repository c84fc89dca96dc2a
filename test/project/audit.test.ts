/** The audit of the dependencies against a registry on this machine, and their bill of materials. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { type Outcome, root, run } from '../support/program.ts';

interface Entry {
  version: string;
  integrity?: string;
  name?: string;
}
const lockfile: { packages: Record<string, Entry> } = JSON.parse(
  await readFile(join(root, 'package-lock.json'), 'utf8'),
);
const knex = lockfile.packages['node_modules/knex'];

const advisory = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-xxxx-xxxx-xxxx',
  title: 'SQL injection',
  severity: 'high',
  vulnerable_versions: `<=${knex?.version}`,
  cwe: [],
  cvss: { score: 8 },
};

/** The response of the registry to a request for advisories. */
let advisories: { status: number; body: unknown } = { status: 200, body: {} };
const registry = createServer((request, response) => {
  const isBulk = request.url === '/-/npm/v1/security/advisories/bulk';
  request.resume().on('end', () => {
    const packument = { name: 'knex', versions: { [knex?.version ?? '']: { name: 'knex', version: knex?.version } } };
    response.writeHead(isBulk ? advisories.status : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isBulk ? advisories.body : packument));
  });
});

beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});
afterAll(() => {
  registry.close();
});

function audit(options = ''): Promise<Outcome> {
  const { port } = registry.address() as AddressInfo;
  const environment = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' };
  return run(`npm run --silent audit -- ${options}`, environment);
}

test('an audit that finds nothing passes and says so', async () => {
  advisories = { status: 200, body: {} };
  expect(await audit()).toMatchObject({ code: 0, stdout: expect.stringContaining('No package of the lockfile') });
});

test('an audit that finds a vulnerability fails and names the package and the advisory', async () => {
  advisories = { status: 200, body: { knex: [advisory] } };
  const { code, stdout } = await audit();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^high: knex .*: SQL injection https:\/\/github.com\/advisories\/GHSA-xxxx-xxxx-xxxx$/m);
  // Further options are passed to npm.
  expect(await audit('--audit-level=critical')).toMatchObject({ code: 0 });
});

test('an audit fails if the registry offers no advisories', async () => {
  advisories = { status: 405, body: '' };
  const { code, stdout, stderr } = await audit();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^.*Nothing was audited: the registry did not give its advisories \(405 /m);
});

test('the bill of materials has every package of the lockfile, with its hash', async () => {
  const { code, stdout } = await run('npm run --silent sbom');
  expect(code).toBe(0);
  const bill = JSON.parse(stdout);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application' } } });
  const hashes = bill.components.flatMap(({ hashes = [] }: { hashes?: { content: string }[] }) =>
    hashes.map(({ content }) => content),
  );
  const locked = Object.values(lockfile.packages).flatMap(({ integrity = '' }) =>
    integrity.startsWith('sha512-') ? [Buffer.from(integrity.slice(7), 'base64').toString('hex')] : [],
  );
  expect(locked.length).toBeGreaterThan(500);
  expect(new Set(hashes)).toEqual(new Set(locked));
});

test('the workflow audits every day and when the lockfile changes', async () => {
  const workflow = parse(await readFile(join(root, '.github/workflows/audit.yml'), 'utf8'));
  expect(workflow.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  for (const event of ['push', 'pull_request']) expect(workflow.on[event].paths).toContain('package-lock.json');
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const lines: string[] = workflow.jobs.audit.steps.flatMap(({ run: line }: { run?: string }) => line ?? []);
  const names = lines.map((line) => /^npm run (?:--silent )?([\w:]+)/.exec(line)?.[1] ?? line);
  expect(names).toEqual(['audit', 'sbom']);
  for (const name of names) expect(scripts).toHaveProperty(name);
});

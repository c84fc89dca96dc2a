/** The CI jobs that verify a service: their commands run against the demo, and their paths exist after a run. */
import { access, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { newFolder } from '../support/files.ts';
import { freePort, type Running, root, run, start } from '../support/program.ts';

jest.setTimeout(120_000);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const folder = newFolder();
let server: Running;

beforeAll(async () => {
  // As if the package were installed there.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  server = await start('product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
});
afterAll(async () => {
  await server.stop();
});

/** A part of the suite: the job for GitHub runs all of it. */
const short = ' --generated 0 --only PAGE-1';

const inFolder = (command: string, environment: Record<string, string>) =>
  run(`cd ${folder} && ${command}`, environment);

async function example(name: string): Promise<string> {
  const text = await readFile(join(root, 'examples', name), 'utf8');
  expect(text).not.toContain('not on npm');
  return text;
}

test('the job for GitHub writes what it uploads, annotations and a summary', async () => {
  const { jobs } = parse(await example('github-actions/conformance.yml'));
  const steps: readonly Step[] = jobs.verify.steps;
  const [command = '', ...others] = steps.flatMap((step) => step.run ?? []);
  expect(others).toEqual([]);
  expect(steps.find((step) => step.run)?.env).toEqual({ PROVIDER: `\${{ secrets.PRODUCT_PASSPORT_PROVIDER }}` });
  const upload = steps.find(({ uses }) => uses?.includes('upload-artifact'));
  expect(upload?.if).toBe('always()');

  const summary = join(folder, 'summary.md');
  const github = { PROVIDER: server.said(), GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const outcome = await inFolder(`${command} --generated 0`, github);
  expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^conformant: .*\n\d+ passed\n/) });
  expect(await readFile(summary, 'utf8')).toContain('## Conformant: http://127');
  await access(join(folder, String(upload?.with?.path), 'report.html'));
});

test('the job for GitLab writes the files that it names', async () => {
  const { conformance } = parse(await example('gitlab-ci/conformance.yml'));
  const [command, ...others] = conformance.script;
  expect(others).toEqual([]);
  const file = join(folder, 'provider.json');
  await writeFile(file, server.said());
  await rm(join(folder, 'conformance'), { recursive: true, force: true });
  const { code, stdout, stderr } = await inFolder(`${command}${short}`, { PRODUCT_PASSPORT_PROVIDER: file });
  // A failed run says which cases failed.
  expect({ code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ code: 0, said: '' });
  const { when, paths, reports } = conformance.artifacts;
  expect(when).toBe('always');
  for (const path of [...paths, reports.junit]) await access(join(folder, path));
});

describe('in the manual', () => {
  /** The `run` lines of the blocks of the section, in their order, without the steps that only set up. */
  async function jobs(): Promise<readonly (readonly Step[])[]> {
    const manual = await readFile(join(root, 'contracts/conformance/README.md'), 'utf8');
    const [, section = ''] = /^## In CI\n(.*?)^## /ms.exec(manual) ?? [];
    const blocks = [...section.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => parse(text));
    return blocks.map((block): readonly Step[] => (Array.isArray(block) ? block : block.jobs.verify.steps));
  }
  const runs = (steps: readonly Step[] = []) => steps.flatMap((step) => step.run ?? []);

  test('two lines verify a service', async () => {
    const [steps] = await jobs();
    const { base_url, tenants } = JSON.parse(server.said());
    const line = runs(steps)[0]?.replace('http://127.0.0.1:3000/api/v1', base_url);
    expect(steps?.[0]?.env).toEqual({ PRODUCT_PASSPORT_KEY: `\${{ secrets.PRODUCT_PASSPORT_KEY }}` });
    const outcome = await inFolder(`${line}${short}`, { PRODUCT_PASSPORT_KEY: tenants[0].api_key });
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^passed: /m) });
  });

  test('a workflow starts the service, and uploads the report', async () => {
    const [, steps] = await jobs();
    await writeFile(
      join(folder, 'service.mjs'),
      `console.log(${JSON.stringify(server.said().trim())}); setInterval(() => {}, 1000);`,
    );
    await rm(join(folder, 'conformance'), { recursive: true, force: true });
    const outcome = await inFolder(`${runs(steps).join(' && ')}${short}`, {});
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^passed: /m) });
    const { path } = steps?.find(({ uses }) => uses?.includes('upload-artifact'))?.with ?? {};
    await access(join(folder, String(path), 'report.html'));
  });

  test('a workflow waits for the service', async () => {
    const [, , steps] = await jobs();
    const port = await freePort();
    const late = `setTimeout(() => require('node:http').createServer((_, response) => response.end()).listen(${port}), 500)`;
    const start = `${late}; setTimeout(() => process.exit(), 20000)`;
    await writeFile(join(folder, 'late.cjs'), start);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node late.cjs' } }));
    await writeFile(join(folder, 'provider.json'), server.said());
    const [first = '', wait = '', verify = ''] = runs(steps);
    expect(first).toBe('npm start &');
    const lines = [first.replace('&', '> /dev/null 2>&1 &'), wait.replace(':3000', `:${port}`), `${verify}${short}`];
    const outcome = await inFolder(['true', ...lines].join('\n'), {});
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/^passed: /m) });
  });
});

describe('the GitHub Action', () => {
  /** Runs the action's step as GitHub does, with these inputs and the others as they are by default. */
  async function action(given: Readonly<Record<string, string>>) {
    const { inputs, runs } = parse(await readFile(join(root, 'contracts/action.yml'), 'utf8'));
    const step: Step | undefined = runs.steps.find((one: Step) => one.run !== undefined);
    const used = new Set<string>();
    const filledIn = (text: string) =>
      text.replace(/^\$\{\{ inputs\.([\w-]+).* \}\}$/, (_, name: string) => {
        used.add(name);
        return given[name] ?? inputs[name].default ?? '';
      });
    const environment = Object.fromEntries(
      Object.entries(step?.env ?? {}).map(([name, text]) => [name, filledIn(text)]),
    );
    expect([...used].sort()).toEqual(Object.keys(inputs).sort());
    const script = `set -eo pipefail\n${step?.run}`;
    const outcome = await inFolder(script, { ...environment, GITHUB_ACTION_PATH: join(root, 'contracts') });
    const report = JSON.parse(
      await readFile(join(folder, given.report ?? inputs.report.default, 'report.json'), 'utf8'),
    );
    return { ...outcome, report };
  }

  test('verifies a service', async () => {
    await writeFile(join(folder, 'my provider.json'), server.said());
    const { report, stdout } = await action({
      provider: 'my provider.json',
      claim: 'core',
      options: '--generated 0 --only PAGE-1',
    });
    expect(stdout).toMatch(/^\d+ passed$/m);
    expect(report).toMatchObject({ claims: ['core'], verdict: 'passed' });
  });

  test('verifies a program, whose command stays one argument', async () => {
    const client = `node -e "fetch(process.env.PRODUCT_PASSPORT_URL + '/me?a  b=$(echo c)', { headers: { authorization: 'Bearer ' + process.env.PRODUCT_PASSPORT_KEY } })"`;
    const { report } = await action({ client, report: 'of the client', options: '--once' });
    expect(report).toMatchObject({ command: client });
  });
});

/**
 * The command `verify client` in a process of its own: output, reports, exit codes, signals, and the examples. The tests
 * run at the same time: their programs mostly wait.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Report } from '../../contracts/conformance/report/report.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';
import { root, run } from '../support/program.ts';
import { fileWith, newFolder } from '../support/suite.ts';

jest.setTimeout(300_000);

const main = join(root, 'contracts/conformance/cli/main.ts');
const suite = `${process.execPath} ${main} verify client`;
const key = createFakeService().provider.tenants[0]?.api_key ?? '';

const reportIn = (folder: string): Report => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
const idsOf = ({ cases }: Report, status: string) => cases.filter((one) => one.status === status).map(({ id }) => id);

/** A program that reads its tenant, and then runs this code. */
const reader = (code = '') =>
  `${process.execPath} ${fileWith(
    `const { PRODUCT_PASSPORT_URL: url, PRODUCT_PASSPORT_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key };
async function ask(path, init) {
  const response = await fetch(url + path, { ...init, headers, redirect: 'error' });
  if (response.status !== 429) return;
  await new Promise((done) => setTimeout(done, response.headers.get('retry-after') * 1000));
  await ask(path, init);
}
await ask('/me');
${code}`,
    'reader.mjs',
  )}`;

describe('the examples of this repository', () => {
  test.concurrent.each([
    ['node-script', `${process.execPath} examples/node-script/incomplete.mjs`, /^0 incomplete$/m],
    ['commonjs-script', `${process.execPath} examples/commonjs-script/create-product.cjs 'USB-C-Kabel 3 m'`, / %$/m],
    ['inventory-sync', `${process.execPath} examples/inventory-sync/sync.ts FILE`, /: 9 created, /],
  ])('%s passes', async (_name, command, output) => {
    const { code, stdout, stderr } = await run(`${suite} --command "${command.replace('FILE', inventory())}"`);
    expect(stderr).toMatch(
      /^conformant: The program conforms to the contract in every situation that it encountered\.$/m,
    );
    expect(stdout).toMatch(output);
    expect(code).toBe(0);
  });

  /** Articles of the sample that have no fault. */
  function inventory(): string {
    const [columns, ...rows] = readFileSync(join(root, 'examples/inventory-sync/inventory.csv'), 'utf8').split(/\r?\n/);
    return fileWith([columns, ...rows.filter((row) => /^(TX-4200[123]|MB-0100[1-6]);/.test(row)), ''].join('\n'));
  }
});

describe('the reports', () => {
  test.concurrent('have every check, conform to their schema, and never contain the key', async () => {
    const folder = newFolder();
    const write = "await ask('/products', { method: 'POST', body: key });";
    const { code, stdout } = await run(
      `${suite} --command '${reader(`${write} console.log(42);`)}' --report ${folder}`,
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '42\n' });

    const report = reportIn(folder);
    const ajv = new Ajv2020({ allErrors: true });
    addFormats.default(ajv);
    ajv.validate(JSON.parse(readFileSync(join(root, 'contracts/schemas/report.schema.json'), 'utf8')), report);
    expect(ajv.errors).toBeNull();
    expect(report).toMatchObject({ verdict: 'not conformant', claims: ['client'], seed: 1 });
    expect(idsOf(report, 'failed')).toEqual(['CLIENT-1.headers', 'CLIENT-1.body', 'CLIENT-6.address']);
    expect(idsOf(report, 'skipped')).toEqual(['CLIENT-3.create', 'CLIENT-5.pages']);
    expect(report.cases.find(({ id }) => id === 'CLIENT-3.create')).toMatchObject({
      scored: false,
      reasons: ['Not exercised: The program created fewer than two products.'],
    });
    expect(report.cases.find(({ status }) => status === 'failed')?.blame).toBe('client');

    const files = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
    expect(Object.keys(files).toSorted()).toEqual(
      ['created.json', 'junit.xml', 'report.html', 'report.json', 'traffic.har'].toSorted(),
    );
    for (const text of Object.values(files)) expect(text).not.toContain(key);
    const { entries } = JSON.parse(files['traffic.har'] ?? '').log;
    expect(entries.map(({ response }: { response: { status: number } }) => response.status)).toEqual(
      expect.arrayContaining([200, 429, 415, 307]),
    );
    expect(files['junit.xml']).toMatch(/failures="1"/);
    expect(files['report.html']).toContain('The program breaks these clauses of the contract.');
    expect(files['report.html']).toContain('Not exercised');
  });
});

describe('verdict and exit code', () => {
  test.concurrent('a command that fails is a finding of its own, with its cause', async () => {
    const { code, stderr } = await run(`${suite} --command '${reader('process.exit(3);')}'`);
    expect(stderr).toContain('Reason: The command ended with 3. It fails without disturbances, too.');
    expect(code).toBe(1);
  });

  test.concurrent('--once runs the command once', async () => {
    const { code, stdout, stderr } = await run(`${suite} --once --command '${reader('console.log(42);')}'`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '42\n' });
    expect(stderr).not.toContain('The command runs again');
    expect(stderr).toContain('Not exercised: The program ran only once, without a redirect.');
  });

  test.concurrent('a program that sends nothing is incomplete', async () => {
    const { code, stderr } = await run(`${suite} --command 'exit 0'`);
    expect(stderr).toContain('Not exercised: The program sent no request to the address in PRODUCT_PASSPORT_URL.');
    expect(code).toBe(3);
  });

  test.concurrent('a check of --require that is not exercised is incomplete', async () => {
    const { code, stderr } = await run(`${suite} --once --require CLIENT-3 --command '${reader()}'`);
    expect(stderr).toMatch(/^incomplete: 1 case could not run\.$/m);
    expect(code).toBe(3);
  });

  test.concurrent.each([
    ["--command 'no-such-program'", 'The shell did not find the command of --command'],
    ['--command true --require CLIENT-9', '--require has CLIENT-9, but no check id begins with it.'],
    ['', "required option '--command <command>' not specified"],
  ])('%s has exit code 2 and one sentence', async (options, sentence) => {
    const { code, stderr } = await run(`${suite} ${options}`);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

test.concurrent.each(['SIGINT', 'SIGTERM'] as const)(
  '%s stops the command and its children, and writes the report',
  async (signal) => {
    const folder = newFolder();
    const ended = join(folder, 'ended');
    const ready = join(folder, 'ready');
    const child = fileWith(
      `process.on('SIGTERM', () => { require('node:fs').writeFileSync('${ended}', ''); process.exit(); });
     require('node:fs').writeFileSync('${ready}', '');
     setInterval(() => {}, 1000);`,
      'child.cjs',
    );
    const command = `${reader()}; ${process.execPath} ${child} & wait`;
    const process_ = spawn(process.execPath, [main, 'verify', 'client', '--command', command, '--report', folder]);
    for (let tries = 0; tries < 5000 && !existsSync(ready); tries += 1) await delay(20);
    // A shell and npx may both send the signal.
    for (const sent of [signal, signal]) process_.kill(sent);
    const [code] = await once(process_, 'exit');
    expect(code).toBe(3);
    expect(existsSync(ended)).toBe(true);
    expect(reportIn(folder)).toMatchObject({ verdict: 'incomplete', because: 'The run was interrupted.' });
  },
);

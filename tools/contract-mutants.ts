/** Which suite notices which mistake in openapi.yaml. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Edit, edited, type Row } from '../contracts/mutants/matrix.ts';
import { type Difference, differences, readPact } from '../contracts/pact-file.ts';
import { readText } from '../openapi/src/index.ts';
import { outputs } from './generated.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** A row for each edit: the rules that notice it, the first interaction, and the first generated file. */
export async function contractRows(edits: readonly Edit[]): Promise<readonly Row[]> {
  const texts = edits.map((edit) => edited(readText(), edit));
  const [usualRules = [], ...rules] = await brokenRules([readText(), ...texts]);
  const pact = readPact();
  const usual = (await differences(pact, parse(readText()))).map(textOf);
  const rows: Row[] = [];
  for (const [index, { id, mistake }] of edits.entries()) {
    const contract: object = parse(texts[index] ?? '');
    // The comparator changes its document.
    const own = (await differences(pact, structuredClone(contract))).find(
      (difference) => !usual.includes(textOf(difference)),
    );
    const broken = (rules[index] ?? []).filter((rule) => !usualRules.includes(rule));
    const lint = broken.length === 0 ? null : broken.join(', ');
    const noticed = { lint, comparison: own?.description ?? null, freshness: await staleFile(contract) };
    rows.push({ id, mistake, noticed });
  }
  return rows;
}

function textOf({ description, text }: Difference): string {
  return `${description}: ${text}`;
}

/** The first generated file that differs from the committed one. */
async function staleFile(contract: object): Promise<string | null> {
  for (const { file, make } of outputs) {
    // The page of the methods comes from the generated types.
    if (file.pathname.endsWith('.md')) continue;
    const isFresh = (await make(contract)) === (await readFile(file, 'utf8'));
    if (!isFresh) return relative(checkout, fileURLToPath(file));
  }
  return null;
}

/** The rules that each contract breaks, from Redocly as `npm run check:contract` runs it. */
async function brokenRules(contracts: readonly string[]): Promise<readonly (readonly string[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-edits-'));
  try {
    const files = contracts.map((_text, index) => join(folder, `${index}.yaml`));
    await Promise.all(files.map((file, index) => writeFile(file, contracts[index] ?? '')));
    const output = await redocly(files);
    const reports: { problems: { ruleId: string }[] }[] = output
      .split(/(?<=^\})(?=\{$)/m)
      .map((text) => JSON.parse(text));
    if (reports.length !== contracts.length) throw new Error(`Redocly made ${reports.length} reports: ${output}`);
    return reports.map(({ problems }) => [...new Set(problems.map(({ ruleId }) => ruleId))].sort());
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Redocly exits with 1 if it finds problems; the problems are in the output. */
function redocly(files: readonly string[]): Promise<string> {
  const command = join(checkout, 'node_modules/@redocly/cli/bin/cli.js');
  const options = { cwd: checkout, maxBuffer: 1 << 26, env: { ...process.env, NODE_OPTIONS: '' } };
  const config = join(checkout, 'tools/redocly.yaml');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, 'lint', ...files, '--config', config, '--format', 'json'],
      options,
      (_error, stdout, stderr) => resolve(stdout || stderr),
    );
  });
}

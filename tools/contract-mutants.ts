/** Which suite notices which mistake in openapi.yaml. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ContractMutant, ContractSuite } from '../contracts/mutants/contract/mutants.ts';
import { edited, type Row } from '../contracts/mutants/matrix.ts';
import { type Difference, differences, readPact } from '../contracts/pact-file.ts';
import { readText } from '../openapi/src/index.ts';
import { outputs } from './generated.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** What noticed a mistake: the rules, the first interaction, the first generated file. `null` if nothing did. */
export type Noticed = Readonly<Record<ContractSuite, string | null>>;

/** @returns what noticed each mutant, in the order of the mutants */
export async function noticed(mutants: readonly ContractMutant[]): Promise<readonly Noticed[]> {
  const texts = mutants.map((mutant) => edited(readText(), mutant));
  const [usualRules = [], ...rules] = await brokenRules([readText(), ...texts]);
  const pact = readPact();
  const usual = (await differences(pact, parse(readText()))).map(textOf);
  const found: Noticed[] = [];
  for (const [index, text] of texts.entries()) {
    const contract: object = parse(text);
    // The comparator changes its document.
    const own = (await differences(pact, structuredClone(contract))).find(
      (difference) => !usual.includes(textOf(difference)),
    );
    const broken = (rules[index] ?? []).filter((rule) => !usualRules.includes(rule));
    found.push({
      lint: broken.length === 0 ? null : broken.join(', '),
      comparison: own?.description ?? null,
      freshness: await staleFile(contract),
    });
  }
  return found;
}

export function rowOf({ id, mistake }: ContractMutant, found: Noticed | undefined): Row | undefined {
  return found && { id, mistake, noticed: found };
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
  const folder = await mkdtemp(join(tmpdir(), 'contract-mutants-'));
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

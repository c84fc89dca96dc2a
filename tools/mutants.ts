/**
 * Writes contracts/mutants/README.md: which suite notices which mistake. Fails if nothing notices one, or if a case of the
 * suite fails for none of them. The tests of the tables compare the file, and run the cases of generated/mutants.json.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { choiceOf } from '../contracts/conformance/run.ts';
import { stateId } from '../contracts/conformance/session.ts';
import { loadedSuite } from '../contracts/conformance/verify.ts';
import { contractEdits } from '../contracts/mutants/contract.ts';
import { matrixBegin, matrixFile, table, witnessesFile } from '../contracts/mutants/matrix.ts';
import { unusualProviders, wrongProviders } from '../contracts/mutants/provider/mutants.ts';
import type { UnusualProvider, WrongProvider } from '../contracts/mutants/provider/row.ts';
import { claimsFor, isSchema, type Outcome, outcomeOf, refusalsOf, rowOf } from '../contracts/mutants/provider/run.ts';
import { sdkEdits, sdkRows, whyUnnoticed } from '../contracts/mutants/sdk.ts';
import { didYouMean } from '../openapi/src/index.ts';
import { contractRows } from './contract-mutants.ts';
import { optionsOf } from './options.ts';

const usage = `npm run mutants                      every row; writes the matrix
npm run mutants -- ID ...            only these wrong or unusual providers; writes nothing
npm run mutants -- --unusual N       generated requests against each correct, unusual provider, for N minutes
                   --seed N          the first seed (default 1)
`;

const { values: options, positionals: names } = optionsOf(usage, {
  options: { unusual: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

const failures: string[] = [];

function report(id: string, unnoticed: string | undefined): void {
  process.stdout.write(`${unnoticed === undefined ? 'noticed    ' : 'NOT NOTICED'} ${id}\n`);
  if (unnoticed !== undefined) failures.push(`${id} is not noticed: ${unnoticed}`);
}

async function writeMatrix(): Promise<void> {
  const outcomes = new Map<WrongProvider, Outcome>();
  for (const provider of wrongProviders) outcomes.set(provider, await tried(provider));
  for (const each of unusualProviders) await tryUnusual(each);
  for (const edit of sdkEdits) report(edit.id, await whyUnnoticed(edit));
  const rowsOfContract = await contractRows(contractEdits);
  for (const { id, noticed } of rowsOfContract) {
    const isNoticed = Object.values(noticed).some((by) => by !== null);
    report(id, isNoticed ? undefined : 'Nothing notices it.');
  }
  const cases = witnessesOf(outcomes);
  const tables = {
    [`${wrongProviders.length} providers`]: wrongProviders.map((provider) => rowOf(provider, cases[provider.id] ?? [])),
    [`${sdkEdits.length} changes of the SDK`]: sdkRows,
    [`${contractEdits.length} changes of the contract`]: rowsOfContract,
  };
  const parts = Object.entries(tables).map(([title, rows]) => `\n\n## ${title}\n\n${table(rows)}`);
  const [page = ''] = (await readFile(matrixFile, 'utf8')).split(matrixBegin);
  await writeFile(matrixFile, `${page}${matrixBegin}${parts.join('')}\n`);

  const needs: Record<string, readonly string[]> = {};
  for (const [provider, outcome] of outcomes) {
    // It is reported already, and nothing makes its case fail again.
    if (outcome.unnoticed !== undefined) continue;
    const others = await needsOf(provider, outcome, cases[provider.id] ?? []);
    if (others.length > 0) needs[provider.id] = others;
  }
  await writeFile(witnessesFile, `${JSON.stringify({ cases, needs }, undefined, 2)}\n`);
}

/** The cases that each provider must fail in: its own, one of the other kind (schemas or not), and those that no other provider fails in. */
function witnessesOf(outcomes: ReadonlyMap<WrongProvider, Outcome>): Record<string, string[]> {
  const witnesses: Record<string, string[]> = {};
  for (const [{ id, failsIn, only }, outcome] of outcomes) {
    const failed = outcome.failed.map((one) => one.id);
    const other = failed.find((one) => isSchema(one) !== isSchema(failsIn));
    witnesses[id] = other === undefined || only !== undefined ? [failsIn] : [failsIn, other];
  }
  const noticing = new Set(Object.values(witnesses).flat());
  const { cases, wholeRunCases } = loadedSuite().suite;
  for (const { id } of [...cases, ...wholeRunCases].filter((one) => !noticing.has(one.id))) {
    const [provider] = [...outcomes].find(([, { failed }]) => failed.some((one) => one.id === id)) ?? [];
    if (provider === undefined) failures.push(`No provider fails ${id}. Add one.`);
    else witnesses[provider.id]?.push(id);
  }
  return witnesses;
}

/** Cases that send requests which others judge. The last is every case. */
const judged = ['PROD-1', 'CAR-1', 'SCAN-1.view', 'TEN', ''];

/** What must run before the witnesses: the cases whose requests show what cases over a whole run judge. */
async function needsOf(
  provider: WrongProvider,
  { failed }: Outcome,
  witnesses: readonly string[],
): Promise<readonly string[]> {
  if (await isNoticedBy(provider, witnesses)) return [];
  const shown = failed.filter(({ id }) => witnesses.includes(id)).flatMap(({ shownBy }) => shownBy ?? []);
  const others = [...new Set(shown)].filter((id) => id !== stateId && !witnesses.includes(id));
  const claims = claimsFor(provider);
  const { cases, wholeRunCases } = loadedSuite().suite;
  const asked = [...cases, ...wholeRunCases].filter(choiceOf({ claims }));
  const possible = judged.filter((prefix) => asked.some(({ id }) => id.startsWith(prefix)));
  for (const needs of [others, ...possible.map((id) => [...others, id])]) {
    if (needs.length > 0 && (await isNoticedBy(provider, [...witnesses, ...needs], witnesses))) return needs;
  }
  failures.push(`${provider.id}: not each of ${witnesses.join(', ')} fails again.`);
  return [];
}

/** Whether all of these cases fail for the provider if the other cases do not run. */
async function isNoticedBy(provider: WrongProvider, only: readonly string[], witnesses = only): Promise<boolean> {
  const { unnoticed, failed } = await outcomeOf(provider, only);
  return unnoticed === undefined && witnesses.every((id) => failed.some((one) => one.id === id));
}

async function tried(provider: WrongProvider): Promise<Outcome> {
  const outcome = await outcomeOf(provider);
  report(provider.id, outcome.unnoticed);
  return outcome;
}

async function tryUnusual(each: UnusualProvider): Promise<void> {
  const refusals = await refusalsOf([each]);
  process.stdout.write(`${refusals.length === 0 ? 'passes  ' : 'REFUSED '} ${each.id}\n`);
  failures.push(...refusals.map((refusal) => `${each.id}: ${refusal}`));
}

async function tryRows(ids: readonly string[]): Promise<void> {
  const known = [...wrongProviders, ...unusualProviders].map(({ id }) => id);
  const typos = ids.filter((id) => !known.includes(id));
  if (typos.length > 0) {
    process.stderr.write(`These ids exist: ${known.join(' ')}\n`);
    for (const typo of typos) process.stderr.write(`No provider has the id ${typo}.${didYouMean(typo, known)}\n`);
    process.exitCode = 2;
    return;
  }
  for (const provider of wrongProviders.filter(({ id }) => ids.includes(id))) await tried(provider);
  for (const each of unusualProviders.filter(({ id }) => ids.includes(id))) await tryUnusual(each);
}

/** A correct provider must pass, however its requests are generated. */
async function generate(minutes: number, first: number): Promise<void> {
  const end = performance.now() + 60_000 * minutes;
  let runs = 0;
  for (let seed = first; performance.now() < end; seed += 1) {
    for (const each of unusualProviders) {
      const refusals = await refusalsOf([each], { only: ['GEN-1'], generated: 2, seed });
      failures.push(...refusals.map((refusal) => `${each.id}, seed ${seed}: ${refusal}`));
      runs += 1;
    }
  }
  process.stdout.write(`${runs} runs against ${unusualProviders.length} correct providers.\n`);
}

if (options.unusual !== undefined) await generate(Number(options.unusual), Number(options.seed));
else if (names.length > 0) await tryRows(names);
else await writeMatrix();
for (const failure of failures) process.stderr.write(`${failure}\n`);
if (failures.length > 0) process.exitCode = 1;

/**
 * Writes contracts/mutants/README.md: which suite notices which mistake. Fails if a mutant survives, or if a case of the
 * suite fails for none of them. The tests of the mutants compare the file, and run the cases of generated/mutants.json.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { loadedSuite } from '../contracts/conformance/verify.ts';
import { contractMutants } from '../contracts/mutants/contract/mutants.ts';
import { matrixFile, type Row, table, witnessesFile } from '../contracts/mutants/matrix.ts';
import { mutants, unusual } from '../contracts/mutants/provider/mutants.ts';
import { deathOf, rowOf, verifyWrapped } from '../contracts/mutants/provider/run.ts';
import { deathOf as deathOfSdk } from '../contracts/mutants/sdk/consumer.ts';
import { sdkMutants } from '../contracts/mutants/sdk/mutants.ts';
import { rowOf as contractRowOf, noticed } from './contract-mutants.ts';

const usage = `npm run mutants                      every mutant; writes the matrix
npm run mutants -- ID ...            only these wrong providers; writes nothing
npm run mutants -- --unusual N       generated requests against each correct, unusual provider, for N minutes
                   --seed N          the first seed (default 1)
`;

const { values: options, positionals: names } = parseArgs({
  options: { unusual: { type: 'string' }, seed: { type: 'string', default: '1' }, help: { type: 'boolean' } },
  allowPositionals: true,
});

const survivors: string[] = [];

function report(id: string, survived: string | undefined): void {
  process.stdout.write(`${survived === undefined ? 'killed  ' : 'SURVIVED'} ${id}\n`);
  if (survived !== undefined) survivors.push(`${id}: ${survived}`);
}

async function writeMatrix(): Promise<void> {
  const providerRows: Row[] = [];
  const deaths = new Map<string, readonly string[]>();
  const witnesses: Record<string, string[]> = {};
  for (const mutant of mutants) {
    const death = await deathOf(mutant);
    report(mutant.id, death.survived);
    const row = rowOf(mutant, death);
    providerRows.push(row);
    deaths.set(mutant.id, death.failed);
    const own = [mutant.killedBy, row.noticed.verify, row.noticed.schemas];
    witnesses[mutant.id] = [...new Set(own.filter((id) => id != null))];
  }
  const sdkRows: Row[] = [];
  for (const mutant of sdkMutants) {
    const { survived, row } = await deathOfSdk(mutant);
    report(mutant.id, survived);
    sdkRows.push(row);
  }
  const found = await noticed(contractMutants);
  const contractRows = contractMutants.flatMap((mutant, index) => {
    const row = contractRowOf(mutant, found[index]);
    const isNoticed = row !== undefined && Object.values(row.noticed).some((by) => by !== null);
    report(mutant.id, isNoticed ? undefined : 'Nothing notices it.');
    return row ?? [];
  });

  const text = `# Mutants

<!-- Made by \`npm run mutants\`. Do not edit. -->

Each mutant has one mistake. A cell names what notices it: the case of \`verify\`, the operation whose schemas show it
(HTTP-6 and HTTP-7), the interaction of the pact, the rule of the lint, or the generated file. \`–\` means that the suite
ran and did not notice. A suite with an empty cell did not run. ${unusual.length} unusual but correct providers pass
(\`contracts/mutants/provider/mutants.ts\`).

## ${mutants.length} providers

${table(providerRows)}

## ${sdkMutants.length} changes of the SDK

${table(sdkRows)}

## ${contractMutants.length} changes of the contract

${table(contractRows)}
`;
  const failures = survivors.map((survivor) => `A mutant survives. ${survivor}`);
  const noticing = new Set(Object.values(witnesses).flat());
  const { cases, wholeRunCases } = loadedSuite().suite;
  for (const { id } of [...cases, ...wholeRunCases]) {
    if (noticing.has(id)) continue;
    const [mutant] = [...deaths].find(([, failed]) => failed.includes(id)) ?? [];
    if (mutant === undefined) failures.push(`No mutant fails ${id}. Add one.`);
    else witnesses[mutant]?.push(id);
  }
  await writeFile(matrixFile, text);

  const whole = await onlyInWholeRuns(witnesses);
  await writeFile(witnessesFile, `${JSON.stringify({ cases: witnesses, whole }, undefined, 2)}\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
}

/** The mutants that their witnesses do not notice in a run without the other cases. */
async function onlyInWholeRuns(witnesses: Readonly<Record<string, readonly string[]>>): Promise<readonly string[]> {
  const whole: string[] = [];
  for (const mutant of mutants) {
    const cases = witnesses[mutant.id] ?? [];
    const { survived, failed: again } = await deathOf(mutant, cases);
    if (survived !== undefined || cases.some((id) => !again.includes(id))) whole.push(mutant.id);
  }
  return whole;
}

async function tryMutants(ids: readonly string[]): Promise<void> {
  for (const mutant of mutants.filter(({ id }) => ids.includes(id))) {
    report(mutant.id, (await deathOf(mutant)).survived);
  }
  for (const survivor of survivors) process.stderr.write(`${survivor}\n`);
  if (survivors.length > 0) process.exitCode = 1;
}

/** A correct provider must pass, however its requests are generated. */
async function tryUnusual(minutes: number, first: number): Promise<void> {
  const end = performance.now() + 60_000 * minutes;
  let runs = 0;
  for (let seed = first; performance.now() < end; seed += 1) {
    for (const { id, wrap } of unusual) {
      const { results } = await verifyWrapped(wrap, undefined, {
        only: ['GEN-1'],
        generated: 2,
        seed,
      });
      const found = results.flatMap((result) => [...result.reasons, ...result.warnings]);
      for (const reason of found) process.stderr.write(`${id}, seed ${seed}: ${reason}\n`);
      if (found.length > 0) process.exitCode = 1;
      runs += 1;
    }
  }
  process.stdout.write(`${runs} runs against ${unusual.length} correct providers.\n`);
}

if (options.help) process.stdout.write(usage);
else if (options.unusual !== undefined) await tryUnusual(Number(options.unusual), Number(options.seed));
else if (names.length > 0) await tryMutants(names);
else await writeMatrix();

/**
 * Writes docs/reference/mutants.md: which suite notices which mistake. Fails if a mutant survives, or if a case of the
 * suite fails for none of them. The tests of the mutants compare the file, and run the cases of generated/mutants.json.
 */
import { writeFile } from 'node:fs/promises';
import { contractMutants } from '../contracts/mutants/contract/mutants.ts';
import { matrixFile, type Row, table, witnessesFile } from '../contracts/mutants/matrix.ts';
import { mutants, unusual } from '../contracts/mutants/provider/mutants.ts';
import { deathOf, rowOf, verifyWrapped } from '../contracts/mutants/provider/run.ts';
import { deathOf as deathOfSdk } from '../contracts/mutants/sdk/consumer.ts';
import { sdkMutants } from '../contracts/mutants/sdk/mutants.ts';
import { rowOf as contractRowOf, noticed } from './contract-mutants.ts';

const survivors: string[] = [];

function report(id: string, survived: string | undefined): void {
  process.stdout.write(`${survived === undefined ? 'killed  ' : 'SURVIVED'} ${id}\n`);
  if (survived !== undefined) survivors.push(`${id}: ${survived}`);
}

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
const { results } = await verifyWrapped((service) => service.fetch);
const noticing = new Set(Object.values(witnesses).flat());
for (const { id } of results) {
  if (noticing.has(id)) continue;
  const [mutant] = [...deaths].find(([, failed]) => failed.includes(id)) ?? [];
  if (mutant === undefined) failures.push(`No mutant fails ${id}. Add one.`);
  else witnesses[mutant]?.push(id);
}
await writeFile(matrixFile, text);

const whole: string[] = [];
for (const mutant of mutants) {
  const cases = witnesses[mutant.id] ?? [];
  const { survived, failed: again } = await deathOf(mutant, cases);
  if (survived !== undefined || cases.some((id) => !again.includes(id))) whole.push(mutant.id);
}
await writeFile(witnessesFile, `${JSON.stringify({ cases: witnesses, whole }, undefined, 2)}\n`);
for (const failure of failures) process.stderr.write(`${failure}\n`);
if (failures.length > 0) process.exitCode = 1;

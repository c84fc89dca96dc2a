/**
 * Writes docs/reference/mutants.md: which suite notices which mistake. Fails if a mutant survives, or if a case of the
 * suite fails for none of them. The tests of the mutants compare the file.
 */
import { writeFile } from 'node:fs/promises';
import { contractMutants } from '../contracts/mutants/contract/mutants.ts';
import { matrixFile, type Row, table } from '../contracts/mutants/matrix.ts';
import { mutants } from '../contracts/mutants/provider/mutants.ts';
import { deathOf, rowOf, verifyWrapped } from '../contracts/mutants/provider/run.ts';
import { unusual } from '../contracts/mutants/provider/unusual.ts';
import { sdkMutants } from '../contracts/mutants/sdk/mutants.ts';
import { deathOf as deathOfSdk } from '../contracts/mutants/sdk/run.ts';
import { rowOf as contractRowOf, noticed } from './contract-mutants.ts';

const survivors: string[] = [];

function report(id: string, survived: string | undefined): void {
  process.stdout.write(`${survived === undefined ? 'killed  ' : 'SURVIVED'} ${id}\n`);
  if (survived !== undefined) survivors.push(`${id}: ${survived}`);
}

const providerRows: Row[] = [];
const failedOnce = new Set<string>();
for (const mutant of mutants) {
  const death = await deathOf(mutant);
  for (const id of death.failed) failedOnce.add(id);
  report(mutant.id, death.survived);
  providerRows.push(rowOf(mutant, death));
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
(\`contracts/mutants/provider/unusual.ts\`).

## ${mutants.length} providers

${table(providerRows)}

## ${sdkMutants.length} changes of the SDK

${table(sdkRows)}

## ${contractMutants.length} changes of the contract

${table(contractRows)}
`;
const failures = survivors.map((survivor) => `A mutant survives. ${survivor}`);
const { results } = await verifyWrapped((service) => service.fetch);
for (const { id } of results) if (!failedOnce.has(id)) failures.push(`No mutant fails ${id}. Add one.`);
await writeFile(matrixFile, text);
for (const failure of failures) process.stderr.write(`${failure}\n`);
if (failures.length > 0) process.exitCode = 1;

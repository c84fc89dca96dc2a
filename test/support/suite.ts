/** Runs the command line of the conformance suite in this process. */
import { jest } from '@jest/globals';
import { runProgram } from '../../contracts/conformance/cli/program.ts';
import type { Provider } from '../../contracts/conformance/provider.ts';
import type { Report } from '../../contracts/conformance/report/report.ts';
import { type DatabaseKind, newMigratedDatabase } from './database.ts';
import { ending, fileWith } from './files.ts';
import { announcement, type Outcome, start } from './program.ts';

/** Types the parameters after `product-passport-contracts`. One at a time, because the output streams are shared. */
export async function typeSuite(...parameters: readonly string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await runProgram(parameters), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** The parameters `--provider FILE`. */
export function asFile(provider: object): readonly string[] {
  return ['--provider', fileWith(JSON.stringify(provider))];
}

/** The reference server in a process of its own, with the demo's data. It stops when the test file ends. */
export async function startDemo(kind: DatabaseKind): Promise<Provider> {
  const options = `--demo --json --port 0 --log-level silent --database ${await newMigratedDatabase(kind)}`;
  const server = await start(`product-passport serve ${options}`, /\}\n/);
  ending.defer(async () => void (await server.stop()));
  return announcement(server.said());
}

/** Every case that did not pass, with its first reason: what a failed test should show. */
export function faultsIn({ cases }: Pick<Report, 'cases'>): string[] {
  return cases
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status, reasons }) => `${status} ${id}: ${reasons[0]}`);
}

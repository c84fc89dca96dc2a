/** Runs the consumer tests against one mutant of the SDK. */
import type { Row } from '../matrix.ts';
import { consumerFindings } from './consumer.ts';
import type { SdkMutant } from './mutants.ts';
import { loadSdk } from './sdk.ts';

export interface SdkDeath {
  /** Why the mutant survived, or nothing. */
  readonly survived: string | undefined;
  readonly row: Row;
}

export async function deathOf(mutant: SdkMutant): Promise<SdkDeath> {
  const { id, mistake, killedBy } = mutant;
  const found = await consumerFindings(await loadSdk(mutant));
  const killer = found.find(({ description }) => description.startsWith(`${killedBy}: `));
  const others = found.map(({ description }) => description).join('\n');
  return {
    survived: killer === undefined ? `No interaction of ${killedBy} fails. Failed: ${others}` : undefined,
    row: { id, mistake, noticed: { consumer: killer === undefined ? null : killedBy } },
  };
}

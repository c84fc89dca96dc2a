/** Pact's verifier replays every interaction of the committed pact against the real server, one test for each. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { startSandbox } from '@product-passport/server/testing';
import { operationOf, pactLocation, provider, readPact } from '../pact-file.ts';

/** Pact's result of an interaction. */
interface Result {
  readonly description: string;
  readonly result: string;
  /** What differs. Pact reports a provider state that failed without its reason: see `state-endpoint.test.ts`. */
  readonly mismatch?: unknown;
}

const { operations } = readContract();
const byOperation = Map.groupBy(readPact().interactions, (one) => operationOf(operations, one).operationId);
const results = new Map<string, Result>();

beforeAll(async () => {
  const sandbox = await startSandbox();
  try {
    const words = [provider, fileURLToPath(pactLocation), sandbox.siteUrl, sandbox.stateUrl];
    const script = fileURLToPath(new URL('pact-process.ts', import.meta.url));
    const verifier = fork(script, words, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [report] = await Promise.race([once(verifier, 'message'), once(verifier, 'exit')]);
    const { interactionResults }: { interactionResults: readonly Result[] } = report;
    for (const result of interactionResults) results.set(result.description, result);
  } finally {
    await sandbox.stop();
  }
}, 180_000);

describe.each([...byOperation])('%s', (_operation, interactions) => {
  test.each(interactions.map(({ description }) => description))('%s', (description) => {
    const { result, mismatch } = results.get(description) ?? {};
    expect({ result, mismatch }).toEqual({ result: 'OK' });
  });
});

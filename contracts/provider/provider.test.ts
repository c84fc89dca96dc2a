/** The provider tests verify every interaction of the committed pact against the real server, one test for each. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createJudge } from '../judge/judge.ts';
import { operationOf, readPact } from '../pact-file.ts';
import { type Service, startService, verify } from './verification.ts';
import { PactVerifier } from './verifier.ts';

const pact = readPact();
const { operations } = createJudge();
const byOperation = Map.groupBy(pact.interactions, (interaction) => operationOf(operations, interaction).operationId);

let service: Service;
let verifier: PactVerifier;

beforeAll(async () => {
  service = await startService();
  verifier = await PactVerifier.start();
});

afterAll(async () => {
  await verifier.stop();
  await service.stop();
});

describe.each([...byOperation])('%s', (_operation, interactions) => {
  test.each(interactions.map((interaction) => [interaction.description, interaction] as const))(
    '%s',
    async (_description, interaction) => {
      expect(await verify(service, verifier, pact, interaction)).toEqual([]);
    },
  );
});

/** Verifies one interaction against the real server. */
import { createJudge } from '../judge/judge.ts';
import type { Interaction, PactFile } from '../pact-file.ts';
import { openGateway } from './gateway.ts';
import { type Service, startService } from './service.ts';
import type { PactVerifier } from './verifier.ts';

const judge = createJudge();

/**
 * Returns the reasons why the server does not keep the interaction. The list is empty if it does. Pact accepts additional
 * fields in a response, so the judge checks the response too.
 *
 * @param prepare changes the server before the interaction; tests use it
 */
export async function verify(
  verifier: PactVerifier,
  pact: PactFile,
  interaction: Interaction,
  prepare?: (service: Service) => void,
): Promise<readonly string[]> {
  const service = await startService();
  const gateway = await openGateway(service);
  try {
    prepare?.(service);
    const mismatches = await verifier.mismatches(pact, interaction, gateway);
    const findings = gateway.responses.flatMap(judge.answer).map(({ where, what }) => `${where} ${what}`);
    const reasons = [...gateway.failures, ...mismatches, ...findings];
    return reasons.length === 0 ? [] : [...reasons, ...service.log];
  } finally {
    gateway.close();
    await service.stop();
  }
}

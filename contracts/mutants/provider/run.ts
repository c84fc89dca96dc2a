/** Runs the suite against one wrapped provider in this process. */
import { createFakeService, type FakeService } from '../../../sdk/src/testing/service/index.ts';
import type { Claim } from '../../conformance/claims.ts';
import { connectInProcess } from '../../conformance/http/in-process.ts';
import type { Run } from '../../conformance/result.ts';
import { verify } from '../../conformance/verify.ts';
import type { Handler } from './mutant.ts';

export async function verifyWrapped(
  wrap: (service: FakeService) => Handler,
  claims: readonly Claim[] = ['core', 'public', 'digital-link'],
): Promise<Run> {
  const siteUrl = 'http://passports.test';
  const service = createFakeService({ siteUrl });
  const connection = connectInProcess(wrap(service), siteUrl, { timeout: 2000 });
  return verify({ provider: service.provider, claims, connection, seed: 1 });
}

/** Each conformance case against a provider that makes other choices where the API's description leaves them open. */

import { connectInProcess } from '../../contracts/conformance/http/in-process.ts';
import { serviceWithStates } from '../../contracts/conformance/plan.ts';
import { defaultClaims } from '../../contracts/conformance/verify.ts';
import { alternative } from '../../contracts/mutants/provider/alternative.ts';
import { testEachCase } from './cases.ts';

testEachCase(async () => {
  const siteUrl = 'http://passports.test';
  const service = await serviceWithStates({ siteUrl });
  return { provider: service.provider, connection: connectInProcess(alternative.change(service), siteUrl) };
}, defaultClaims);

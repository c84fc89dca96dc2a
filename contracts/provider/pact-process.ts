/** Pact's verifier in its own process, because its native code writes to standard output. Sends Pact's report. */
import { Verifier } from '@pact-foundation/pact-core';

const [provider = '', pact = '', siteUrl = '', stateUrl = ''] = process.argv.slice(2);
const verifier = new Verifier({
  provider,
  pactUrls: [pact],
  providerBaseUrl: siteUrl,
  providerStatesSetupUrl: stateUrl,
  followRedirects: false,
  logLevel: 'error',
});
// If the verification fails, the message of the error is the same JSON.
const report = JSON.parse(await verifier.verify().catch((error: Error) => error.message));
// A report may be larger than what the pipe takes at once.
process.send?.(report, () => process.disconnect());

/**
 * Runs Pact's verifier in its own process, because its native code writes to standard output. The process handles one
 * job at a time and sends a result for each.
 */
import { Verifier } from '@pact-foundation/pact-core';
import type { Job, Outcome } from './verifier.ts';

process.on('message', async ({ id, file, provider, url, statesUrl }: Job) => {
  const report = (result: string) => process.send?.({ id, result } satisfies Outcome);
  const verifier = new Verifier({
    provider,
    pactUrls: [file],
    providerBaseUrl: url,
    providerStatesSetupUrl: statesUrl,
    followRedirects: false,
    logLevel: 'error',
  });
  // If the verification fails, the message of the error is the same JSON.
  await verifier.verify().then(report, (error: Error) => report(error.message));
});

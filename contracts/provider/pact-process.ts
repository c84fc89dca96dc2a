/**
 * Pact's verifier in a process of its own, because its native part writes to the standard output past everybody. It
 * gets one job after another, and answers each.
 */
import { Verifier } from '@pact-foundation/pact-core';
import type { Job, Outcome } from './verifier.ts';

process.on('message', async ({ id, file, provider, url, statesUrl }: Job) => {
  const answer = (result: string) => process.send?.({ id, result } satisfies Outcome);
  const verifier = new Verifier({
    provider,
    pactUrls: [file],
    providerBaseUrl: url,
    providerStatesSetupUrl: statesUrl,
    followRedirects: false,
    logLevel: 'error',
  });
  // Where the provider fails, the message of what is thrown is the same JSON.
  await verifier.verify().then(answer, (error: Error) => answer(error.message));
});

/** Verifies a link as anybody can who scanned it: without a key, in at most ten requests. */
import { createHash } from 'node:crypto';
import { type Findings, resultOf } from '../client/check.ts';
import type { Provider } from '../provider.ts';
import { type Run, verdictOf } from '../result.ts';
import { withSecretsOf } from '../traffic/judge.ts';
import { loadedSuite, suiteVersion } from '../verify.ts';
import { wrongForm } from './address.ts';
import { checks, type LinkCheck } from './checks.ts';
import { inspect } from './inspect.ts';

export interface VerifyLinkOptions {
  readonly link: string;
  /** Redirects may lead into private networks. */
  readonly isPrivateAllowed: boolean;
  readonly signal: AbortSignal;
}

export async function verifyLink(options: VerifyLinkOptions): Promise<{ run: Run; provider: Provider }> {
  const { link, isPrivateAllowed, signal } = options;
  const { contractVersion, contractText } = loadedSuite();
  const startedAt = new Date();
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const wrong = url === undefined ? 'is not a web address' : wrongForm(url);
  const inspection = url && wrong === undefined ? await inspect(url, isPrivateAllowed, signal) : undefined;
  const results = await Promise.all(
    checks.map(async (check) => {
      const found = inspection ? await check.findings(inspection) : unopened(check, wrong);
      // A provider may limit requests. Then nothing is known.
      const isRefused = found.examples?.some(({ response }) => response?.status === 429) === true;
      const findings = isRefused ? { notExercised: 'The provider refused a request with 429.' } : found;
      const reasons = findings.reasons?.map((reason) => `${reason.replace(/\.$/, '')}. ${check.effect}`.trim());
      const exchanges = check.id === 'LINK-2.redirect' ? (inspection?.sent ?? []) : (found.examples ?? []);
      return resultOf(
        check,
        { ...findings, ...(reasons && { reasons }) },
        { claim: 'link', exchanges, isRequired: isRefused },
      );
    }),
  );
  const { origin } = inspection?.link ?? new URL('https://invalid');
  const provider = withSecretsOf(inspection?.sent ?? [], { base_url: `${origin}/api/v1`, site_url: origin });
  const run: Run = {
    ...verdictOf({ results, isWhole: !signal.aborted }),
    claims: ['link'],
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    baseUrl: link,
    seed: 0,
    suiteVersion: suiteVersion(),
    contractVersion,
    contractHash: createHash('sha256').update(contractText).digest('hex'),
    results,
    sources: {},
    created: [],
  };
  return { run, provider };
}

/** A link that cannot be requested fails the first check. */
function unopened({ id }: LinkCheck, wrong = ''): Findings {
  return id === 'LINK-1.form' ? { reasons: [`The link ${wrong}.`] } : { notExercised: 'The link cannot be opened.' };
}

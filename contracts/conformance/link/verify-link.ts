/** Verifies a link as anybody can who scanned it: without a key, in at most ten requests. */
import { type Findings, resultOfCheck } from '../client/check.ts';
import type { Provider } from '../provider.ts';
import { type Run, verdictOf } from '../result.ts';
import { withSecretsOf } from '../traffic/judge.ts';
import { suiteFacts } from '../verify.ts';
import { checks, type LinkCheck } from './checks.ts';
import { inspect, type LinkOptions, withoutToken, wrongForm } from './inspect.ts';

export interface VerifyLinkOptions extends LinkOptions {
  readonly link: string;
}

export async function verifyLink(options: VerifyLinkOptions): Promise<{ run: Run; provider: Provider }> {
  const { link, signal } = options;
  const startedAt = new Date();
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const wrong = url === undefined ? 'is not a web address' : wrongForm(url);
  const inspection = url && wrong === undefined ? await inspect(url, options) : undefined;
  const results = await Promise.all(
    checks.map(async (check) => {
      const found = inspection ? await check.findings(inspection) : unopened(check, wrong);
      // A provider may limit requests.
      const isLimited = found.examples?.some(({ response }) => response?.status === 429) === true;
      const isUnknown = isLimited || signal.aborted;
      const why = isLimited ? 'The provider refused a request with 429.' : 'The run was interrupted.';
      const findings = isUnknown ? { notExercised: why } : found;
      // The check that never fails has all requests, so that a finding has its own alone.
      const exchanges = check.id === 'LINK-9.fields' ? (inspection?.sent ?? []) : (found.examples ?? []);
      return resultOfCheck(check, findings, { claim: 'link', exchanges, isRequired: isUnknown });
    }),
  );
  const { origin } = inspection?.link ?? new URL('https://invalid');
  const provider = withSecretsOf(inspection?.sent ?? [], { base_url: `${origin}/api/v1`, site_url: origin });
  const run: Run = {
    ...verdictOf(results, !signal.aborted),
    claims: ['link'],
    baseUrl: url === undefined ? link : withoutSecrets(url),
    seed: 0,
    ...suiteFacts(startedAt),
    results,
  };
  return { run, provider };
}

/** The address for a report. */
function withoutSecrets(url: URL): string {
  const plain = withoutToken(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}

/** A link that cannot be requested fails the first check. */
function unopened({ id }: LinkCheck, wrong = ''): Findings {
  return id === 'LINK-1.form' ? { reasons: [`The link ${wrong}.`] } : { notExercised: 'The link cannot be opened.' };
}

/** Runs the suite against one provider of the tables, in this process. */
import { createApp, openDatabase } from '@product-passport/server';
import { injectFetch } from '../../../sdk/src/testing.ts';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { type Claim, claims as everyClaim } from '../../conformance/claims.ts';
import type { Exposure } from '../../conformance/exposure.ts';
import { connectInProcess } from '../../conformance/http/connection.ts';
import { serviceWithStates } from '../../conformance/plan.ts';
import { reportOf } from '../../conformance/report/report.ts';
import { loadedSuite, type VerifyOptions, verify } from '../../conformance/verify.ts';
import type { Row } from '../matrix.ts';
import type { Service } from './call.ts';
import { type Change, together } from './change.ts';
import type { UnusualProvider, WrongProvider } from './row.ts';

const siteUrl = 'http://passports.test';

type Verified = Awaited<ReturnType<typeof verify>>;
type Options = Pick<VerifyOptions, 'only' | 'seed' | 'generated' | 'claims'>;

/** Runs the suite against the fake service with a change. The default of `fieldKeys` is those that it accepts. */
export async function verifyChanged(
  change: Change,
  { fieldKeys, ...options }: Options & { readonly fieldKeys?: string[] } = {},
): Promise<Verified> {
  const service = await serviceWithStates({ siteUrl });
  const provider = { ...service.provider, ...(fieldKeys && { field_keys: fieldKeys }) };
  return verifyService({ ...service, provider }, change, options);
}

async function verifyService(service: Service, change: Change, options: Options): Promise<Verified> {
  const { send, ...connection } = connectInProcess(change(service), siteUrl, { timeout: 2000 });
  return verify({
    ...{ provider: service.provider, seed: 1, generated: 0, ...options },
    connection: {
      ...connection,
      // No `Request` can have the method TRACE. PROPFIND is another one that no operation has.
      send: (request) => send(request.method === 'TRACE' ? { ...request, method: 'PROPFIND' } : request),
    },
  });
}

async function verifyReference(change: Change, options: Options): Promise<Verified> {
  const database = await openDatabase(':memory:');
  const now = () => new Date();
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now });
  if (keys === undefined) throw new Error('The database of the demo was not empty.');
  const app = await createApp({ database, siteUrl, now, log: createLog('fatal', { write() {} }) });
  await app.initialize();
  const provider = { base_url: `${siteUrl}/api/v1`, site_url: siteUrl, ...keys, field_keys: ['material', 'country'] };
  try {
    return await verifyService({ fetch: injectFetch(app), provider }, change, options);
  } finally {
    await app.stop({ timeout: 0 });
    await database.destroy();
  }
}

export interface Outcome {
  /** Why its mistake is not noticed, or nothing. */
  readonly unnoticed: string | undefined;
  /** What the first finding shows or did, although the caller may not. */
  readonly exposes: Exposure | undefined;
  /** The cases that fail, in the order of the suite, and the case whose request shows it. */
  readonly failed: readonly { readonly id: string; readonly shownBy: string | undefined }[];
}

/**
 * Runs the suite against a wrong provider. It is noticed if its case fails for its reason. Each case passes without a mistake, as
 * test/suite shows for the fake service and for the reference server.
 *
 * @param only the cases to run. Default: all that the provider's conditions allow
 */
export async function outcomeOf(provider: WrongProvider, only = provider.only): Promise<Outcome> {
  const { failsIn, because, change, of } = provider;
  const run = of === 'reference' ? verifyReference : verifyChanged;
  const outcome = await run(change, { claims: claimsFor(provider), ...(only && { only }) });
  const { results, verdict } = outcome;
  const failed = results
    .filter(({ status }) => status === 'failed')
    .map(({ id, exchanges }) => ({ id, shownBy: exchanges[0]?.caseId }));
  const failedCase = results.find(({ id }) => id === failsIn);
  const [first] = reportOf(outcome, outcome.provider).findings;
  return { unnoticed: why(), failed, exposes: first?.exposes };

  function why(): string | undefined {
    if (verdict !== 'not conformant') return `The verdict is ${verdict}.`;
    if (failedCase?.status !== 'failed') {
      return `${failsIn} ${failedCase?.status ?? 'did not run'}. Failed: ${failed.map(({ id }) => id).join(', ')}`;
    }
    const reasons = failedCase.reasons.join('\n');
    return reasons.includes(because) ? undefined : `${failsIn} fails for another reason: ${reasons}`;
  }
}

/**
 * The claims of the run: those with which the case that must fail runs.
 *
 * @throws if the suite has no such case
 */
export function claimsFor({ id, failsIn, of }: WrongProvider): readonly Claim[] {
  const { cases, wholeRunCases } = loadedSuite().suite;
  const found = [...cases, ...wholeRunCases].find((one) => one.id === failsIn);
  if (found === undefined) throw new Error(`${id}: the suite has no case ${failsIn}.`);
  if (of === 'reference') return everyClaim;
  return found.claim === 'reference'
    ? ['reference', ...(found.also ? [found.also] : [])]
    : everyClaim.filter((claim) => claim !== 'reference');
}

/**
 * The row of a wrong provider: the case that notices it, and the operation whose schemas show it.
 *
 * @param witnesses the cases that must fail. The matrix follows from them, not from what else fails in a run
 */
export function rowOf({ id, mistake, failsIn, only }: WrongProvider, witnesses: readonly string[]): Row {
  const verify = isSchema(failsIn) ? (witnesses.find((name) => !isSchema(name)) ?? null) : failsIn;
  const schemas = witnesses.find(isSchema) ?? null;
  return { id, mistake, noticed: { verify, ...(only === undefined && { schemas }) } };
}

export const isSchema = (id: string): boolean => /^HTTP-[67]\./.test(id);

/** What the suite refuses in a provider with all of these freedoms. Those that run together have the same `only`. */
export async function refusalsOf(
  freedoms: readonly UnusualProvider[],
  options: Options = {},
): Promise<readonly string[]> {
  const only = freedoms[0]?.only;
  const change = together(freedoms.map((one) => one.change));
  const { verdict, results } = await verifyChanged(change, { ...(only && { only }), ...options });
  const refused = results
    .filter(({ status, warnings }) => status !== 'passed' || (options.generated && warnings.length > 0))
    .map(({ id, status, reasons, warnings }) => `${id} ${status}: ${[...reasons, ...warnings].join('\n')}`);
  const expected = (only ?? options.only) === undefined ? 'conformant' : 'passed';
  return refused.length > 0 || verdict === expected ? refused : [`The verdict is ${verdict}.`];
}

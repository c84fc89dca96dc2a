/** Runs the suite against one wrapped provider in this process. */

import { createApp, openDatabase } from '@product-passport/server';
import { injectFetch } from '../../../sdk/src/testing/inject.ts';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import { createLog } from '../../../server/src/log/log.ts';
import { claims as allClaims, type Claim } from '../../conformance/claims.ts';
import type { Connection } from '../../conformance/http/connection.ts';
import { connectInProcess } from '../../conformance/http/in-process.ts';
import { serviceWithStates } from '../../conformance/plan.ts';
import type { Run } from '../../conformance/result.ts';
import { type VerifyOptions, verify } from '../../conformance/verify.ts';
import type { Row } from '../matrix.ts';
import type { Handler, Mutant, Service } from './alter.ts';

const siteUrl = 'http://passports.test';
const ordinaryClaims: readonly Claim[] = ['core', 'public', 'digital-link'];

type WrappedOptions = Pick<VerifyOptions, 'only' | 'seed' | 'generated'>;

export async function verifyWrapped(
  wrap: (service: Service) => Handler,
  claims: readonly Claim[] = ordinaryClaims,
  { only, seed = 1, generated = 0 }: WrappedOptions = {},
): Promise<Run> {
  const service = await serviceWithStates({ siteUrl });
  const connection = connectInProcess(wrap(service), siteUrl, { timeout: 2000 });
  return verify({ provider: service.provider, claims, connection, seed, generated, ...(only && { only }) });
}

async function verifyMutant({ of, wrap, claims, only }: Conditions, isWrong: boolean): Promise<Run> {
  const wrapped = isWrong ? wrap : (service: Service) => service.fetch;
  if (of === undefined) return verifyWrapped(wrapped, claims, only === undefined ? {} : { only });
  const { service, trace, stop } = await startReference(siteUrl);
  try {
    const inProcess = connectInProcess(wrapped(service), siteUrl);
    const connection: Connection = {
      ...inProcess,
      send: (request) => (request.method === 'TRACE' ? trace(request) : inProcess.send(request)),
    };
    return await verify({
      provider: service.provider,
      claims: allClaims,
      connection,
      seed: 1,
      generated: 0,
      ...(only && { only }),
    });
  } finally {
    await stop();
  }
}

type Conditions = Pick<Mutant, 'of' | 'wrap' | 'claims' | 'only'>;

/** The cases that the provider without a mistake passes, by the conditions of the run. */
const passedByOriginal = new Map<string, Promise<ReadonlySet<string>>>();

function passedBy(mutant: Conditions): Promise<ReadonlySet<string>> {
  const { of, claims, only } = mutant;
  const name = JSON.stringify({ of, claims, only });
  const known = passedByOriginal.get(name) ?? passedCases(mutant);
  passedByOriginal.set(name, known);
  return known;
}

async function passedCases(mutant: Conditions): Promise<ReadonlySet<string>> {
  const { results } = await verifyMutant(mutant, false);
  return new Set(results.filter(({ status }) => status === 'passed').map(({ id }) => id));
}

export interface Death {
  /** Why the mutant survived, or nothing. */
  readonly survived: string | undefined;
  /** The cases that fail for the mutant only, in the order of the suite. */
  readonly failed: readonly string[];
}

/**
 * Runs the suite against a mutant. It dies if its case fails for its reason, and passes without the mistake.
 *
 * @param only the cases to run. Default: all that the mutant's conditions allow
 */
export async function deathOf(mutant: Mutant, only = mutant.only): Promise<Death> {
  const { killedBy, because } = mutant;
  const passed = await passedBy(mutant);
  const { results, verdict } = await verifyMutant({ ...mutant, ...(only && { only }) }, true);
  const failed = results.filter(({ id, status }) => status === 'failed' && passed.has(id)).map(({ id }) => id);
  const killer = results.find(({ id }) => id === killedBy);
  return { survived: survival(), failed };

  function survival(): string | undefined {
    if (!passed.has(killedBy)) return `${killedBy} does not pass without the mistake either.`;
    if (verdict !== 'not conformant') return `The verdict is ${verdict}.`;
    if (killer?.status !== 'failed')
      return `${killedBy} ${killer?.status ?? 'did not run'}. Failed: ${failed.join(', ')}`;
    const reasons = killer.reasons.join('\n');
    return reasons.includes(because) ? undefined : `${killedBy} fails for another reason: ${reasons}`;
  }
}

/** The case that noticed a mutant, and the operation whose schemas showed it. */
export function rowOf({ id, mistake, killedBy, only }: Mutant, { failed }: Death): Row {
  const isSchema = (name: string) => /^HTTP-[67]\./.test(name);
  const verified = isSchema(killedBy) ? failed.find((name) => !isSchema(name)) : killedBy;
  const schemas = failed.find(isSchema) ?? null;
  return { id, mistake, noticed: { verify: verified ?? null, ...(only === undefined && { schemas }) } };
}

interface Reference {
  readonly service: Service;
  /** Sends a TRACE request, which `Request` cannot express. */
  readonly trace: Connection['send'];
  stop(): Promise<void>;
}

async function startReference(siteUrl: string): Promise<Reference> {
  const database = await openDatabase(':memory:');
  const now = () => new Date();
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now });
  if (keys === undefined) throw new Error('The database of the demo was not empty.');
  const app = await createApp({ database, siteUrl, now, log: createLog('fatal', { write() {} }) });
  await app.initialize();
  const provider = { base_url: `${siteUrl}/api/v1`, site_url: siteUrl, ...keys, field_keys: ['material', 'country'] };
  return {
    service: { fetch: injectFetch(app), provider },
    async trace({ method, path, headers }) {
      const response = await app.inject({ method, url: path, headers });
      const sent = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return { status: response.statusCode, headers: Object.fromEntries(sent), text: response.payload };
    },
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
    },
  };
}

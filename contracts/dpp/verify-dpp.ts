/** Verifies a provider of the EU's read interface (EN 18222): finds its passports, and runs the cases. */
import { isRecord, member } from '@product-passport/openapi';
import { CaseFailure, type Context, NotTested, type Reply } from '../conformance/case.ts';
import type { DppClaim, Subject } from '../conformance/claims.ts';
import { listsOf } from '../conformance/expected-failures.ts';
import { type Connection, NoResponse, openConnection } from '../conformance/http/connection.ts';
import { addressesOf, type Provider } from '../conformance/provider.ts';
import { checkIds, type Run, UsageError } from '../conformance/result.ts';
import { type RunOptions, run } from '../conformance/run.ts';
import { createSession, emptyRecord, stateId, unjudged } from '../conformance/session.ts';
import { preflight, suiteFacts } from '../conformance/verify.ts';
import { dppCases } from './cases.ts';
import { byId, type Facts, unknownId } from './reads.ts';

export const dppIds: ReadonlySet<string> = new Set(dppCases().map(({ id }) => id));

export interface VerifyDppOptions extends Pick<RunOptions, 'only' | 'onResult' | 'signal'> {
  /** `dpp.base_url` is the address of the reads. With `base_url` and a key, the suite finds passports by itself. */
  readonly provider: Provider;
  /** Default: `dpp`. */
  readonly claims?: readonly DppClaim[];
  /** How long to wait for one response, in milliseconds. Default: 10 seconds. */
  readonly timeout?: number;
  /** The maximum number of requests per second. Default: no limit. */
  readonly rate?: number | undefined;
  /** The text of the file of expected failures. */
  readonly expectedFailures?: string;
  /** The text of the file of cases that sometimes pass. */
  readonly flaky?: string;
  /** Default: HTTP to an address. */
  readonly connect?: (provider: Provider) => Connection;
}

/** @throws UsageError if an option is wrong */
export async function verifyDpp(options: VerifyDppOptions): Promise<Run & { readonly provider: Provider }> {
  const { provider: given, claims = ['dpp'], timeout = 10_000, rate, only } = options;
  const { connect = (to) => openConnection(addressesOf(to), { timeout, rate }) } = options;
  const lists = listsOf(options, dppIds);
  checkIds('--only', only ?? [], 'case id', dppIds);
  const hasKit = given.base_url !== undefined && (given.tenants ?? []).length > 0;
  const found = hasKit ? await factsOf(given, connect(given)) : {};
  const facts: Facts = {
    ...found,
    ...given.dpp,
    passports: [...(given.dpp?.passports ?? []), ...(found.passports ?? [])],
    named: given.dpp?.passports?.length ?? 0,
  };
  const base = given.dpp?.base_url ?? '';
  // The reads are below an address of their own. The report masks keys and the restricted value.
  const { restricted } = facts;
  const provider: Provider = {
    ...given,
    dpp: { ...given.dpp, ...(restricted && { restricted }) },
    base_url: base,
    site_url: base,
  };
  const connection = connect(provider);
  try {
    await checkPresence(base, connection);
    const every: readonly Subject[] = [...claims, ...(hasKit ? (['core'] as const) : [])];
    const result = await run({
      ...options,
      provider: { base_url: base, site_url: base },
      connection,
      cases: dppCases(facts),
      wholeRunCases: [],
      claims: every,
      ...lists,
      seed: 0,
      facts: suiteFacts(),
    });
    return { ...result, claims, provider };
  } finally {
    connection.close();
  }
}

/** @throws UsageError if nothing responds at the address */
async function checkPresence(base: string, connection: Connection): Promise<void> {
  const request = { method: 'GET', path: byId(unknownId), headers: { accept: 'application/json' } };
  await connection.send(request).catch((error: unknown) => {
    if (!(error instanceof NoResponse)) throw error;
    if (error.isUnreached) throw new UsageError(`${base} does not respond: ${error.message}.`);
  });
}

/** What the first interface of the provider shows. It sends no write. */
async function factsOf(given: Provider, connection: Connection): Promise<Facts> {
  try {
    const provider = await preflight(given, connection, (index) => `tenants[${index}]`);
    const session = createSession({ provider, connection, runId: '', ...unjudged });
    return await factsIn(session.contextOf(stateId, emptyRecord()), provider);
  } catch (error) {
    // The cases then say that they need a passport.
    if (error instanceof CaseFailure || error instanceof NotTested) return {};
    throw error;
  } finally {
    connection.close();
  }
}

async function factsIn({ api, send }: Context, { tenants, active_product: active }: Provider): Promise<Facts> {
  const { items } = await api.list({ status: 'active', limit: 20 });
  const slugs = new Set([active?.slug ?? [], items.map(({ slug }) => slug)].flat());
  const pages = [...slugs].map((slug) => ({ slug, path: `/p/${tenants?.[0]?.slug}/${slug}` }));
  const named = [];
  for (const { slug, path } of pages) named.push({ slug, ...idsIn(await send({ path: `${path}/jsonld` })) });
  const found = named.filter(({ id }) => id !== undefined);
  let restricted: Facts['restricted'];
  for (const { slug, id = '' } of found) restricted ??= restrictedIn(id, (await api.passport(slug)).values);
  const first = found.find(({ id }) => id === restricted?.id) ?? found[0];
  const ordered = first === undefined ? [] : [first, ...found.filter((one) => one !== first)];
  return {
    passports: ordered.slice(0, 2).map(({ id, product_id }) => ({ id, product_id })),
    ...(restricted && { restricted }),
    values: first?.values,
    withdrawn: await withdrawnOf(first),
  };

  /** A draft and an archived product, at the addresses that they would have. */
  async function withdrawnOf(known: { slug: string; id?: string | undefined; page?: string } | undefined) {
    const { id = '', slug = '', page = '' } = known ?? {};
    const at = (address: string, other: string) => address.replace(`/${slug}`, `/${other}`);
    const lists = [await api.list({ status: 'draft', limit: 1 }), await api.list({ status: 'archived', limit: 1 })];
    const others = id.includes(`/${slug}`) ? lists.flatMap(({ items }) => items) : [];
    return others.map((other) => ({ id: at(id, other.slug), product_id: at(page, other.slug) }));
  }
}

/** The ids of a passport, and its public values, in its JSON-LD document. */
function idsIn({ status, json }: Reply) {
  const id = member(json, 'gs1:dpp');
  const [own, page] = [String(member(json, '@id')), String(member(json, 'url'))];
  if (status !== 200 || typeof id !== 'string') return {};
  const properties = [member(json, 'additionalProperty')].flat().filter(isRecord);
  const values = properties.flatMap(({ propertyID, value, 'dpp:isUnknown': isUnknown }) =>
    isUnknown === true || value === undefined ? [] : [[String(propertyID), unwrapped(value)]],
  );
  return { id, page, product_id: own.startsWith('http') ? own : page, values: Object.fromEntries(values) };
}

/** A value without the wrapper that JSON-LD needs. */
function unwrapped(value: unknown): unknown {
  return isRecord(value) && '@value' in value ? value['@value'] : value;
}

/** A restricted text that no public value has, too. */
function restrictedIn(
  id: string,
  values: readonly { field_key: string; value: unknown; access_level: string }[],
): Facts['restricted'] {
  const shown = JSON.stringify(values.filter(({ access_level }) => access_level === 'public'));
  const hidden = values.find(({ access_level, value }) => {
    return access_level !== 'public' && typeof value === 'string' && value.length >= 8 && !shown.includes(value);
  });
  return hidden && { id, value: String(hidden.value), element: `$['${hidden.field_key}']` };
}

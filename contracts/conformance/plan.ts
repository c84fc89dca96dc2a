/** What a run would do to a provider. It runs the suite against a service in this process and records the requests. */
import { createFakeService, type FakeService, type FakeServiceOptions } from '@product-passport/sdk/testing';
import { operationAt } from '../judge/operation-at.ts';
import type { Need } from './claims.ts';
import { connectInProcess } from './http/connection.ts';
import type { WireRequest } from './http/exchange.ts';
import { loadedSuite, type VerifyOptions, verify } from './verify.ts';

export type Plan = Awaited<ReturnType<typeof planOf>>;

const siteUrl = 'http://passports.test';

export async function planOf(options: Pick<VerifyOptions, 'claims' | 'only'>) {
  const service = await serviceWithStates({ siteUrl });
  const sent: WireRequest[] = [];
  const connection = connectInProcess((request) => service.fetch(request), siteUrl);
  const run = await verify({
    ...options,
    // One generated request of each operation, with the product that all of them use.
    generated: 0.001,
    seed: 1,
    provider: service.provider,
    connection: {
      send(request) {
        sent.push(request);
        return connection.send(request);
      },
      close: () => connection.close(),
    },
  });
  const [first] = service.provider.tenants;
  return {
    claims: run.claims,
    cases: run.results.length,
    /** What the cases need from the provider file, the API or the state URL, with the number of cases that need it. */
    needs: needsOf(new Set(run.results.map(({ id }) => id))),
    /** The number of requests of each operation. Requests that belong to no operation are counted as `other`. */
    requests: countsOf(sent.map(nameOf)),
    /** The slugs of the products that a first run creates, by tenant. */
    created: run.created.map(({ tenant, slug }) => ({ tenant: tenant === first?.slug ? 'first' : 'second', slug })),
    /** The number of passport pages that are requested. Each counts a scan. */
    scans: sent.filter((request) => nameOf(request) === 'getPassportPage').length,
  };
}

function needsOf(ids: ReadonlySet<string>): Partial<Record<Need, number>> {
  const chosen = loadedSuite().suite.cases.filter(({ id }) => ids.has(id));
  return countsOf(chosen.flatMap(({ needs }) => needs.filter((need) => !['counted view', 'draft'].includes(need))));
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  const counts: Partial<Record<Name, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts as Record<Name, number>;
}

function nameOf({ method, path }: WireRequest): string {
  return operationAt(loadedSuite().contract.operations, method, path)?.operationId ?? 'other';
}

const hidden = {
  value: 'Zinc pyrithione, 0.2 percent',
  access_level: 'restricted',
  field_key: 'substances_of_concern',
};

/** The fake service with every state that a case may need. */
export async function serviceWithStates(
  options: FakeServiceOptions & { readonly sample?: true },
): Promise<FakeService> {
  const service = createFakeService(options);
  const { base_url, tenants, active_product, access_tokens } = service.provider;
  const send = async (key: string | undefined, method: string, path: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { status } = await service.fetch(`${base_url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (status !== 200) throw new Error(`The fake service refuses ${method} ${path}.`);
  };
  const [first, second] = tenants;
  await send(first?.api_key, 'PUT', '/products/bicycle-lamp/passport', [hidden]);
  const others = [
    [first, 'bicycle-basket'],
    [second, active_product.slug],
  ] as const;
  for (const [tenant, slug] of others) {
    await send(tenant?.api_key, 'POST', '/products', { name: 'Bicycle Basket', slug });
    await send(tenant?.api_key, 'PUT', `/products/${slug}/passport`, [hidden]);
    service.activate(String(tenant?.slug), slug);
  }
  for (const [slug, serial] of Object.entries({ 'battery-2': 'B-2', battery: undefined })) {
    await send(first?.api_key, 'POST', '/products', { name: slug, slug, gtin: '9520001000171' });
    const values = [{ field_key: 'serial_number', value: serial }];
    if (serial !== undefined) await send(first?.api_key, 'PUT', `/products/${slug}/passport`, values);
    service.activate(String(first?.slug), slug);
  }
  const text = { field_key: 'repair_instructions', value: 'Spare parts: Skellig <parts@skellig.example>' };
  await send(first?.api_key, 'PUT', `/products/${active_product.slug}/passport`, [text]);
  const grant = { tenant: String(second?.slug), product: null, role: 'inspector', revoked: false } as const;
  const token = service.addToken({ tenant: grant.tenant, role: grant.role });
  return { ...service, provider: { ...service.provider, access_tokens: [...access_tokens, { ...grant, token }] } };
}

/** The products that a run created, for `created.json`. The API cannot delete them. */
import type { Exchange } from './http/exchange.ts';
import type { Provider } from './provider.ts';

export interface CreatedProduct {
  /** Empty if the provider file has no slug for the tenant. */
  readonly tenant: string;
  readonly slug: string;
}

export function createdProducts(exchanges: readonly Exchange[], { tenants = [] }: Provider): CreatedProduct[] {
  return exchanges.flatMap(({ request, response }) => {
    if (request.method !== 'POST' || response === undefined || response.status >= 300) return [];
    const tenant = tenants.find(({ api_key }) => request.headers.authorization === `Bearer ${api_key}`);
    const slug = slugIn(response.text);
    return tenant === undefined || slug === undefined ? [] : [{ tenant: tenant.slug ?? '', slug }];
  });
}

function slugIn(text: string): string | undefined {
  try {
    const body: { slug?: unknown } | null = JSON.parse(text);
    return typeof body?.slug === 'string' ? body.slug : undefined;
  } catch {
    return undefined;
  }
}

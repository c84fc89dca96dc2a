/** openapi-react-query with `client.http`: a query of the cache, a hook in a component, and a failure. */
import { apiError, createFakeClient, pageOf, sample } from '@product-passport/sdk/testing';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import createQueryClient from 'openapi-react-query';
import { createElement, type ReactNode } from 'react';
// @ts-expect-error: its types are another package
import { prerender } from 'react-dom/static';

const client = createFakeClient({
  getMe: sample.me(),
  listProducts: ({ query }) => pageOf([sample.listItem({ slug: 'helm' })], query),
  getProduct: apiError('not_found'),
});
const api = createQueryClient(client.http);
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const list = api.queryOptions('get', '/api/v1/products', { params: { query: { limit: 5 } } });
const { items } = await queries.fetchQuery(list);
const product = api.queryOptions('get', '/api/v1/products/{slug}', { params: { path: { slug: 'none' } } });
const refused = await queries.fetchQuery(product).catch((error) => error);

function Plan(): ReactNode {
  const { data } = api.useSuspenseQuery('get', '/api/v1/me');
  const plan: string = data.tenant.plan;
  return createElement('b', null, plan);
}
const { prelude } = await prerender(createElement(QueryClientProvider, { client: queries }, createElement(Plan)));

process.stdout.write(
  JSON.stringify({
    slugs: items.map(({ slug }) => slug),
    refused: [refused.name, refused.code],
    html: await new Response(prelude).text(),
    calls: client.calls.map(({ operation }) => operation),
  }),
);

/** Only the compiler reads it. */
export function useMistakes(): void {
  const { mutate } = api.useMutation('put', '/api/v1/products/{slug}/passport');
  mutate({ params: { path: { slug: 'helm' } }, body: [{ field_key: 'weight', value: 80 }] });
  // @ts-expect-error: the path has a slug
  api.useQuery('get', '/api/v1/products/{slug}');
  // @ts-expect-error: a path of the public side
  api.useQuery('get', '/p/{tenant}/{product}');
}

/** openapi-react-query with `client.http`: a query of the cache, a hook in a component, and a failure. */
import { apiError, createFakeClient, pageOf, sample } from '@product-passport/sdk/testing';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import createQueryClient from 'openapi-react-query';
import { createElement } from 'react';
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

function Plan() {
  return createElement('b', null, api.useSuspenseQuery('get', '/api/v1/me').data.tenant.plan);
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

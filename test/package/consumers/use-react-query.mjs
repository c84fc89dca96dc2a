/** openapi-react-query with `client.http`: a query of the cache, a hook in a component, and a failure. */
import { apiError, createFakeClient, pageOf, sample } from '@product-passport/sdk/testing';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import createQueryClient from 'openapi-react-query';
import { createElement } from 'react';
import { prerender } from 'react-dom/static';

const client = createFakeClient({
  listProducts: ({ query }) => pageOf([sample.listItem({ slug: 'helm' })], query),
  getProduct: ({ slug }) => (slug === 'helm' ? sample.product({ slug, name: 'Helm' }) : apiError('not_found')),
});
const api = createQueryClient(client.http);
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const product = (slug) => ['get', '/api/v1/products/{slug}', { params: { path: { slug } } }];

const { items } = await queries.fetchQuery(
  api.queryOptions('get', '/api/v1/products', { params: { query: { limit: 5 } } }),
);
const refused = await queries.fetchQuery(api.queryOptions(...product('none'))).catch((error) => error);
const View = () => createElement('h1', null, api.useSuspenseQuery(...product('helm')).data.name);
const { prelude } = await prerender(createElement(QueryClientProvider, { client: queries }, createElement(View)));
const html = await new Response(prelude).text();
const calls = client.calls.map(({ operation }) => operation);
process.stdout.write(
  JSON.stringify({ slugs: items.map(({ slug }) => slug), refused: [refused.name, refused.code], html, calls }),
);

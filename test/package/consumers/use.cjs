const { readFileSync } = require('node:fs');
const { ApiError, createClient, isApiError } = require('@product-passport/sdk');
const { createPublicClient } = require('@product-passport/sdk/public');
const { createFakeClient, apiError } = require('@product-passport/sdk/testing');

async function main() {
  const client = createFakeClient({
    listProducts: ({ query }) => ({
      items: [{ id: String(query.offset ?? 0) }],
      total: 3,
      limit: 1,
      offset: query.offset ?? 0,
    }),
    getProduct: apiError('not_found'),
  });
  const ids = [];
  for await (const { id } of client.products.list()) ids.push(id);
  const failed = await client.products.get('x').catch((error) => error);
  process.stdout.write(
    JSON.stringify({
      functions: [createClient, createPublicClient].map((value) => typeof value),
      ids,
      contract: readFileSync(require.resolve('@product-passport/sdk/openapi.yaml'), 'utf8').split('\n')[0],
      own: failed instanceof ApiError && isApiError(failed) && failed.code === 'not_found',
    }),
  );
}

main();

// Lists active products with incomplete passports, and exits with 1 if there are any. For a cron job or CI.
// In this repository: npm start -w examples/node-script
import { createClient } from '@product-passport/sdk';

const client = createClient({
  baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', // with /api/v1
  apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
});

let incomplete = 0;
for await (const product of client.products.list({ status: 'active', limit: 200 })) {
  if (product.completeness === 100) continue;
  incomplete += 1;
  console.log(`${product.slug} ${product.completeness} %`);
}
console.log(`${incomplete} incomplete`);
if (incomplete > 0) process.exitCode = 1;

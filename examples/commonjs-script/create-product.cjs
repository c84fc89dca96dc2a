// Creates a product with its first values: node create-product.cjs 'USB-C Cable 3 m'
// In this repository: npm start -w examples/commonjs-script -- 'USB-C Cable 3 m'
const { createClient, isApiError } = require('@product-passport/sdk');
const { logAttempts } = require('@product-passport/sdk/telemetry');

const client = createClient({
  baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', // with /api/v1
  apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
  onAttempt: logAttempts(), // prints a wait of more than two seconds
});

async function main(name) {
  const { slug } = await client.products.create({ name, product_group: 'cable' });
  const { completeness } = await client.passports.put(slug, [{ field_key: 'cable_length', value: 3, unit: 'm' }]);
  console.log(`${slug} ${completeness} %`);
}

main(process.argv[2] ?? '').catch((error) => {
  if (!isApiError(error) || error.code !== 'name_required') throw error;
  console.error('Give the name of the product as the first argument.');
  process.exitCode = 2;
});

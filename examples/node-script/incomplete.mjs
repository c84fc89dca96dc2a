// Lists what the passports of active products lack, and exits with 1 if one lacks anything. For a cron job or CI.
// In this repository: npm start -w examples/node-script
import { createClient } from '@product-passport/sdk';
import { eachInOrder } from '@product-passport/sdk/bulk';
import { logAttempts } from '@product-passport/sdk/telemetry';
import { missing, templates } from '@product-passport/sdk/templates';
import * as words from '@product-passport/sdk/templates/en'; // or de

const client = createClient({
  baseUrl: process.env.PRODUCT_PASSPORT_URL ?? '', // with /api/v1
  apiKey: process.env.PRODUCT_PASSPORT_KEY ?? '',
  onAttempt: logAttempts(), // prints a wait of more than two seconds
});

async function* incompleteProducts() {
  for await (const product of client.products.list({ status: 'active', limit: 200 })) {
    if (product.completeness < 100) yield product;
  }
}

/** The labels of the required fields that a passport does not answer. */
async function missingLabels({ slug }) {
  const [product, passport] = await Promise.all([client.products.get(slug), client.passports.get(slug)]);
  const template = templates[product.product_group ?? 'other'] ?? templates.other; // a service may have more groups
  return missing(template, passport, words).map(({ label }) => label);
}

let incomplete = 0;
for await (const { item, ...outcome } of eachInOrder(incompleteProducts(), missingLabels)) {
  if (!outcome.ok) throw outcome.error;
  incomplete += 1;
  console.log(`${item.slug} ${item.completeness} %: ${outcome.value.join(', ')}`);
}
console.log(`${incomplete} incomplete`);
if (incomplete > 0) process.exitCode = 1;

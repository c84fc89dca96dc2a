/** The fake service through Mock Service Worker, with the lines of the SDK's README: node use-msw.mjs <package> */
import { createClient } from '@product-passport/sdk';
import { createFakeService } from '@product-passport/sdk/testing';

const [, , name] = process.argv;
const { http } = await import(name);
const { setupServer } = await import(`${name}/node`);

const service = createFakeService();
const handler = http.all('http://passports.test/*', ({ request }) => service.fetch(request));
const worker = setupServer(handler);

worker.listen();
const { base_url: baseUrl, tenants } = service.provider;
const client = createClient({ baseUrl, apiKey: tenants[0].api_key });
const { slug } = await client.products.create({ name: 'Fahrradklingel' });
await client.passports.put(slug, [{ field_key: 'product_weight', value: 80, unit: 'g' }]);
const { values } = await client.passports.get(slug);
const refused = await fetch(`${baseUrl}/me`);
await worker.close();
const closed = await fetch(`${baseUrl}/me`).catch(({ message }) => message);

process.stdout.write(JSON.stringify({ weight: values[0].value, refused: refused.status, closed }));

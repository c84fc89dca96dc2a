// Counts the products, creates three, and writes a value to each. Without the SDK. It keeps the contract:
// test/contracts/conformance/client.test.ts plants mistakes in it.
const { PRODUCT_PASSPORT_URL: baseUrl, PRODUCT_PASSPORT_KEY: key } = process.env;

async function send(method, path, body) {
  const headers = { authorization: `Bearer ${key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init = { method, headers, body: body && JSON.stringify(body) };
  const response = await fetch(baseUrl + path, { ...init, redirect: 'error' });
  if (response.status !== 429) return response;
  await response.arrayBuffer();
  const seconds = Number(response.headers.get('retry-after'));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return send(method, path, body);
}

async function read(path) {
  const response = await send('GET', path);
  if (!response.ok) throw new Error(`GET ${path} has status ${response.status}`);
  return response.json();
}

async function allProducts() {
  const products = [];
  let offset = 0;
  for (;;) {
    const { items } = await read(`/products?limit=200&offset=${offset}`);
    if (items.length === 0) return products;
    products.push(...items);
    offset += items.length;
  }
}

async function ensure(product) {
  const found = await send('GET', `/products/${product.slug}`);
  if (found.ok) return;
  await found.arrayBuffer();
  try {
    await send('POST', '/products', product);
  } catch {
    await ensure(product);
  }
}

async function readTenant() {
  const me = await read('/me');
  return me.tenant;
}

const tenant = await readTenant();
const products = await allProducts();
for (const { slug } of products.slice(0, 2)) await read(`/products/${slug}/passport`);
for (const colour of ['red', 'green', 'blue']) {
  const slug = `cap-${colour}`;
  await ensure({ slug, name: `Cap ${colour}`, product_group: 'textile' });
  const written = await send('PUT', `/products/${slug}/passport`, [{ field_key: 'country_of_origin', value: 'DE' }]);
  await written.arrayBuffer();
}
process.stdout.write(`${tenant.name} had ${products.length} products\n`);

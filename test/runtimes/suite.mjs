/**
 * The calls that must behave the same in every runtime. A plain module: it runs without a test framework and receives the
 * SDK as this runtime loads it.
 */

function same(actual, expected) {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (got !== wanted) throw new Error(`expected ${wanted}, got ${got}`);
}

/** The error that a call rejects with. */
async function failure(call) {
  let value;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

const tenant = 'skellig';
const slug = 'usb-c-cable-240-w-2-m';
const gtin = '09520001200045';
const outcome = ({ name, code }) => `${name} ${code}`;

/** For programs on a server: the API and the public operations. */
function onServer(sdk, target) {
  const { checkFor, cable, createClient, eachInOrder, isApiError, isPassportError, logAttempts, toArray } = sdk;
  const { verifyContentHash } = sdk;
  const { baseUrl, siteUrl, apiKey } = target;
  const client = createClient({ baseUrl, apiKey });
  return {
    'reads the tenant': async () => same((await client.me.get()).tenant.slug, tenant),
    'reads a list page by page': async () => {
      const slugs = [];
      for await (const product of client.products.list({ limit: 4 })) slugs.push(product.slug);
      same(new Set(slugs).size, slugs.length);
      same(slugs.length, (await client.products.list()).total);
    },
    'searches beyond ASCII': async () => same((await client.products.list({ search: 'ß & ✓ 50 %' })).total, 0),
    'creates a product, writes its values and reads them back': async () => {
      const created = await client.products.create({ name: 'Wool Hat Größe ✓', product_group: 'textile' });
      same(created.status, 'draft');
      const value = { de: 'Straße', list: [1, 2.5, null] };
      same((await client.passports.put(created.slug, [{ field_key: 'note', value }])).updated, 1);
      same((await client.passports.get(created.slug)).values[0].value, value);
    },
    'ensures many products, with a key from a function and a log': async () => {
      const lines = [];
      const log = { info: (line) => lines.push(line), warn: (line) => lines.push(line) };
      const many = createClient({ baseUrl, apiKey: async () => apiKey, onAttempt: logAttempts(log), maxInFlight: 2 });
      const slugs = ['many-1', 'many-2', 'many-3', 'many-4', 'many-5'];
      const outcomes = await toArray(eachInOrder(slugs, (slug) => many.products.ensure({ slug, name: slug })));
      same(
        outcomes.map(({ ok, value }) => ok && value.product.slug),
        slugs,
      );
      same(lines.length >= slugs.length, true);
      same(lines.join().includes(apiKey), false);
    },
    'an error response has its code': async () => {
      const error = await failure(client.products.create({ name: '' }));
      same([outcome(error), error.status], ['ApiError name_required', 400]);
      same([isApiError(error), isPassportError(error)], [true, true]);
      same(error instanceof Error, true);
    },
    'arguments that cannot be sent': async () => {
      same(outcome(await failure(client.products.get('..'))), 'ArgumentError invalid_argument');
      const check = checkFor(cable);
      const error = await failure(client.passports.put(slug, [{ field_key: 'cable_lenght', value: 2 }], { check }));
      same(error.message.includes('The closest is "cable_length"'), true);
    },
    'an unreachable service': async () => {
      const nowhere = createClient({ baseUrl: target.nowhere, apiKey });
      const error = await failure(nowhere.me.get({ signal: AbortSignal.timeout(10_000) }));
      same(outcome(error), 'NetworkError network_error');
      same(error.message.includes(` from ${new URL(target.nowhere).host}: `), true);
    },
    'an aborted call': async () => {
      const controller = new AbortController();
      const call = client.me.get({ signal: controller.signal });
      controller.abort(new Error('enough'));
      const error = await failure(call);
      same([outcome(error), error.cause.message], ['AbortError aborted', 'enough']);
      same(outcome(await failure(client.me.get({ signal: AbortSignal.abort() }))), 'AbortError aborted');
    },
    'the values read with the API key match the content hash of the passport': async () =>
      same((await verifyContentHash(await client.passports.get(slug))).ok, true),
    ...publicSide(sdk, siteUrl),
    ...inProcess(sdk),
  };
}

/** The fake service carries Joi, in a bundle for every runtime. */
function inProcess({ createFakeService }) {
  const { fetch, provider } = createFakeService();
  const headers = { authorization: `Bearer ${provider.tenants[0].api_key}`, 'content-type': 'application/json' };
  const create = async (body) =>
    (await fetch(`${provider.base_url}/products`, { method: 'POST', headers, body })).json();
  return {
    'the fake service checks bodies': async () => {
      same((await create('{"name":" Wool Hat Größe "}')).slug, 'wool-hat-groesse');
      same((await create('{"name":" "}')).error.code, 'name_required');
      same((await create('{"name":"a","gtin":9007199254740993}')).error.message, 'gtin must be a string.');
      same((await create('{"name":"a","x":"\\u0000"}')).error.code, 'invalid_request');
      same((await create('{"name":"a"')).error.message.startsWith('The request body is not valid JSON'), true);
    },
  };
}

function publicSide({ buildDigitalLink, createPublicClient, parseDigitalLink, verifyPassport }, siteUrl) {
  const site = createPublicClient({ siteUrl });
  return {
    'reads a passport document': async () =>
      same((await site.passports.document(tenant, slug)).identifier, `urn:dpp:${tenant}:${slug}`),
    'reads a passport page': async () => same((await site.passports.page(tenant, slug)).includes('<html'), true),
    'an unknown passport': async () => {
      same(outcome(await failure(site.passports.document(tenant, 'no-such-product'))), 'ApiError not_found');
      same(outcome(await failure(site.passports.page(tenant, 'no-such-product'))), 'ApiError not_found');
    },
    'reads the passport that a GTIN resolves to': async () => {
      const { url, document } = await site.resolve(gtin);
      same([new URL(url).pathname, document.identifier], [`/p/${tenant}/${slug}/jsonld`, `urn:dpp:${tenant}:${slug}`]);
    },
    'reads the passport of a scanned link, and its public values match the content hash': async () => {
      const link = buildDigitalLink({ siteUrl, gtin, serial: 'SN/1' });
      same(parseDigitalLink(link).serial, 'SN/1');
      const { document } = await site.resolve(link);
      same((await verifyPassport(document)).ok, true);
      same((await verifyPassport({ ...document, additionalProperty: [] })).ok, false);
    },
  };
}

/** For web pages: only the public operations. The API sends no CORS headers, so that no API key is put in a page. */
function inBrowser(sdk, { baseUrl, siteUrl }) {
  const { createClient } = sdk;
  return {
    ...publicSide(sdk, siteUrl),
    ...inProcess(sdk),
    'a key is refused in a web page': async () => {
      try {
        createClient({ baseUrl, apiKey: 'ppk_x' });
      } catch (error) {
        return same(outcome(error), 'ArgumentError invalid_argument');
      }
      throw new Error('createClient takes a key.');
    },
    'the API is not available to web pages': async () => {
      const client = createClient({ baseUrl, apiKey: 'ppk_x', dangerouslyAllowBrowser: true });
      same(outcome(await failure(client.me.get())), 'NetworkError network_error');
    },
  };
}

/** Runs the calls one after the other. `ran` counts them all; a failure has its name and reason. */
export async function suite(sdk, target) {
  const calls = (target.browser ? inBrowser : onServer)(sdk, target);
  const failures = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
    } catch (error) {
      failures.push(`${name}: ${error?.stack ?? error}`);
    }
  }
  return { ran: Object.keys(calls).length, failures };
}

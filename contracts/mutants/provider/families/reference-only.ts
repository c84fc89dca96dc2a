/** Mistakes in what only the reference profile asks for. They are made by wrapping the reference server. */
import type {
  Passport,
  PassportDocument,
  PassportWriteResult,
  Product,
  ProductList,
  ScanStatistics,
} from '@product-passport/sdk';
import {
  api,
  changeBody,
  changeJson,
  changeRequest,
  changeResponse,
  changeText,
  create,
  document,
  error,
  everywhere,
  jsonOf,
  keysOf,
  list,
  type Mutant,
  page,
  passport,
  product,
  resolver,
  respondWith,
  scans,
  type Wrap,
  withBody,
  withHeader,
  withKey,
  withQuery,
  withStatus,
  write,
} from '../alter.ts';

import { changeToken } from './public-side.ts';

const of = 'reference';

function withoutHeader(response: Response, name: string): Response {
  const headers = new Headers(response.headers);
  headers.delete(name);
  return new Response(response.body, { status: response.status, headers });
}

function withRequestHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
}

interface Category {
  value: string | null;
  is_unknown?: boolean;
}

/** Changes the category of batteries in writes. */
function changeCategory(change: (category: Category) => Category): Wrap {
  return changeBody(write, (body: unknown) =>
    Array.isArray(body)
      ? body.map((element) =>
          element?.field_key === 'battery_category' ? { ...element, ...change(element) } : element,
        )
      : body,
  );
}

/** Changes the response to the page of a draft. Slugs that the suite makes up contain `unknown`. */
function changeDraft(change: (response: Response) => Response): Wrap {
  return changeResponse(page, (response, { url }) =>
    response.status === 404 && !url.includes('unknown') ? change(response) : response,
  );
}

/** Takes the token of one role for that of another. */
function takesTokenFor(role: 'recycler' | 'inspector', other: 'recycler' | 'inspector'): Wrap {
  return changeToken((sent, { provider }) => {
    const valid = provider.access_tokens.filter(({ revoked }) => !revoked);
    const isOfRole = valid.some((one) => one.token === sent && one.role === role);
    return isOfRole ? valid.find((one) => one.role === other)?.token : undefined;
  });
}

/** Changes the JSON-LD document. */
function changeDocument(change: (body: PassportDocument) => object) {
  return changeText(document, (text) => JSON.stringify(change(JSON.parse(text))));
}

/** The statistics of every tenant name the top products of this one. */
function topProductsOf(tenant: 0 | 1) {
  return changeResponse(scans, async (response, request, service) => {
    const own = (await jsonOf(response)) as ScanStatistics;
    const theirs = await jsonOf(await service.fetch(withKey(request, keysOf(service)[tenant])));
    return withBody(response, JSON.stringify({ ...own, top_products: (theirs as ScanStatistics).top_products }));
  });
}

const linkedData = { of, only: ['PUB-5'], killedBy: 'PUB-5.no-dropped-term' } as const;

export const referenceOnly: readonly Mutant[] = [
  {
    ...linkedData,
    id: 'context-without-prefix',
    mistake: 'The context of the JSON-LD document lacks the prefix of its own terms.',
    because: '/hasDigitalProductPassport/dpp:viewRole: no context defines the term',
    wrap: changeDocument(({ '@context': [vocabulary, terms], ...rest }) => {
      const { dpp: _, ...others } = Object(terms);
      return { '@context': [vocabulary, others], ...rest };
    }),
  },
  {
    ...linkedData,
    id: 'context-without-vocabulary',
    mistake: 'The context of the JSON-LD document lacks schema.org.',
    because: '/name: no context defines the term',
    wrap: changeDocument(({ '@context': [, terms], ...rest }) => ({ '@context': terms, ...rest })),
  },
  {
    ...linkedData,
    id: 'null-in-document',
    mistake: 'The JSON-LD document has null, which processors drop.',
    because: '/additionalProperty/0/unitText: null is dropped',
    wrap: changeDocument((body) => ({
      ...body,
      additionalProperty: body.additionalProperty.map((property) => ({ ...property, unitText: null })),
    })),
  },
  {
    ...linkedData,
    id: 'context-to-load',
    mistake: 'The context of the JSON-LD document is at an address of the provider.',
    because: 'must be loaded',
    wrap: changeDocument(({ '@context': contexts, ...rest }) => ({
      '@context': [...contexts, 'https://passports.test/context.jsonld'],
      ...rest,
    })),
  },
  {
    of,
    only: ['PUB-5'],
    killedBy: 'PUB-5.language',
    id: 'labels-in-one-language',
    mistake: 'A cache of the JSON-LD document ignores the language of the reader.',
    because: 'the labels in German and in English must differ',
    wrap: changeRequest(document, (request) => {
      const headers = new Headers(request.headers);
      headers.delete('accept-language');
      return new Request(request.url.replace(/\?lang=\w+$/, ''), { headers });
    }),
  },
  {
    id: 'plus-not-decoded',
    mistake: 'A plus in the query stays a plus.',
    of,
    only: ['SRCH-1.encoded'],
    killedBy: 'SRCH-1.encoded-2',
    because: 'the search must find the product',
    wrap: (service) => (request) => service.fetch(new Request(request.url.replaceAll('+', '%2B'), request)),
  },
  {
    id: 'repeated-views-not-counted',
    mistake: 'Only the first view of the page counts.',
    of,
    only: ['SCAN-1.view-consumer', 'SCAN-1.consumer'],
    killedBy: 'SCAN-1.consumer',
    because: 'the growth of total and of by_view_role.consumer',
    wrap: (service) => {
      let views = 0;
      return changeRequest(page, (request) => {
        views += 1;
        if (views === 1) return request;
        return new Request(request, { headers: { ...Object.fromEntries(request.headers), 'sec-purpose': 'prefetch' } });
      })(service);
    },
  },
  {
    id: 'no-allow',
    mistake: 'The response to OPTIONS has no Allow header.',
    of,
    only: ['HTTP-3.options'],
    killedBy: 'HTTP-3.options-getPassportPage',
    because: 'Allow must be',
    wrap: changeResponse({ path: /^\/p\// }, (response) => withoutHeader(response, 'allow')),
  },
  {
    id: 'delete-accepted',
    mistake: 'DELETE gets 204 on every path, and does nothing.',
    of,
    only: ['HTTP-3', 'HTTP-7'],
    killedBy: 'HTTP-3.getScanStatistics',
    because: 'the status of DELETE must be 405, is 204',
    wrap: respondWith(everywhere, ({ method }) =>
      method === 'DELETE' ? new Response(null, { status: 204 }) : undefined,
    ),
  },
  {
    id: 'cacheable',
    mistake: 'Caches may store responses of the API.',
    of,
    only: ['HTTP-5'],
    killedBy: 'HTTP-5.no-store',
    because: 'has no Cache-Control: no-store',
    wrap: changeResponse(api, (response) => withHeader(response, 'cache-control', 'public, max-age=60')),
  },
  {
    id: 'sniffable',
    mistake: 'Responses of the API lack nosniff.',
    of,
    only: ['HTTP-5'],
    killedBy: 'HTTP-5.nosniff',
    because: 'has no X-Content-Type-Options: nosniff',
    wrap: changeResponse(api, (response) => withoutHeader(response, 'x-content-type-options')),
  },
  {
    id: 'constant-request-id',
    mistake: 'Every response has the same request id.',
    of,
    only: ['HTTP-5'],
    killedBy: 'HTTP-5.request-id',
    because: 'X-Request-Id must be',
    wrap: changeResponse(api, (response) => withHeader(response, 'x-request-id', '1')),
  },
  {
    id: 'long-request-id',
    mistake: 'An X-Request-Id of 129 characters is kept.',
    of,
    only: ['HTTP-5'],
    killedBy: 'HTTP-5.request-id-new',
    because: 'X-Request-Id must be a new id',
    wrap: changeResponse(api, (response, { headers }) => {
      const own = headers.get('x-request-id');
      return own?.length === 129 ? withHeader(response, 'x-request-id', own) : response;
    }),
  },
  {
    id: 'no-content-security-policy',
    mistake: 'The page has no Content-Security-Policy.',
    of,
    only: ['PUB-4'],
    killedBy: 'PUB-4.content-security-policy',
    because: "must have default-src 'none'",
    wrap: changeResponse(page, (response) => withoutHeader(response, 'content-security-policy')),
  },
  {
    id: 'script-on-page',
    mistake: 'The page loads a script of an analytics service.',
    of,
    only: ['PUB-4'],
    killedBy: 'PUB-4.no-script',
    because: 'the scripts of the page',
    wrap: changeText(page, (text) => text.replace('</head>', '<script src="/stats.js"></script></head>')),
  },
  {
    id: 'no-etag',
    mistake: 'The page has no ETag.',
    of,
    only: ['PUB-6'],
    killedBy: 'PUB-6.not-modified',
    because: 'the page must have an ETag',
    wrap: changeResponse(page, (response) => withoutHeader(response, 'etag')),
  },
  {
    id: 'token-page-cached',
    mistake: 'Caches may store a page with a token.',
    of,
    only: ['PUB-6'],
    killedBy: 'PUB-6.token',
    because: 'Cache-Control must have no-store',
    wrap: changeResponse(page, (response) => withHeader(response, 'cache-control', 'public, max-age=60')),
  },
  {
    id: 'wrong-public-hash',
    mistake: 'The public hash covers other values.',
    of,
    only: ['PUB-5'],
    killedBy: 'PUB-5.public-hash',
    because: 'dpp:publicContentHash must be',
    wrap: changeText(document, (text) => text.replace(/("dpp:publicContentHash":")[0-9a-f]{8}/, '$100000000')),
  },
  {
    id: 'redirect-without-cors',
    mistake: 'Other sites cannot read the redirect.',
    of,
    only: ['GS1-2'],
    killedBy: 'GS1-2.cors',
    because: 'Access-Control-Allow-Origin must be',
    wrap: changeResponse(resolver, (response) => withoutHeader(response, 'access-control-allow-origin')),
  },
  {
    id: 'redirect-drops-query',
    mistake: 'The redirect drops the query.',
    of,
    only: ['GS1-2'],
    killedBy: 'GS1-2.query',
    because: 'the target must keep lang=de',
    wrap: changeResponse(resolver, (response) => {
      const location = response.headers.get('location');
      return location === null ? response : withHeader(response, 'location', location.replace(/\?.*/, ''));
    }),
  },
  {
    id: 'malformed-gtin-404',
    mistake: 'A malformed GTIN gets 404.',
    of,
    only: ['GS1-2'],
    killedBy: 'GS1-2.malformed-letters',
    because: 'the faulty request must get 400, gets 404',
    wrap: changeResponse(resolver, (response) => (response.status === 400 ? error(404, 'not_found') : response)),
  },
  {
    of,
    only: ['PROD-4'],
    id: 'gtin-before-group',
    mistake: 'The GTIN of a creation is checked before its product group.',
    killedBy: 'PROD-4.order',
    because: 'error.code must be "unknown_product_group", is "invalid_gtin"',
    wrap: respondWith(create, async (request) => {
      const { name, gtin, product_group: group } = await request.json().catch(() => ({}));
      return name?.trim() && gtin === '1' && group === 'no-such-group' ? error(400, 'invalid_gtin') : undefined;
    }),
  },
  {
    id: 'unknown-fields-refused',
    mistake: 'A member of the server in the body of createProduct gets 400.',
    of,
    only: ['TEN-4'],
    killedBy: 'TEN-4.create',
    because: 'must respond with 200, responds with 404',
    wrap: respondWith(create, async (request) =>
      (await request.text()).includes('"tenant_id"') ? error(400, 'invalid_request') : undefined,
    ),
  },
  {
    id: 'unpaired-surrogate-replaced',
    mistake: 'A lone surrogate is replaced.',
    of,
    only: ['PROD-6'],
    killedBy: 'PROD-6.forbidden-surrogate',
    because: 'the faulty request must get 400, gets 200',
    wrap: changeBody(create, (body: { name?: unknown }) =>
      typeof body.name === 'string' ? { ...body, name: body.name.toWellFormed() } : body,
    ),
  },
  {
    id: 'large-write-accepted',
    mistake: 'More than 1,000 elements are accepted.',
    of,
    only: ['PASS-9'],
    killedBy: 'PASS-9.elements',
    because: 'gets 200',
    wrap: changeBody(write, (body: unknown) => (Array.isArray(body) ? body.slice(0, 1000) : body)),
  },
  {
    id: 'nodes-of-body-not-limited',
    mistake: 'The nodes of unknown fields do not count.',
    of,
    only: ['PASS-9.nodes-of'],
    killedBy: 'PASS-9.nodes-of-body',
    because: 'gets 200',
    wrap: changeBody(write, (body: unknown) => {
      if (!Array.isArray(body)) return body;
      return body.map(({ field_key, value }: Record<string, unknown>) => ({ field_key, value }));
    }),
  },
  {
    id: 'completeness-rounded-up',
    mistake: 'Completeness is never 0.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.null',
    because: 'completeness',
    wrap: changeJson(api, (body: Partial<PassportWriteResult>) =>
      body.completeness === 0 ? { ...body, completeness: 1 } : body,
    ),
  },
  {
    id: 'completeness-of-all-fields',
    mistake: 'Every stored field counts for the completeness.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.optional',
    because: 'some fields of the template cable must not be required',
    wrap: changeResponse(write, async (response, { url, headers }, service) => {
      const { values } = (await (await service.fetch(new Request(url, { headers }))).json()) as Passport;
      const known = values.filter(({ is_unknown }) => !is_unknown);
      const completeness = Math.floor((100 * known.length) / values.length);
      return withBody(response, JSON.stringify({ updated: 1, completeness }));
    }),
  },
  {
    id: 'complete-with-one-field',
    mistake: 'One required field makes a passport complete.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.steps-cable',
    because: 'the template cable must have several required fields',
    wrap: changeJson(write, (body: PassportWriteResult) => ({ ...body, completeness: body.completeness && 100 })),
  },
  {
    id: 'draft-never-complete',
    mistake: 'A draft never shows a completeness of 100.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.steps-cable',
    because: 'completeness of the product must be 100, is 99',
    wrap: changeJson(product, (body: Product) => ({ ...body, completeness: Math.min(99, body.completeness) })),
  },
  {
    id: 'completeness-in-tens',
    mistake: 'The service rounds the completeness down to tens.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.steps-cable',
    because: 'completeness after each required field must be',
    wrap: changeJson(write, (body: PassportWriteResult) => ({
      ...body,
      completeness: body.completeness - (body.completeness % 10),
    })),
  },
  {
    id: 'every-battery-for-cars',
    mistake: 'Every battery needs what one of an electric vehicle needs.',
    of,
    only: ['PASS-7.category'],
    killedBy: 'PASS-7.category-lmt',
    because: 'completeness with what the category needs must be 100',
    wrap: changeCategory((category) => (category.value === null ? category : { value: 'ev' })),
  },
  {
    id: 'category-needs-no-more',
    mistake: 'No category needs more than the others.',
    of,
    only: ['PASS-7.category'],
    killedBy: 'PASS-7.category-ev',
    because: 'must be less than',
    wrap: changeCategory((category) => (category.value === null ? category : { value: 'portable' })),
  },
  {
    id: 'any-category-counts',
    mistake: 'A category that the template does not have counts.',
    of,
    only: ['PASS-7.category'],
    killedBy: 'PASS-7.category-other',
    because: 'completeness with an unknown category must be',
    wrap: changeCategory((category) => (category.value?.startsWith('verify-') ? { value: 'portable' } : category)),
  },
  {
    id: 'no-category-for-cars',
    mistake: 'A battery without a category is one of an electric vehicle.',
    of,
    only: ['PASS-7.category'],
    killedBy: 'PASS-7.category-none',
    because: 'completeness with more than every category needs must be',
    wrap: changeCategory((category) => (category.is_unknown ? { value: 'ev', is_unknown: false } : category)),
  },
  {
    id: 'unknown-key-hidden',
    mistake: 'The passport shows the fields of its template only.',
    of,
    only: ['PASS-7'],
    killedBy: 'PASS-7.unknown-key',
    because: 'the passport must have the value',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.filter(({ field_key }) => !field_key.startsWith('verify_')),
    })),
  },
  {
    id: 'hash-in-upper-case',
    mistake: 'The content hash is written in upper case.',
    of,
    only: ['PASS-6'],
    killedBy: 'PASS-6.recomputed',
    because: 'content_hash must be',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      latest_version: { ...body.latest_version, content_hash: body.latest_version.content_hash.toUpperCase() },
    })),
  },
  {
    id: 'days-without-scans-left-out',
    mistake: 'per_day leaves out days without a scan.',
    of,
    only: ['SCAN-2'],
    killedBy: 'SCAN-2.every-day-365',
    because: 'the number of days must be 365',
    wrap: changeJson(scans, (body: ScanStatistics) => ({
      ...body,
      per_day: body.per_day.filter(({ count }) => count > 0),
    })),
  },
  {
    id: 'newest-first',
    mistake: 'Each page of the list begins with its newest product.',
    of,
    only: ['PAGE-4.oldest'],
    killedBy: 'PAGE-4.oldest-first',
    because: 'is older than the product before it in the list',
    wrap: changeJson(list, (body: ProductList) => ({ ...body, items: body.items.toReversed() })),
  },
  {
    id: 'offset-moves-with-creations',
    mistake: 'The offset is moved by the number of new products, although they are listed last.',
    of,
    only: ['PAGE-4.while'],
    killedBy: 'PAGE-4.while-growing',
    because: 'the products that the walk missed must be []',
    wrap: (service) => {
      let created = 0;
      return changeRequest(api, (request) => {
        if (request.method === 'POST') created += 1;
        const offset = Number(new URL(request.url).searchParams.get('offset'));
        return offset > 0 ? withQuery(request, (query) => query.set('offset', String(offset + created))) : request;
      })(service);
    },
  },
  {
    id: 'top-products-of-newest-tenant',
    mistake: 'top_products names the products of the newest tenant for every key.',
    of,
    only: ['TEN-2.top'],
    killedBy: 'TEN-2.top-products',
    because: 'must respond with 200, responds with 404',
    wrap: topProductsOf(1),
  },
  {
    id: 'top-products-of-oldest-tenant',
    mistake: 'top_products names the products of the oldest tenant for every key.',
    of,
    only: ['TEN-2.top'],
    killedBy: 'TEN-2.top-products',
    because: 'must respond with 200, responds with 404',
    wrap: topProductsOf(0),
  },
  {
    id: 'draft-403',
    mistake: 'The page of a draft gets 403, so that everybody learns that it exists.',
    of,
    only: ['PUB-1.draft-like'],
    killedBy: 'PUB-1.draft-like-unknown-page',
    because: 'the statuses must be',
    wrap: changeDraft((response) => withStatus(response, 403)),
  },
  {
    id: 'draft-announced',
    mistake: 'The page of a draft says that it will be published soon.',
    of,
    only: ['PUB-1.draft-like'],
    killedBy: 'PUB-1.draft-like-unknown-page',
    because: 'the three responses must have the same bytes',
    wrap: changeDraft((response) => withBody(response, 'This passport will be published soon.')),
  },
  {
    id: 'inspector-as-recycler',
    mistake: 'The token of an inspector opens only what a recycler may see.',
    of,
    only: ['PUB-3.authority'],
    killedBy: 'PUB-3.authority-document',
    because: 'an inspector must see the authority values',
    wrap: takesTokenFor('inspector', 'recycler'),
  },
  {
    id: 'recycler-as-inspector',
    mistake: 'The token of a recycler opens what only an inspector may see.',
    of,
    only: ['PUB-3.authority'],
    killedBy: 'PUB-3.authority-page',
    because: 'a recycler must not see the authority values',
    wrap: takesTokenFor('recycler', 'inspector'),
  },
  {
    id: 'signature-not-verified',
    mistake: 'The signature of a token is not verified.',
    of,
    only: ['PUB-3.forged'],
    killedBy: 'PUB-3.forged-document',
    because: 'must show no hidden value',
    wrap: changeToken((sent, { provider }) => {
      const signed = sent.slice(0, sent.lastIndexOf('.') + 1);
      return provider.access_tokens.find(({ token }) => token.startsWith(signed))?.token;
    }),
  },
  {
    id: 'event-handler-on-page',
    mistake: 'The page has an event handler that prints it.',
    of,
    only: ['PUB-4'],
    killedBy: 'PUB-4.no-script',
    because: 'the page must have no event handler',
    wrap: changeText(page, (text) => text.replace('</h1>', '</h1><button onclick="print()">Print</button>')),
  },
  {
    id: 'inline-scripts-allowed',
    mistake: 'The Content-Security-Policy of the page allows inline scripts.',
    of,
    only: ['PUB-4'],
    killedBy: 'PUB-4.content-security-policy',
    because: 'the policy must not allow inline scripts',
    wrap: changeResponse(page, (response) =>
      withHeader(response, 'content-security-policy', "default-src 'none'; script-src 'unsafe-inline'"),
    ),
  },
  {
    id: 'accept-language-ignored',
    mistake: 'The labels of the JSON-LD document have the language of lang, but not of Accept-Language.',
    of,
    only: ['PUB-5'],
    killedBy: 'PUB-5.language',
    because: 'the labels with Accept-Language: de must be',
    wrap: changeRequest(document, (request) => withRequestHeader(request, 'accept-language', 'en')),
  },
  {
    id: 'document-without-vary',
    mistake: 'The JSON-LD document does not vary by Accept-Language, so that caches serve the wrong language.',
    of,
    only: ['PUB-5'],
    killedBy: 'PUB-5.language',
    because: 'Vary must name accept-language',
    wrap: changeResponse(document, (response) => withoutHeader(response, 'vary')),
  },
  {
    id: 'etag-of-all-languages',
    mistake: 'The ETag of the JSON-LD document is its version, whatever the language.',
    of,
    only: ['PUB-5'],
    killedBy: 'PUB-5.language',
    because: 'the ETags of two languages must differ',
    wrap: changeResponse(document, (response) => withHeader(response, 'etag', '"3"')),
  },
  {
    id: 'document-without-etag',
    mistake: 'The JSON-LD document has no ETag.',
    of,
    only: ['PUB-6'],
    killedBy: 'PUB-6.document-not-modified',
    because: 'the document must have an ETag',
    wrap: changeResponse(document, (response) => withoutHeader(response, 'etag')),
  },
  {
    id: 'document-sent-again',
    mistake: 'The JSON-LD document is sent again to a client that has it.',
    of,
    only: ['PUB-6'],
    killedBy: 'PUB-6.document-not-modified',
    because: 'status and body must be',
    wrap: changeRequest(document, (request) => withRequestHeader(request, 'if-none-match', '""')),
  },
  {
    id: 'token-page-not-private',
    mistake: 'The Cache-Control of a page with a token lacks private.',
    of,
    only: ['PUB-6'],
    killedBy: 'PUB-6.token',
    because: 'Cache-Control must have private',
    wrap: changeResponse(page, (response) => withHeader(response, 'cache-control', 'no-store')),
  },
  {
    id: 'head-without-location',
    mistake: 'The redirect of HEAD has no Location.',
    of,
    only: ['GS1-2'],
    killedBy: 'GS1-2.head',
    because: 'status and target must be',
    wrap: changeResponse({ ...resolver, method: 'HEAD' }, (response) => withoutHeader(response, 'location')),
  },
  {
    id: 'today-after-newest-first',
    mistake: 'per_day adds today at the end of days that are sorted from the newest to the oldest.',
    of,
    only: ['SCAN-2'],
    killedBy: 'SCAN-2.every-day-7',
    because: 'the order of the dates must be',
    wrap: changeJson(scans, (body: ScanStatistics) => ({
      ...body,
      per_day: [...body.per_day.slice(0, -1).reverse(), ...body.per_day.slice(-1)],
    })),
  },
  {
    id: 'top-products-not-limited',
    mistake: 'top_products has more than 10 products.',
    of,
    only: ['SCAN-2'],
    killedBy: 'SCAN-2.top-products',
    because: 'top_products must have at most 10 items, has 11',
    wrap: changeJson(scans, (body: ScanStatistics) => ({
      ...body,
      top_products: Array.from({ length: 11 }, (_, index) => ({ slug: `helmet-${index}`, name: 'Helmet', count: 1 })),
    })),
  },
];

/** Mistakes in what only the claim `reference` asks for. */
import type { Passport, PassportValueInput, ScanStatistics } from '@product-passport/sdk';
import { at } from '../call.ts';
import {
  asksWith,
  type Change,
  eachWritten,
  error,
  ignores,
  members,
  notes,
  onStatus,
  parameter,
  withBody,
  withStatus,
} from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';
import { version } from './passports.ts';
import { takesToken } from './public-side.ts';
import { countsFirst } from './scans.ts';

/** Changes the category of batteries in writes. */
function category(change: (element: Partial<PassportValueInput>) => object): Change {
  return eachWritten((element) => (element.field_key === 'battery_category' ? change(element) : {}));
}

/** Changes the response to the page of a draft. Slugs that the suite makes up contain `unknown`. */
function ofDraft(change: (response: Response) => Response): Change {
  return onStatus(at.page, 404, (response, { url }) => (url.includes('unknown') ? undefined : change(response)));
}

/** Takes the token of one role for that of another. */
function takesTokenFor(role: 'recycler' | 'inspector', other: 'recycler' | 'inspector'): Change {
  return takesToken((sent, tokens) =>
    tokens.some((one) => one.token === sent && one.role === role)
      ? tokens.find((one) => one.role === other)
      : undefined,
  );
}

/** The statistics of every tenant name the top products of this one. */
function topProductsOf(tenant: 0 | 1): Change {
  return members(at.scans, async (_, call) => {
    const { top_products } = await call.with({ key: call.keys[tenant] }).reply<ScanStatistics>();
    return { top_products };
  });
}

export const referenceOnly: readonly WrongProvider[] = [
  wrong('context-without-prefix', 'The context of the JSON-LD document lacks the prefix of its own terms.')
    .failsIn('PUB-5.no-dropped-term', '/hasDigitalProductPassport/dpp:viewRole: no context defines the term')
    .members(at.document, ({ '@context': [vocabulary, terms] }) => ({
      '@context': [vocabulary, { ...Object(terms), dpp: undefined }],
    })),
  wrong('context-without-vocabulary', 'The context of the JSON-LD document lacks schema.org.')
    .failsIn('PUB-5.no-dropped-term', '/name: no context defines the term')
    .members(at.document, ({ '@context': [, terms] }) => ({ '@context': terms })),
  wrong('null-in-document', 'The JSON-LD document has null, which processors drop.')
    .failsIn('PUB-5.no-dropped-term', '/additionalProperty/0/unitText: null is dropped')
    .each(at.document, 'additionalProperty', () => ({ unitText: null })),
  wrong('context-to-load', 'The context of the JSON-LD document is at an address of the provider.')
    .failsIn('PUB-5.no-dropped-term', 'must be loaded')
    .elements(at.document, '@context', (contexts) => [...contexts, 'https://passports.test/context.jsonld']),
  wrong('labels-in-one-language', 'A cache of the JSON-LD document ignores the language of the reader.')
    .failsIn('PUB-5.language', 'the labels in German and in English must differ')
    .together([asksWith(at.document, 'accept-language', null), ignores(at.document, 'lang')]),
  wrong('plus-not-decoded', 'A plus in the query stays a plus.')
    .failsIn('SRCH-1.encoded-2', 'the search must find the product')
    .asks(at.everywhere, (call) => call.with({ path: call.url.replaceAll('+', '%2B') })),
  wrong('repeated-views-not-counted', 'Only the first view of the page counts.', 'reference')
    .failsIn(
      'SCAN-1.consumer',
      'the growth of total and of by_view_role.consumer',
      'SCAN-1.view-consumer',
      'SCAN-1.consumer',
    )
    .does(countsFirst(1)),
  wrong('no-allow', 'The response to OPTIONS has no Allow header.')
    .failsIn('HTTP-3.options-getPassportPage', 'Allow must be')
    .header({ path: /^\/p\// }, 'allow', null),
  wrong('delete-accepted', 'DELETE gets 204 on every path, and does nothing.')
    .failsIn('HTTP-3.getScanStatistics', 'the status of DELETE must be 405, is 204')
    .instead({ ...at.everywhere, method: 'DELETE' }, () => new Response(null, { status: 204 })),
  wrong('cacheable', 'Caches may store responses of the API.')
    .failsIn('HTTP-5.no-store', 'has no Cache-Control: no-store')
    .header(at.api, 'cache-control', 'public, max-age=60'),
  wrong('sniffable', 'Responses of the API lack nosniff.')
    .failsIn('HTTP-5.nosniff', 'has no X-Content-Type-Options: nosniff')
    .header(at.api, 'x-content-type-options', null),
  wrong('constant-request-id', 'Every response has the same request id.')
    .failsIn('HTTP-5.request-id', 'X-Request-Id must be')
    .header(at.api, 'x-request-id', '1'),
  wrong('long-request-id', 'An X-Request-Id of 129 characters is kept.')
    .failsIn('HTTP-5.request-id-new', 'X-Request-Id must be a new id')
    .header(at.api, 'x-request-id', (made, { headers }) => {
      const own = headers.get('x-request-id');
      return own?.length === 129 ? own : made;
    }),
  wrong('no-content-security-policy', 'The page has no Content-Security-Policy.')
    .failsIn('PUB-4.content-security-policy', "must have default-src 'none'")
    .header(at.page, 'content-security-policy', null),
  wrong('script-on-page', 'The page loads a script of an analytics service.')
    .failsIn('PUB-4.no-script', 'the scripts of the page')
    .text(at.page, (text) => text.replace('<h1', '<script src="/stats.js"></script><h1')),
  wrong('no-etag', 'The page has no ETag.')
    .failsIn('PUB-6.not-modified', 'the page must have an ETag')
    .header(at.page, 'etag', null),
  wrong('token-page-cached', 'Caches may store a page with a token.')
    .failsIn('PUB-6.token', 'Cache-Control must have no-store')
    .header(at.page, 'cache-control', 'public, max-age=60'),
  wrong('wrong-public-hash', 'The public hash covers other values.')
    .failsIn('PUB-5.public-hash', 'dpp:publicContentHash must be')
    .text(at.document, (text) => text.replace(/("dpp:publicContentHash":")[0-9a-f]{8}/, '$100000000')),
  wrong('redirect-without-cors', 'Other sites cannot read the redirect.')
    .failsIn('GS1-2.cors', 'Access-Control-Allow-Origin must be')
    .header(at.resolver, 'access-control-allow-origin', null),
  wrong('redirect-drops-query', 'The redirect drops the query.')
    .failsIn('GS1-2.query', 'the target must keep lang=de')
    .header(at.resolver, 'location', (location) => location?.replace(/\?.*/, '') ?? null),
  wrong('malformed-gtin-404', 'A malformed GTIN gets 404.')
    .failsIn('GS1-2.malformed-letters', 'the faulty request must get 400, gets 404')
    .onStatus(at.resolver, 400, () => error(404, 'not_found')),
  wrong('gtin-before-group', 'The GTIN of a creation is checked before its product group.')
    .failsIn('PROD-4.order', 'error.code must be "unknown_product_group", is "invalid_gtin"')
    .refusesCreation(
      400,
      'invalid_gtin',
      ({ name, gtin, product_group: group }) => Boolean(name?.trim()) && gtin === '1' && group === 'no-such-group',
    ),
  wrong('unknown-fields-refused', 'A member of the server in the body of createProduct gets 400.')
    .failsIn('TEN-4.create', 'must respond with 200, responds with 404')
    .refuses(at.create, 400, 'invalid_request', async (call) => (await call.text()).includes('"tenant_id"')),
  wrong('unpaired-surrogate-replaced', 'A lone surrogate is replaced.')
    .failsIn('PROD-6.forbidden-surrogate', 'the faulty request must get 400, gets 200')
    .createdText('name', (name) => name.toWellFormed()),
  wrong('large-write-accepted', 'More than 1,000 elements are accepted.')
    .failsIn('PASS-9.elements', 'gets 200')
    .written((elements) => elements.slice(0, 1000)),
  wrong('nodes-of-body-not-limited', 'The nodes of unknown fields do not count.')
    .failsIn('PASS-9.nodes-of-body', 'gets 200')
    .written((elements) => elements.map((one) => ({ field_key: one?.field_key, value: one?.value }))),
  wrong('completeness-rounded-up', 'Completeness is never 0.')
    .failsIn('PASS-7.null', 'completeness')
    .json(at.api, (body) => ({ ...Object(body), ...(Object(body).completeness === 0 && { completeness: 1 }) })),
  wrong('completeness-of-all-fields', 'Every stored field counts for the completeness.')
    .failsIn('PASS-7.optional', 'some fields of the template cable must not be required')
    .members(at.write, async (_, call) => {
      const { values } = await call.get(call.url).reply<Passport>();
      const known = values.filter(({ is_unknown }) => !is_unknown);
      return { updated: 1, completeness: Math.floor((100 * known.length) / values.length) };
    }),
  wrong('complete-with-one-field', 'One required field makes a passport complete.')
    .failsIn('PASS-7.steps-cable', 'the template cable must have several required fields')
    .members(at.write, ({ completeness }) => ({ completeness: completeness && 100 })),
  wrong('draft-never-complete', 'A draft never shows a completeness of 100.')
    .failsIn('PASS-7.steps-cable', 'completeness of the product must be 100, is 99')
    .members(at.product, ({ completeness }) => ({ completeness: Math.min(99, completeness) })),
  wrong('completeness-in-tens', 'The service rounds the completeness down to tens.')
    .failsIn('PASS-7.steps-cable', 'completeness after each required field must be')
    .members(at.write, ({ completeness }) => ({ completeness: completeness - (completeness % 10) })),
  wrong('every-battery-for-cars', 'Every battery needs what one of an electric vehicle needs.')
    .failsIn('PASS-7.category-lmt', 'completeness with what the category needs must be 100')
    .does(category(({ value }) => (value === null ? {} : { value: 'ev' }))),
  wrong('category-needs-no-more', 'No category needs more than the others.')
    .failsIn('PASS-7.category-ev', 'must be less than')
    .does(category(({ value }) => (value === null ? {} : { value: 'portable' }))),
  wrong('any-category-counts', 'A category that the template does not have counts.')
    .failsIn('PASS-7.category-other', 'completeness with an unknown category must be')
    .does(category(({ value }) => (String(value).startsWith('verify-') ? { value: 'portable' } : {}))),
  wrong('no-category-for-cars', 'A battery without a category is one of an electric vehicle.')
    .failsIn('PASS-7.category-none', 'completeness with more than every category needs must be')
    .does(category(({ is_unknown }) => (is_unknown ? { value: 'ev', is_unknown: false } : {}))),
  wrong('unknown-key-hidden', 'The passport shows the fields of its template only.')
    .failsIn('PASS-7.unknown-key', 'the passport must have the value')
    .elements(at.passport, 'values', (values) => values.filter(({ field_key }) => !field_key.startsWith('verify_'))),
  wrong('hash-in-upper-case', 'The content hash is written in upper case.')
    .failsIn('PASS-6.recomputed', 'content_hash must be')
    .does(version(({ content_hash }) => ({ content_hash: content_hash.toUpperCase() }))),
  wrong('days-without-scans-left-out', 'per_day leaves out days without a scan.')
    .failsIn('SCAN-2.every-day-365', 'the number of days must be 365')
    .elements(at.scans, 'per_day', (days) => days.filter(({ count }) => count > 0)),
  wrong('newest-first', 'Each page of the list begins with its newest product.', 'reference')
    .failsIn('PAGE-4.oldest-first', 'is older than the product before it in the list', 'PAGE-4.oldest')
    .elements(at.list, 'items', (items) => items.toReversed()),
  wrong('offset-moves-with-creations', 'New products move the offset, although they are listed last.', 'reference')
    .failsIn('PAGE-4.while-growing', 'the pages miss', 'PAGE-4.while')
    .counts((creations) => [
      notes(at.create, () => creations.next()),
      parameter(at.list, 'offset', (offset) => (Number(offset) > 0 ? `${Number(offset) + creations.value}` : offset)),
    ]),
  wrong('top-products-of-newest-tenant', 'top_products is that of the newest tenant for every key.', 'reference')
    .failsIn('TEN-2.top-products', 'must respond with 200, responds with 404', 'TEN-2.top')
    .does(topProductsOf(1)),
  wrong('top-products-of-oldest-tenant', 'top_products is that of the oldest tenant for every key.', 'reference')
    .failsIn('TEN-2.top-products', 'must respond with 200, responds with 404', 'TEN-2.top')
    .does(topProductsOf(0)),
  wrong('draft-403', 'The page of a draft gets 403, so that everybody learns that it exists.')
    .failsIn('PUB-1.draft-like-unknown-page', 'the statuses must be')
    .does(ofDraft((response) => withStatus(response, 403))),
  wrong('draft-announced', 'The page of a draft says that it will be published soon.')
    .failsIn('PUB-1.draft-like-unknown-page', 'the two responses must have the same bytes')
    .does(ofDraft((response) => withBody(response, 'This passport will be published soon.'))),
  wrong('inspector-as-recycler', 'The token of an inspector opens only what a recycler may see.')
    .failsIn('PUB-3.authority-document', 'an inspector must see the authority values')
    .does(takesTokenFor('inspector', 'recycler')),
  wrong('recycler-as-inspector', 'The token of a recycler opens what only an inspector may see.')
    .failsIn('PUB-3.authority-page', 'a recycler must not see the authority values')
    .does(takesTokenFor('recycler', 'inspector')),
  wrong('signature-not-verified', 'The signature of a token is not verified.')
    .failsIn('PUB-3.forged-document', 'must show no hidden value')
    .does(
      takesToken((sent, tokens) =>
        tokens.find(({ token }) => token.startsWith(sent.slice(0, sent.lastIndexOf('.') + 1))),
      ),
    ),
  wrong('event-handler-on-page', 'The page has an event handler that prints it.')
    .failsIn('PUB-4.no-script', 'the page must have no event handler')
    .text(at.page, (text) => text.replace('</h1>', '</h1><button onclick="print()">Print</button>')),
  wrong('inline-scripts-allowed', 'The Content-Security-Policy of the page allows inline scripts.')
    .failsIn('PUB-4.content-security-policy', 'the policy must not allow inline scripts')
    .header(at.page, 'content-security-policy', "default-src 'none'; script-src 'unsafe-inline'"),
  wrong('accept-language-ignored', 'The labels of the JSON-LD document follow lang, but not Accept-Language.')
    .failsIn('PUB-5.language', 'the labels with Accept-Language: de must be')
    .asksWith(at.document, 'accept-language', 'en'),
  wrong('document-without-vary', 'The JSON-LD document lacks Vary: caches serve the wrong language.')
    .failsIn('PUB-5.language', 'Vary must name accept-language')
    .header(at.document, 'vary', null),
  wrong('etag-of-all-languages', 'The ETag of the JSON-LD document is its version, whatever the language.')
    .failsIn('PUB-5.language', 'the ETags of two languages must differ')
    .header(at.document, 'etag', '"3"'),
  wrong('document-without-etag', 'The JSON-LD document has no ETag.')
    .failsIn('PUB-6.document-not-modified', 'the document must have an ETag')
    .header(at.document, 'etag', null),
  wrong('document-sent-again', 'The JSON-LD document is sent again to a client that has it.')
    .failsIn('PUB-6.document-not-modified', 'status and body must be')
    .asksWith(at.document, 'if-none-match', '""'),
  wrong('token-page-not-private', 'The Cache-Control of a page with a token lacks private.')
    .failsIn('PUB-6.token', 'Cache-Control must have private')
    .header(at.page, 'cache-control', 'no-store'),
  wrong('head-without-location', 'The redirect of HEAD has no Location.')
    .failsIn('GS1-2.head', 'status and target must be')
    .header({ ...at.resolver, method: 'HEAD' }, 'location', null),
  wrong('today-after-newest-first', 'per_day goes from the newest day to the oldest, and ends with today.')
    .failsIn('SCAN-2.every-day-7', 'the order of the dates must be')
    .elements(at.scans, 'per_day', (days) => [...days.slice(0, -1).reverse(), ...days.slice(-1)]),
  wrong('top-products-not-limited', 'top_products has more than 10 products.')
    .failsIn('SCAN-2.top-products', 'top_products must have at most 10 items, has 11')
    .members(at.scans, {
      top_products: Array.from({ length: 11 }, (_, index) => ({ slug: `helmet-${index}`, name: 'Helmet', count: 1 })),
    }),
];

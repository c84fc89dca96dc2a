/** Mistakes of the passport page, the JSON-LD document, the resolver and data carriers. */
import type { Passport, Product, ProductList } from '@product-passport/sdk';
import { at, type Call, type Route, type Service } from '../call.ts';
import {
  again,
  asks,
  type Change,
  each,
  error,
  header,
  html,
  onStatus,
  redirect,
  responds,
  status,
  text,
  withBody,
  withHeader,
  withStatus,
} from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

/** The page and the document. */
const both: Route = { method: 'GET', path: /^\/p\/[^/]+\/[^/]+(\/jsonld)?$/ };

const zugangOf = ({ query }: Call): string | null => query.get('zugang');
const withToken = (call: Call, zugang: string): Call => call.with({ query: { zugang } });

type Token = Service['provider']['access_tokens'][number];

const validTokens = ({ provider }: Call): readonly Token[] => provider.access_tokens.filter(({ revoked }) => !revoked);

function inspectorToken(call: Call): string {
  return validTokens(call).find(({ role }) => role === 'inspector')?.token ?? '';
}

/** Opens the passport as an inspector, if the condition holds. */
export function opensIf(isOpened: (call: Call) => boolean, route = both): Change {
  return asks(route, (call) => (isOpened(call) ? withToken(call, inspectorToken(call)) : undefined));
}

/** Opens a passport for tokens of another tenant. */
function opensForeign(isOpened: (token: Token, slug: string) => boolean): Change {
  return asks(both, (call) => {
    const [, tenant, slug = ''] = call.segments;
    const valid = validTokens(call);
    const sent = valid.find(({ token }) => token === zugangOf(call));
    const own = valid.find((one) => one.tenant === tenant && one.product === null);
    if (own === undefined || sent === undefined || sent.tenant === tenant) return undefined;
    return isOpened(sent, slug) ? withToken(call, own.token) : undefined;
  });
}

/** Takes one token for another, on the page and the document. */
export function takesToken(other: (sent: string, tokens: readonly Token[]) => Token | undefined): Change {
  return asks(both, (call) => {
    const taken = other(zugangOf(call) ?? '', validTokens(call));
    return taken && withToken(call, taken.token);
  });
}

/** Serves the passport of the active product in place of one that is not active. */
function serves(route: Route): Change {
  return again(route, 404, (call) => {
    if (call.path.includes('unknown')) return undefined;
    const { tenant, slug } = call.provider.active_product;
    return call.with({ path: `/p/${tenant}/${slug}${call.isAt(at.document) ? '/jsonld' : ''}` });
  });
}

/** Puts texts of every value that an inspector sees into the response. */
function leaks(into: (text: string, whole: string) => string): Change {
  return text(at.page, async (text, call) => {
    const whole = await (await withToken(call, inspectorToken(call)).send()).text();
    return into(text, whole.replace(/<[^>]*>/g, ' '));
  });
}

/** Every path that needs no key. */
const withoutKey: Route = { path: /^\/(?!api\/)/ };

type Owner = Pick<Service['provider']['active_product'], 'tenant' | 'slug'>;

/** The values of a product that not everybody may see, as JSON. */
async function hiddenIn(call: Call, { tenant, slug } = call.provider.active_product as Owner): Promise<string> {
  const key = call.provider.tenants.find((one) => one.slug === tenant)?.api_key;
  const { values } = await call.with({ key }).get(`/api/v1/products/${slug}/passport`).reply<Passport>();
  return JSON.stringify(values.filter(({ access_level }) => access_level !== 'public'));
}

/** Adds hidden values to a header of every response without a key. */
function hiddenInHeader(name: string): Change {
  return responds(withoutKey, async (response, call) =>
    withHeader(response, name, encodeURIComponent(await hiddenIn(call))),
  );
}

/** The error for a product that is not active has its values. */
function valuesInError(status: Product['status']): Change {
  return onStatus(both, 404, async (response, call) => {
    const [, tenant = '', slug = ''] = call.segments;
    const key = call.provider.tenants.find((one) => one.slug === tenant)?.api_key;
    const product = call.with({ key }).get(`/api/v1/products/${slug}`);
    if ((await product.reply<Partial<Product>>()).status !== status) return undefined;
    return withBody(response, `${await response.text()}${await hiddenIn(call, { tenant, slug })}`);
  });
}

const isFirstPart = (sent: string | null, { token }: Token): boolean => sent?.startsWith(token.slice(0, 8)) ?? false;
const halves = (token: string): string => token.slice(0, token.length / 2) + token.slice(token.length / 2 + 1);

export const publicSide: readonly WrongProvider[] = [
  wrong('draft-page', 'The page of a draft is public.')
    .failsIn('PUB-1.draft-page', 'the status must be 3xx or 4xx, is 200')
    .does(serves(at.page)),
  wrong('draft-document', 'The JSON-LD document of a draft is public.')
    .failsIn('PUB-1.draft-document', 'the status must be 3xx or 4xx, is 200')
    .does(serves(at.document)),
  wrong('page-not-served', 'The page of an active product gets 404.')
    .failsIn('PUB-1.active-page', '404')
    .instead(at.page, () => error(404, 'not_found')),
  wrong('document-not-served', 'The JSON-LD document of an active product gets 404.')
    .failsIn('PUB-1.active-document', '404')
    .instead(at.document, () => error(404, 'not_found')),
  wrong('page-shows-all', 'The page shows every value.')
    .failsIn('PUB-2.hidden-values-page', 'must show no hidden value')
    .does(opensIf((call) => zugangOf(call) === null, at.page)),
  wrong('document-shows-all', 'The JSON-LD document has every value.')
    .failsIn('PUB-2.hidden-values-document', 'must show no hidden value')
    .does(opensIf((call) => zugangOf(call) === null, at.document)),
  wrong('values-in-comment', 'A comment of the page has the values that the template hides.')
    .failsIn('PUB-2.hidden-values-page', 'must show no hidden value')
    .does(leaks((text, whole) => `${text}<!-- ${whole} -->`)),
  wrong('values-in-attribute', 'An attribute of the page has every value, for a script to show.')
    .failsIn('PUB-2.hidden-values-page', 'must show no hidden value')
    .does(leaks((text, whole) => text.replace('<h1>', `<h1 data-state="${whole.replaceAll('"', '')}">`))),
  wrong('view-opens-page', 'view=inspector opens the page.')
    .failsIn('PUB-2.view-parameter-page', 'must show no hidden value')
    .does(opensIf(({ query }) => query.get('view') === 'inspector')),
  wrong('any-token-opens', 'Any token opens the passport.')
    .failsIn('PUB-3.forged-page', 'must show no hidden value')
    .does(opensIf((call) => Boolean(zugangOf(call)))),
  wrong('expired-token-opens', 'The expiry of a token is not checked.')
    .failsIn('PUB-3.expired-page', 'must show no hidden value')
    .does(opensIf((call) => zugangOf(call) === call.provider.expired_access_token)),
  wrong('revoked-token-opens', 'A revoked token opens the passport.')
    .failsIn('PUB-3.revoked-document', 'must show no hidden value')
    .does(
      opensIf((call) => call.provider.access_tokens.some(({ token, revoked }) => revoked && token === zugangOf(call))),
    ),
  wrong('altered-token-opens', 'Only the beginning of a token is compared.')
    .failsIn('PUB-3.forged-page', 'must show no hidden value')
    .does(opensIf((call) => validTokens(call).some((one) => isFirstPart(zugangOf(call), one)))),
  wrong('token-of-other-product-opens', 'The product of a token is not compared, only its tenant.')
    .failsIn('PUB-3.other-product-page', 'must show no hidden value')
    .does(
      opensIf((call) =>
        validTokens(call).some(({ token, tenant }) => token === zugangOf(call) && tenant === call.segments[1]),
      ),
    ),
  wrong('token-of-other-tenant-opens', 'A token for all products opens those of every tenant.')
    .failsIn('PUB-3.other-tenant-document', 'must show no hidden value')
    .does(opensForeign(({ product }) => product === null)),
  wrong('token-of-namesake-opens', 'The product of a token is found by its slug, without the tenant.')
    .failsIn('PUB-3.other-tenant-page', 'must show no hidden value')
    .does(opensForeign(({ product }, slug) => product === slug)),
  wrong('token-opens-nothing', 'A token opens nothing.')
    .failsIn('PUB-3.recycler-page', 'must show the restricted values')
    .ignores(both, 'zugang'),
  wrong('inspector-token-opens-nothing', 'The token of an inspector opens nothing.')
    .failsIn('PUB-3.inspector-document', 'must show the restricted values')
    .ignores(both, 'zugang', (token, call) => token === inspectorToken(call)),
  wrong('markup-on-page', 'The page shows values as they are, so that markup in them becomes a part of the page.')
    .failsIn('PUB-4.markup', 'must be shown as text')
    .text(at.page, (text) => text.replaceAll('&#60;', '<').replaceAll('&#62;', '>')),
  wrong('page-as-json', 'The page is JSON.')
    .failsIn('HTTP-6.getPassportPage', 'application/json')
    .header(at.page, 'content-type', 'application/json'),
  wrong('document-as-json', 'The JSON-LD document has the media type application/json.')
    .failsIn('PUB-1.active-document', 'application/ld+json')
    .header(at.document, 'content-type', 'application/json'),
  wrong('document-without-hash', 'The JSON-LD document has no content hash.')
    .failsIn('PUB-5.content-hash', 'latest_version.content_hash')
    .text(at.document, (text) => text.replace(/"[0-9a-f]{64}"/g, '""')),
  wrong('document-with-old-hash', 'The JSON-LD document has the hash of another version.')
    .failsIn('PUB-5.content-hash', 'latest_version.content_hash')
    .text(at.document, (text) => text.replace(/"[0-9a-f]{64}"/g, `"${'0'.repeat(64)}"`)),
  wrong('document-not-json', 'The JSON-LD document is in a script element.')
    .failsIn('PUB-1.active-document', 'must be a JSON object')
    .text(at.document, (text) => `<script type="application/ld+json">${text}</script>`),
  wrong('page-500', 'The page of a product causes an exception.')
    .failsIn('PUB-1.active-page', '500')
    .responds(at.page, (response) => withStatus(response, 500)),
  wrong('page-needs-accept', 'The page without an Accept header that names text/html gets 406.')
    .failsIn('PUB-1.draft-page', "the status of an active product's page must be 200, is 406")
    .refuses(at.page, 406, 'not_acceptable', ({ headers }) => !headers.get('accept')?.includes('text/html')),
  wrong('token-opens-page-only', 'A token opens the page, but not the JSON-LD document.')
    .failsIn('PUB-3.other-product-page', 'each token must open the restricted values of its own product')
    .ignores(at.document, 'zugang'),
  wrong('middle-of-token-not-compared', 'The two halves of a token are compared without the character between them.')
    .failsIn('PUB-3.forged-page', 'must show no hidden value')
    .does(takesToken((sent, tokens) => tokens.find(({ token }) => halves(token) === halves(sent)))),
  wrong('hidden-values-in-header', 'A header for support has the hidden values of a passport.')
    .failsIn('LEAK-4.resolveGtin', 'must show no hidden value')
    .does(hiddenInHeader('x-support')),
  wrong('hidden-values-in-cookie', 'A cookie for the next page has the hidden values of a passport.')
    .failsIn('LEAK-4.getResolverDescription', 'must show no hidden value')
    .does(hiddenInHeader('set-cookie')),
  wrong('hidden-values-in-redirect', 'The redirect has the hidden values in its query, so that the page can show them.')
    .failsIn('LEAK-4.resolveGtin', 'must show no hidden value')
    .responds(at.resolver, async (response, call) => {
      const location = response.headers.get('location');
      if (location === null) return undefined;
      const to = new URL(location);
      to.searchParams.set('values', await hiddenIn(call));
      return withHeader(response, 'location', to.href);
    }),
  wrong('draft-in-error', 'The 404 of a draft has its values, for the preview of an editor.')
    .failsIn('LEAK-4.getPassportPage', 'must show no hidden value')
    .does(valuesInError('draft')),
  wrong('archived-in-error', 'The 404 of an archived product has its values.')
    .failsIn('LEAK-4.getPassportJsonld', 'must show no hidden value')
    .does(valuesInError('archived')),
  wrong('hidden-keys-shown', 'The page and the document name every field, also those whose values are hidden.')
    .failsIn('PUB-2.hidden-keys-page', 'must show no hidden value')
    .onStatus(both, 200, async (response, call) => {
      const [, tenant, slug] = call.segments;
      const key = call.provider.tenants.find((one) => one.slug === tenant)?.api_key;
      const passport = call.with({ key }).get(`/api/v1/products/${slug}/passport`);
      const names = (await passport.reply<Passport>()).values.map((one) => one.field_key).join(' ');
      const text = await response.text();
      const shown = text.startsWith('{') ? text.replace('{', `{"fields":"${names}",`) : `${text}${names}`;
      return withBody(response, shown);
    }),
];

// The resolver and data carriers.

const link = (change: (link: string) => string): Change =>
  each(at.carriers, 'items', ({ gs1_digital_link: own }) => ({ gs1_digital_link: change(own) }));

/** Changes the target of a redirect. */
export const target = (change: (location: string) => string, route = at.resolver): Change =>
  header(route, 'location', (location) => location && change(location));

const hasType = ({ query }: Call): boolean => query.has('linkType');

/** The same Digital Link without the serial number of the provider's item. */
const withoutSerial = (call: Call): Call => call.with({ path: call.url.replace(/\/21\/B-2(?=\?|$)/, '') });

/** A linkset, as a type or as what the client accepts. */
const linksets: Route<{ readonly linkset: readonly unknown[] }> = { path: at.links.path };
const ofTypeLinkset: Route = { ...at.links, query: 'linkType=linkset' };
const description: Route = { path: /^\/\.well-known\// };

export const digitalLink: readonly WrongProvider[] = [
  wrong('redirect-301', 'The redirect is permanent, so that browsers keep it forever.')
    .failsIn('GS1-1.redirect', '301')
    .status(at.resolver, 307, 301),
  wrong('redirect-303', 'The redirect has status 303.').failsIn('GS1-1.redirect', '303').status(at.resolver, 307, 303),
  wrong('page-in-place-of-redirect', 'The resolver serves the page itself.')
    .failsIn('GS1-1.redirect', '200')
    .responds(at.resolver, (response, call) => {
      const location = response.headers.get('location');
      return location === null ? undefined : call.with({ path: new URL(location).pathname }).send();
    }),
  wrong('redirect-to-home', 'The redirect leads to the home page.')
    .failsIn('GS1-1.redirect', 'the target must be')
    .does(target((location) => new URL('/', location).href)),
  wrong('redirect-to-other-product', 'The redirect leads to another product.')
    .failsIn('GS1-1.redirect', 'the target must be')
    .does(target((location) => `${location}-2`)),
  wrong('redirect-without-location', 'The redirect has no Location.')
    .failsIn('GS1-1.redirect', 'the redirect must have a Location')
    .header(at.resolver, 'location', null),
  wrong('item-of-model', 'The redirect ignores the serial number, and opens the passport activated first.')
    .failsIn('GS1-2.item', 'the target must be')
    .asks(at.links, (call) => (hasType(call) ? undefined : withoutSerial(call))),
  wrong('item-for-model', 'A GTIN alone and an unknown serial number open the item that was activated first.')
    .failsIn('GS1-2.model', 'the target must be')
    .asks(at.links, (call) =>
      call.with({ path: call.url.replace(/(\/01\/0?9520001000171)(?:\/21\/\w+)?(?=\?|$)/, '$1/21/B-2') }),
    ),
  wrong('item-only-in-redirect', 'The linkset ignores the serial number, and the redirect does not.')
    .failsIn('GS1-2.item', 'the linkset must have the page')
    .asks(at.links, (call) => (hasType(call) ? withoutSerial(call) : undefined)),
  wrong('gtin-not-found', 'The resolver compares the GTIN as text, so that a link with 14 digits finds no GTIN of 13.')
    .failsIn('CAR-1.link-resolves', '404')
    .refuses(at.resolver, 404, 'not_found', ({ path }) => /\/01\/0\d{13}$/.test(path)),
  wrong('draft-redirected', 'The resolver redirects the GTIN of a draft to its page.')
    .failsIn('GS1-1.draft', 'must not lead to the page of the draft')
    .instead(at.resolver, async (call) => {
      const drafts = call.with({ key: call.keys[0] }).get('/api/v1/products?status=draft&limit=200');
      const { items } = await drafts.reply<ProductList>();
      const gtin = call.segments.at(-1)?.padStart(14, '0');
      const draft = items.find((item) => item.gtin?.padStart(14, '0') === gtin);
      return draft && redirect(new URL(`/p/${call.provider.tenants[0]?.slug}/${draft.slug}`, call.url).href);
    }),
  wrong('link-with-other-gtin', 'The Digital Link has another GTIN.')
    .failsIn('CAR-1.link', 'the GTIN at the end of the link')
    .does(link((own) => own.replace(/\d+$/, '09520001000096'))),
  wrong('link-to-page', 'The carrier has the address of the page in place of the Digital Link.')
    .failsIn('CAR-1.link', 'the GTIN at the end of the link')
    .does(link((own) => new URL('/p/skellig/bicycle-helmet', own).href)),
  wrong('link-with-check-query', 'The Digital Link ends in a query, so that it does not end in the GTIN.')
    .failsIn('CAR-1.link', 'the GTIN at the end of the link')
    .does(link((own) => `${own}?utm=qr`)),
  wrong('carrier-without-id', 'A carrier has no id.')
    .failsIn('HTTP-6.listCarriers', '/id')
    .each(at.carriers, 'items', () => ({ id: undefined })),
  wrong('carriers-as-array', 'The carriers are an array in place of an object with items.')
    .failsIn('HTTP-6.listCarriers', 'object')
    .json(at.carriers, ({ items }) => items),
  wrong('link-of-13-digits', 'The Digital Link has the GTIN with 13 digits.')
    .failsIn('CAR-1.fourteen-digits', 'the link must have 14 digits')
    .does(link((own) => own.replace(/\/01\/0(?=\d{13}$)/, '/01/'))),
  wrong('item-linkset-of-product', 'The linkset of an item has the page of its product, the redirect that of the item.')
    .failsIn('GS1-4.default-serial', 'the target of the redirect must be')
    .text(at.links, (text) => text.replace(/\?(?:cpv|batch|serial|tpx)=[^"]+/g, '')),
  wrong('redirect-with-campaign', 'The redirect adds a query that the linkset does not have.')
    .failsIn('GS1-4.default-model', 'the target of the redirect must be')
    .does(target((location) => `${location}?utm_source=qr`, at.links)),
  wrong('qualifiers-unknown', 'A link with a batch or serial number that the provider does not know gets 404.')
    .failsIn('GS1-4.default-batch', 'the response must be a redirect, has status 404')
    .refuses({ path: /^\/01\/\d+\/(?:10|21|22|235)\// }, 404, 'not_found', (call) => !hasType(call)),
  wrong('type-ignored', 'The redirect leads to the page, whatever type of link is requested.')
    .failsIn('GS1-4.types-model', 'the target for gs1:dpp must be')
    .ignores(at.links, 'linkType', (type) => type !== 'linkset'),
  wrong('linkset-redirects-to-itself', 'linkType=linkset redirects to the same address.')
    .failsIn('GS1-4.linkset-form', 'the linkset must not redirect to')
    .instead(ofTypeLinkset, ({ url }) => redirect(url)),
  wrong('linkset-by-accept-only', 'linkType=linkset redirects to the page.')
    .failsIn('GS1-4.linkset-by-type', 'the status must be 200, is 307')
    .ignores(at.links, 'linkType', (type) => type === 'linkset'),
  wrong('linkset-by-type-only', 'Accept: application/linkset+json redirects to the page.')
    .failsIn('GS1-4.linkset-by-accept', 'the status must be 200, is 307')
    .asksWith(at.links, 'accept', null),
  wrong('linkset-without-title', 'The links of the linkset have no title.')
    .failsIn('GS1-4.linkset-form', 'must be a text')
    .text(at.links, (text) => text.replaceAll('"title"', '"name"')),
  wrong('default-link-only', 'The linkset names the default link under no other type.')
    .failsIn('GS1-4.default-link', 'a link of another type must have the href')
    .text(at.links, (text) => text.replaceAll('/voc/pip"', '/voc/defaultLinkMulti"')),
  wrong('linkset-of-item-only', 'The linkset of an item lacks the links of its product.')
    .failsIn('GS1-4.linkset-levels', 'the linkset of an item must have')
    .members(linksets, ({ linkset }) => ({ linkset: linkset.slice(0, 1) })),
  wrong('linkset-empty', 'The linkset has no element.')
    .failsIn('GS1-4.linkset-form', 'linkset must be an array with an element')
    .members(linksets, { linkset: [] }),
  wrong('unknown-type-redirects', 'A type of link that the product does not have leads to the page.')
    .failsIn('GS1-4.unknown-type', 'the faulty request must get 404, gets 307')
    .ignores(at.links, 'linkType', (type) => type === 'gs1:nosuchlt'),
  wrong('unknown-gtin-200', 'An unknown GTIN gets a page with status 200 that says so.')
    .failsIn('GS1-4.unknown-gtin', 'an error must not have the status 200')
    .onStatus(at.links, 404, () => html('Unknown')),
  wrong('syntax-not-checked', 'Whatever follows the GTIN is ignored.')
    .failsIn('GS1-4.syntax-text', 'the faulty request must get 400, gets 307')
    .again(at.links, 400, (call) => call.with({ path: /^\/01\/\d+/.exec(call.path)?.[0] ?? call.path })),
  wrong('resolver-without-options', 'The resolver refuses OPTIONS.')
    .failsIn('GS1-4.methods', 'OPTIONS must name GET')
    .instead({ ...at.links, method: 'OPTIONS' }, () => error(405, 'method_not_allowed')),
  wrong('linkset-without-cors', 'Scripts of other sites cannot read the linkset.')
    .failsIn('GS1-4.cors', 'Access-Control-Allow-Origin must be')
    .header(at.links, 'access-control-allow-origin', null),
  wrong('redirect-loses-query', 'The redirect drops the query of the scanned link.')
    .failsIn('GS1-4.query', 'the query of the target must be')
    .ignores(at.links, '17'),
  wrong('no-description-file', 'The resolver does not describe itself.')
    .failsIn('GS1-4.description-file', 'the status must be 200, is 404')
    .instead(description, () => error(404, 'not_found')),
  wrong('link-with-name-of-key', 'The Digital Link names its key /gtin/ in place of /01/.')
    .failsIn('CAR-1.link-resolves', 'the product must have a data carrier with a link')
    .does(link((own) => own.replace('/01/', '/gtin/'))),
  wrong('two-default-links', 'The linkset has two default links, one for each language.')
    .failsIn('GS1-4.default-model', 'the linkset must have exactly one gs1:defaultLink')
    .text(at.links, (text) => text.replace(/(defaultLink":\[)(\{[^}]+\})/g, '$1$2,$2')),
  wrong('linkset-without-description', 'The linkset does not say what its anchor is.')
    .failsIn('GS1-4.linkset-form', 'itemDescription must say what the anchor is')
    .text(at.links, (text) => text.replace(/"itemDescription":"[^"]*",/g, '')),
  wrong('linkset-without-default', 'The linkset has no default link.')
    .failsIn('GS1-4.default-link', 'the linkset must have a gs1:defaultLink')
    .text(at.links, (text) => text.replace(/"[^"]+defaultLink":\[[^\]]*\],/g, '')),
  wrong('default-link-with-media-type', 'The default link of the linkset has a media type.')
    .failsIn('GS1-4.default-link', 'gs1:defaultLink must have no type')
    .text(at.links, (text) => text.replaceAll('defaultLink":[{', 'defaultLink":[{"type":"text/html",')),
  wrong('linkset-redirects', 'linkType=linkset redirects to a file outside of the resolver.')
    .failsIn('GS1-4.linkset-form', 'the linkset must not redirect to')
    .instead(ofTypeLinkset, ({ url }) => redirect(url.replace('/01/', '/linksets/'))),
  wrong('head-not-redirected', 'HEAD of a Digital Link gets 200 in place of the redirect.')
    .failsIn('GS1-4.methods', 'status and target of HEAD must be')
    .instead({ ...at.links, method: 'HEAD' }, () => new Response(null)),
  wrong('keys-by-name', 'The description of the resolver names its key gtin in place of 01.')
    .failsIn('GS1-4.description-file', 'supportedPrimaryKeys must have 01')
    .text(description, (text) => text.replace('["01"]', '["gtin"]')),
  wrong('links-lead-home', 'Every Digital Link redirects to the front page with 302.')
    .failsIn('GS1-2.qualifier-batch-serial', 'the target must be')
    .together([target(() => '/', at.links), status(at.links, 307, 302)]),
  wrong('location-with-404', 'The redirect of the resolver has the status 404.')
    .failsIn('GS1-1.all-lengths', 'the status must be a redirect, is 404')
    .status(at.resolver, 307, 404),
  wrong('no-linkset', 'The resolver ignores linkType.')
    .failsIn('GS1-3.resolveGtinTpx-linkset', 'the status must be 200, is 307')
    .ignores(at.links, 'linkType'),
  wrong('no-resolver-description', 'The resolver does not describe itself.')
    .failsIn('GS1-2.resolver-description', 'the status must be 200, is 404')
    .instead(description, () => error(404, 'not_found')),
  wrong('carrier-without-gtin', 'A product without a GTIN gets a data carrier with its slug.')
    .failsIn('CAR-1.without-gtin', 'items must be []')
    .elements(at.carriers, 'items', (items, { url }) =>
      items.length > 0 ? items : [{ type: 'qr', gs1_digital_link: url }],
    ),
];

/** Mistakes of the resolver and of data carriers. */
import type { ProductList } from '@product-passport/sdk';
import { at, type Call, type Place } from '../call.ts';
import { type Change, each, error, header, html, redirect, status } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const link = (change: (link: string) => string): Change =>
  each(at.carriers, 'items', ({ gs1_digital_link: own }) => ({ gs1_digital_link: change(own) }));

/** Changes the target of a redirect. */
export const target = (change: (location: string) => string, place = at.resolver): Change =>
  header(place, 'location', (location) => location && change(location));

const hasType = ({ query }: Call): boolean => query.has('linkType');

/** The same Digital Link without the serial number of the provider's item. */
const withoutSerial = (call: Call): Call => call.with({ path: call.url.replace(/\/21\/B-2(?=\?|$)/, '') });

/** A linkset, as a type or as what the client accepts. */
const linksets: Place<{ readonly linkset: readonly unknown[] }> = { path: at.links.path };
const ofTypeLinkset: Place = { ...at.links, query: 'linkType=linkset' };
const description: Place = { path: /^\/\.well-known\// };

export const digitalLink: readonly Mutant[] = [
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

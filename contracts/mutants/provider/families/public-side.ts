/** Mistakes of the passport page and the JSON-LD document. */
import type { Passport } from '@product-passport/sdk';
import { at, type Call, type Place, type Service } from '../call.ts';
import { again, asks, type Change, error, text, withBody, withStatus } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

/** The page and the document. */
const both: Place = { method: 'GET', path: /^\/p\/[^/]+\/[^/]+(\/jsonld)?$/ };

const zugangOf = ({ query }: Call): string | null => query.get('zugang');
const withToken = (call: Call, zugang: string): Call => call.with({ query: { zugang } });

type Token = Service['provider']['access_tokens'][number];

const validTokens = ({ provider }: Call): readonly Token[] => provider.access_tokens.filter(({ revoked }) => !revoked);

function inspectorToken(call: Call): string {
  return validTokens(call).find(({ role }) => role === 'inspector')?.token ?? '';
}

/** Opens the passport as an inspector, if the condition holds. */
export function opensIf(isOpened: (call: Call) => boolean, place = both): Change {
  return asks(place, (call) => (isOpened(call) ? withToken(call, inspectorToken(call)) : undefined));
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

/** Serves passports that are not active, in the words of an active one. */
function serves(place: Place): Change {
  return again(place, 404, (call) => {
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

const isFirstPart = (sent: string | null, { token }: Token): boolean => sent?.startsWith(token.slice(0, 8)) ?? false;
const halves = (token: string): string => token.slice(0, token.length / 2) + token.slice(token.length / 2 + 1);

export const publicSide: readonly Mutant[] = [
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

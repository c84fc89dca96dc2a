/** Mistakes of the passport page and the JSON-LD document. */
import {
  type At,
  changeQuery,
  changeRequest,
  changeResponse,
  changeText,
  document,
  error,
  jsonOf,
  type Mutant,
  matches,
  page,
  respondWith,
  type Service,
  segments,
  type Wrap,
  withBody,
  withHeader,
  withKey,
  withPath,
  withQuery,
  withStatus,
} from '../alter.ts';

/** The page and the document. */
const both: At = { method: 'GET', path: /^\/p\/[^/]+\/[^/]+(\/jsonld)?$/ };

function inspectorToken({ provider }: Service): string {
  return provider.access_tokens.find(({ role, revoked }) => role === 'inspector' && !revoked)?.token ?? '';
}

/** Opens the passport as an inspector, if the condition holds. */
function opensIf(isOpened: (request: Request, service: Service) => boolean, at = both) {
  return changeRequest(at, (request, service) =>
    isOpened(request, service) ? withQuery(request, (query) => query.set('zugang', inspectorToken(service))) : request,
  );
}

type Token = Service['provider']['access_tokens'][number];

/** Opens a passport for tokens of another tenant. */
function opensForeign(isOpened: (token: Token, slug: string) => boolean) {
  return changeRequest(both, (request, { provider }) => {
    const [, tenant, slug = ''] = segments(request);
    const valid = provider.access_tokens.filter(({ revoked }) => !revoked);
    const sent = valid.find(({ token }) => token === zugangOf(request));
    const own = valid.find((one) => one.tenant === tenant && one.product === null)?.token;
    if (own === undefined || sent === undefined || sent.tenant === tenant || !isOpened(sent, slug)) return request;
    return withQuery(request, (query) => query.set('zugang', own));
  });
}

function zugangOf(request: Request): string | null {
  return new URL(request.url).searchParams.get('zugang');
}

/** Puts another token in place of the one that was sent, on the page and the document. */
export function changeToken(change: (sent: string, service: Service) => string | undefined): Wrap {
  return changeRequest(both, (request, service) => {
    const token = change(zugangOf(request) ?? '', service);
    return token === undefined ? request : withQuery(request, (query) => query.set('zugang', token));
  });
}

/** Serves passports that are not active, in the words of an active one. */
function serves(at: At) {
  return changeResponse(at, (response, request, service) => {
    if (response.status !== 404 || segments(request).some((segment) => segment.includes('unknown'))) return response;
    const { tenant, slug } = service.provider.active_product;
    const isDocument = matches(document, request);
    return service.fetch(withPath(request, `/p/${tenant}/${slug}${isDocument ? '/jsonld' : ''}`));
  });
}

/** Puts texts of every value that an inspector sees into the response. */
function leaks(at: At, into: (text: string, whole: string) => string) {
  return changeResponse(at, async (response, request, service) => {
    if (response.status !== 200) return response;
    const whole = await service.fetch(withQuery(request, (query) => query.set('zugang', inspectorToken(service))));
    return withBody(response, into(await response.text(), await whole.text()));
  });
}

const withoutTags = (text: string): string => text.replace(/<[^>]*>/g, ' ');

export const publicSide: readonly Mutant[] = [
  {
    id: 'draft-page',
    mistake: 'The page of a draft is public.',
    killedBy: 'PUB-1.draft-page',
    because: 'the status must be 3xx or 4xx, is 200',
    wrap: serves(page),
  },
  {
    id: 'draft-document',
    mistake: 'The JSON-LD document of a draft is public.',
    killedBy: 'PUB-1.draft-document',
    because: 'the status must be 3xx or 4xx, is 200',
    wrap: serves(document),
  },
  {
    id: 'page-not-served',
    mistake: 'The page of an active product gets 404.',
    killedBy: 'PUB-1.active-page',
    because: '404',
    wrap: respondWith(page, () => error(404, 'not_found')),
  },
  {
    id: 'document-not-served',
    mistake: 'The JSON-LD document of an active product gets 404.',
    killedBy: 'PUB-1.active-document',
    because: '404',
    wrap: respondWith(document, () => error(404, 'not_found')),
  },
  {
    id: 'page-shows-all',
    mistake: 'The page shows every value.',
    killedBy: 'PUB-2.hidden-values-page',
    because: 'must show no hidden value',
    wrap: opensIf((request) => zugangOf(request) === null, page),
  },
  {
    id: 'document-shows-all',
    mistake: 'The JSON-LD document has every value.',
    killedBy: 'PUB-2.hidden-values-document',
    because: 'must show no hidden value',
    wrap: opensIf((request) => zugangOf(request) === null, document),
  },
  {
    id: 'values-in-comment',
    mistake: 'A comment of the page has the values that the template hides.',
    killedBy: 'PUB-2.hidden-values-page',
    because: 'must show no hidden value',
    wrap: leaks(page, (text, whole) => `${text}<!-- ${withoutTags(whole)} -->`),
  },
  {
    id: 'values-in-attribute',
    mistake: 'An attribute of the page has every value, for a script to show.',
    killedBy: 'PUB-2.hidden-values-page',
    because: 'must show no hidden value',
    wrap: leaks(page, (text, whole) =>
      text.replace('<h1>', `<h1 data-state="${withoutTags(whole).replaceAll('"', '')}">`),
    ),
  },
  {
    id: 'view-opens-page',
    mistake: 'view=inspector opens the page.',
    killedBy: 'PUB-2.view-parameter-page',
    because: 'must show no hidden value',
    wrap: opensIf((request) => new URL(request.url).searchParams.get('view') === 'inspector'),
  },
  {
    id: 'any-token-opens',
    mistake: 'Any token opens the passport.',
    killedBy: 'PUB-3.forged-page',
    because: 'must show no hidden value',
    wrap: opensIf((request) => Boolean(zugangOf(request))),
  },
  {
    id: 'expired-token-opens',
    mistake: 'The expiry of a token is not checked.',
    killedBy: 'PUB-3.expired-page',
    because: 'must show no hidden value',
    wrap: opensIf((request, { provider }) => zugangOf(request) === provider.expired_access_token),
  },
  {
    id: 'revoked-token-opens',
    mistake: 'A revoked token opens the passport.',
    killedBy: 'PUB-3.revoked-document',
    because: 'must show no hidden value',
    wrap: opensIf((request, { provider }) =>
      provider.access_tokens.some(({ token, revoked }) => revoked && token === zugangOf(request)),
    ),
  },
  {
    id: 'altered-token-opens',
    mistake: 'Only the beginning of a token is compared.',
    killedBy: 'PUB-3.forged-page',
    because: 'must show no hidden value',
    wrap: opensIf((request, { provider }) =>
      provider.access_tokens.some(({ token, revoked }) => !revoked && zugangOf(request)?.startsWith(token.slice(0, 8))),
    ),
  },
  {
    id: 'token-of-other-product-opens',
    mistake: 'The product of a token is not compared, only its tenant.',
    killedBy: 'PUB-3.other-product-page',
    because: 'must show no hidden value',
    wrap: opensIf((request, { provider }) => {
      const [, tenant] = segments(request);
      return provider.access_tokens.some(
        (one) => !one.revoked && one.token === zugangOf(request) && one.tenant === tenant,
      );
    }),
  },
  {
    id: 'token-of-other-tenant-opens',
    mistake: 'The tenant of a token is not compared: a token for all products opens those of every tenant.',
    killedBy: 'PUB-3.other-tenant-document',
    because: 'must show no hidden value',
    wrap: opensForeign(({ product }) => product === null),
  },
  {
    id: 'token-of-namesake-opens',
    mistake: 'The product of a token is found by its slug, without the tenant.',
    killedBy: 'PUB-3.other-tenant-page',
    because: 'must show no hidden value',
    wrap: opensForeign(({ product }, slug) => product === slug),
  },
  {
    id: 'token-opens-nothing',
    mistake: 'A token opens nothing.',
    killedBy: 'PUB-3.recycler-page',
    because: 'must show the restricted values',
    wrap: changeQuery(both, (query) => query.delete('zugang')),
  },
  {
    id: 'inspector-token-opens-nothing',
    mistake: 'The token of an inspector opens nothing.',
    killedBy: 'PUB-3.inspector-document',
    because: 'must show the restricted values',
    wrap: changeRequest(both, (request, service) =>
      zugangOf(request) === inspectorToken(service) ? withQuery(request, (query) => query.delete('zugang')) : request,
    ),
  },
  {
    id: 'markup-on-page',
    mistake: 'The page shows values as they are, so that markup in them becomes a part of the page.',
    killedBy: 'PUB-4.markup',
    because: 'must be shown as text',
    wrap: changeText(page, (text) => text.replaceAll('&#60;', '<').replaceAll('&#62;', '>')),
  },
  {
    id: 'page-as-json',
    mistake: 'The page is JSON.',
    killedBy: 'HTTP-6.getPassportPage',
    because: 'application/json',
    wrap: changeResponse(page, (response) => withHeader(response, 'content-type', 'application/json')),
  },
  {
    id: 'document-as-json',
    mistake: 'The JSON-LD document has the media type application/json.',
    killedBy: 'PUB-1.active-document',
    because: 'application/ld+json',
    wrap: changeResponse(document, (response) => withHeader(response, 'content-type', 'application/json')),
  },
  {
    id: 'document-without-hash',
    mistake: 'The JSON-LD document has no content hash.',
    killedBy: 'PUB-5.content-hash',
    because: 'latest_version.content_hash',
    wrap: changeText(document, (text) => text.replace(/"[0-9a-f]{64}"/g, '""')),
  },
  {
    id: 'document-with-old-hash',
    mistake: 'The JSON-LD document has the hash of another version.',
    killedBy: 'PUB-5.content-hash',
    because: 'latest_version.content_hash',
    wrap: changeText(document, (text) => text.replace(/"[0-9a-f]{64}"/g, `"${'0'.repeat(64)}"`)),
  },
  {
    id: 'document-not-json',
    mistake: 'The JSON-LD document is in a script element.',
    killedBy: 'PUB-1.active-document',
    because: 'must be a JSON object',
    wrap: changeText(document, (text) => `<script type="application/ld+json">${text}</script>`),
  },
  {
    id: 'page-500',
    mistake: 'The page of a product causes an exception.',
    killedBy: 'PUB-1.active-page',
    because: '500',
    wrap: changeResponse(page, (response) => withStatus(response, 500)),
  },
  {
    id: 'page-needs-accept',
    mistake: 'The page without an Accept header that names text/html gets 406.',
    killedBy: 'PUB-1.draft-page',
    because: "the status of an active product's page must be 200, is 406",
    wrap: respondWith(page, ({ headers }) =>
      headers.get('accept')?.includes('text/html') ? undefined : error(406, 'not_acceptable'),
    ),
  },
  {
    id: 'token-opens-page-only',
    mistake: 'A token opens the page, but not the JSON-LD document.',
    killedBy: 'PUB-3.other-product-page',
    because: 'each token must open the restricted values of its own product',
    wrap: changeQuery(document, (query) => query.delete('zugang')),
  },
  {
    id: 'middle-of-token-not-compared',
    mistake: 'The two halves of a token are compared without the character between them.',
    killedBy: 'PUB-3.forged-page',
    because: 'must show no hidden value',
    wrap: changeToken((sent, { provider }) => {
      const halves = (token: string) => [token.slice(0, token.length / 2), token.slice(token.length / 2 + 1)].join();
      return provider.access_tokens.find(({ token, revoked }) => !revoked && halves(token) === halves(sent))?.token;
    }),
  },
  {
    id: 'hidden-keys-shown',
    mistake: 'The page and the document name every field, also those whose values are hidden.',
    claims: ['reference'],
    killedBy: 'PUB-2.hidden-keys-page',
    because: 'must show no hidden value',
    wrap: changeResponse(both, async (response, request, service) => {
      const [, tenant, slug] = segments(request);
      const key = service.provider.tenants.find((one) => one.slug === tenant)?.api_key ?? null;
      const passport = new Request(new URL(`/api/v1/products/${slug}/passport`, request.url));
      const { values = [] } = Object(await jsonOf(await service.fetch(withKey(passport, key))));
      const names = values.map((one: { field_key: string }) => one.field_key).join(' ');
      if (response.status !== 200) return response;
      const text = await response.text();
      return withBody(response, text.startsWith('{') ? text.replace('{', `{"fields":"${names}",`) : `${text}${names}`);
    }),
  },
];

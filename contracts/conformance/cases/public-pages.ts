/** PUB: passport pages and JSON-LD documents show what each viewer may see. */
import { createHash } from 'node:crypto';
import { isRecord, member } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import { type Case, type Context, check, checkEqual, family, type Reply, shown } from '../case.ts';
import { isEqual } from '../check.ts';
import { jsonLdFaults } from '../json-ld.ts';
import { type ActiveProduct, documentPath, pagePath } from '../world.ts';
import { forged, type Hidden, hiddenOf, hiddenOfOther, markupOf, shows, showsNone, tagsIn } from './hidden-values.ts';
import { versionOf } from './passport-versions.ts';

const page = '/paths/~1p~1{tenant}~1{product}/get';
const document = '/paths/~1p~1{tenant}~1{product}~1jsonld/get';
const zugang = '/components/parameters/Zugang';

const servedPage = family('PUB-1', { claim: 'public', clause: page, needs: ['active product'] });
const servedDocument = family('PUB-1', { claim: 'public', clause: document, needs: ['active product'] });
const noScript = family('PUB-4', { claim: 'reference', clause: page, needs: ['active product'] });
const linkedData = family('PUB-5', { claim: 'public', clause: document, needs: ['active product'] });
const caching = family('PUB-6', { claim: 'reference', clause: page, needs: ['active product'] });

type View = 'page' | 'document';
const pathOf = { page: pagePath, document: documentPath };

export const publicPages: readonly Case[] = [
  servedPage('active-page', 'The page of an active product needs no key.', async ({ world, send }) => {
    const product = await world.activeProduct();
    const { status, headers } = await send({ path: pagePath(product), headers: { accept: 'text/html' } });
    checkEqual(status, 200, 'the status');
    const isHtml = /^text\/html\b/i.test(headers['content-type'] ?? '');
    check(isHtml, 'the page must have the content type text/html');
  }),
  servedDocument('active-document', 'The JSON-LD document of an active product needs no key.', async (context) => {
    await documentOf(context, await context.world.activeProduct());
  }),
  ...casesOf('page'),
  ...casesOf('document'),
  noScript('no-script', 'The page contains no executable script.', async ({ world, send }) => {
    const { text } = await send({ path: pagePath(await world.activeProduct()) });
    const scripts = [...text.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag);
    const executable = scripts.filter((tag) => !/type="?application\/ld\+json/i.test(tag));
    checkEqual(executable, [], 'the scripts of the page');
    const isClean = !/\son[a-z]+\s*=\s*["']|javascript:/i.test(text);
    check(isClean, 'the page must have no event handler and no javascript: link');
  }),
  noScript.with({ claim: 'public', needs: ['value with markup'] })(
    'markup',
    'Markup in a public value is shown as text.',
    async (context) => {
      const markup = await markupOf(context);
      const { text } = await context.send({ path: pagePath(await context.world.activeProduct()) });
      const raw = markup.find((part) => tagsIn(text).some((at) => text.startsWith(part, at)));
      const otherwise = `${shown(raw)} must be shown as text, and is a part of the page`;
      check(raw === undefined, otherwise, { exposes: 'script' });
    },
  ),
  noScript(
    'content-security-policy',
    'The page has a Content-Security-Policy that forbids scripts.',
    async (context) => {
      const { headers } = await context.send({ path: pagePath(await context.world.activeProduct()) });
      const policy = headers['content-security-policy'] ?? '';
      check(/default-src 'none'/.test(policy), "Content-Security-Policy must have default-src 'none'");
      const allowsInline = /unsafe-(inline|eval)/.test(policy.replace(/style-src[^;]*/, ''));
      check(!allowsInline, 'the policy must not allow inline scripts');
    },
  ),
  linkedData('content-hash', 'The document contains the content hash of the latest version.', async (context) => {
    const product = await context.world.activeProduct();
    await makeVersion(context, product);
    const { content_hash } = versionOf(await product.api.passport(product.slug));
    const { text } = await context.send({ path: documentPath(product) });
    check(text.includes(content_hash), 'the document must contain latest_version.content_hash');
  }),
  linkedData.reference(
    'public-hash',
    'The public content hash can be recomputed from the document.',
    async (context) => {
      const body = await documentOf(context, await context.world.activeProduct());
      const stated = member(member(body, 'hasDigitalProductPassport'), 'dpp:publicContentHash');
      const values = member(body, 'additionalProperty');
      check(Array.isArray(values), 'additionalProperty must be a list');
      const covered = values.filter((value) => member(value, 'dpp:accessLevel') === 'public').map(hashedValue);
      const hash = createHash('sha256')
        .update(canonicalize(covered) ?? '')
        .digest('hex');
      checkEqual(stated, hash, 'dpp:publicContentHash');
    },
  ),
  linkedData.reference(
    'no-dropped-term',
    'A JSON-LD processor drops nothing of the document, and loads no context but that of schema.org.',
    async (context) => {
      const body = await documentOf(context, await context.world.activeProduct());
      const faults = jsonLdFaults(body).map(({ text }) => text);
      checkEqual(faults, [], 'what a processor drops or cannot load');
    },
  ),
  linkedData.reference(
    'language',
    'Labels have the language of lang or Accept-Language, and each language has an ETag of its own.',
    async ({ world, send }) => {
      const path = documentPath(await world.activeProduct());
      const german = await send({ path, query: { lang: 'de' } });
      const english = await send({ path, query: { lang: 'en' } });
      const preferred = await send({ path, headers: { 'accept-language': 'de' } });
      check(!isEqual(labelsOf(german), labelsOf(english)), 'the labels in German and in English must differ');
      checkEqual(labelsOf(preferred), labelsOf(german), 'the labels with Accept-Language: de');
      check(/accept-language/i.test(preferred.headers.vary ?? ''), 'Vary must name accept-language');
      check(german.headers.etag !== english.headers.etag, 'the ETags of two languages must differ');
    },
  ),
  ...Object.entries({
    page: ['not-modified', 'A page'],
    document: ['document-not-modified', 'A JSON-LD document'],
  }).map(([view, [name = '', what]]) =>
    caching(name, `${what} that the client has gets 304 without a body.`, async ({ world, send }) => {
      const path = pathOf[view as View](await world.activeProduct());
      const { etag = '' } = (await send({ path })).headers;
      check(etag !== '', `the ${view} must have an ETag`);
      const { status, text } = await send({ path, headers: { 'if-none-match': etag } });
      checkEqual([status, text], [304, ''], 'status and body');
    }),
  ),
  caching.with({ needs: ['recycler token'] })('token', 'A page with a token is not cached.', async (context) => {
    const product = await context.world.activeProduct();
    const reply = await opened(context, 'page', product, await context.world.token('recycler'));
    check(/no-store/.test(reply.headers['cache-control'] ?? ''), 'Cache-Control must have no-store');
    check(/private/.test(reply.headers['cache-control'] ?? ''), 'Cache-Control must have private');
  }),
];

/** A second version tells the hash of the latest version from that of the first. Others' products stay as they are. */
async function makeVersion({ world, warn }: Context, { slug, api }: ActiveProduct): Promise<void> {
  const { values } = await api.passport(slug);
  const text = values.find(({ access_level, value }) => access_level === 'public' && typeof value === 'string');
  if (!world.isActiveMade || text === undefined) return warn('One version: not told apart from the first.');
  await api.put(slug, [{ field_key: text.field_key, value: `${text.value} ${world.runId}` }]);
}

/** What both views have in common. */
function casesOf(view: View): Case[] {
  const pathTo = pathOf[view];
  const clause = { page, document }[view];
  const served = family('PUB-1', { claim: 'public', clause });
  const publicOnly = family('PUB-2', { claim: 'public', clause, needs: ['active product', 'restricted value'] });
  const roles = family('PUB-3', { claim: 'public', clause: zugang, needs: ['active product', 'restricted value'] });
  const authority = family('PUB-3', { claim: 'reference', clause: zugang, needs: ['active product'] });
  const hides = (what: 'texts' | 'keys', queries = ['']): Case['run'] => {
    return async (context) => {
      const hidden = await hiddenOf(context);
      for (const query of queries) await showsNone(context, `${pathTo(hidden.product)}${query}`, hidden[what]);
    };
  };
  const servesNo = async ({ world, sendFaulty }: Context, slug: string): Promise<void> => {
    const { status } = await sendFaulty({ path: pathTo({ tenant: world.tenant().slug, slug }) });
    check(status >= 300 && status < 500, `the status must be 3xx or 4xx, is ${status}`);
  };
  return [
    served.with({ needs: ['active product'] })(`draft-${view}`, `A draft has no public ${view}.`, async (context) => {
      const { world, send } = context;
      const good = await send({ path: pathTo(await world.activeProduct()) });
      checkEqual(good.status, 200, `the status of an active product's ${view}`);
      await servesNo(context, (await world.product('draft')).slug);
    }),
    served.with({ needs: ['archived product'] })(
      `archived-${view}`,
      `An archived product has no public ${view}.`,
      async (context) => servesNo(context, await context.world.archivedProduct()),
    ),
    served.reference(
      `draft-like-unknown-${view}`,
      `A draft and an unknown product get the same 404 for the ${view}.`,
      async ({ world, sendFaulty }) => {
        const { slug: tenant } = world.tenant();
        const { slug } = await world.product('draft');
        const draft = await sendFaulty({ path: pathTo({ tenant, slug }) });
        const unknown = await sendFaulty({ path: pathTo({ tenant, slug: 'verify-unknown-product' }) });
        const foreign = await sendFaulty({ path: pathTo({ tenant: 'verify-unknown-tenant', slug }) });
        checkEqual([draft.status, unknown.status, foreign.status], [404, 404, 404], 'the statuses');
        // An unknown tenant has no page whose look it could have.
        check(draft.text === unknown.text, 'the two responses must have the same bytes');
      },
    ),
    publicOnly(`hidden-values-${view}`, `The ${view} shows no restricted and no authority value.`, hides('texts')),
    publicOnly(
      `view-parameter-${view}`,
      `The query parameter view does not open the ${view}.`,
      hides('texts', ['?view=recycler', '?view=inspector']),
    ),
    publicOnly.reference(`hidden-keys-${view}`, `The ${view} does not show the keys of hidden values.`, hides('keys')),
    ...(['recycler', 'inspector'] as const).map((role) =>
      roles.with({ needs: [`${role} token`] })(
        `${role}-${view}`,
        `${role === 'recycler' ? 'A recycler' : 'An inspector'}'s token opens restricted values on the ${view}.`,
        async (context) => {
          const { product, restricted } = await hiddenOf(context);
          const reply = await opened(context, view, product, await context.world.token(role));
          check(showsAny(reply, restricted), `the ${view} must show the restricted values`);
        },
      ),
    ),
    authority.with({ needs: ['authority value', 'inspector token', 'recycler token'] })(
      `authority-${view}`,
      `Only an inspector's token opens authority values on the ${view}.`,
      async (context) => {
        const { product, authority } = await hiddenOf(context, ['authority']);
        const inspector = await opened(context, view, product, await context.world.token('inspector'));
        check(showsAny(inspector, authority), 'an inspector must see the authority values');
        const recycler = await opened(context, view, product, await context.world.token('recycler'));
        const exposes = 'hidden value';
        check(!showsAny(recycler, authority), 'a recycler must not see the authority values', { exposes });
      },
    ),
    roles.with({ needs: ['token of one product', 'second active product'], capability: 'tokens for one product' })(
      `other-product-${view}`,
      `A token for one product does not open the ${view} of another product.`,
      async (context) => opensNoOther(context, 'product', view, await context.world.tokensOfOneProduct()),
    ),
    roles.with({ needs: ['recycler token', 'inspector token', 'active product of another tenant'] })(
      `other-tenant-${view}`,
      `A token of one tenant does not open the ${view} of another tenant's product.`,
      async (context) => {
        const tokens = [await context.world.token('recycler'), await context.world.token('inspector')];
        await opensNoOther(context, 'tenant', view, tokens);
      },
    ),
    ...(['forged', 'revoked', 'expired'] as const).map((kind) =>
      roles.with({
        needs: [`${kind === 'forged' ? 'recycler' : kind} token`],
        capability: kind === 'expired' ? 'expiring tokens' : undefined,
      })(`${kind}-${view}`, `A token that is ${kind} does not open the ${view}.`, async (context) => {
        const { product, texts } = await hiddenOf(context);
        const { world } = context;
        const token = kind === 'forged' ? forged(await world.token('recycler')) : await world.token(kind);
        await showsNone(context, withToken(pathTo(product), token), texts);
      }),
    ),
  ];
}

/** Each token opens the active product, and not that of another tenant, or another product of the same tenant. */
async function opensNoOther(context: Context, of: 'product' | 'tenant', view: View, tokens: readonly string[]) {
  const own = await hiddenOf(context);
  const other = await hiddenOfOther(context, of);
  for (const token of tokens) {
    // The control: the token is valid.
    const reply = await opened(context, 'document', own.product, token);
    check(showsAny(reply, own.restricted), 'each token must open the restricted values of its own product');
    await showsNone(context, withToken(pathOf[view](other.product), token), other.texts);
  }
}

const withToken = (path: string, token: string): string => `${path}?zugang=${encodeURIComponent(token)}`;

const showsAny = (reply: Reply, texts: readonly string[]): boolean => texts.some((text) => shows(reply, text));

async function documentOf({ send }: Context, product: ActiveProduct): Promise<unknown> {
  const reply = await send({ path: documentPath(product) });
  checkEqual(reply.status, 200, 'the status');
  const type = reply.headers['content-type'] ?? '';
  check(/^application\/ld\+json\b/i.test(type), `the content type must be application/ld+json, is ${type}`);
  check(isRecord(reply.json), 'the document must be a JSON object');
  return reply.json;
}

async function opened({ send }: Context, view: View, product: Hidden['product'], token: string): Promise<Reply> {
  const reply = await send({ path: pathOf[view](product), query: { zugang: token } });
  checkEqual(reply.status, 200, 'the status');
  return reply;
}

function labelsOf({ json }: Reply): unknown {
  const values = member(json, 'additionalProperty');
  return Array.isArray(values) ? values.map((value) => member(value, 'name')) : undefined;
}

function hashedValue(property: unknown): object {
  const value = member(property, 'value');
  return {
    field_key: member(property, 'propertyID'),
    is_unknown: member(property, 'dpp:isUnknown') ?? false,
    locale: member(property, 'dpp:locale'),
    unit: member(property, 'unitText') ?? null,
    value: (isRecord(value) && value['@type'] === '@json' ? value['@value'] : value) ?? null,
  };
}

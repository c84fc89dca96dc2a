/** GS1 and CAR: the resolver leads to the passport page, and data carriers lead to the resolver. */
import { type Contract, gtin14, isRecord, type Operation, serialsOf } from '@product-passport/openapi';
import { productPath } from '../api.ts';
import {
  type Case,
  type Context,
  check,
  checkEqual,
  clauseOf,
  type Expected,
  family,
  notFound,
  type Reply,
  refuses,
  shown,
} from '../case.ts';
import { addressesOf } from '../provider.ts';
import { pathOf } from '../valid-requests.ts';
import { linkPath, pagePath, type World } from '../world.ts';
import { acceptedGtins } from './products.ts';

const resolve = '/paths/~101~1{gtin}/get';
const carriers = '/paths/~1api~1v1~1products~1{slug}~1carriers/get';

const needs = ['active product', 'GTIN'] as const;
const known = family('GS1-1', { claim: 'public', clause: resolve, needs });
const notPublic = family('GS1-1', { claim: 'public', clause: resolve, needs: ['draft'] });
const details = family('GS1-2', { claim: 'reference', clause: resolve, needs });
const described = family('GS1-2', { claim: 'reference', clause: resolve });
const carried = family('CAR-1', { claim: 'public', clause: carriers, needs: [...needs, 'data carrier'] });
const longLinks = family('CAR-1', { claim: 'digital-link', clause: carriers, needs });
const noLinks = family('CAR-1', { claim: 'reference', clause: carriers });

/** GS1's key qualifiers, in their order. */
export const qualifiers = {
  variant: '/22/2A',
  batch: '/10/LOT1',
  serial: '/21/SN%2F001',
  'variant-batch': '/22/2A/10/LOT1',
  'variant-serial': '/22/2A/21/SN1',
  'batch-serial': '/10/LOT1/21/SN1',
  'variant-batch-serial': '/22/2A/10/LOT1/21/SN1',
  extension: '/235/ABC123',
};

const unknownGtin = linkPath('09999999999994');
const invalidGtin = { status: 400, code: 'invalid_gtin' };

const malformedQualifiers = {
  unknown: '/99/A',
  'wrong-order': '/21/SN1/10/LOT1',
  'too-long': `/21/${'9'.repeat(21)}`,
  empty: '/21',
};

/** A serial number that no item has opens the model, so these cases need a product that is no item. */
export function ofLevel<Family extends typeof details>(cases: Family, rest: string): Family {
  return rest.includes('/21/') ? (cases.with({ needs: ['product that is no item'] }) as Family) : cases;
}

/** The link of a level of identification, and the page that it leads to. */
export async function levelOf({ world }: Context, rest: string): Promise<{ path: string; page: string }> {
  if (!rest.includes('/21/'))
    return { path: `${await world.link()}${rest}`, page: pagePath(await world.activeProduct()) };
  const { gtin, page } = await world.model();
  return { path: `${linkPath(gtin)}${rest}`, page };
}

export const digitalLink: readonly Case[] = [
  known('redirect', 'The GTIN of an active product redirects to its passport page.', async (context) => {
    const reply = await context.send({ path: await context.world.link() });
    check([302, 307].includes(reply.status), `the status must be 302 or 307, is ${reply.status}`);
    await leadsTo(context, reply);
  }),
  notPublic('draft', 'The GTIN of a draft does not redirect to its page.', async ({ world, provider, sendFaulty }) => {
    const draft = await world.product('gtin-13-digits', { gtin: acceptedGtins['13-digits'] });
    world.require('draft', draft.status === 'draft' && typeof draft.gtin === 'string');
    const page = pagePath({ tenant: world.tenant().slug, slug: draft.slug });
    const { siteUrl } = addressesOf(provider);
    for (const gtin of gtinsOf(String(draft.gtin))) {
      const { location = '' } = (await sendFaulty({ path: linkPath(gtin) })).headers;
      const isPage = URL.canParse(location, siteUrl) && new URL(location, siteUrl).pathname === page;
      check(!isPage, `/01/${gtin} must not lead to the page of the draft`);
    }
  }),
  known.reference('target-is-own', 'The target of the redirect never comes from the request.', async (context) => {
    const reply = await context.sendFaulty({
      path: await context.world.link(),
      query: 'url=https%3A%2F%2Fattacker.example%2F&redirect=%2F%2Fattacker.example',
      headers: { 'x-forwarded-host': 'attacker.example' },
    });
    check(reply.status < 400, `the status must be a redirect, is ${reply.status}`);
    await leadsTo(context, reply);
  }),
  known.reference('temporary', 'The redirect has the status 307.', async ({ world, send }) => {
    checkEqual((await send({ path: await world.link() })).status, 307, 'the status');
  }),
  known.reference('all-lengths', 'Every length of the same GTIN finds the product.', async (context) => {
    for (const gtin of gtinsOf(await context.world.gtin())) {
      await leadsTo(context, await context.send({ path: linkPath(gtin) }));
    }
  }),
  details('unknown', 'An unknown GTIN gets 404 not_found.', refusesLink(unknownGtin, notFound)),
  ...Object.entries({ letters: 'abc', short: '123', long: '123456789012345', nine: '123456789' }).map(([name, text]) =>
    details(`malformed-${name}`, `/01/${text} gets 400 invalid_gtin.`, refusesLink(linkPath(text), invalidGtin)),
  ),
  ...Object.entries(qualifiers).map(([name, rest]) =>
    ofLevel(details, rest)(`qualifier-${name}`, `/01/{gtin}${rest} leads to the page of the GTIN.`, async (context) => {
      const { path, page } = await levelOf(context, rest);
      await leadsTo(context, await context.send({ path }), page);
    }),
  ),
  ...Object.entries(malformedQualifiers).map(([name, rest]) =>
    details(`no-qualifier-${name}`, `/01/{gtin}${rest} gets 400 invalid_request.`, refusesBelow(rest)),
  ),
  described.with({ needs: ['active product', 'product of one item'] })(
    'item',
    'A public serial number opens the passport of its item, by redirect and linkset.',
    async (context) => {
      const items = await itemsIn(context.world);
      context.world.require('product of one item', items.length > 0);
      for (const { path, page } of items) {
        await leadsTo(context, await context.send({ path }), page);
        const links = JSON.stringify((await context.send({ path, query: 'linkType=linkset' })).json);
        const hasPage = [`${page}"`, `${page}?`].some((end) => links.includes(end));
        check(hasPage, `the linkset must have the page ${page}, is ${shown(links)}`);
      }
    },
  ),
  described.with({ needs: ['active product', 'product of one item'] })(
    'model',
    'A GTIN alone and an unknown serial number open the model. No document of an item is that of another one.',
    async (context) => {
      const items = await itemsIn(context.world);
      context.world.require('product of one item', items.length > 0);
      for (const { link, page, model } of items) {
        const path = `${link}/21/verify-unknown`;
        const targets = [await context.send({ path: link }), await context.send({ path })];
        for (const reply of model === undefined ? [] : targets) await leadsTo(context, reply, model);
        const { location = '' } = (await context.sendFaulty({ path, query: 'linkType=gs1:dpp' })).headers;
        check(!location.includes(`${page}/jsonld`), `an unknown serial number must not open the document of ${page}`);
      }
    },
  ),
  described('resolver-description', 'The resolver describes itself.', async ({ send }) => {
    const reply = await send({ path: '/.well-known/gs1resolver' });
    checkEqual(reply.status, 200, 'the status');
    check(isRecord(reply.json), 'the description must be a JSON object');
  }),
  details('query', 'The redirect keeps the query of the request.', async ({ world, send }) => {
    const reply = await send({ path: await world.link(), query: { lang: 'de' } });
    check(/[?&]lang=de\b/.test(reply.headers.location ?? ''), 'the target must keep lang=de');
  }),
  details('trailing-slash', 'A trailing slash changes nothing.', async ({ world, send }) => {
    const path = await world.link();
    const [plain, slashed] = [await send({ path }), await send({ path: `${path}/` })];
    checkEqual(slashed.headers.location, plain.headers.location, 'the target');
  }),
  details('cors', 'Every site may read the response.', async ({ world, send }) => {
    const { headers } = await send({ path: await world.link() });
    checkEqual(headers['access-control-allow-origin'], '*', 'Access-Control-Allow-Origin');
  }),
  details('head', 'HEAD responds like GET, without a body.', async ({ world, send }) => {
    const path = await world.link();
    const [get, head] = [await send({ path }), await send({ path, method: 'HEAD' })];
    checkEqual([head.status, head.headers.location], [get.status, get.headers.location], 'status and target');
    checkEqual(head.text, '', 'the body');
  }),
  carried('link', "A data carrier's link ends in /01/ and the product's GTIN.", async (context) => {
    const { gtin, links } = await carriersOf(context);
    // The description does not say how a product gets a data carrier.
    context.world.require('data carrier', links.length > 0);
    for (const link of links) {
      const written = /\/01\/(\d+)$/.exec(link)?.[1];
      checkEqual(written && gtin14(written), gtin, 'the GTIN at the end of the link');
    }
  }),
  carried('link-resolves', "A data carrier's link leads to the passport page.", async (context) => {
    const { links } = await carriersOf(context);
    context.world.require('data carrier', links.length > 0);
    const path = /\/01\/\d+$/.exec(links[0] ?? '')?.[0];
    check(path !== undefined, 'the product must have a data carrier with a link');
    await leadsTo(context, await context.send({ path }));
  }),
  longLinks('fourteen-digits', 'The link has the 14-digit form of the GTIN.', async (context) => {
    const { gtin, links } = await carriersOf(context);
    for (const link of links) check(link.endsWith(`/01/${gtin}`), 'the link must have 14 digits');
  }),
  noLinks('without-gtin', 'A product without a GTIN has no data carriers.', async ({ world, api }) => {
    const { slug } = await world.product('draft');
    checkEqual((await api.carriers(slug)).items, [], 'items');
  }),
  noLinks.core(
    'unknown-product',
    'The carriers of an unknown product get 404.',
    refuses(
      async ({ world }) => ({ path: `${productPath((await world.product('draft')).slug)}/carriers` }),
      { path: `${productPath('verify-unknown-product')}/carriers` },
      notFound,
    ),
  ),
];

/** The target, without its query, is the page on the provider's own site. Default: the page of the active product. */
async function leadsTo({ world, provider }: Context, { status, headers }: Reply, page?: string): Promise<void> {
  const { siteUrl } = addressesOf(provider);
  const { location } = headers;
  check(status >= 300 && status < 400, `the status must be a redirect, is ${status}`);
  check(location !== undefined, 'the redirect must have a Location');
  check(URL.canParse(location, siteUrl), `Location must be an address, is ${shown(location)}`);
  const target = new URL(location, siteUrl);
  const expected = `${siteUrl}${page ?? pagePath(await world.activeProduct())}`;
  checkEqual(`${target.origin}${target.pathname}`, new URL(expected).href, 'the target');
}

/** The 14-digit GTIN of the active product, and the links of its data carriers. */
async function carriersOf({ world }: Context): Promise<{ readonly gtin: string; readonly links: readonly string[] }> {
  const { api, slug } = await world.activeProduct();
  const gtin = gtin14(await world.gtin());
  return { gtin, links: (await api.carriers(slug)).items.map((carrier) => carrier.gs1_digital_link) };
}

/** The Digital Link of the active product succeeds, and this path, with the rest of the link, is refused. */
function refusesLink(path: string, expected: Expected, rest = ''): Case['run'] {
  return refuses(async ({ world }) => ({ path: `${await world.link()}${rest}` }), { path: `${path}${rest}` }, expected);
}

/** The Digital Link of the active product succeeds, and another part after its GTIN is refused. */
function refusesBelow(malformed: string, rest = ''): Case['run'] {
  return refuses(
    async ({ world }) => ({ path: `${await world.link()}${rest}` }),
    async ({ world }) => ({ path: `${await world.link()}${malformed}` }),
  );
}

interface Item {
  /** The path of its Digital Link, and of that of its GTIN. */
  readonly path: string;
  readonly link: string;
  readonly page: string;
  /** The page of the only product with its GTIN that is no item. */
  readonly model: string | undefined;
}

/** The active items of one tenant that a serial number opens. */
export async function itemsIn(world: World): Promise<Item[]> {
  const products = [await world.activeProduct(), ...(await world.otherActiveProducts('tenant'))];
  const linked = await Promise.all(
    products.map(async ({ api, slug, tenant, gtin }) => {
      const link = typeof gtin === 'string' ? linkPath(gtin14(gtin)) : undefined;
      const { values } = link === undefined ? { values: [] } : await api.passport(slug);
      return { link, page: pagePath({ tenant, slug }), ...serialsOf(values) };
    }),
  );
  const items = linked.flatMap(({ link, page, public_serial: serial }) => {
    if (link === undefined || serial === null || !/^[\w-]+$/.test(serial)) return [];
    const models = linked.filter((one) => one.link === link && one.serial_number === null);
    return [{ path: `${link}/21/${serial}`, link, page, model: models.length === 1 ? models[0]?.page : undefined }];
  });
  // Of several products of one item, or of one GTIN, the one that was activated first is found. The API does not say which.
  return items.filter(({ path }, _, all) => all.filter((other) => other.path === path).length === 1);
}

/** The GTIN with 14 digits, and with each shorter length that drops only zeros. */
function gtinsOf(gtin: string): string[] {
  const whole = gtin14(gtin);
  return [14, 13, 12, 8]
    .filter((length) => /^0*$/.test(whole.slice(0, 14 - length)))
    .map((length) => whole.slice(14 - length));
}

const linkTypes = family('GS1-3', { claim: 'reference', clause: '/components/parameters/LinkType', needs });

/** The cases of each path, with the examples of its key qualifiers. */
export function digitalLinkPaths({ operations }: Contract): readonly Case[] {
  return [
    linkset('resolveGtin', ''),
    linkTypes(
      'resolveGtin-repeated',
      'linkType given twice gets 404 not_found.',
      refuses(
        async ({ world }) => ({ path: await world.link(), query: 'linkType=linkset' }),
        { query: 'linkType=linkset&linkType=linkset' },
        notFound,
      ),
    ),
    ...operations.filter(({ variantOf }) => variantOf === 'resolveGtin').flatMap(casesOfPath),
  ];
}

function casesOfPath(operation: Operation): Case[] {
  const { operationId: id } = operation;
  const like = family('GS1-3', { claim: 'reference', clause: clauseOf(operation), needs });
  const rest = pathOf(operation).replace(/^\/01\/\d+/, '');
  // A blank is not in GS1's set 82.
  const malformed = rest.replace(/[^/]+$/, '%20');
  return [
    linkset(id, rest),
    like(`${id}-unknown`, `An unknown GTIN with ${rest} gets 404 not_found.`, refusesLink(unknownGtin, notFound, rest)),
    like(`${id}-gtin`, `/01/123${rest} gets 400 invalid_gtin.`, refusesLink(linkPath('123'), invalidGtin, rest)),
    like(`${id}-qualifier`, `/01/{gtin}${malformed} gets 400 invalid_request.`, refusesBelow(malformed, rest)),
  ];
}

function linkset(operationId: string, rest: string): Case {
  return linkTypes(
    `${operationId}-linkset`,
    `/01/{gtin}${rest}?linkType=linkset responds with the linkset.`,
    async ({ world, send }) => {
      const reply = await send({ path: `${await world.link()}${rest}`, query: 'linkType=linkset' });
      checkEqual(reply.status, 200, 'the status');
      check(isRecord(reply.json), 'the linkset must be a JSON object');
    },
  );
}

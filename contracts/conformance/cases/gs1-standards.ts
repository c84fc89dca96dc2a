/**
 * GS1-4: GS1-Conformant Resolver 1.2.0 (January 2026) and GS1 Digital Link: URI Syntax 1.6.0 (March 2025). Each case is one
 * of their requirements. A recommendation (SHOULD) is only a warning. Compressed links and HTTPS are not judged.
 */

import { gtin14 } from '@product-passport/openapi';
import { decoded } from '../../judge/operation-at.ts';
import { type Case, type Context, check, checkEqual, family, type Reply, shown } from '../case.ts';
import { addressesOf } from '../provider.ts';
import { levelOf, ofLevel, qualifiers } from './digital-link.ts';

const clause = '/paths/~101~1{gtin}/get';
const standard = family('GS1-4', { claim: 'digital-link', clause, needs: ['active product', 'GTIN'] });
const ofResolver = family('GS1-4', { claim: 'digital-link', clause });

/** What identifies a product, a variant, a batch or an item: the path after the GTIN. */
const levels = { model: '', ...qualifiers };

/** Paths after the GTIN that the grammar of the URI syntax does not have. */
const malformed = {
  text: '/foo',
  'unknown-key': '/99/A',
  'wrong-order': '/21/SN1/10/LOT1',
  repeated: '/10/LOT1/10/LOT2',
  'no-value': '/10',
  'too-long': `/21/${'9'.repeat(21)}`,
  'character-set': '/21/%20',
};

export const gs1Standards: readonly Case[] = [
  ...Object.entries(levels).flatMap(([name, rest]) => [
    standard(`default-${name}`, `/01/{gtin}${rest} redirects to the default link of its linkset.`, async (context) => {
      const path = await linkOf(context, rest);
      const links = await linksAt(context, path);
      const [link, ...more] = links.get('gs1:defaultLink') ?? [];
      check(link !== undefined && more.length === 0, 'the linkset must have exactly one gs1:defaultLink');
      const reply = await context.send({ path });
      checkEqual(targetOf(context, reply), targetIn(context, link), 'the target of the redirect');
      if (!reply.headers.link?.includes('rel="linkset"')) context.warn('the redirect should link to the linkset');
      const slashed = await context.send({ path: `${path}/` });
      if (slashed.headers.location !== reply.headers.location) context.warn('a slash at the end should change nothing');
    }),
    ofLevel(standard, rest)(
      `types-${name}`,
      `/01/{gtin}${rest} redirects to the link of each type that is requested.`,
      async (context) => {
        const { path } = rest.includes('/21/') ? await levelOf(context, rest) : { path: await linkOf(context, rest) };
        for (const [type, links] of await linksAt(context, path)) {
          const reply = await context.send({ path, query: { linkType: type } });
          // A service may let the client choose among several links of a type.
          if (links.length === 0 || (links.length > 1 && reply.status === 300)) continue;
          const [target, targets] = [targetOf(context, reply), links.map((link) => targetIn(context, link))];
          const wanted = targets.map(shown).join(' or ');
          check(targets.includes(target), `the target for ${type} must be ${wanted}, is ${shown(target)}`);
        }
      },
    ),
  ]),
  standard('linkset-by-type', 'linkType=linkset gets the linkset, without a redirect.', async (context) => {
    const reply = await context.send({ path: await linkOf(context, ''), query: 'linkType=linkset' });
    checkEqual(reply.status, 200, 'the status');
  }),
  standard(
    'linkset-by-accept',
    'Accept: application/linkset+json gets the linkset as RFC 9264 JSON.',
    async (context) => {
      const reply = await context.send({ path: await linkOf(context, ''), headers: { accept: linksetType } });
      checkEqual(reply.status, 200, 'the status');
      const type = reply.headers['content-type'] ?? '';
      check(type.startsWith(linksetType), `Content-Type must be ${linksetType}, is ${shown(type)}`);
      setsIn(reply);
      if (!reply.headers.link?.includes('json-ld#context'))
        context.warn('the linkset should link to a JSON-LD context');
    },
  ),
  standard(
    'linkset-form',
    'Each link of the linkset has an address and a title, and its type is an IRI.',
    async (context) => {
      for (const { description, links } of await linksetOf(context, await linkOf(context, ''))) {
        check(isText(description), 'itemDescription must say what the anchor is');
        for (const [type, list] of links) {
          check(type.startsWith('gs1:') || URL.canParse(type), `a link type must be an IRI, is ${shown(type)}`);
          for (const { href, title } of list) {
            const isAddress = typeof href === 'string' && URL.canParse(href);
            check(isAddress, `href of ${type} must be an address, is ${shown(href)}`);
            check(isText(title), `title of ${type} must be a text, is ${shown(title)}`);
          }
        }
      }
    },
  ),
  standard(
    'default-link',
    'The default link has no language, media type or context, and is also there under another type.',
    async (context) => {
      const links = await linksAt(context, await linkOf(context, ''));
      const [link] = links.get('gs1:defaultLink') ?? [];
      check(link !== undefined, 'the linkset must have a gs1:defaultLink');
      for (const name of ['hreflang', 'type', 'context'])
        check(!(name in link), `gs1:defaultLink must have no ${name}`);
      const others = [...links].filter(([type]) => !type.startsWith('gs1:defaultLink')).flatMap(([, list]) => list);
      const isThere = others.some(({ href }) => href === link.href);
      check(isThere, `a link of another type must have the href of gs1:defaultLink, ${shown(link.href)}`);
    },
  ),
  standard('linkset-levels', 'The linkset of an item has the links of its product, too.', async (context) => {
    const product = await linksetOf(context, await linkOf(context, ''));
    const item = await linksetOf(context, await linkOf(context, qualifiers['batch-serial']));
    const anchors = item.map(({ anchor }) => anchor);
    for (const { anchor } of product)
      check(anchors.includes(anchor), `the linkset of an item must have ${shown(anchor)}`);
  }),
  standard('unknown-type', 'A type of link that the product does not have gets 404.', async (context) => {
    const path = await linkOf(context, '');
    await context.refused({ path }, { query: 'linkType=gs1:nosuchlt' }, { status: 404 });
  }),
  ofResolver('unknown-gtin', 'An unknown GTIN does not get 200.', async (context) => {
    const { status } = await context.send({ path: '/01/09999999999994' });
    check(status !== 200, 'an error must not have the status 200');
  }),
  ...Object.entries(malformed).map(([name, rest]) =>
    standard(`syntax-${name}`, `/01/{gtin}${rest} gets 400.`, async (context) => {
      const path = await linkOf(context, '');
      await context.refused({ path }, { path: `${path}${rest}` }, { status: 400 });
    }),
  ),
  standard('methods', 'The resolver supports GET, HEAD and OPTIONS, and says so.', async (context) => {
    const path = await linkOf(context, '');
    const options = await context.sendFaulty({ method: 'OPTIONS', path });
    const { 'access-control-allow-methods': allowed, allow } = options.headers;
    const methods = (allowed ?? allow ?? '').split(/,\s*/);
    for (const method of ['GET', 'HEAD', 'OPTIONS']) check(methods.includes(method), `OPTIONS must name ${method}`);
    const [get, head] = [await context.send({ path }), await context.send({ path, method: 'HEAD' })];
    checkEqual([head.status, head.headers.location], [get.status, get.headers.location], 'status and target of HEAD');
  }),
  standard('cors', 'Scripts of other sites may read the redirect and the linkset.', async (context) => {
    const path = await linkOf(context, '');
    for (const query of ['', 'linkType=linkset']) {
      const { headers } = await context.send({ path, query, headers: { origin: 'https://shop.example' } });
      const origin = headers['access-control-allow-origin'] ?? '';
      const isAllowed = ['*', 'https://shop.example'].includes(origin);
      check(isAllowed, `Access-Control-Allow-Origin must be *, is ${shown(origin)}`);
    }
  }),
  standard('query', 'The redirect keeps every pair of the query.', async (context) => {
    for (const rest of ['', levels.serial]) {
      const reply = await context.send({ path: await linkOf(context, rest), query: '17=261231&lang=de' });
      const { searchParams } = new URL(targetOf(context, reply));
      checkEqual([searchParams.get('17'), searchParams.get('lang')], ['261231', 'de'], 'the query of the target');
    }
  }),
  ofResolver(
    'description-file',
    '/.well-known/gs1resolver names the root and the keys of the resolver.',
    async ({ send }) => {
      const { status, json } = await send({ path: '/.well-known/gs1resolver' });
      checkEqual(status, 200, 'the status');
      const { resolverRoot, supportedPrimaryKeys: keys } = recordIn(json);
      check(typeof resolverRoot === 'string' && URL.canParse(resolverRoot), 'resolverRoot must be an address');
      check(
        Array.isArray(keys) && ['01', 'all'].some((key) => keys.includes(key)),
        'supportedPrimaryKeys must have 01',
      );
    },
  ),
];

const linksetType = 'application/linkset+json';

/** The path of a link, with the GTIN in the 14-digit form that the syntax demands. */
async function linkOf({ world }: Context, rest: string): Promise<string> {
  return `/01/${gtin14(await world.gtin())}${rest}`;
}

interface Link {
  readonly href?: unknown;
  readonly title?: unknown;
}

/** The links of one anchor, by type: `gs1:pip`, or the whole IRI of another vocabulary. */
interface LinkSet {
  readonly anchor: string;
  readonly description: unknown;
  readonly links: ReadonlyMap<string, readonly Link[]>;
}

async function linksetOf(context: Context, path: string): Promise<readonly LinkSet[]> {
  const ask = { path, query: 'linkType=linkset', headers: { accept: linksetType } };
  const reply = await context.send(ask);
  const { location } = reply.headers;
  if (location === undefined) return setsIn(reply);
  // GS1's own tests follow a redirect from an item to its product.
  const { pathname } = new URL(targetOf(context, reply));
  check(path.startsWith(pathname) && pathname !== path, `the linkset must not redirect to ${shown(location)}`);
  return setsIn(await context.send({ ...ask, path: pathname }));
}

function setsIn({ json }: Reply): readonly LinkSet[] {
  const { linkset } = recordIn(json);
  check(Array.isArray(linkset) && linkset.length > 0, 'linkset must be an array with an element');
  return linkset.map((element) => {
    const { anchor, itemDescription, description = itemDescription, ...types } = recordIn(element);
    check(typeof anchor === 'string', `anchor must be an address, is ${shown(anchor)}`);
    const links = Object.entries(types).map(([type, list]): [string, readonly Link[]] => {
      check(Array.isArray(list), `the links of ${type} must be an array`);
      return [type.replace(/^https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\//, 'gs1:'), list.map(recordIn)];
    });
    return { anchor, description, links: new Map(links) };
  });
}

/** The links of a path by type. Each type is that of the most specific level that has it. */
async function linksAt(context: Context, path: string): Promise<ReadonlyMap<string, readonly Link[]>> {
  const sets = await linksetOf(context, path);
  const found = new Map<string, readonly Link[]>();
  const steps = path.split('/');
  for (let length = steps.length; length > 2; length -= 2) {
    const level = decoded(steps.slice(0, length).join('/'));
    const own = sets.filter(({ anchor }) => decoded(anchor).endsWith(level));
    for (const [type, links] of own.flatMap(({ links }) => [...links])) if (!found.has(type)) found.set(type, links);
  }
  return found;
}

/** The target of a redirect. A requested type may stay in its query. */
function targetOf({ provider }: Context, { status, headers: { location } }: Reply): string {
  check(
    status >= 300 && status < 400 && location !== undefined,
    `the response must be a redirect, has status ${status}`,
  );
  const { siteUrl } = addressesOf(provider);
  check(URL.canParse(location, siteUrl), `Location must be an address, is ${shown(location)}`);
  return withoutType(new URL(location, siteUrl));
}

function targetIn({ provider }: Context, { href }: Link): string {
  const { siteUrl } = addressesOf(provider);
  check(typeof href === 'string' && URL.canParse(href, siteUrl), `href must be an address, is ${shown(href)}`);
  return withoutType(new URL(href, siteUrl));
}

function withoutType(target: URL): string {
  target.searchParams.delete('linkType');
  return target.href;
}

function recordIn(json: unknown): Readonly<Record<string, unknown>> {
  check(typeof json === 'object' && json !== null && !Array.isArray(json), `must be an object, is ${shown(json)}`);
  return json as Readonly<Record<string, unknown>>;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

/** The values of the active product that not everybody may see, and whether a response shows them. */

import { type Leak, leaksIn, textsIn } from '../../judge/leaks.ts';
import { type Context, check, type Reply, searchIn, type WholeRunCase } from '../case.ts';
import { type Exchange, jsonIn } from '../http/exchange.ts';
import type { Provider } from '../provider.ts';
import type { ActiveProduct, World } from '../world.ts';
import { foreignMarker } from './tenancy.ts';

/** Shorter texts may occur anywhere on a page. */
const minHiddenLength = 8;

interface Hidden {
  readonly product: ActiveProduct;
  /** Texts that only a role may see. */
  readonly restricted: readonly string[];
  readonly authority: readonly string[];
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

type HiddenLevel = 'restricted' | 'authority';

/**
 * The hidden texts of the active product. Texts that occur in its public values are left out.
 *
 * @param needed the levels of which the case needs a text
 */
export async function hiddenOf({ world }: Context, needed: readonly HiddenLevel[] = ['restricted']): Promise<Hidden> {
  const hidden = await hiddenIn(await world.activeProduct());
  for (const level of needed) world.require(`${level} value`, hidden[level].length > 0);
  return hidden;
}

/** The hidden texts of a product that no token of the active product opens. */
export async function hiddenOfOther({ world, once }: Context, of: 'product' | 'tenant'): Promise<Hidden> {
  const found = await once(`product of another ${of}`, () => otherHidden(world, of));
  const need = of === 'tenant' ? 'active product of another tenant' : 'second active product';
  world.require(need, found !== undefined);
  return found as Hidden;
}

/** @param of whether the product belongs to another tenant, or is another one of the same tenant */
export async function otherHidden(world: World, of: 'product' | 'tenant'): Promise<Hidden | undefined> {
  for (const product of await world.otherActiveProducts(of === 'tenant' ? 'other tenants' : 'tenant')) {
    const hidden = await hiddenIn(product);
    if (hidden.restricted.length > 0) return hidden;
  }
  return undefined;
}

async function hiddenIn(product: ActiveProduct): Promise<Hidden> {
  const { values } = await product.api.passport(product.slug);
  const publicValues = values.filter(({ access_level }) => access_level === 'public');
  const open = JSON.stringify([product, publicValues]);
  const textsOf = (level: HiddenLevel): string[] =>
    values
      .filter(({ access_level }) => access_level === level)
      .flatMap(({ value }) => stringsIn(value))
      .filter((text) => text.length >= minHiddenLength && !open.includes(text));
  const [restricted, authority] = [textsOf('restricted'), textsOf('authority')];
  const keys = values.filter((value) => !publicValues.includes(value)).map(({ field_key }) => field_key);
  return {
    product,
    restricted,
    authority,
    texts: [...restricted, ...authority],
    keys: keys.filter((key) => !open.includes(key)),
  };
}

/** Texts of the active product's public values that contain a tag, each from the beginning of the tag. */
export async function markupOf({ world }: Context): Promise<readonly string[]> {
  const { api, slug } = await world.activeProduct();
  const { values } = await api.passport(slug);
  const texts = values.filter((one) => one.access_level === 'public').flatMap(({ value }) => stringsIn(value));
  const found = texts.flatMap((text) => tagsIn(text).map((at) => text.slice(at).trim()));
  world.require('value with markup', found.length > 0);
  return found;
}

/** Elements of HTML whose content is text. */
const textElement = /^(?:script|style|title|textarea)$/i;

/** Where the tags of HTML begin, except in comments, attributes, and elements whose content is text. */
export function tagsIn(html: string): number[] {
  const found: number[] = [];
  const next = /<!--|<\/?([a-z][^\s/>"'<]*)(?:"[^"]*"|'[^']*'|[^"'<>])*>/gi;
  for (let tag = next.exec(html); tag !== null; tag = next.exec(html)) {
    const [text, name = ''] = tag;
    if (text !== '<!--') found.push(tag.index);
    const end = text === '<!--' ? /-->/g : textElement.test(name) ? new RegExp(`</${name}`, 'gi') : undefined;
    if (end === undefined || text.startsWith('</')) continue;
    end.lastIndex = next.lastIndex;
    // Without its end, the comment or the element has the rest of the page.
    if (!end.test(html)) break;
    next.lastIndex = end.lastIndex;
  }
  return found;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export async function showsNone({ sendFaulty }: Context, path: string, texts: readonly string[]): Promise<void> {
  const reply = await sendFaulty({ path });
  const shown = texts.filter((text) => shows(reply, text));
  check(shown.length === 0, `the response must show no hidden value, shows ${shown.length} of ${texts.length}`);
}

/** Whether a response contains the text, plain or escaped as HTML or JSON does. */
export function shows({ text }: Reply, wanted: string): boolean {
  const html = wanted.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = [
    wanted,
    html,
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    JSON.stringify(wanted).slice(1, -1),
  ];
  return forms.some((form) => text.includes(form));
}

const scheme = '/components/securitySchemes/apiKey';
const errorMessage = '/components/schemas/Error';

/** Shorter texts in `Authorization`, such as `%`, appear in responses by chance. */
const minSecretLength = 12;

export const secretsInResponses: readonly WholeRunCase[] = [
  {
    id: 'AUTH-6.key-in-response',
    title: 'No response contains an API key.',
    claim: 'core',
    clause: scheme,
    findings: ({ exchanges, provider }) => {
      const keys = keysOf(provider);
      return searchIn(exchanges, {
        faultOf: (exchange) => {
          const text = wholeResponse(exchange);
          const leaked = [...keys, ...sentSecrets(exchange)].filter((secret) => text.includes(secret));
          return leaked.every((secret) => isStoredByClient(exchanges, secret)) ? undefined : 'contains an API key';
        },
      });
    },
  },
  {
    id: 'LEAK-1.access-token',
    title: 'No response contains an access token that its request did not send.',
    claim: 'public',
    clause: '/components/parameters/Zugang',
    findings: ({ exchanges, provider }) => {
      const tokens = [...(provider.access_tokens ?? []).map(({ token }) => token), provider.expired_access_token];
      const secrets = tokens.filter((token) => token !== undefined);
      return searchIn(exchanges, {
        couldShow: () => secrets.length > 0,
        faultOf: (exchange) => {
          const text = wholeResponse(exchange);
          const isLeaked = secrets.some((token) => text.includes(token) && !sendsToken(exchange, token));
          return isLeaked ? 'contains an access token' : undefined;
        },
      });
    },
  },
];

const otherTenant: WholeRunCase = {
  id: 'LEAK-2.other-tenant',
  title: "No response contains another tenant's data.",
  claim: 'core',
  clause: '/info/description',
  findings: ({ exchanges, provider }) => {
    const [, second] = provider.tenants ?? [];
    const isOwner = ({ request }: Exchange) =>
      second !== undefined && (request.headers.authorization ?? '').includes(second.api_key);
    const isStored = exchanges.some((exchange) => isOwner(exchange) && wholeResponse(exchange).includes(foreignMarker));
    return searchIn(exchanges, {
      couldShow: (exchange) => isStored && !isOwner(exchange) && !sends(exchange, foreignMarker),
      faultOf: (exchange) =>
        wholeResponse(exchange).includes(foreignMarker) ? 'contains data of the second tenant' : undefined,
    });
  },
};

const kinds: Readonly<Record<string, { readonly kind: Leak['kind']; readonly what: string }>> = {
  'stack-trace': { kind: 'stack trace', what: 'a stack trace' },
  'file-path': { kind: 'file path', what: 'a path of the server' },
  sql: { kind: 'SQL', what: 'SQL' },
};

const insideOfTheService = Object.entries(kinds).map(
  ([name, { kind, what }]): WholeRunCase => ({
    id: `LEAK-3.${name}`,
    title: `No error contains ${what}.`,
    claim: 'core',
    clause: errorMessage,
    findings: ({ exchanges }) =>
      searchIn(exchanges, {
        couldShow: ({ response }) => (response?.status ?? 0) >= 400,
        faultOf: ({ response }) => {
          const { text = '' } = response ?? {};
          const leak = leaksIn(textsIn(jsonIn(text) ?? text)).find((found) => found.kind === kind);
          return leak === undefined ? undefined : `contains ${what}: ${leak.text}`;
        },
      }),
  }),
);

export const leaks: readonly WholeRunCase[] = [...secretsInResponses, otherTenant, ...insideOfTheService];

function keysOf({ tenants = [], revoked_api_key: revoked }: Provider): string[] {
  return [...tenants.map(({ api_key }) => api_key), ...(revoked === undefined ? [] : [revoked])];
}

/** Whether a client wrote the key into its data, as a name for example. The provider then returns what it stored. */
function isStoredByClient(exchanges: readonly Exchange[], key: string): boolean {
  return exchanges.some(
    ({ request: { body }, response }) => (response?.status ?? 500) < 300 && Buffer.from(body ?? []).includes(key),
  );
}

/** What this request sent as its key. An error must not repeat a wrong key either. */
function sentSecrets({ request }: Exchange): string[] {
  const [, token = ''] = /^\S+ +(.*)$/.exec(request.headers.authorization ?? '') ?? [];
  return token.length < minSecretLength ? [] : [token];
}

function wholeResponse({ response }: Exchange): string {
  return response === undefined ? '' : `${JSON.stringify(response.headers)}\n${response.text}`;
}

function sendsToken({ request: { path } }: Exchange, token: string): boolean {
  return path.includes(token) || path.includes(encodeURIComponent(token));
}

function sends({ request: { path, body } }: Exchange, text: string): boolean {
  return path.includes(text) || Buffer.from(body ?? []).includes(text);
}

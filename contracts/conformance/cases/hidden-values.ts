/** The values of the active product that not everybody may see, and whether a response shows them. */

import { type Leak, leaksIn, textsIn } from '../../judge/leaks.ts';
import { type Context, check, type Reply, searchIn, type WholeRunCase } from '../case.ts';
import { type Exchange, jsonIn } from '../http/exchange.ts';
import type { Provider } from '../provider.ts';
import type { ActiveProduct, World } from '../world.ts';
import { foreignMarker } from './tenancy.ts';

/** Shorter texts may occur anywhere on a page. */
const minHiddenLength = 8;

/** A product with the key of its tenant. */
type Owned = Pick<ActiveProduct, 'slug' | 'gtin' | 'tenant' | 'api'>;

export interface Hidden {
  readonly product: Owned;
  /** The product and its public values, as JSON. */
  readonly open: string;
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
export async function hiddenOfOther(context: Context, of: 'product' | 'tenant'): Promise<Hidden> {
  const { world } = context;
  const found = await findOther(context, of);
  const need = of === 'tenant' ? 'active product of another tenant' : 'second active product';
  world.require(need, found !== undefined);
  return found as Hidden;
}

/** The same, if the provider has such a product. */
export function findOther({ world, once }: Context, of: 'product' | 'tenant'): Promise<Hidden | undefined> {
  return once(`product of another ${of}`, () => otherHidden(world, of));
}

/** @param of whether the product belongs to another tenant, or is another one of the same tenant */
export async function otherHidden(world: World, of: 'product' | 'tenant'): Promise<Hidden | undefined> {
  for (const product of await world.otherActiveProducts(of === 'tenant' ? 'other tenants' : 'tenant')) {
    const hidden = await hiddenIn(product);
    if (hidden.restricted.length > 0) return hidden;
  }
  return undefined;
}

export async function hiddenIn(product: Owned): Promise<Hidden> {
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
    open,
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
  checkHidden(await sendFaulty({ path }), texts);
}

/** @param what the subject of the message */
export function checkHidden(reply: Reply, texts: readonly string[], what = 'the response'): void {
  const shown = texts.filter((text) => shows(reply, text));
  const otherwise = `${what} must show no hidden value, shows ${shown.length} of ${texts.length}`;
  check(shown.length === 0, otherwise, { exposes: 'hidden value' });
}

/** Whether a response contains the text, in its body or its headers, in any of the forms that they escape it in. */
export function shows(reply: Reply, wanted: string): boolean {
  const whole = known.get(reply) ?? plain(`${Object.values(reply.headers).join('\n')}\n${reply.text}`);
  known.set(reply, whole);
  return [wanted, JSON.stringify(wanted).slice(1, -1)].some((form) => whole.includes(plain(form)));
}

const known = new WeakMap<Reply, string>();

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text without the escapes of JSON, HTML and addresses, so that it can be compared. */
function plain(text: string): string {
  const ofCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
  return text
    .replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, hex: string | undefined, other: string) =>
      hex === undefined ? other.replace(/[nrt]/, ' ') : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/&#(\d{1,7});/g, (_, digits: string) => ofCode(Number(digits)))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => ofCode(Number.parseInt(hex, 16)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '')
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
    .replace(/\u00ad|\u200b|<wbr>/g, '')
    .replace(/[\s+]+/g, ' ');
}

/** The token with another signature: one character in its middle differs. */
export function forged(token: string): string {
  const index = Math.max(token.lastIndexOf('.') + 1, Math.floor(token.length / 2));
  return `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
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
        exposes: 'secret',
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
        exposes: 'secret',
        couldShow: () => secrets.length > 0,
        faultOf: (exchange) => {
          const text = wholeResponse(exchange);
          const { path } = exchange.request;
          const isSent = (token: string) => path.includes(token) || path.includes(encodeURIComponent(token));
          const isLeaked = secrets.some((token) => text.includes(token) && !isSent(token));
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
    const isSent = ({ request: { path, body } }: Exchange) =>
      path.includes(foreignMarker) || Buffer.from(body ?? []).includes(foreignMarker);
    const isStored = exchanges.some((exchange) => isOwner(exchange) && wholeResponse(exchange).includes(foreignMarker));
    return searchIn(exchanges, {
      exposes: 'data of another tenant',
      couldShow: (exchange) => isStored && !isOwner(exchange) && !isSent(exchange),
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
        exposes: 'inside of the service',
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

function keysOf({ tenants = [], publishing_api_key: publishing, revoked_api_key: revoked }: Provider): string[] {
  return [...tenants.map(({ api_key }) => api_key), publishing, revoked].filter((key) => key !== undefined);
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

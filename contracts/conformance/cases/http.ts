/** HTTP-1 to 5: bodies, content types, methods, unknown paths and headers. */

import { type Contract, claimOfRoot, type Operation, sideOf } from '@product-passport/openapi';
import { outcomeOf } from '../api.ts';
import {
  type Ask,
  type Case,
  type Context,
  check,
  checkEqual,
  family,
  notFound,
  type Reply,
  refuses,
  searchIn,
  type WholeRunCase,
} from '../case.ts';
import type { Need } from '../claims.ts';
import { needsOf, pathOf, requiredQuery, validRequest, validWrite } from '../valid-requests.ts';
import { createControl } from './products.ts';

const requests = '/info/description';
const beside = '/x-responses-beside-operations';

const json = family('HTTP-1', { claim: 'core', clause: requests });
const types = family('HTTP-2', { claim: 'reference', clause: requests });
const paths = family('HTTP-4', { claim: 'reference', clause: `${beside}/404` });
const headers = family('HTTP-5', { claim: 'reference', clause: '/components/headers/RequestId' });

const write = (context: Context): Promise<Ask> => validWrite(context, 'http');

/** The operations with a body. */
const writes: readonly (readonly [operationId: string, good: Ask | typeof write, needs: readonly Need[]])[] = [
  ['createProduct', createControl, []],
  ['putPassport', write, ['field key']],
];

/** Bodies that are not JSON: those that a lenient parser accepts, and those that the service's description leaves open. */
const broken: Readonly<Record<string, readonly [string, (text: string) => string | Uint8Array]>> = {
  truncated: ['a truncated body', (text) => text.slice(0, -1)],
  'trailing-comma': ['a trailing comma', (text) => `${text.slice(0, -1)},${text.slice(-1)}`],
  'single-quotes': ['single quotes', (text) => text.replaceAll('"', "'")],
  nan: ['NaN', () => '{"name":"Verify control","model":NaN}'],
  comment: ['a comment', (text) => `${text} // comment`],
  'second-value': ['a second value', (text) => `${text}${text}`],
  'plain-text': ['plain text', () => 'name=Verify'],
};
const brokenInReference: typeof broken = {
  empty: ['no bytes', () => ''],
  blank: ['only white space', () => '  \n'],
  'byte-order-mark': ['a byte order mark', (text) => `\ufeff${text}`],
  'invalid-utf-8': ['bytes that are not UTF-8', withInvalidUtf8],
  'utf-16': ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
};

/** The body with a byte inside a string that UTF-8 does not have. */
function withInvalidUtf8(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  bytes[text.indexOf('Verify')] = 0xff;
  return bytes;
}

const brokenJson: readonly Case[] = writes.flatMap(([operationId, good, needs]) =>
  Object.entries({ ...broken, ...brokenInReference }).map(([name, [what, bodyOf]]) =>
    json.with({ claim: name in broken ? 'core' : 'reference', needs })(
      `${operationId}-${name}`,
      `${operationId} refuses ${what} with 400 invalid_json.`,
      refuses(good, (_, { json }) => ({ raw: bodyOf(JSON.stringify(json)) }), { status: 400, code: 'invalid_json' }),
    ),
  ),
);

/** Headers of a body that the service does not read. `undefined` sends none. */
const unsupported: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  none: { 'content-type': undefined },
  'text-plain': { 'content-type': 'text/plain' },
  form: { 'content-type': 'application/x-www-form-urlencoded' },
  'merge-patch': { 'content-type': 'application/merge-patch+json' },
  'json-ld': { 'content-type': 'application/ld+json' },
  latin1: { 'content-type': 'application/json; charset=iso-8859-1' },
  'utf-16': { 'content-type': 'application/json; charset=utf-16' },
  gzip: { 'content-encoding': 'gzip' },
  'unknown-encoding': { 'content-encoding': 'verify' },
};
const unsupportedType = { status: 415, code: 'unsupported_media_type' };

const supported: Readonly<Record<string, string>> = {
  charset: 'application/json; charset=utf-8',
  'upper-case': 'APPLICATION/JSON;charset="UTF-8"',
};

const contentTypes: readonly Case[] = [
  ...writes.flatMap(([operationId, good, needs]) =>
    Object.entries(unsupported).map(([name, sent]) =>
      types.with({ needs })(
        `${operationId}-${name}`,
        `${operationId} refuses ${shownHeaders(sent)} with 415.`,
        refuses(good, { headers: sent }, unsupportedType),
      ),
    ),
  ),
  ...Object.entries(supported).map(([name, type]) =>
    types.with({ needs: ['field key'] })(
      `supported-${name}`,
      `putPassport accepts Content-Type: ${type}.`,
      async (context) => {
        const reply = await context.send({ ...(await write(context)), headers: { 'content-type': type } });
        check(reply.status === 200, `${type} must be accepted, gets ${outcomeOf(reply)}`);
      },
    ),
  ),
  types(
    'before-json',
    'The service checks the content type before it reads the body.',
    refuses(createControl, { raw: '{', headers: { 'content-type': 'text/plain' } }, unsupportedType),
  ),
];

function shownHeaders(sent: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(sent)
    .map(([name, value]) => (value === undefined ? `a body without ${name}` : `${name}: ${value}`))
    .join(', ');
}

const unknownPaths: Readonly<Record<string, string>> = {
  root: '/api/v1',
  'root-with-slash': '/api/v1/',
  collection: '/api/v1/verify-unknown',
  'other-case': '/api/v1/ME',
  'below-me': '/api/v1/me/verify-unknown',
  'below-product': '/api/v1/products/verify-unknown/verify-unknown',
  'site-word': '/verify-unknown',
  'site-tenant': '/p/verify-unknown',
  'site-below-page': '/p/verify-unknown/verify-unknown/verify-unknown',
};

function unknownPath(name: string, path: string, { root, secured } = sideOf(path)): Case {
  const good = secured ? '/api/v1/me' : '/.well-known/gs1resolver';
  const make = paths.with({ also: claimOfRoot(root) });
  return make(name, `${path} gets 404 not_found.`, refuses({ path: good }, { path }, notFound));
}

/** An unknown path below each other root of the contract. */
function unknownPathsBelow({ fallbacks }: Contract): Case[] {
  const known = new Set(Object.values(unknownPaths).map((path) => sideOf(path).root));
  return fallbacks
    .filter(({ root, code }) => code === 'not_found' && !known.has(root))
    .map((side) => unknownPath(side.root.slice(1).replaceAll('/', '-'), `${side.root}/verify-unknown`, side));
}

const otherPaths: readonly Case[] = [
  ...Object.entries(unknownPaths).map(([name, path]) => unknownPath(name, path)),
  ...['/api/v1/me/', '/api/v1/products/', '/.well-known/gs1resolver/'].map((path) =>
    paths.with({ clause: requests })(
      `trailing-slash-${path.split('/').at(-2)}`,
      `${path} works like the path without the slash at its end.`,
      async ({ send }) => {
        const plain = await send({ path: path.slice(0, -1) });
        const reply = await send({ path });
        checkEqual(reply.status, 200, 'the status');
        checkEqual(reply.json, plain.json, 'the body');
      },
    ),
  ),
];

const ids: readonly Case[] = [
  headers('request-id', "X-Request-Id is the request's own, if that is valid.", async ({ send, world }) => {
    const id = `verify-${world.runId}.1_A`;
    const reply = await send({ path: '/api/v1/me', headers: { 'x-request-id': id } });
    checkEqual(reply.headers['x-request-id'], id, 'X-Request-Id');
  }),
  headers('request-id-new', 'X-Request-Id is new for each request without a valid one.', async ({ send }) => {
    const found = new Set<string | undefined>();
    for (const own of [undefined, undefined, 'two words', 'x'.repeat(129)]) {
      const sent = own === undefined ? {} : { headers: { 'x-request-id': own } };
      const reply = await send({ path: '/api/v1/me', ...sent });
      const id = reply.headers['x-request-id'];
      check(id !== undefined && id !== own, `X-Request-Id must be a new id, is ${id}`);
      found.add(id);
    }
    checkEqual(found.size, 4, 'the number of different ids');
  }),
  headers.with({ clause: requests })('accept', 'Accept never causes a 406.', async ({ send }) => {
    const reply = await send({ path: '/api/v1/me', headers: { accept: 'application/xml' } });
    check(reply.status === 200, `Accept: application/xml must get 200, gets ${outcomeOf(reply)}`);
  }),
];

export function http(contract: Contract): readonly Case[] {
  return [...brokenJson, ...contentTypes, ...otherPaths, ...unknownPathsBelow(contract), ...ids];
}

type Headers = Readonly<Record<string, string>>;

const lacks = (name: string, value: string) => (all: Headers) =>
  all[name.toLowerCase()] === value ? undefined : `has no ${name}: ${value}`;
const software = (all: Headers) =>
  ['server', 'x-powered-by'].filter((name) => name in all).map((name) => `has ${name}`)[0];

/** What the headers of all API responses must say. */
const headerRules: readonly (readonly [name: string, title: string, faultOf: (all: Headers) => string | undefined])[] =
  [
    ['nosniff', 'Every API response has X-Content-Type-Options: nosniff.', lacks('X-Content-Type-Options', 'nosniff')],
    ['no-store', 'Every API response has Cache-Control: no-store.', lacks('Cache-Control', 'no-store')],
    ['software', 'No API response has Server or X-Powered-By.', software],
  ];

export const httpHeaders: readonly WholeRunCase[] = headerRules.map(([name, title, faultOf]) => ({
  id: `HTTP-5.${name}`,
  title,
  claim: 'reference',
  clause: '/components/headers',
  findings: ({ exchanges }) =>
    searchIn(exchanges, {
      couldShow: ({ request }) => sideOf(request.path).secured,
      isInHeaders: true,
      faultOf: ({ response }) => faultOf(response?.headers ?? {}),
    }),
}));

// HTTP-3: the methods of every path, HEAD and OPTIONS among them.

const methodCase = family('HTTP-3', { claim: 'reference', clause: `${beside}/405` });

export function methods({ operations }: Contract): readonly Case[] {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return [...[...byPath.values()].flatMap(casesOfPath), ...heads(operations)];
}

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

function casesOfPath(atPath: readonly Operation[]): Case[] {
  const [first] = atPath;
  if (first === undefined) return [];
  const allowed = [
    ...atPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    ...(first.side.secured ? [] : ['OPTIONS']),
  ];
  const path = pathOf(first);
  // The errors of the passport page are pages.
  const code = first.side.errors === 'page' ? undefined : 'method_not_allowed';
  const refusals = methodCase.with({ also: first.also })(
    first.operationId,
    `${first.path} refuses every method but ${allowed.join(', ')} with 405 and Allow.`,
    async ({ send, sendFaulty }) => {
      const [method = 'GET'] = allowed.includes('HEAD') ? ['HEAD'] : allowed;
      const control = await (method === 'HEAD' ? send : sendFaulty)({ method, path, ...requiredQuery(first) });
      check(control.status !== 405, `${method} ${path} must not get 405`);
      for (const method of allMethods.filter((name) => !allowed.includes(name))) {
        const reply = await sendFaulty({ method, path });
        checkEqual(reply.status, 405, `the status of ${method}`);
        // The response to HEAD has no body.
        if (method !== 'HEAD') checkEqual(reply.code, code, `error.code of ${method}`);
        checkEqual(namesIn(reply.headers.allow), [...allowed].sort(), `Allow of ${method}`);
      }
    },
  );
  const preflight = methodCase.with({ also: first.also, clause: `${beside}/204` })(
    `options-${first.operationId}`,
    `OPTIONS of ${first.path} gets 204 with the allowed methods.`,
    async ({ sendFaulty }) => {
      const reply = await sendFaulty({ method: 'OPTIONS', path });
      checkEqual(reply.status, 204, 'the status');
      checkEqual(namesIn(reply.headers.allow), [...allowed].sort(), 'Allow');
      const access = reply.headers['access-control-allow-methods'];
      checkEqual(namesIn(access), [...allowed].sort(), 'Access-Control-Allow-Methods');
    },
  );
  return first.side.secured ? [refusals] : [refusals, preflight];
}

function namesIn(list = ''): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .sort();
}

function heads(operations: readonly Operation[]): Case[] {
  return operations
    .filter(({ method }) => method === 'GET')
    .map((operation) => {
      const { operationId } = operation;
      return methodCase.with({ also: operation.also, clause: requests, needs: needsOf(operation) })(
        `head-${operationId}`,
        `HEAD of ${operationId} has the status and headers of GET, and no body.`,
        async (context) => {
          const ask = await validRequest(operation, context, 'http');
          const get = await context.send(ask);
          const head = await context.send({ ...ask, method: 'HEAD' });
          checkEqual(head.status, get.status, 'the status of HEAD');
          checkEqual(head.text, '', 'the body of HEAD');
          const stable = (reply: Reply) => stableHeaders(reply, 'content-length', 'transfer-encoding');
          checkEqual(stable(head), stable(get), 'the headers of HEAD');
        },
      );
    });
}

/** Headers that may differ between two responses of the same meaning. */
const varying = ['date', 'x-request-id', 'connection', 'keep-alive'];

/** @param more other headers that may differ */
export function stableHeaders({ headers }: Reply, ...more: readonly string[]): Readonly<Record<string, string>> {
  const left = Object.entries(headers).filter(([name]) => ![...varying, ...more].includes(name));
  return Object.fromEntries(left);
}

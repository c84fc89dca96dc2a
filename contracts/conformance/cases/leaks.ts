/** What no response of the run may contain: a key, an access token, another tenant's data, the inside of the service. */
import { type Leak, leaksIn, textsIn } from '../../judge/leaks.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Provider } from '../provider.ts';
import type { WholeRun, WholeRunCase, WholeRunFindings } from '../whole-run.ts';
import { foreignMarker } from './tenancy.ts';

const maxExamples = 5;
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
      return search(exchanges, {
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
      return search(exchanges, {
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
    return search(exchanges, {
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
      search(exchanges, {
        couldShow: ({ response }) => (response?.status ?? 0) >= 400,
        faultOf: ({ response }) => {
          const leak = leaksIn(textsOf(response)).find((found) => found.kind === kind);
          return leak === undefined ? undefined : `contains ${what}: ${leak.text}`;
        },
      }),
  }),
);

export const leaks: readonly WholeRunCase[] = [...secretsInResponses, otherTenant, ...insideOfTheService];

interface Search {
  /** Whether the exchange could show the leak. Default: every exchange with a response. */
  readonly couldShow?: (exchange: Exchange) => boolean;
  /** The leak, as the end of a sentence about the response. */
  readonly faultOf: (exchange: Exchange) => string | undefined;
}

function search(exchanges: WholeRun['exchanges'], { couldShow = () => true, faultOf }: Search): WholeRunFindings {
  const searched = exchanges.filter((exchange) => exchange.response !== undefined && couldShow(exchange));
  const found = searched.flatMap((exchange) => {
    const { method, path } = exchange.request;
    const fault = faultOf(exchange);
    return fault === undefined ? [] : [{ exchange, reason: `the response to ${method} ${path} ${fault}` }];
  });
  return {
    exercised: searched.length > 0,
    reasons: [...new Set(found.map(({ reason }) => reason))],
    warnings: [],
    examples: found.slice(0, maxExamples).map(({ exchange }) => exchange),
  };
}

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

/** The strings of a JSON body, or any other body. */
function textsOf(response: Exchange['response']): string {
  const text = response?.text ?? '';
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return text;
  }
}

function sends({ request: { path, body } }: Exchange, text: string): boolean {
  return path.includes(text) || Buffer.from(body ?? []).includes(text);
}

/**
 * Masks what must not stand in a report, because reports become public files of a CI run: API keys, access tokens,
 * cookies, and every passport value that is not public.
 */
import { member } from '@product-passport/openapi';
import type { Exchange, WireRequest, WireResponse } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { Run } from './result.ts';

const mask = '***';

/** The text that replaces each secret, by the secret. */
type Replacements = ReadonlyMap<string, string>;

/** Longer bodies are cut in reports. */
const maxBody = 16_384;

const secretHeaders = new Set(['proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Deeper parts of a body are masked. */
const maxDepth = 100;

/** Shorter values would mask ordinary words. */
const minHiddenLength = 5;

/** The run without secrets. The reasons and warnings are masked, too. */
export function redacted(run: Run, provider: Provider): Run {
  const exchanges = run.results.flatMap((result) => result.exchanges);
  const hidden = exchanges.flatMap(hiddenTexts).map((value): [string, string] => [value, mask]);
  const text = replacer(new Map([...hidden, ...secretsOf(provider)]));
  const known = new Map<Exchange, Exchange>();
  const masked = (exchange: Exchange): Exchange => {
    const made = known.get(exchange) ?? redactedExchange(exchange, text);
    known.set(exchange, made);
    return made;
  };
  return {
    ...run,
    baseUrl: text(run.baseUrl),
    results: run.results.map((result) => ({
      ...result,
      reasons: result.reasons.map(text),
      warnings: result.warnings.map(text),
      exchanges: result.exchanges.map(masked),
    })),
  };
}

function redactedExchange({ request, response, ...rest }: Exchange, text: (from: string) => string): Exchange {
  const path = text(request.path);
  const opensMore = /[?&]zugang=/i.test(path);
  const maskedRequest: WireRequest = {
    ...request,
    path,
    headers: redactedHeaders(request.headers, text),
    body: request.body === undefined ? undefined : Buffer.from(cut(text(redactedBody(textOf(request.body))))),
  };
  if (response === undefined) return { ...rest, request: maskedRequest };
  // A page that a token opened shows values that are not public, and its text does not say which.
  const isOpenPage = opensMore && /html/i.test(response.headers['content-type'] ?? '');
  const body = isOpenPage ? `[page of ${response.text.length} characters]` : text(redactedBody(response.text));
  const maskedResponse: WireResponse = {
    ...response,
    headers: redactedHeaders(response.headers, text),
    text: cut(body),
  };
  return { ...rest, request: maskedRequest, response: maskedResponse };
}

function redactedHeaders(
  headers: Readonly<Record<string, string>>,
  text: (from: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? mask : text(value)]),
  );
}

/** The body with every value masked that is not public. A body that is not JSON stays as it is. */
function redactedBody(body: string): string {
  const json = parsed(body);
  return json === undefined ? body : JSON.stringify(withoutHidden(json));
}

function withoutHidden(node: unknown, depth = 0): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (depth === maxDepth) return mask;
  if (Array.isArray(node)) return node.map((part) => withoutHidden(part, depth + 1));
  const entries = Object.entries(node);
  if (!isHidden(node)) return Object.fromEntries(entries.map(([name, part]) => [name, withoutHidden(part, depth + 1)]));
  return Object.fromEntries(entries.map(([name, part]) => [name, name === 'value' ? mask : part]));
}

/** A passport value, or an element of a JSON-LD document, that not everybody may read. */
function isHidden(node: object): boolean {
  const level = member(node, 'access_level') ?? member(node, 'dpp:accessLevel');
  return level !== undefined && level !== 'public' && 'value' in node;
}

/** The texts of hidden values in the bodies of an exchange. */
function hiddenTexts({ request, response }: Exchange): string[] {
  const bodies = [request.body === undefined ? '' : textOf(request.body), response?.text ?? ''];
  return bodies.flatMap((body) => {
    const json = /access_?level/i.test(body) ? parsed(body) : undefined;
    return json === undefined ? [] : hiddenIn(json);
  });
}

function hiddenIn(node: unknown, depth = 0): string[] {
  if (typeof node !== 'object' || node === null || depth === maxDepth) return [];
  if (isHidden(node)) return stringsIn(member(node, 'value'), depth);
  return Object.values(node).flatMap((part) => hiddenIn(part, depth + 1));
}

function stringsIn(node: unknown, depth: number): string[] {
  if (typeof node === 'string') return node.length < minHiddenLength ? [] : [node];
  if (typeof node !== 'object' || node === null || depth === maxDepth) return [];
  return Object.values(node).flatMap((part) => stringsIn(part, depth + 1));
}

/** Each key and token, with the shell variable that stands for it in the report. */
function secretsOf(provider: Provider): [string, string][] {
  const [first, second, ...others] = (provider.tenants ?? []).map(({ api_key }) => api_key);
  const tokens = (provider.access_tokens ?? []).map(({ token, role, revoked }): [string | undefined, string] => [
    token,
    `$${revoked ? 'REVOKED' : role.toUpperCase()}_TOKEN`,
  ]);
  const named: [string | undefined, string][] = [
    [first, '$API_KEY'],
    [second, '$SECOND_API_KEY'],
    ...others.map((key): [string, string] => [key, '$OTHER_API_KEY']),
    [provider.revoked_api_key, '$REVOKED_API_KEY'],
    ...tokens,
    [provider.expired_access_token, '$EXPIRED_TOKEN'],
  ];
  return named.filter((pair): pair is [string, string] => pair[0] !== undefined);
}

/** Replaces every secret, in its plain and its percent-encoded form. */
function replacer(secrets: Replacements): (text: string) => string {
  const forms = [...secrets].flatMap(([secret, name]) =>
    secret === '' ? [] : [[secret, name] as const, [encodeURIComponent(secret.toWellFormed()), name] as const],
  );
  const longestFirst = forms.sort(([one], [other]) => other.length - one.length);
  return (text) => longestFirst.reduce((masked, [form, name]) => masked.replaceAll(form, name), text);
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

function cut(text: string): string {
  return text.length > maxBody ? `${text.slice(0, maxBody)}… (${text.length} characters)` : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

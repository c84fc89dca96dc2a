/**
 * Masks what must not stand in a report, because reports become public files of a CI run: API keys, access tokens,
 * cookies, and every passport value that is not public.
 */
import { isRecord } from '@product-passport/openapi';
import type { Exchange, WireRequest, WireResponse } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { Run } from './result.ts';

export const mask = '***';

/** Longer bodies are cut in reports. */
const maxBody = 16_384;

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Shorter values would mask ordinary words. */
const minHiddenLength = 5;

/** The run without secrets. The reasons and warnings are masked, too. */
export function redacted(run: Run, provider: Provider): Run {
  const exchanges = run.results.flatMap((result) => result.exchanges);
  const secrets = [...secretsOf(provider), ...exchanges.flatMap(hiddenTexts)];
  const text = replacer(secrets);
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

/** Masks one exchange of recorded traffic. Its own headers and parameters say what is secret. */
export function redactedAlone(exchange: Exchange, secrets: readonly string[] = []): Exchange {
  return redactedExchange(exchange, replacer([...secrets, ...hiddenTexts(exchange)]));
}

function redactedExchange({ request, response, ...rest }: Exchange, text: (from: string) => string): Exchange {
  const path = withoutToken(request.path);
  const opensMore = path !== request.path;
  const maskedRequest: WireRequest = {
    ...request,
    path: text(path),
    headers: redactedHeaders(request.headers, text),
    body: request.body === undefined ? undefined : Buffer.from(cut(text(redactedBody(textOf(request.body))))),
  };
  if (response === undefined) return { ...rest, request: maskedRequest };
  // A page that a token opened shows values that are not public, and its text does not say which.
  const isOpenPage = opensMore && /html/i.test(response.headers['content-type'] ?? '');
  const body = isOpenPage ? `[page of ${response.text.length} characters]` : text(redactedBody(response.text));
  const maskedResponse: WireResponse = {
    ...response,
    headers: redactedHeaders(response.headers, (value) => text(withoutToken(value))),
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

function withoutToken(path: string): string {
  return path.replace(/([?&]zugang=)[^&#\s]*/gi, `$1${mask}`);
}

/** The body with every value masked that is not public. A body that is not JSON stays as it is. */
function redactedBody(body: string): string {
  const json = parsed(body);
  return json === undefined ? body : JSON.stringify(withoutHidden(json));
}

function withoutHidden(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutHidden);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node);
  if (!isHidden(node)) return Object.fromEntries(entries.map(([name, part]) => [name, withoutHidden(part)]));
  return Object.fromEntries(entries.map(([name, part]) => [name, name === 'value' ? mask : part]));
}

/** A passport value, or an element of a JSON-LD document, that not everybody may read. */
function isHidden(node: Readonly<Record<string, unknown>>): boolean {
  const level = node.access_level ?? node['dpp:accessLevel'];
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

function hiddenIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(hiddenIn);
  if (!isRecord(node)) return [];
  return isHidden(node) ? stringsIn(node.value) : Object.values(node).flatMap(hiddenIn);
}

function stringsIn(node: unknown): string[] {
  if (typeof node === 'string') return node.length < minHiddenLength ? [] : [node];
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(stringsIn) : [];
}

function secretsOf(provider: Provider): string[] {
  return [
    ...(provider.tenants ?? []).map(({ api_key }) => api_key),
    ...(provider.access_tokens ?? []).map(({ token }) => token),
    ...[provider.revoked_api_key, provider.expired_access_token].filter((secret) => secret !== undefined),
  ];
}

/** Replaces every secret, in its plain and its percent-encoded form. */
function replacer(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(
    secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]),
  );
  const longestFirst = [...forms].sort((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((masked, form) => masked.replaceAll(form, mask), text);
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

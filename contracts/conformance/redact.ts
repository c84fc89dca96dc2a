/**
 * Masks what must not stand in a report, because reports become public files of a CI run: API keys, access tokens,
 * cookies, and every passport value that is not public. The salt of a content hash is masked too: with it, anyone can
 * guess hidden values from the public hash.
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

const salts = new Set(['salt', 'dpp:contentSalt']);

/** The run without secrets. The reasons and warnings are masked, too. */
export function redacted(run: Run, provider: Provider): Run {
  const { stateRequests = [] } = run;
  const exchanges = [...run.results.flatMap((result) => result.exchanges), ...stateRequests];
  const hidden = exchanges.flatMap(hiddenTexts).map((value): [string, string] => [value, mask]);
  const text = replacer(new Map([...hidden, ...secretsOf(provider)]));
  const reason = (from: string): string => withoutCutValues(text(from), hidden);
  const known = new Map<Exchange, Exchange>();
  const masked = (exchange: Exchange): Exchange => {
    const made = known.get(exchange) ?? redactedExchange(exchange, text);
    known.set(exchange, made);
    return made;
  };
  return {
    ...run,
    baseUrl: text(run.baseUrl),
    ...(run.command === undefined ? {} : { command: text(run.command) }),
    results: run.results.map((result) => ({
      ...result,
      reasons: result.reasons.map(reason),
      warnings: result.warnings.map(reason),
      exchanges: result.exchanges.map(masked),
    })),
    stateRequests: stateRequests.map(masked),
  };
}

function redactedExchange(
  { request, response, failure, ...facts }: Exchange,
  text: (from: string) => string,
): Exchange {
  const rest = { ...facts, ...(failure === undefined ? {} : { failure: text(failure) }) };
  const path = text(request.path);
  const opensMore = /[?&]zugang=/i.test(path);
  const maskedRequest: WireRequest = {
    ...request,
    path,
    headers: redactedHeaders(request.headers, text),
    body: request.body === undefined ? undefined : redactedBytes(request.body, text),
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
    Object.entries(headers).map(([name, value]) => [name, redactedHeader(name.toLowerCase(), text(value))]),
  );
}

function redactedHeader(name: string, value: string): string {
  if (secretHeaders.has(name)) return mask;
  if (name !== 'authorization') return value;
  // A key that a case altered is almost the key itself.
  return value.replace(/\S{16,}|\S*\$\S+/g, maskedUnlessVariable);
}

function maskedUnlessVariable(credentials: string): string {
  return /^\$[A-Z_]+$/.test(credentials) ? credentials : mask;
}

/** A request body stays whole, and byte for byte if it has no hidden values, so that a report repeats what was sent. */
function redactedBytes(body: Uint8Array, text: (from: string) => string): Uint8Array {
  const plain = textOf(body);
  const json = parsed(plain);
  const masked = text(hasHidden(json) ? redactedBody(plain) : plain);
  return masked === plain ? body : Buffer.from(masked);
}

/** The body with every value masked that is not public. A body that is not JSON stays as it is. */
function redactedBody(body: string): string {
  const json = parsed(body);
  return json === undefined ? body : JSON.stringify(withoutHidden(json));
}

/** Whether `withoutHidden` masks anything. */
function hasHidden(node: unknown, depth = 0): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (depth === maxDepth) return true;
  return Object.entries(node).some(([name, part]) => isSecret(name, node) || hasHidden(part, depth + 1));
}

function withoutHidden(node: unknown, depth = 0): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (depth === maxDepth) return mask;
  if (Array.isArray(node)) return node.map((part) => withoutHidden(part, depth + 1));
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, isSecret(name, node) ? mask : withoutHidden(part, depth + 1)]),
  );
}

/** A salt, or the value of a passport or JSON-LD document that not everybody may read. */
function isSecret(name: string, node: object): boolean {
  if (salts.has(name)) return true;
  const level = member(node, 'access_level') ?? member(node, 'dpp:accessLevel');
  return name === 'value' && level !== undefined && level !== 'public';
}

/** The texts of hidden values in the bodies of an exchange. */
function hiddenTexts({ request, response }: Exchange): string[] {
  const bodies = [request.body === undefined ? '' : textOf(request.body), response?.text ?? ''];
  return bodies.flatMap((body) => {
    const json = /access_?level|salt/i.test(body) ? parsed(body) : undefined;
    return json === undefined ? [] : hiddenIn(json);
  });
}

function hiddenIn(node: unknown, depth = 0): string[] {
  if (typeof node !== 'object' || node === null || depth === maxDepth) return [];
  return Object.entries(node).flatMap(([name, part]) =>
    isSecret(name, node) ? textsIn(part, depth + 1) : hiddenIn(part, depth + 1),
  );
}

/** The texts and numbers of a value. Names of members are ordinary words. */
function textsIn(node: unknown, depth: number): string[] {
  if (typeof node === 'object' && node !== null) {
    return depth >= maxDepth ? [] : Object.values(node).flatMap((part) => textsIn(part, depth + 1));
  }
  const text = typeof node === 'string' || typeof node === 'number' ? String(node) : '';
  return text.length < minHiddenLength ? [] : [text];
}

/** Each key and token, with the shell variable that stands for it in the report. */
function secretsOf(provider: Provider): [string, string][] {
  const [first, second, ...others] = (provider.tenants ?? []).map(({ api_key }) => api_key);
  const tokens = (provider.access_tokens ?? []).map(({ token, role, revoked }): [string | undefined, string] => [
    token,
    `$PRODUCT_PASSPORT_${revoked ? 'REVOKED' : role.toUpperCase()}_TOKEN`,
  ]);
  const named: [string | undefined, string][] = [
    [first, '$PRODUCT_PASSPORT_KEY'],
    [second, '$PRODUCT_PASSPORT_SECOND_KEY'],
    ...others.map((key): [string, string] => [key, '$PRODUCT_PASSPORT_OTHER_KEY']),
    [provider.revoked_api_key, '$PRODUCT_PASSPORT_REVOKED_KEY'],
    ...tokens,
    [provider.expired_access_token, '$PRODUCT_PASSPORT_EXPIRED_TOKEN'],
  ];
  return named.filter((pair): pair is [string, string] => pair[0] !== undefined);
}

/** Replaces every secret in all its forms, and every other access token. */
function replacer(secrets: Replacements): (text: string) => string {
  const forms = [...secrets].flatMap(([secret, name]) => formsOf(secret).map((form): [string, string] => [form, name]));
  const longestFirst = forms.sort(([one], [other]) => other.length - one.length);
  return (text) =>
    longestFirst
      .reduce((masked, [form, name]) => masked.replaceAll(form, () => name), text)
      .replace(/(?<=[?&]zugang=)[^&#\s"'<>]{16,}/gi, maskedUnlessVariable);
}

/** The text as it appears in plain text, in JSON, in HTML and in a query. */
function formsOf(secret: string): readonly string[] {
  if (secret === '') return [];
  const wellFormed = secret.toWellFormed();
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  const html = secret.replace(/[&<>"']/g, (character) => entities[character] ?? character);
  const query = new URLSearchParams({ '': wellFormed }).toString().slice(1);
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), html, encodeURIComponent(wellFormed), query])];
}

/** A reason quotes only the beginning of a long value. */
function withoutCutValues(reason: string, hidden: readonly (readonly [string, string])[]): string {
  if (!reason.includes('…')) return reason;
  const beginning = (before: string): string => {
    const lengths = hidden.flatMap(([value]) => formsOf(value)).map((form) => overlap(before, form));
    const longest = Math.max(0, ...lengths);
    return longest < minHiddenLength ? before : `${before.slice(0, -longest)}${mask}`;
  };
  const parts = reason.split('…');
  return parts.map((part, index) => (index < parts.length - 1 ? beginning(part) : part)).join('…');
}

/** The length of the longest beginning of `value` that `text` ends with. */
function overlap(text: string, value: string): number {
  let length = Math.min(text.length, value.length);
  while (length > 0 && !text.endsWith(value.slice(0, length))) length -= 1;
  return length;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

/** The beginning of a long body. */
export function cut(text: string): string {
  return text.length > maxBody ? `${text.slice(0, maxBody)}… (${text.length} characters)` : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

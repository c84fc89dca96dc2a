/**
 * Masks what must not be in a report, because reports become public files of a CI run: API keys, access tokens,
 * cookies, and every passport value that is not public. The salt of a content hash is masked too: with it, anyone can
 * guess hidden values from the public hash.
 */
import { member } from '@product-passport/openapi';
import { beginningOf } from '../judge/finding.ts';
import { type Exchange, jsonIn, type WireRequest, type WireResponse } from './http/exchange.ts';
import type { Provider } from './provider.ts';
import type { Run } from './result.ts';

const mask = '***';

/** The text that replaces each secret, by the secret. */
type Replacements = ReadonlyMap<string, string>;

/** The shell variables that stand for keys and tokens. No other text expands in a `curl` line. */
export const variable =
  /\$PRODUCT_PASSPORT_(?:(?:SECOND_|OTHER_|REVOKED_)?KEY|(?:RECYCLER|INSPECTOR|REVOKED|EXPIRED|ACCESS)_TOKEN)/;

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
  const exchanges = new Set([...run.results.flatMap((result) => result.exchanges), ...stateRequests]);
  const secrets = new Map<string, string>();
  const own = ownValues(exchanges);
  for (const exchange of exchanges) {
    if (secrets.size <= maxHidden) for (const value of hiddenTexts(exchange, own)) secrets.set(value, mask);
  }
  for (const [secret, name] of secretsOf(provider)) secrets.set(secret, name);
  const { text, reason } = replacer(secrets);
  const known = new Map<Exchange, Exchange>();
  const masked = (exchange: Exchange): Exchange => {
    const made = known.get(exchange) ?? redactedExchange(exchange, text, own);
    known.set(exchange, made);
    return made;
  };
  return {
    ...run,
    baseUrl: text(run.baseUrl),
    ...(run.command === undefined ? {} : { command: text(run.command) }),
    ...(run.notes === undefined ? {} : { notes: run.notes.map(reason) }),
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
  own: OwnValues,
): Exchange {
  const rest = { ...facts, ...(failure === undefined ? {} : { failure: text(failure) }) };
  // A request may repeat what a provider wrote, such as an ETag with the name of a variable.
  const sent = (from: string): string => text(from.replace(/\$PRODUCT_PASSPORT_\w*/g, mask));
  const path = sent(request.path);
  const opensMore = /[?&]zugang=/i.test(path);
  const maskedRequest: WireRequest = {
    ...request,
    path,
    headers: redactedHeaders(request.headers, sent),
    body: request.body === undefined ? undefined : redactedBytes(request.body, sent, own),
  };
  if (response === undefined) return { ...rest, request: maskedRequest };
  // A page that a token opened shows values that are not public, and its text does not say which.
  const isOpenPage = opensMore && /html/i.test(response.headers['content-type'] ?? '');
  const body = isOpenPage ? `[page of ${response.text.length} characters]` : text(redactedBody(response.text, own));
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
  return variable.exec(credentials)?.[0] === credentials ? credentials : mask;
}

/** A request body stays whole, and byte for byte if it has no hidden values, so that a report repeats what was sent. */
function redactedBytes(body: Uint8Array, text: (from: string) => string, own: OwnValues): Uint8Array {
  const plain = textOf(body);
  const masked = text(hiddenIn(plain, own).length > 0 ? redactedBody(plain, own) : plain);
  return masked === plain ? body : Buffer.from(masked);
}

/** The body with every value masked that is not public. A body that is not JSON stays as it is. */
function redactedBody(body: string, own: OwnValues): string {
  const json = jsonIn(body);
  const masked = (value: unknown): unknown => (own.has(JSON.stringify(value)) ? value : mask);
  return json === undefined ? body : JSON.stringify(withSecrets(json, masked));
}

/** The JSON with another value in place of each secret. */
function withSecrets(node: unknown, change: (secret: unknown) => unknown, depth = 0): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (depth === maxDepth) return change(mask);
  if (Array.isArray(node)) return node.map((part) => withSecrets(part, change, depth + 1));
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [
      name,
      isSecret(name, node) ? change(part) : withSecrets(part, change, depth + 1),
    ]),
  );
}

function secretsIn(body: string): unknown[] {
  const found: unknown[] = [];
  withSecrets(jsonIn(body), (secret) => found.push(secret));
  return found;
}

function hiddenIn(body: string, own: OwnValues): unknown[] {
  return secretsIn(body).filter((secret) => !own.has(JSON.stringify(secret)));
}

/** The values that the suite made itself, as JSON. They are not secret, and a request without them repeats nothing. */
type OwnValues = ReadonlySet<string>;

/** Values of the suite's requests that no earlier response had: a case may write back what it read. */
function ownValues(exchanges: Iterable<Exchange>): OwnValues {
  const own = new Set<string>();
  const read = new Set<string>();
  const inOrder = [...exchanges].filter(isOfSuite).sort((one, other) => one.sentAt.localeCompare(other.sentAt));
  for (const { request, response } of inOrder) {
    const valuesIn = (body = ''): string[] => secretsIn(body).map((value) => JSON.stringify(value));
    for (const value of valuesIn(request.body && textOf(request.body))) if (!read.has(value)) own.add(value);
    for (const value of valuesIn(response?.text)) if (!own.has(value)) read.add(value);
  }
  return own;
}

/** Whether a case or the lookup of its state made the request. Recorded traffic and programs have data of others. */
function isOfSuite({ caseId }: Exchange): boolean {
  return caseId === 'STATE' || /^[A-Z]\w*-\d+\./.test(caseId);
}

/** A salt, or the value of a passport or JSON-LD document that not everybody may read. */
function isSecret(name: string, node: object): boolean {
  if (salts.has(name)) return true;
  if (!/(?:^|[:/#])value$/.test(name)) return false;
  const levels = Object.entries(node).filter(([other]) => /(?:^|[:/#])access[-_]?level$/i.test(other));
  return levels.some(([, level]) => !isPublic(level));
}

/** `public`, also as an address, as JSON-LD writes a term or a value, or alone in a list. */
function isPublic(level: unknown): boolean {
  const [only, ...more] = [level].flat();
  const text = member(only, '@id') ?? member(only, '@value') ?? only;
  return more.length === 0 && typeof text === 'string' && /(?:^|[:/#])public$/i.test(text);
}

/** The texts of hidden values in the bodies of an exchange. */
function hiddenTexts({ request, response }: Exchange, own: OwnValues): string[] {
  const bodies = [request.body === undefined ? '' : textOf(request.body), response?.text ?? ''];
  const suspected = bodies.filter((body) => /access[-_]?level|salt/i.test(body));
  return suspected.flatMap((body) => hiddenIn(body, own)).flatMap((value) => textsIn(value));
}

/** The texts and numbers of a value. Names of members are ordinary words. */
function textsIn(node: unknown, depth = 0): string[] {
  if (typeof node === 'object' && node !== null) {
    return depth >= maxDepth ? [] : Object.values(node).flatMap((part) => textsIn(part, depth + 1));
  }
  const text = typeof node === 'string' || typeof node === 'number' ? String(node) : '';
  return text.length < minHiddenLength ? [] : [text];
}

const roles: Readonly<Record<string, string>> = { recycler: 'RECYCLER', inspector: 'INSPECTOR' };

/** Each key and token, with the shell variable that stands for it in the report. */
function secretsOf(provider: Provider): [string, string][] {
  const [first, second, ...others] = (provider.tenants ?? []).map(({ api_key }) => api_key);
  const tokens = (provider.access_tokens ?? []).map(({ token, role, revoked }): [string | undefined, string] => [
    token,
    `$PRODUCT_PASSPORT_${revoked ? 'REVOKED' : (roles[role] ?? 'ACCESS')}_TOKEN`,
  ]);
  const named: [string | undefined, string][] = [
    [first, '$PRODUCT_PASSPORT_KEY'],
    [second, '$PRODUCT_PASSPORT_SECOND_KEY'],
    ...others.map((key): [string, string] => [key, '$PRODUCT_PASSPORT_OTHER_KEY']),
    [provider.publishing_api_key, '$PRODUCT_PASSPORT_PUBLISHING_KEY'],
    [provider.revoked_api_key, '$PRODUCT_PASSPORT_REVOKED_KEY'],
    ...tokens,
    [provider.expired_access_token, '$PRODUCT_PASSPORT_EXPIRED_TOKEN'],
    [provider.dpp?.restricted?.value, mask],
    ...Object.values(provider.dpp?.headers ?? {})
      .flatMap((value) => [value, ...credentialsIn(value)])
      .map((secret): [string, string] => [secret, mask]),
  ];
  return named.filter((pair): pair is [string, string] => pair[0] !== undefined);
}

/** The part of a header's value after the scheme: a provider may repeat `Bearer …` without `Bearer`. */
function credentialsIn(value: string): string[] {
  const [, credentials = ''] = /^\s*\S+\s+(.*\S)/.exec(value) ?? [];
  return credentials.length < minHiddenLength ? [] : [credentials];
}

/** A provider may send any number of hidden values. Beyond these limits every text is left out. */
const maxHidden = 50_000;
/** About ten seconds. */
const maxComparisons = 100_000_000;

function replacer(secrets: Replacements) {
  let comparisons = secrets.size > maxHidden ? maxComparisons : 0;
  const spellings = new Map(
    [...secrets].flatMap(([secret, name]) => spellingsOf(secret).map((spelling) => [spelling, name] as const)),
  );
  const byLength = [...spellings.keys()].sort((one, other) => other.length - one.length);
  const short = byLength.filter((spelling) => spelling.length < minHiddenLength);
  const byBeginning = Map.groupBy(byLength, (spelling) => spelling.slice(0, minHiddenLength));

  /** The longest spelling that begins like the text at this place and fits. */
  function spellingAt(text: string, at: number, fits: (spelling: string) => boolean): string {
    const candidates = byBeginning.get(text.slice(at, at + minHiddenLength)) ?? [];
    const found = candidates.find((spelling) => {
      comparisons += 1 + spelling.length / 1000;
      return fits(spelling);
    });
    return found ?? '';
  }

  function endOfSpelling(text: string, at: number): number {
    return at + spellingAt(text, at, (spelling) => text.startsWith(spelling, at)).length;
  }

  function masked(text: string): string {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at < text.length && comparisons < maxComparisons; at += 1) {
      const first = endOfSpelling(text, at);
      if (first === at) continue;
      let end = first;
      // Secrets may overlap.
      for (let inside = at + 1; inside < end; inside += 1) end = Math.max(end, endOfSpelling(text, inside));
      const name = end === first ? spellings.get(text.slice(at, end)) : undefined;
      parts.push(text.slice(from, at), name ?? mask);
      from = end;
      at = end - 1;
    }
    return `${parts.join('')}${text.slice(from)}`;
  }

  /** Masks the beginning of a spelling at the end of the text. */
  function withoutCutSpelling(text: string): string {
    for (let at = 0; at <= text.length - minHiddenLength && comparisons < maxComparisons; at += 1) {
      const end = text.slice(at);
      if (spellingAt(text, at, (spelling) => spelling.startsWith(end)) !== '') return `${text.slice(0, at)}${mask}`;
    }
    return text;
  }

  /** Replaces every secret in all its spellings, and every other access token. */
  function text(from: string): string {
    const long = masked(from);
    if (comparisons >= maxComparisons) return `[${from.length} characters: the responses have too many hidden values]`;
    return short
      .reduce((result, spelling) => result.replaceAll(spelling, () => spellings.get(spelling) ?? mask), long)
      .replace(/(?<=[?&]zugang=)[^&#\s"'<>]{16,}/gi, maskedUnlessVariable);
  }

  /** The same, for a reason, which quotes only the beginning of a long value. */
  function reason(from: string): string {
    const parts = text(from).split('…');
    return parts.map((part, index) => (index < parts.length - 1 ? withoutCutSpelling(part) : part)).join('…');
  }

  return { text, reason };
}

/** The text as it appears in plain text, in JSON, in HTML and in a query. */
function spellingsOf(secret: string): readonly string[] {
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

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

/** The beginning of a long body. */
export function cut(text: string): string {
  return text.length > maxBody ? `${beginningOf(text, maxBody)}… (${text.length} characters)` : text;
}

/**
 * What a JSON-LD 1.1 processor would drop from a document, or refuse the document for. A processor drops silently: a key
 * that no context defines, for example. No context is loaded, so a document may refer only to contexts whose rules are written
 * here. A context inside the definition of a term is not read.
 */
import { isRecord } from '@product-passport/openapi';

/** Contexts by address, as far as this check needs them. schema.org defines every term with its vocabulary. */
const knownContexts: Readonly<Record<string, Members>> = {
  'https://schema.org/': { '@vocab': 'http://schema.org/' },
  'https://schema.org': { '@vocab': 'http://schema.org/' },
  'http://schema.org/': { '@vocab': 'http://schema.org/' },
  'http://schema.org': { '@vocab': 'http://schema.org/' },
};

const keywords = new Set(
  '@base @context @direction @graph @id @included @index @json @language @list @nest @none @prefix @propagate @protected @reverse @set @type @value @version @vocab'.split(
    ' ',
  ),
);
/** A context may have these, and no other keyword. `@type` may get a container, and processors unwrap `@context`. */
const contextKeywords = new Set(
  '@base @context @direction @language @propagate @protected @type @version @vocab'.split(' '),
);
/** A value may have these. */
const valueKeywords = new Set(['@context', '@direction', '@index', '@language', '@type', '@value']);
/** Their values are not nodes. */
const plainKeywords = new Set(['@context', '@direction', '@id', '@index', '@language', '@type', '@value']);
/** Schemes of addresses without a prefix in the context. Any other prefix is a forgotten one. */
const schemes = new Set(['http', 'https', 'urn', 'did', 'mailto', 'tel']);

type Members = Readonly<Record<string, unknown>>;

interface ActiveContext {
  /** When the check ends, on the clock of `performance.now()`: each node of a hostile document may have large contexts. */
  readonly until: number;
  readonly hasVocabulary: boolean;
  /** False if a context was not loaded, which may define any term. */
  readonly isWhole: boolean;
  /** By term. `null` removes the term. */
  readonly terms: ReadonlyMap<string, unknown>;
}

export interface JsonLdFault {
  /** With its JSON pointer. */
  readonly text: string;
  /** `relative`: an address that a processor completes. `unread`: a context that was not loaded. */
  readonly kind: 'dropped' | 'refused' | 'relative' | 'unread';
}

/** The faults of a document, as far as they are found in the time. */
export function jsonLdFaults(document: unknown, milliseconds = Number.POSITIVE_INFINITY): JsonLdFault[] {
  return [...faultsOf(document, emptyContext(performance.now() + milliseconds), '')];
}

function emptyContext(until: number): ActiveContext {
  return { until, hasVocabulary: false, isWhole: true, terms: new Map() };
}

function* faultsOf(node: unknown, inherited: ActiveContext, at: string): Generator<JsonLdFault> {
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) yield* faultsOf(item, inherited, `${at}/${index}`);
    return;
  }
  if (!isRecord(node) || performance.now() > inherited.until) return;
  const { context: own, faults } = withContext(inherited, node['@context']);
  yield* faults.map(({ text, kind }) => ({ text: `${at}/@context: ${text}`, kind }));
  yield* identityFaults(node, own, at);
  if ('@value' in node) {
    const surplus = Object.keys(node).filter((key) => isSurplus(key, own));
    yield* surplus
      .slice(0, 1)
      .map((key): JsonLdFault => ({ text: `${at}: a value must not have ${key}`, kind: 'refused' }));
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    const place = `${at}/${key}`;
    if (!isDefined(key, own)) {
      yield { text: `${place}: no context defines the term`, kind: 'dropped' };
      continue;
    }
    if (isPlain(key, own)) continue;
    if (value === null) yield { text: `${place}: null is dropped`, kind: 'dropped' };
    yield* faultsOf(value, own, place);
  }
}

/** Whether the value of the key is no node. */
function isPlain(key: string, { terms }: ActiveContext): boolean {
  const definition = terms.get(key);
  return plainKeywords.has(key) || (isRecord(definition) && definition['@type'] === '@json');
}

/** An identifier must be absolute, because a copy of the document has another address. */
function* identityFaults(node: Members, context: ActiveContext, at: string): Generator<JsonLdFault> {
  const { '@id': id, '@type': types, '@value': value } = node;
  if (value === null) yield { text: `${at}/@value: null is dropped`, kind: 'dropped' };
  if (id !== undefined && typeof id !== 'string') yield { text: `${at}/@id: must be a string`, kind: 'refused' };
  if (typeof id === 'string' && !isAbsolute(id, context)) {
    yield { text: `${at}/@id: ${id} is not absolute`, kind: 'relative' };
  }
  for (const type of [types ?? []].flat()) {
    if (typeof type !== 'string') yield { text: `${at}/@type: must be a string, or a list of them`, kind: 'refused' };
    else if (!isDefined(type, context)) yield { text: `${at}/@type: no context defines ${type}`, kind: 'dropped' };
  }
}

/** Whether a key makes a value invalid. A term may be another name of a keyword, and what nobody defines is dropped. */
function isSurplus(key: string, context: ActiveContext): boolean {
  const definition = context.terms.get(key);
  const target = isRecord(definition) ? definition['@id'] : definition;
  return context.isWhole && isDefined(key, context) && !valueKeywords.has(key) && !valueKeywords.has(String(target));
}

interface Processed {
  readonly context: ActiveContext;
  readonly faults: readonly JsonLdFault[];
}

function withContext(active: ActiveContext, added: unknown): Processed {
  if (added === undefined) return { context: active, faults: [] };
  if (added === null) return { context: emptyContext(active.until), faults: [] };
  if (Array.isArray(added)) {
    return added.reduce<Processed>(
      ({ context, faults }, part) => {
        const next = withContext(context, part);
        return { context: next.context, faults: [...faults, ...next.faults] };
      },
      { context: active, faults: [] },
    );
  }
  if (typeof added === 'string') {
    const known = knownContexts[added];
    return known === undefined ? unreadContext(active, added) : withContext(active, known);
  }
  if (!isRecord(added)) {
    return { context: active, faults: [{ text: 'a context must be an object or an address', kind: 'refused' }] };
  }
  const own = extended(active, added);
  const [scoped] =
    Object.entries(added).find(([, definition]) => isRecord(definition) && '@context' in definition) ?? [];
  const unread = '@import' in added ? '@import' : scoped && `the context of the term ${scoped}`;
  const { context, faults } = unread === undefined ? { context: own, faults: [] } : unreadContext(own, unread);
  const redefined = Object.keys(added).filter((term) => keywords.has(term) && !contextKeywords.has(term));
  const refused = redefined.map((term) => ({ text: `${term} must not be redefined`, kind: 'refused' }) as const);
  return { context, faults: [...faults, ...refused] };
}

function unreadContext(active: ActiveContext, name: string): Processed {
  return { context: { ...active, isWhole: false }, faults: [{ text: `${name} must be loaded`, kind: 'unread' }] };
}

function extended({ until, hasVocabulary, isWhole, terms }: ActiveContext, added: Members): ActiveContext {
  const own = Object.entries(added).filter(([term]) => !keywords.has(term));
  return {
    until,
    isWhole,
    hasVocabulary: '@vocab' in added ? typeof added['@vocab'] === 'string' : hasVocabulary,
    terms: new Map([...terms, ...own]),
  };
}

/** Whether a key or a type becomes an absolute address, or is a keyword. */
function isDefined(term: string, context: ActiveContext, depth = 0): boolean {
  if (term.startsWith('@')) return keywords.has(term);
  // Terms that define each other never end.
  if (depth > maxDepth) return false;
  if (context.terms.has(term)) return isTarget(term, context, depth);
  return term.includes(':') ? isAbsolute(term, context) : context.hasVocabulary;
}

const maxDepth = 10;

/** Whether the definition of a term leads to an address. */
function isTarget(term: string, context: ActiveContext, depth: number): boolean {
  const definition = context.terms.get(term);
  const reverse = isRecord(definition) ? definition['@reverse'] : undefined;
  const id = isRecord(definition) ? (reverse ?? definition['@id']) : definition;
  if (id === null) return false;
  // Without an @id the term is its own address.
  if (id === undefined || id === term) return term.includes(':') ? isAbsolute(term, context) : context.hasVocabulary;
  return typeof id === 'string' && isDefined(id, context, depth + 1);
}

/** Whether an address is absolute or has a prefix that the context defines. */
function isAbsolute(address: string, { terms }: ActiveContext): boolean {
  const [prefix = '', rest] = address.split(/:(.*)/s, 2);
  if (rest === undefined) return false;
  return prefix === '_' || schemes.has(prefix.toLowerCase()) || (terms.has(prefix) && terms.get(prefix) !== null);
}

/** What the page of a passport says to a reader without script, and what its JSON-LD document says. */
import { isUtf8 } from 'node:buffer';
import { gtin14, isRecord, member } from '@product-passport/openapi';
import type { PassportDocument } from '@product-passport/sdk';
import { missing, type TemplateField, templates } from '@product-passport/sdk/templates';
import { verifyPassport } from '@product-passport/sdk/verify';
import { shown } from '../../judge/finding.ts';

export interface Page {
  /** The text between the tags, for a comparison. */
  readonly text: string;
  readonly hasScript: boolean;
  readonly hasLanguage: boolean;
}

/** Their content is not text of the page. */
const withoutText = new Set(['script', 'style', 'noscript', 'template', 'title']);

/** Reads the page once from its beginning to its end, because a hostile one may have millions of open tags. */
export function readPage(html: string): Page {
  const tags = /<(!--|[!?]|\/?[a-z][a-z\d-]*)/gi;
  const texts: string[] = [];
  let [hasScript, hasLanguage] = [false, false];
  let at = 0;
  const endOf = (mark: RegExp, from: number): number => {
    mark.lastIndex = from;
    return mark.exec(html) === null ? html.length : mark.lastIndex;
  };
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    texts.push(html.slice(at, tag.index));
    const name = tag[1]?.toLowerCase() ?? '';
    at = endOf(name === '!--' ? /-->/g : />/g, tags.lastIndex);
    const attributes = html.slice(tags.lastIndex, at);
    hasLanguage ||= name === 'html' && /\slang\s*=\s*["']?[a-z]/i.test(attributes);
    hasScript ||= name === 'script' && !/\bld\+json\b/i.test(attributes);
    if (withoutText.has(name)) at = endOf(new RegExp(`</${name}`, 'gi'), at);
    tags.lastIndex = at;
  }
  texts.push(html.slice(at));
  return { text: folded(texts.join(' ')), hasScript, hasLanguage };
}

/** Entities of letters that are not a letter with an accent. */
const letters: Readonly<Record<string, string>> = { szlig: 'ss', aelig: 'æ', oelig: 'œ', eth: 'ð', thorn: 'þ' };

/** Entities that are neither letters nor digits. */
const signs = new Set(
  'amp apos bdquo bull cent copy deg emsp ensp euro gt hellip laquo ldquo lsaquo lsquo lt mdash middot minus nbsp ndash para pound quot raquo rdquo reg rsaquo rsquo sbquo sect shy thinsp times yen zwj zwnj'.split(
    ' ',
  ),
);

/** Stands for what cannot be read: bytes of another encoding, and the many other entities of HTML. */
export const unread = '\uFFFD';

/** For a comparison: only letters and digits, without accents, in lower case. Tags may stand inside a word. */
export function folded(text: string): string {
  return text
    .replace(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replace(/&([a-z]+\d*);/gi, (_all, name: string) => entity(name.toLowerCase()))
    .replace(/&#(x[\da-f]{1,6}|\d{1,7});/gi, (_all, code: string) => characterOf(Number(`0${code}`)))
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replace(/[^\p{L}\p{N}\uFFFD]/gu, '');
}

function entity(name: string): string {
  return letters[name] ?? (signs.has(name) ? ' ' : unread);
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The text of a body, in the encoding that a page declares. Without one it is UTF-8, or what browsers take for Western pages. */
export function textOfPage(bytes: Buffer, contentType = ''): string {
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return bytes.toString('utf8');
  const beginning = bytes.toString('latin1', 0, 1024);
  const [, declared] = charset.exec(contentType) ?? /<meta\b[^>]*?charset\s*=\s*["']?([\w-]+)/i.exec(beginning) ?? [];
  try {
    return new TextDecoder(declared ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
  } catch {
    // Nobody knows an encoding of this name.
    return bytes.toString('utf8');
  }
}

const charset = /;\s*charset\s*=\s*["']?([\w-]+)/i;

interface Member {
  /** Without its prefix, in lower case. */
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
  readonly owner: object;
}

/** All members of all nodes, without those of contexts. */
function* membersIn(node: unknown): Generator<Member> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '@context') continue;
    const name = key.replace(/^.*[:/#]/s, '').toLowerCase();
    if (!Array.isArray(node)) yield { name, key, value, owner: node };
    yield* membersIn(value);
  }
}

/** A plain value, or the one of a value object or a JSON literal. */
function plain(value: unknown): unknown {
  return isRecord(value) && '@value' in value ? value['@value'] : value;
}

/** The GTINs with 14 digits. `isOwn`: that of the document's own product, not of a part or an accessory. */
export function gtinsIn(document: unknown) {
  const roots = [document].flat().flatMap((root) => [root, member(root, '@graph')].flat());
  const members = [...membersIn(document)].filter(({ name }) => /^gtin(?:8|12|13|14)?$/.test(name));
  const found = members.flatMap(({ value, owner }) =>
    [value].flat().map((one) => ({ gtin: gtin14(String(plain(one))), isOwn: roots.includes(owner) })),
  );
  return found.filter(({ gtin }) => /^\d{14}$/.test(gtin));
}

/** The values that the document itself says are not public, by their names. The values stay out of reports. */
export function hiddenIn(document: unknown): readonly string[] {
  return [...membersIn(document)].flatMap(({ name, value, owner }) => {
    const level = String(plain(value)).toLowerCase();
    if (!/^access_?level$/.test(name) || (level !== 'restricted' && level !== 'authority')) return [];
    const field = member(owner, 'propertyID') ?? member(owner, 'field_key') ?? member(owner, 'name');
    return [`${typeof field === 'string' ? field : 'a value'} is ${level}`];
  });
}

/** Terms that circulate, but that the GS1 Web Vocabulary 1.16 does not have. */
const inventedTerms =
  /^(?:gs1:|https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\/)(productPassport|repairInfo|recyclingInfo|disassemblyInfo|handlingEndOfLife|reuseInfo|sorting|hasDigitalProductPassport|careInstructions)$/;

/** The terms of a document or a linkset that GS1 does not have. */
export function inventedTermsIn(document: unknown): readonly string[] {
  const keys = [...membersIn(document)].map(({ key }) => key);
  return [...new Set(keys)].filter((key) => inventedTerms.test(key));
}

/** A hundred texts and numbers that a page about the same product shows, too. */
export function textsIn(document: unknown): readonly string[] {
  const texts = [...membersIn(document)].flatMap(({ key, name, value }) => {
    if (key.startsWith('@') || /^(?:propertyid|type|url|gs1:dpp)$/.test(name)) return [];
    return [value].flat().flatMap((one) => {
      const text = plain(one);
      // A unit or a code of fewer characters is on many pages.
      const isShort = String(text).length < 4 && !/^(?:product)?name$/.test(name);
      const isTelling = typeof text === 'string' ? /^(?!\w+:)./su.test(text) && !isShort : Number(text) > 9;
      return isTelling ? [String(text)] : [];
    });
  });
  return texts.slice(0, 100);
}

interface HashOutcome {
  /** `undefined` if the document does not say how it is computed. */
  readonly isRight?: boolean;
  readonly reason: string;
  readonly note?: string;
}

/** A hash in any form: `sha256:…`, hexadecimal digits, or a member of such a name. */
function isHash({ name, value }: Member): boolean {
  const text = plain(value);
  if (typeof text !== 'string' || text === '') return false;
  const hasForm = /(?:^|[:x])(?:[0-9a-f]{32}){2,4}$|\bsha-?(?:256|384|512)\b|^content[ _-]?hash$/i.test(text);
  return hasForm || /(?:hash|digest|checksum)$/.test(name);
}

/** `dpp:publicContentHash` is defined at `/ns/dpp` of its provider. */
export async function hashOutcome(document: unknown): Promise<HashOutcome> {
  const isDeclared = [...membersIn(document)].some(({ key }) => key === 'dpp:publicContentHash');
  if (!isDeclared || !/\/ns\/dpp#/.test(JSON.stringify(member(document, '@context')))) {
    if ([...membersIn(document)].some(isHash)) return { reason: 'The document does not say how its hash is computed.' };
    const note = 'The document has no content hash that this check can recompute.';
    return { reason: 'The document has no hash.', note };
  }
  try {
    const { ok, expected, actual } = await verifyPassport(document as PassportDocument);
    return { isRight: ok, reason: `dpp:publicContentHash is ${shown(expected)}, and the values give ${actual}` };
  } catch {
    return { isRight: false, reason: 'The document lacks what dpp:publicContentHash is computed from' };
  }
}

/** What the template of the product's group says of the document. `undefined` if the document has neither. */
export function groupFields(document: unknown, day: string) {
  const members = [...membersIn(document)];
  const groups = members.filter(({ name }) => name === 'category').map(({ value }) => plain(value));
  const template = Object.values(templates).find((one) => groups.includes(one?.key));
  const properties = members.filter(({ name }) => name === 'propertyid');
  const values = properties.map(({ value, owner }) => ({
    field_key: String(plain(value)),
    value: plain(member(owner, 'value') ?? member(owner, 'schema:value')),
    is_unknown: member(owner, 'dpp:isUnknown') === true,
  }));
  // A provider may have keys of its own.
  if (!template?.fields.some(({ key }) => values.some(({ field_key }) => field_key === key))) return undefined;
  const isPublic = ({ access_level }: TemplateField): boolean => access_level === 'public';
  const open = missing(template, { values }, undefined, { on: day }).filter(isPublic);
  const known = template.fields.filter(({ key }) => values.some(({ field_key }) => field_key === key));
  const hidden = known.filter((field) => !isPublic(field));
  // The mandatory public fields without a value, and those with a value that the template does not make public.
  return { group: template.key, missing: open.map(({ key }) => key), hidden: hidden.map(({ key }) => key) };
}

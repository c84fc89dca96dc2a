/** What the JSON-LD document of a passport says, and the linkset of its Digital Link. */
import { gtin14, isRecord, member } from '@product-passport/openapi';
import type { PassportDocument } from '@product-passport/sdk';
import { missing, type TemplateField, templates } from '@product-passport/sdk/templates';
import { verifyPassport } from '@product-passport/sdk/verify';
import { shown } from '../../judge/finding.ts';
import { gtinInAddress, serialIn } from './address.ts';

/** The part of a text with 60 characters around a place, on one line. */
function around(text: string, at: number, length = 0): string {
  const [begin, end] = [Math.max(0, at - 30), at + length + 30];
  const part = text.slice(begin, end).replace(/\s+/g, ' ');
  return `${begin > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}

/** Why the text is not JSON, with the place, as the end of a sentence. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    const at = Number(position ?? text.length);
    return `is not JSON ${placeIn(text, at)}`;
  }
}

/** `at line 2, column 5: …` */
export function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}: ${around(text, at)}`;
}

interface Member {
  /** Without its prefix, in lower case. */
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
  readonly owner: object;
}

/** All members of all nodes, without those of contexts, and without what is below a member of the skipped names. */
function* membersIn(node: unknown, skipped?: RegExp): Generator<Member> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '@context' || skipped?.test(localName(key))) continue;
    if (!Array.isArray(node)) yield { name: localName(key), key, value, owner: node };
    yield* membersIn(value, skipped);
  }
}

/** The addresses of contexts, also of those inside of contexts. */
export function contextsIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const isContext = key === '@context' || key === '@import';
    const addresses = isContext ? [value].flat().filter((one) => typeof one === 'string') : [];
    return [...addresses, ...contextsIn(value)];
  });
}

export function hrefsIn(linkset: unknown): readonly string[] {
  const members = [...membersIn(linkset)].filter(({ key, value }) => key === 'href' && typeof value === 'string');
  return members.map(({ value }) => String(value));
}

/**
 * Whether a processor finds nothing in the document: addresses without a statement, empty lists, or dropped members.
 *
 * @param dropped the JSON pointers of the members that a processor drops
 */
export function isEmpty(node: unknown, dropped: ReadonlySet<string>, at = '', names = aliasesIn(node)): boolean {
  if (Array.isArray(node)) return node.every((item, index) => isEmpty(item, dropped, `${at}/${index}`, names));
  if (!isRecord(node) || '@value' in node) return true;
  return Object.entries(node).every(([key, value]) => {
    const keyword = names.get(key) ?? key;
    const place = `${at}/${key}`;
    if (keyword === '@graph' || keyword === '@included') return isEmpty(value, dropped, place, names);
    if (keyword.startsWith('@') && keyword !== '@type' && keyword !== '@reverse') return true;
    return value === null || (Array.isArray(value) && value.length === 0) || dropped.has(place);
  });
}

/** Other names of keywords, such as `id` for `@id`. */
function aliasesIn(document: unknown): ReadonlyMap<string, string> {
  const contexts = [member(document, '@context')].flat().filter(isRecord);
  const terms = contexts.flatMap((context) => Object.entries(context));
  return new Map(
    terms
      .map(([term, definition]) => [term, String(member(definition, '@id') ?? definition)] as const)
      .filter(([, one]) => one.startsWith('@')),
  );
}

function localName(key: string): string {
  return key.replace(/^.*[:/#]/s, '').toLowerCase();
}

/** A plain value, or the one of a value object, a JSON literal or a reference. */
function plain(value: unknown): unknown {
  return member(value, '@value') ?? member(value, '@id') ?? value;
}

/** The nodes of the product itself, not those of its parts and accessories. */
function ownNodesIn(document: unknown): readonly unknown[] {
  const roots = [document].flat().flatMap((root) => [root, member(root, '@graph')].flat());
  return roots.flatMap((root) => [root, member(root, 'mainEntity'), member(root, 'credentialSubject')].flat());
}

/** The GTINs of each node of the product, with 14 digits: its own, and those in its addresses. */
export function ownGtinsIn(document: unknown): readonly (readonly string[])[] {
  return ownNodesIn(document).map((node) =>
    Object.entries(isRecord(node) ? node : {}).flatMap(([key, value]) => {
      const texts = [value].flat().map((one) => String(plain(one)));
      if (isGtinName(localName(key))) return texts.map(gtin14).filter((one) => /^\d{14}$/.test(one));
      const isAddress = /^(?:@id|id|hasgs1digitallink)$/.test(localName(key));
      return isAddress ? texts.map(gtinInAddress).filter((one) => one !== undefined) : [];
    }),
  );
}

const isGtinName = (name: string): boolean => /^gtin(?:8|12|13|14)?$/.test(name);

/** Names of members that lead to other products. */
const others = /^is(?:accessoryorsparepart|consumable)for$|^is(?:similar|related)to$/;

/** Whether the document has the GTIN anywhere but in another product. */
export function hasGtin(document: unknown, gtin: string): boolean {
  const members = [...membersIn(document, others)].filter(({ name }) => isGtinName(name));
  return members.some(({ value }) => [value].flat().some((one) => gtin14(String(plain(one))) === gtin));
}

/** The serial numbers of the product, as members, values, or in a Digital Link. */
export function serialsIn(document: unknown): readonly string[] {
  return [...membersIn(document, others)].flatMap(({ name, key, value, owner }) => {
    const isSerial = /^(?:has)?serial_?number$/;
    if (isSerial.test(name)) return [String(plain(value))];
    if (name === 'propertyid' && isSerial.test(String(value))) return [String(plain(member(owner, 'value')))];
    const serial = key === '@id' || name === 'hasgs1digitallink' ? serialIn(String(plain(value))) : undefined;
    return serial === undefined ? [] : [serial];
  });
}

/** Names of members that describe a value. */
const describing =
  /^(?:@.*|access[_-]?level|propertyid|field_?key|key|name|label|title|description|help|comment|unit.*|type|locale|inlanguage|required|mandatory|order|position|version|source)$/;

/**
 * The values that the document itself says are not public, by their names, with 60 characters around the level. A legend
 * or a list of fields has levels, but no values.
 */
export function hiddenIn(document: unknown): readonly string[] {
  return [...membersIn(document)].flatMap(({ name, key, value, owner }) => {
    const level = [value]
      .flat()
      .map(levelOf)
      .find((one) => one !== undefined);
    const values = Object.entries(owner).filter(([one, content]) => isValue(localName(one), content));
    if (!/^access[_-]?level$/.test(name) || level === undefined || values.length === 0) return [];
    const field = member(owner, 'propertyID') ?? member(owner, 'field_key') ?? member(owner, 'name');
    // A report cannot mask a value that is cut.
    const text = JSON.stringify({ ...owner, ...Object.fromEntries(values.map(([one]) => [one, '***'])) });
    const found = around(text, text.indexOf(JSON.stringify(key)), key.length + 2);
    return [`${typeof field === 'string' ? field : 'a value'} is ${level} (${found})`];
  });
}

function isValue(name: string, content: unknown): boolean {
  if (content === null || content === '' || (Array.isArray(content) && content.length === 0)) return false;
  if (/value|content|amount|quantity|share|percentage|concentration/.test(name)) return true;
  return !describing.test(name) && (typeof content === 'number' || typeof content === 'object');
}

/** `restricted` and `authority`, also as the end of an address. */
function levelOf(value: unknown): string | undefined {
  return /^(?:.*[:/#])?(restricted|authority)$/is.exec(String(plain(value)))?.[1]?.toLowerCase();
}

const levelInPage =
  /access[-_]?level["']?\s*[:=]\s*(?:\{\s*["']@(?:id|value)["']\s*:\s*)?["']?(?:[\w.:/-]*[:/#])?(restricted|authority)\b/gi;

/** A value in the source of a page that is not public, with 60 characters around it. Text that explains levels has no value. */
export function hiddenInPage(html: string): string | undefined {
  const source = html.replace(/&quot;|&#34;|\\"/g, '"');
  let left = 1_000;
  for (const { 0: all, 1: level = '', index } of source.matchAll(levelInPage)) {
    if (left-- === 0) break;
    const part = unitAround(source, index);
    const [, value = ''] = /[\w-]*value["']?\s*[:=]\s*["']?([^\s"',}>]+)/i.exec(part.text) ?? [];
    // A legend has the level as its text.
    const isCell =
      /^<(?:tr|td|dd|data|meter)\b/i.test(part.text) && /^(?!.*(?:restricted|authority)).*\d/is.test(part.content);
    if (isCell || (value !== '' && !/^(?:null|undefined|restricted|authority|public|\[\])$/i.test(value))) {
      return `${level.toLowerCase()}: ${around(source, index, all.length)}`;
    }
  }
  return undefined;
}

/** How far the beginning and the end of a part may be, in characters. */
const maxPart = 2_000;

/** The object, the comment or the tag that has the place, and the text of the tag's element. */
function unitAround(source: string, at: number): { readonly text: string; readonly content: string } {
  const [before, after] = [source.slice(Math.max(0, at - maxPart), at), source.slice(at, at + maxPart)];
  const comment = before.lastIndexOf('<!--');
  if (comment > before.lastIndexOf('-->')) return { text: before.slice(comment) + untilEnd(after, '-->'), content: '' };
  const tag = before.slice(before.lastIndexOf('<'));
  if (/^<[a-z][^>]*$/i.test(tag)) {
    const text = tag + untilEnd(after, '>');
    const [, name = ''] = /^<([a-z\d-]+)/i.exec(text) ?? [];
    const content = after.slice(after.indexOf('>') + 1).split(new RegExp(`</${name}\\b`, 'i'), 1)[0] ?? '';
    return { text, content: content.replace(/<[^>]*>/g, ' ') };
  }
  const begin = unpaired(before.split('').reverse(), '{', '}');
  const end = unpaired(after.split(''), '}', '{');
  return { text: begin < 0 || end < 0 ? '' : before.slice(-1 - begin) + after.slice(0, end), content: '' };
}

function untilEnd(text: string, mark: string): string {
  return text.split(mark, 1)[0] ?? '';
}

/** Where the first mark stands that closes what the characters do not open, or -1. */
function unpaired(characters: readonly string[], closing: string, opening: string): number {
  let depth = 0;
  return characters.findIndex((one) => {
    if (one === opening) depth += 1;
    return one === closing && depth-- === 0;
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

/** What a page about the same product shows, too. */
export interface ProductWords {
  readonly names: readonly string[];
  /** With 14 digits. */
  readonly gtins: readonly string[];
  /** A hundred other texts of four letters or more. */
  readonly texts: readonly string[];
}

/** @param gtin that of the link: a graph may have other products, too */
export function wordsOf(document: unknown, gtin: string | undefined): ProductWords {
  const products = ownNodesIn(document).filter((node) => {
    const type = JSON.stringify(member(node, '@type') ?? member(node, 'type') ?? '');
    return !/Organization|Person|Brand|Place/.test(type);
  });
  const linked = products.filter((node) => gtin !== undefined && ownGtinsIn(node).flat().includes(gtin));
  const nodes = linked.length > 0 ? linked : products;
  const named = nodes.flatMap((node) => Object.entries(isRecord(node) ? node : {}));
  return {
    names: named.flatMap(([key, value]) => (/^(?:product)?name$/.test(localName(key)) ? [...stringsIn(value)] : [])),
    gtins: gtin === undefined ? ownGtinsIn(document).flat() : [gtin],
    texts: [...textsIn(document)].slice(0, 100),
  };
}

/** Names of members whose texts stand on many pages: those of a business, a place, a contact, and of the document itself. */
const common =
  /manufactur|maker|producer|brand|importer|address|country|contact|organi[sz]ation|issue[rd]|representative|e-?mail|phone|locality|@context|@type|@id|@language|^(?:type|id|url|image|logo|locale|inlanguage|label|propertyid|field_?key|unit.*|access_?level|identifier|hasdigitalproductpassport|hasgs1digitallink|dpp|viewrole|notice|source)$/;

/** The texts of values. A value has its name beside it. */
function* textsIn(node: unknown): Generator<string> {
  if (typeof node === 'string' && (node.match(/\p{L}/gu)?.length ?? 0) >= 4 && !/^[\w+.-]+:\S+$/.test(node)) yield node;
  if (typeof node !== 'object' || node === null) return;
  const field = String(member(node, 'propertyID') ?? member(node, 'field_key') ?? '').toLowerCase();
  if (common.test(field)) return;
  for (const [key, value] of Object.entries(node)) {
    const isLabel = field !== '' && /^(?:name|description)$/.test(localName(key));
    if (isLabel || common.test(localName(key))) continue;
    yield* textsIn(value);
  }
}

/** The strings in a text, a value object, a list, or a map of languages. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, one] of Object.entries(value)) {
    if (key !== '@language' && key !== '@type') yield* stringsIn(one);
  }
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

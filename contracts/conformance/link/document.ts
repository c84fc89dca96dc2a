/** What a JSON-LD document says, whatever prefixes its context has. */
import { isRecord, member } from '@product-passport/openapi';
import type { PassportDocument } from '@product-passport/sdk';
import { missing, type TemplateField, templates } from '@product-passport/sdk/templates';
import { verifyPassport } from '@product-passport/sdk/verify';
import { shown } from '../../judge/finding.ts';

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
    if (!Array.isArray(node)) yield { name: localName(key), key, value, owner: node };
    yield* membersIn(value);
  }
}

function localName(key: string): string {
  return key.replace(/^.*[:/#]/s, '').toLowerCase();
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
    [value].flat().map((one) => ({ gtin: String(plain(one)).padStart(14, '0'), isOwn: roots.includes(owner) })),
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

export interface HashOutcome {
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

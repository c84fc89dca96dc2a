/**
 * Reads responses of the EU's read interface (EN 18222) in every form that a public source describes. What differs between
 * two sources is a warning that names both. Nobody here has read the standards: they are sold.
 */
import { gtin14, isRecord } from '@product-passport/openapi';
import { parseDigitalLink } from '@product-passport/sdk/gs1';
import { shown } from '../judge/finding.ts';

/** The members that every passport must have, all of them texts. */
export const required = [
  'digitalProductPassportId',
  'uniqueProductIdentifier',
  'granularity',
  'dppSchemaVersion',
  'dppStatus',
  'lastUpdated',
  'economicOperatorId',
] as const;

/** All members of a passport that are not its elements. */
const header: readonly string[] = [
  ...required,
  'lastUpdate',
  'facilityId',
  'contentSpecificationIds',
  'elements',
  '@context',
];

export type Passport = Readonly<Record<string, unknown>>;

/** The passport in a body, and the member that it was inside of. */
export function passportIn(body: unknown): { readonly passport: Passport; readonly envelope?: string } | undefined {
  if (!isRecord(body)) return undefined;
  if ('digitalProductPassportId' in body) return { passport: body };
  const [envelope, passport] =
    Object.entries(body).find(([, part]) => isRecord(part) && 'digitalProductPassportId' in part) ?? [];
  return envelope === undefined ? undefined : { passport: passport as Passport, envelope };
}

export const lastUpdatedOf = ({ lastUpdated, lastUpdate }: Passport): unknown => lastUpdated ?? lastUpdate;

/** The elements of the compressed form, by their ids. */
export function elementsOf(passport: Passport): readonly (readonly [id: string, value: unknown])[] {
  return Object.entries(passport).filter(([name]) => !header.includes(name));
}

/** Five dialects of the list of passport ids, in the order in which they are tried. */
interface Dialect {
  readonly name: string;
  /** What differs from the bare array with `Link`. */
  readonly differs?: string;
  readonly body: (ids: readonly string[], page: Readonly<Record<string, unknown>>) => unknown;
}

export const dialects: readonly Dialect[] = [
  { name: 'OpenDPP', body: (productId) => ({ productId }) },
  { name: 'openEPCIS', body: (productIds) => ({ productIds }) },
  { name: 'OwnYourData', body: (ids) => ids },
  { name: 'CIR4FUN', body: (productIdentifiers, page) => ({ productIdentifiers, ...page }) },
];

export interface Batch {
  readonly ids: readonly string[];
  /** The query of the next page, or its cursor. Absent at the end. */
  readonly next?: { readonly cursor: string };
  /** Where the ids are, if not in a bare array. */
  readonly at?: string;
}

/** The ids of a page, wherever a source puts them. `undefined` if there is no list of texts. */
export function batchIn(json: unknown, link = ''): Batch | undefined {
  const address = /<([^>]*)>(?:[^,"]|"[^"]*")*[;\s]rel=["']?next\b/i.exec(link)?.[1];
  const linked =
    address && URL.canParse(address, 'http://a') && new URL(address, 'http://a').searchParams.get('cursor');
  const found = listIn(json, '');
  if (found === undefined) return undefined;
  const cursor = linked || cursorIn(json);
  return { ids: found.ids, ...(cursor && { next: { cursor } }), ...(found.at && { at: found.at }) };
}

function listIn(json: unknown, at: string): { ids: readonly string[]; at: string } | undefined {
  if (Array.isArray(json)) return json.every((id) => typeof id === 'string') ? { ids: json, at } : undefined;
  if (!isRecord(json)) return undefined;
  return ['items', 'dppIds', 'dppIdentifiers', 'payload', 'data', 'result']
    .map((name) => listIn(json[name], `${at}/${name}`))
    .find((found) => found !== undefined);
}

function cursorIn(json: unknown): string | undefined {
  if (!isRecord(json)) return undefined;
  const { cursor, nextCursor = cursor, pagination, payload } = json;
  return typeof nextCursor === 'string' ? nextCursor : (cursorIn(pagination) ?? cursorIn(payload));
}

/** What is wrong with the body of an error, and what only one source writes. */
export function errorFault(json: unknown): { readonly fault?: string; readonly warning?: string } {
  const { message, messages = message } = isRecord(json) ? json : {};
  if (!Array.isArray(messages) || messages.length === 0)
    return { fault: 'must have `message`, a list that is not empty' };
  const wrong = messages.find((one) => !isRecord(one) || typeof one.text !== 'string' || !one.messageType);
  if (wrong !== undefined) return { fault: `must have messageType and text in each message, has ${shown(wrong)}` };
  return message === undefined ? { warning: sides('`message`', openEpcis, '`messages`', 'BaSyx Go and CIR4FUN') } : {};
}

const openEpcis = 'openEPCIS, OwnYourData and OpenDPP';

/** `openEPCIS writes lastUpdated. This is lastUpdate, as BaSyx Go writes it.` */
function sides(one: string, sources: string, other: string, others: string): string {
  return `The sources differ: ${one} in ${sources}, ${other} in ${others}.`;
}

export const warnings = {
  lastUpdate: sides('`lastUpdated`', openEpcis, '`lastUpdate`', 'BaSyx Go'),
  granularity: sides('`item` in lower case', openEpcis, '`Item`', 'BaSyx Go'),
  objectType: sides('SingleValuedDataElement', 'openEPCIS and BaSyx Go', 'SingleValueDataElement', 'UniDPP'),
  numbers: sides('JSON numbers', 'openEPCIS', 'numbers as texts in `full`', 'BaSyx Go'),
} as const;

/** An identifier as one segment of a path: everything is encoded but unreserved characters. */
export function encoded(id: string): string {
  return encodeURIComponent(id).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

interface Keys {
  readonly gtin: string;
  readonly batch?: string | undefined;
  readonly serial?: string | undefined;
}

/** The GS1 keys of a product identifier: a Digital Link, or the bare digits of a GTIN. */
export function keysOf(id: string): Keys | undefined {
  if (/^(?:\d{8}|\d{12,14})$/.test(id)) return { gtin: gtin14(id) };
  if (!/^https?:.*\/01\/\d/.test(id)) return undefined;
  try {
    const { gtin, batch, serial } = parseDigitalLink(id);
    return { gtin: gtin14(gtin), batch, serial };
  } catch {
    return undefined;
  }
}

/** Whether two identifiers name one product. `undefined` if only the provider can tell. */
export function isSameProduct(asked: string, own: string): boolean | undefined {
  if (asked === own) return true;
  const [one, other] = [keysOf(asked), keysOf(own)];
  if (one === undefined || other === undefined) return undefined;
  return one.gtin === other.gtin && one.serial === other.serial && one.batch === other.batch;
}

type Element = Readonly<Record<string, unknown>>;

const objectTypes: readonly string[] = [
  'SingleValuedDataElement',
  'SingleValueDataElement',
  'MultiValuedDataElement',
  'DataElementCollection',
  'MultiLanguageDataElement',
  'RelatedResource',
];

/** The elements below an element. Those of a list stand in `value` or in `elements`, and may be groups. */
function childrenOf({ objectType, elements, value }: Element): readonly (readonly unknown[])[] {
  if (objectType === 'MultiLanguageDataElement') return [];
  const groups = [elements, value].filter((one) => Array.isArray(one));
  return groups.flatMap((group) => (group.every(Array.isArray) ? group : [group.filter(isRecord)]));
}

/** Every element, with the list that it stands in. */
export function* walkElements(list: readonly unknown[]): Generator<{ element: Element; siblings: readonly unknown[] }> {
  for (const element of list) {
    if (!isRecord(element)) continue;
    yield { element, siblings: list };
    for (const children of childrenOf(element)) yield* walkElements(children);
  }
}

/** A value, with the name of the element or member that it belongs to. */
export type Leaf = readonly [name: string, value: unknown];

/** The values of the compressed form. */
export function leavesOf(value: unknown, name = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, name));
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, key)) : [[name, value]];
}

/** The values of the full form, named as in the compressed one. */
export function leavesOfElement(element: unknown, list?: string): Leaf[] {
  if (!isRecord(element)) return list === undefined ? [] : [[list, element]];
  const { elementId, objectType, value, elements } = element;
  const name = list ?? String(elementId);
  if (objectType === 'RelatedResource') {
    const { elementId: _, objectType: __, dictionaryReference: ___, ...members } = element;
    return leavesOf(members);
  }
  if (objectType === 'MultiLanguageDataElement') return leavesOf(value, name);
  // A provider may write a list in both places, for readers of either example.
  const within = [[elements, value].find((one) => Array.isArray(one)) ?? []].flat(3);
  if (objectType === 'DataElementCollection') return within.flatMap((one) => leavesOfElement(one));
  return objectType === 'MultiValuedDataElement'
    ? within.flatMap((one) => leavesOfElement(one, nameInList(one, name)))
    : [[name, value]];
}

/** A single value of a list has the name of the list, unless it is a member of a group. */
function nameInList(one: unknown, list: string): string | undefined {
  const isSingle = !isRecord(one) || String(one.objectType).startsWith('Single');
  return isSingle ? list : undefined;
}

const forms: readonly (readonly [types: RegExp, isRight: (value: unknown) => boolean])[] = [
  [/^xsd:(?:\w*[iI]nteger|int|long|short|byte|unsigned\w+)$/, (value) => Number.isInteger(Number(value))],
  [/^xsd:(?:decimal|double|float)$/, (value) => value !== '' && Number.isFinite(Number(value))],
  [/^xsd:boolean$/, (value) => /^(?:true|false|0|1)$/.test(String(value))],
  [
    /^xsd:date(?:Time)?$/,
    (value) => /^\d{4}-\d\d-\d\d/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  ],
  [/^xsd:/, (value) => typeof value !== 'object'],
];

/** What is wrong with an element alone. */
export function elementFault({ elementId, objectType }: Element): string | undefined {
  if (typeof elementId !== 'string' || elementId === '') return 'has no elementId';
  if (!objectTypes.includes(String(objectType))) return `${elementId} has the objectType ${shown(objectType)}`;
  return undefined;
}

/** Why the value of an element does not have the type that it names. */
export function valueFault({
  elementId,
  objectType,
  value,
  valueDataType,
  url,
  contentType,
}: Element): string | undefined {
  if (objectType === 'RelatedResource') {
    const isWhole = [url, contentType].every((one) => typeof one === 'string' && one !== '');
    return isWhole ? undefined : `${elementId} must have url and contentType`;
  }
  if (!String(objectType).startsWith('Single')) return undefined;
  const [, isRight] = forms.find(([types]) => types.test(String(valueDataType))) ?? [];
  if (isRight === undefined) return `${elementId} has the valueDataType ${shown(valueDataType)}, not one with xsd:`;
  return isRight(value) ? undefined : `${elementId} is ${String(valueDataType)}, and has the value ${shown(value)}`;
}

/** `$['a']['b'][0]` */
export function normalised(steps: readonly (string | number)[]): string {
  const step = (one: string | number) =>
    typeof one === 'number' ? `[${one}]` : `['${one.replace(/['\\]/g, '\\$&')}']`;
  return `$${steps.map(step).join('')}`;
}

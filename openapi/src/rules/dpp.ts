/**
 * The passport in the data model of EN 18223, as its public descriptions say: the standard is sold and was not read. Pure: the
 * server and the SDK's fake service share it.
 */

import { fieldTypes, type TemplateField, type TemplatePart } from './check.ts';
import type { Schemas } from './contract.ts';
import { documentAddress, itsOwnLink, type PassportPath, pageAddress, type ShownPassport } from './document.ts';
import { ContractError } from './errors.ts';
import { keyQualifier, type PassportValue, sha256 } from './passport.ts';
import { gtin14 } from './product.ts';

export type Dpp = Schemas['Dpp'];
export type DataElement = Schemas['DataElement'];
export type Representation = 'compressed' | 'full';

/** The economic operator and the facility that a tenant set. */
export interface EconomicOperator {
  /** Without it, the passport has no valid header: these reads do not exist. */
  readonly economic_operator_id: string | null;
  readonly facility_id: string | null;
}

/** What these reads need of a published passport. */
export type DppPassport = Pick<ShownPassport, 'path' | 'values'> & {
  readonly row: Pick<ShownPassport['row'], 'gtin' | 'product_group' | 'versioned_at' | 'is_item' | 'public_serial'> &
    EconomicOperator;
};

type KnownField = Pick<TemplateField, 'key' | 'type' | 'items' | 'members'>;

/** The members of a passport that are not elements. An element with such a name is in `full` alone. */
const headerNames = new Set([
  ...['digitalProductPassportId', 'uniqueProductIdentifier', 'granularity', 'dppSchemaVersion', 'dppStatus'],
  ...['lastUpdated', 'economicOperatorId', 'facilityId', 'contentSpecificationIds', 'elements'],
]);

/**
 * The passport of a tenant that has an operator.
 *
 * @param fields those of the template
 */
export function dppOf(
  passport: DppPassport,
  { siteUrl, fields }: { siteUrl: string; fields: readonly KnownField[] },
  representation: Representation,
): Dpp {
  const elements = elementsOf(passport.values, `${siteUrl}/ns/dpp#`, fields);
  const header = headerOf(passport, siteUrl);
  if (representation === 'full') return { ...header, elements };
  const members = elements.filter(({ elementId }) => !headerNames.has(elementId));
  return { ...header, ...Object.fromEntries(members.map((element) => [element.elementId, compressed(element)])) };
}

function headerOf({ path, row }: DppPassport, siteUrl: string): Dpp {
  const { economic_operator_id, facility_id, product_group, versioned_at, is_item } = row;
  return {
    digitalProductPassportId: documentAddress(path, siteUrl),
    uniqueProductIdentifier: itsOwnLink(row, siteUrl) ?? pageAddress(path, siteUrl),
    granularity: is_item ? 'item' : 'model',
    dppSchemaVersion: 'EN 18223:2026',
    dppStatus: 'active',
    lastUpdated: versioned_at,
    economicOperatorId: economic_operator_id ?? '',
    ...(facility_id === null ? {} : { facilityId: facility_id }),
    contentSpecificationIds: [`${siteUrl}/ns/dpp#group-${product_group ?? 'other'}`],
  };
}

/** One element for each field with a known value. A text in several languages is one element. */
function elementsOf(
  values: readonly PassportValue[],
  vocabulary: string,
  fields: readonly KnownField[],
): DataElement[] {
  const known = values.filter(({ is_unknown }) => !is_unknown);
  // The SDK runs where there is no `Map.groupBy`.
  const byField = new Map<string, PassportValue[]>();
  for (const value of known) byField.set(value.field_key, [...(byField.get(value.field_key) ?? []), value]);
  return [...byField].flatMap(([key, all]) => {
    const field = fields.find((each) => each.key === key);
    const texts = all.filter(({ value, unit }) => typeof value === 'string' && unit === null);
    const [{ value, unit, locale }] = all as [PassportValue];
    const made =
      field?.type === 'text' && texts.length === all.length
        ? [
            multiLanguage(
              key,
              all.map((each) => ({ value: String(each.value), language: each.locale })),
            ),
          ]
        : elementOf(key, value, field, locale, unit);
    const reference = field && { dictionaryReference: `${vocabulary}${key}` };
    return made.map(({ elementId, ...element }) => ({ elementId, ...reference, ...element }) as DataElement);
  });
}

/** The element of a value, or none: the model has no `null`. */
function elementOf(
  elementId: string,
  value: unknown,
  part: Partial<KnownField> | undefined,
  locale: string,
  unit: string | null = null,
): DataElement[] {
  if (value === null || value === undefined) return [];
  const of = (id: string, inner: unknown, kind: Partial<KnownField> | undefined) => elementOf(id, inner, kind, locale);
  if (unit !== null) {
    const elements = [...of('value', value, part), ...of('unit', unit, { type: 'string' })];
    return [{ elementId, objectType: 'DataElementCollection', elements }];
  }
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null);
    const kind = part?.items ?? { type: 'object', ...(part?.members && { members: part.members }) };
    const elements = items.flatMap((item, index) => of(String(index), item, kind));
    return [{ elementId, objectType: 'MultiValuedDataElement', elements }];
  }
  if (typeof value === 'object') {
    const kindOf = (name: string) => part?.members?.find(({ key }) => key === name) ?? part?.items;
    const elements = Object.entries(value).flatMap(([name, member]) => of(name, member, kindOf(name)));
    return [{ elementId, objectType: 'DataElementCollection', elements }];
  }
  if (part?.type === 'text' && typeof value === 'string')
    return [multiLanguage(elementId, [{ value, language: locale }])];
  const valueDataType = dataTypeOf(value, part?.type);
  return [{ elementId, objectType: 'SingleValuedDataElement', valueDataType, value: value as string }];
}

function multiLanguage(elementId: string, value: { value: string; language: string }[]): DataElement {
  return { elementId, objectType: 'MultiLanguageDataElement', value };
}

type SingleValued = Schemas['SingleValuedDataElement'];

/** A value that does not fit its field has the type that it is written in. */
function dataTypeOf(value: unknown, type: TemplatePart['type'] | undefined): SingleValued['valueDataType'] {
  if (typeof value === 'boolean') return 'xsd:boolean';
  if (typeof value === 'number') return type === 'integer' && Number.isInteger(value) ? 'xsd:integer' : 'xsd:decimal';
  if (type === 'date' && fieldTypes.date.test(value)) return `${value}`.length > 7 ? 'xsd:date' : 'xsd:gYearMonth';
  return type === 'url' && fieldTypes.url.test(value) ? 'xsd:anyURI' : 'xsd:string';
}

/** An element without its metadata. */
export function compressed(element: DataElement): unknown {
  switch (element.objectType) {
    case 'MultiValuedDataElement':
      return childrenOf(element).map(compressed);
    case 'DataElementCollection':
      return Object.fromEntries(childrenOf(element).map((each) => [each.elementId, compressed(each)]));
    case 'RelatedResource': {
      const { elementId: _id, dictionaryReference: _reference, objectType: _type, ...resource } = element;
      return resource;
    }
    default:
      return element.value;
  }
}

/** A name, or a position in a list. */
type Step = string | number;

const steps = /\['((?:[^'\\\p{Cc}]|\\.)*)'\]|\[(0|[1-9]\d{0,8})\]|\.([\p{L}_][\p{L}\d_]*)/uy;

/**
 * Reads the path of an element: a normalised one (RFC 9535, 2.7) such as `$['a'][0]`, or `$.a`. `undefined` if it is neither.
 */
export function elementSteps(path: string): Step[] | undefined {
  if (!path.startsWith('$') || path.length === 1) return undefined;
  const found: Step[] = [];
  steps.lastIndex = 1;
  while (steps.lastIndex < path.length) {
    const [, quoted, position, name] = steps.exec(path) ?? [];
    const step = position === undefined ? (name ?? unquoted(quoted)) : Number(position);
    if (step === undefined) return undefined;
    found.push(step);
  }
  return found;
}

function unquoted(quoted: string | undefined): string | undefined {
  if (quoted === undefined) return undefined;
  const escapes: Readonly<Record<string, string>> = { "\\'": "'", '"': '\\"' };
  try {
    return JSON.parse(`"${quoted.replace(/\\.|"/g, (text) => escapes[text] ?? text)}"`);
  } catch {
    return undefined;
  }
}

/** The element at a path, or `undefined`. */
export function elementAt(elements: readonly DataElement[], path: readonly Step[]): DataElement | undefined {
  const [step, ...rest] = path;
  const found = elements.find(({ elementId }) => elementId === String(step));
  if (!found || rest.length === 0) return found;
  // Positions are those of a list, names those of a collection.
  const parent = typeof rest[0] === 'number' ? 'MultiValuedDataElement' : 'DataElementCollection';
  return found.objectType === parent ? elementAt(childrenOf(found), rest) : undefined;
}

/** The contract cannot say that elements have elements: its references form no circle. */
function childrenOf({ elements }: { readonly elements: unknown }): readonly DataElement[] {
  return elements as readonly DataElement[];
}

/** Reads the id of a passport, which is the address of its document or of its page. `undefined`: it is neither, on this site. */
export function passportPathOf(id: string, siteUrl: string): PassportPath | undefined {
  if (!id.startsWith(`${siteUrl}/p/`)) return undefined;
  const [tenant = '', product = '', ...rest] = id.slice(siteUrl.length + '/p/'.length).split('/');
  const isAddress = rest.length === 0 || (rest.length === 1 && rest[0] === 'jsonld');
  return isAddress && isSlug(tenant) && isSlug(product) ? { tenant, product } : undefined;
}

function isSlug(text: string): boolean {
  return text.length <= 100 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text);
}

/** What a product identifier names. A product has the `urn` of the identifier, if there is one, or it is another product. */
export type NamedProduct =
  | { readonly gtin: string; readonly serial: string | undefined }
  | { readonly path: PassportPath; readonly urn: string | undefined };

/**
 * Reads an identifier of a product: a GTIN, its Digital Link on this site, with a serial number or without, a URN, or the
 * address of the page. `undefined` for any other text, so also for a batch or a variant, which have no passport of their own.
 */
export function namedProduct(id: string, siteUrl: string): NamedProduct | undefined {
  const [, bare] = /^(\d{8}|\d{12,14})$/.exec(id) ?? [];
  if (bare !== undefined) return { gtin: gtin14(bare), serial: undefined };
  const [, urn, tenant = '', product = ''] =
    /^(urn:[a-z0-9][a-z0-9-]*:([^:]+):([^:]+))$/.exec(id.replace(/^urn:[^:]+:/i, lower)) ?? [];
  if (urn !== undefined) return isSlug(tenant) && isSlug(product) ? { path: { tenant, product }, urn } : undefined;
  const path = id.endsWith('/jsonld') ? undefined : passportPathOf(id, siteUrl);
  if (path) return { path, urn: undefined };
  if (!id.startsWith(`${siteUrl}/01/`)) return undefined;
  const link = /^(\d{8}|\d{12,14})(?:\/21\/([^/?#]+))?$/.exec(id.slice(siteUrl.length + '/01/'.length));
  if (!link) return undefined;
  const [, gtin = '', escaped] = link;
  const serial = escaped === undefined ? undefined : decoded(escaped);
  const isValid = serial === undefined || (keyQualifier.test(serial) && serial.length <= 20);
  return isValid ? { gtin: gtin14(gtin), serial } : undefined;
}

const lower = (text: string): string => text.toLowerCase();

/** An invalid escape decodes to a text that is no serial number. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Reads a time in RFC 3339 as the times of versions are written, cut to milliseconds. `undefined` if it does not exist:
 * 2026-02-30, an hour 25.
 */
export function instantOf(text: string): string | undefined {
  const [, day = '', time = '', fraction = '', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = new Date(`${day}T${time}.${milliseconds}Z`);
  const instant = new Date(`${day}T${time}.${milliseconds}${zone}`);
  const exists = !Number.isNaN(instant.getTime()) && local.toISOString().startsWith(`${day}T${time}`);
  const written = exists ? instant.toISOString() : '';
  // With another offset the year may have no four digits.
  return /^\d{4}-/.test(written) ? written : undefined;
}

type ProductIds =
  | readonly string[]
  | { readonly productIds?: readonly string[] | undefined; readonly productId?: readonly string[] | undefined };

/**
 * A page of the ids of passports.
 *
 * @param find the slugs of the active product of each identifier whose tenant has an operator
 * @throws ContractError `invalid_request` for a body without identifiers, and for the cursor of another body
 */
export async function pageOfIds(
  body: ProductIds,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  siteUrl: string,
  find: (named: readonly (NamedProduct | undefined)[]) => Promise<readonly (PassportPath | undefined)[]>,
): Promise<{ body: string[]; headers: Record<string, string> }> {
  const ids = identifiersIn(body);
  const cursorAt = async (start: number) => `${start}.${(await sha256(JSON.stringify([start, ids]))).slice(0, 24)}`;
  const start = cursor === undefined ? 0 : Number.parseInt(cursor, 10);
  if (cursor !== undefined && !(start > 0 && start < ids.length && cursor === (await cursorAt(start)))) {
    throw new ContractError('invalid_request', 'cursor must be that of the page before, and the body the same.');
  }
  const end = Math.min(start + limit, ids.length);
  // Also those of the pages before: no passport comes twice.
  const found = await find(ids.slice(0, end).map((id) => namedProduct(id, siteUrl)));
  const addresses = found.map((path) => path && documentAddress(path, siteUrl));
  const page = addresses.flatMap((id, index) => (id && index >= start && addresses.indexOf(id) === index ? [id] : []));
  if (end === ids.length) return { body: page, headers: {} };
  const next = `${siteUrl}/dpp/v1/dppsByProductIds?limit=${limit}&cursor=${await cursorAt(end)}`;
  return { body: page, headers: { link: `<${next}>; rel="next"` } };
}

function identifiersIn(body: ProductIds): readonly string[] {
  if (!('length' in body)) {
    const { productIds, productId } = body;
    if (productIds && productId)
      throw new ContractError('invalid_request', 'Send productIds or productId, and not both.');
    const ids = productIds ?? productId;
    if (!ids) throw new ContractError('invalid_request', 'productIds is required.');
    return ids;
  }
  return body;
}

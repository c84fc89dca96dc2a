/** The passport as JSON-LD. Pure: the server and the SDK's fake service share it. */

import type { Schemas } from './contract.ts';
import type { Identity } from './item.ts';
import type { PassportValue, ViewRole } from './passport.ts';
import { digitalLink, gtin14 } from './product.ts';

type PassportDocument = Schemas['PassportDocument'];

/** The slugs of a passport's address. */
export interface PassportPath {
  tenant: string;
  product: string;
}

/** A published passport as a role sees it. It has only the values that the role may see. */
export interface ShownPassport {
  readonly path: PassportPath;
  readonly row: Pick<
    Schemas['Product'],
    'name' | 'gtin' | 'model' | 'product_group' | 'completeness' | 'unique_product_identifier'
  > & {
    /** The tenant's. */
    readonly language: string;
    readonly tenant_name: string;
    readonly version: number;
    readonly template_version: number;
    readonly versioned_at: string;
    readonly content_hash: string;
    readonly salt: string;
  } & Identity;
  /** `refused`: the request has a token, but it is not valid for this product. */
  readonly view: { readonly role: ViewRole; readonly refused: boolean };
  readonly values: readonly PassportValue[];
  readonly publicContentHash: string;
  /** What the role may see of fields that were measured more than once. Default: nothing. */
  readonly measurements?: readonly {
    readonly field_key: string;
    /** The oldest first. */
    readonly measurements: readonly { readonly date: string; readonly value: number; readonly unit: string | null }[];
  }[];
}

export interface DocumentContext {
  readonly siteUrl: string;
  /** The labels of the fields. No hash depends on them. */
  readonly labels: ReadonlyMap<string, string>;
  readonly properties: DocumentProperties;
  /** The path of the product's image. */
  readonly image?: string | undefined;
  /** The address of the document: that of an older version has its number. */
  readonly address?: string | undefined;
}

/** The passport as JSON-LD, in the vocabularies of schema.org and GS1. */
export function documentOf(passport: ShownPassport, context: DocumentContext): PassportDocument {
  const { path, row, values, measurements = [] } = passport;
  const { siteUrl, labels, properties, image, address = documentAddress(path, siteUrl) } = context;
  const url = pageAddress(path, siteUrl);
  const gtin = row.gtin === null ? undefined : gtin14(row.gtin);
  const model = row.gtin === null ? undefined : digitalLink(siteUrl, row.gtin);
  const link = itsOwnLink(row, siteUrl);
  const { language } = row;
  return {
    '@context': [
      'https://schema.org/',
      { gs1: 'https://ref.gs1.org/voc/', dpp: `${siteUrl}/ns/dpp#`, 'gs1:dpp': { '@type': '@id' } },
    ],
    '@type': ['Product', 'gs1:Product'],
    '@id': link ?? row.unique_product_identifier,
    identifier: row.unique_product_identifier,
    name: row.name,
    ...(gtin ? { gtin14: gtin, 'gs1:gtin': gtin } : {}),
    'gs1:productName': { '@value': row.name, '@language': language },
    ...(image ? { image: siteUrl + image } : {}),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.product_group === null ? {} : { category: row.product_group }),
    ...ownProperties(values, properties),
    url,
    ...(link ? { hasGS1DigitalLink: link } : {}),
    ...(row.is_item && model ? { 'dpp:itemOf': { '@id': model } } : {}),
    'gs1:dpp': documentAddress(path, siteUrl),
    ...(measurements.length > 0
      ? { 'dpp:measurement': measurements.flatMap((each) => observations(each, labels)) }
      : {}),
    hasDigitalProductPassport: passportNode(passport, address, language),
    additionalProperty: values.map((value) => ({
      ...propertyValue(value, labels),
      ...(passport.view.role === 'inspector' ? originOf(value) : {}),
    })),
  };
}

/** The Digital Link of a product itself. An item is not its model, and its own link would show its serial number. */
export function itsOwnLink(
  { gtin, is_item, public_serial }: Pick<ShownPassport['row'], 'gtin'> & Identity,
  siteUrl: string,
): string | undefined {
  const hasLink = !is_item || public_serial !== null;
  return gtin === null || !hasLink ? undefined : digitalLink(siteUrl, gtin, public_serial);
}

/**
 * The address of a passport as JSON-LD.
 *
 * @param version an older version; default: the latest one
 */
export function documentAddress(path: PassportPath, siteUrl: string, version?: number): string {
  return `${pageAddress(path, siteUrl)}/jsonld${version === undefined ? '' : `?version=${version}`}`;
}

/** The address of a passport in the reads of EN 18222, whose tenant has an economic operator. */
export function dppAddress(path: PassportPath, siteUrl: string): string {
  return `${siteUrl}/dpp/v1/dpps/${encodeURIComponent(documentAddress(path, siteUrl))}`;
}

/** The address of a passport's page. */
export function pageAddress({ tenant, product }: PassportPath, siteUrl: string): string {
  return `${siteUrl}/p/${tenant}/${product}`;
}

function passportNode(
  { row, view, publicContentHash }: ShownPassport,
  address: string,
  inLanguage: string,
): PassportDocument['hasDigitalProductPassport'] {
  return {
    '@type': 'DigitalProductPassport',
    '@id': address,
    identifier: {
      '@type': 'PropertyValue',
      propertyID: 'sha-256',
      name: 'content_hash',
      value: row.content_hash,
    },
    version: row.version,
    dateModified: row.versioned_at,
    inLanguage,
    issuedBy: { '@type': 'Organization', name: row.tenant_name },
    'dpp:viewRole': view.role,
    ...(view.refused ? { 'dpp:notice': 'The access link is not valid. This is the public view.' } : {}),
    'dpp:templateVersion': row.template_version,
    'dpp:completeness': row.completeness,
    // With the salt, hidden values could be guessed from the hash. An inspector sees every value.
    ...(view.role === 'inspector' ? { 'dpp:contentSalt': row.salt } : {}),
    'dpp:publicContentHash': publicContentHash,
  };
}

type Property = PassportDocument['additionalProperty'][number];

/** With these and the salt an inspector can recompute the content hash. */
function originOf({ source, needs_review, updated_at }: PassportValue): Partial<Property> {
  return { 'dpp:source': source, 'dpp:needsReview': needs_review, 'dpp:updatedAt': updated_at };
}

/** JSON-LD drops `null` silently, so it is never written. An unknown value has a `description` instead. */
function propertyValue(
  { field_key, value, unit, is_unknown, access_level, locale }: PassportValue,
  label: ReadonlyMap<string, string>,
): Property {
  return {
    '@type': 'PropertyValue',
    propertyID: field_key,
    name: label.get(field_key) ?? field_key,
    ...(is_unknown ? { description: 'unknown' as const } : {}),
    ...(is_unknown ? {} : literalOf(value)),
    ...unitsOf(unit),
    'dpp:accessLevel': access_level,
    'dpp:locale': locale,
    ...(is_unknown ? { 'dpp:isUnknown': true as const } : {}),
  };
}

function literalOf(value: unknown): { value?: unknown } {
  if (value === null) return {};
  return { value: typeof value === 'object' ? { '@type': '@json', '@value': value } : value };
}

function unitsOf(unit: string | null): { unitText?: string; unitCode?: string } {
  if (unit === null) return {};
  const code = unitCode(unit);
  return { unitText: unit, ...(code ? { unitCode: code } : {}) };
}

/** The measurements of a field. */
function observations(
  { field_key, measurements }: NonNullable<ShownPassport['measurements']>[number],
  label: ReadonlyMap<string, string>,
): NonNullable<PassportDocument['dpp:measurement']> {
  return measurements.map(({ date, value, unit }) => ({
    '@type': 'Observation',
    variableMeasured: field_key,
    name: label.get(field_key) ?? field_key,
    observationDate: date,
    value,
    ...unitsOf(unit),
  }));
}

type Organization = Schemas['OrganizationNode'];
type Address = Schemas['PostalAddressNode'];

/** Of these, a template can give the fields. The document makes a node of the name and the address of a business. */
export type DocumentProperty =
  | `${'manufacturer' | 'importer'}.${'name' | 'address'}`
  | 'countryOfOrigin'
  | 'recycledContentPercentage'
  | 'substanceOfConcern'
  | 'weight'
  | 'material';

/** The fields of each property: `field`, or `field.member` if the items of a list are objects. */
export type DocumentProperties = Readonly<Partial<Record<DocumentProperty, readonly string[]>>>;

/** The properties whose values have their type. */
function ownProperties(values: readonly PassportValue[], properties: DocumentProperties): Partial<PassportDocument> {
  const known = new Map(values.filter(({ is_unknown }) => !is_unknown).map((value) => [value.field_key, value]));
  const found = (property: DocumentProperty): { value: unknown; unit: string | null; member: string }[] =>
    (properties[property] ?? []).flatMap((reference) => {
      const [field = '', member = ''] = reference.split('.');
      const value = known.get(field);
      return value ? [{ value: value.value, unit: value.unit, member }] : [];
    });
  const text = (property: DocumentProperty) => textOf(found(property)[0]?.value);
  const texts = (property: DocumentProperty) => [
    ...new Set(found(property).flatMap(({ value, member }) => textsOf(value, member))),
  ];

  const manufacturer = organization(text('manufacturer.name'), text('manufacturer.address'));
  const importer = organization(text('importer.name'), text('importer.address'));
  const country = text('countryOfOrigin');
  const recycled = found('recycledContentPercentage')[0]?.value;
  const substances = texts('substanceOfConcern');
  const weight = weightOf(found('weight')[0]);
  const materials = texts('material');
  return {
    ...(manufacturer ? { manufacturer } : {}),
    ...(importer ? { importer } : {}),
    ...(country && /^[A-Z]{2}$/.test(country) ? { countryOfOrigin: { '@type': 'Country', identifier: country } } : {}),
    ...(typeof recycled === 'number' ? { recycledContentPercentage: recycled } : {}),
    ...(substances.length > 0 ? { substanceOfConcern: substances } : {}),
    ...(weight ? { weight } : {}),
    ...(materials.length > 0 ? { material: materials } : {}),
  };
}

/** A business without a name is left out. Its address stays in `additionalProperty`. */
function organization(name: string | undefined, address: string | undefined): Organization | undefined {
  if (name === undefined) return undefined;
  return { '@type': 'Organization', name, ...(address === undefined ? {} : { address: postalAddressOf(address) }) };
}

/** `Hafenstraße 12, 24103 Kiel, Deutschland` in its parts. An address of any other form stays whole. */
function postalAddressOf(text: string): Address {
  const [street = '', place = '', country = '', ...others] = text.split(/\s*[,\n]\s*/);
  const [, postalCode, addressLocality] = /^((?:[A-Z]{1,2}-)?\d{4,5}) (\D+)$/.exec(place) ?? [];
  const isWhole = others.length > 0 || street === '' || !/^\D+$/.test(country);
  if (isWhole || postalCode === undefined || addressLocality === undefined)
    return { '@type': 'PostalAddress', streetAddress: text };
  return { '@type': 'PostalAddress', streetAddress: street, postalCode, addressLocality, addressCountry: country };
}

/** A weight without a unit could be of any unit. */
function weightOf({ value, unit }: { value?: unknown; unit?: string | null } = {}): PassportDocument['weight'] {
  if (typeof value !== 'number' || !unit) return undefined;
  const code = unitCode(unit);
  return { '@type': 'QuantitativeValue', value, unitText: unit, ...(code ? { unitCode: code } : {}) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A text, or the texts of a list: its items, or one member of each. */
function textsOf(value: unknown, member: string): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const isMembered = typeof item === 'object' && item !== null && Object.hasOwn(item, member);
    return textOf(isMembered ? (item as Record<string, unknown>)[member] : item) ?? [];
  });
}

const codes: Record<string, string> = {
  kg: 'KGM',
  g: 'GRM',
  '%': 'P1',
  W: 'WTT',
  kW: 'KWT',
  kWh: 'KWH',
  V: 'VLT',
  A: 'AMP',
  Ah: 'AMH',
  Hz: 'HTZ',
  '°C': 'CEL',
  m: 'MTR',
  mm: 'MMT',
  L: 'LTR',
  mL: 'MLT',
  h: 'HUR',
  year: 'ANN',
  month: 'MON',
  day: 'DAY',
};

/** The UN/CEFACT Recommendation 20 code of a unit, if it is known. */
function unitCode(unit: string): string | undefined {
  return Object.hasOwn(codes, unit) ? codes[unit] : undefined;
}

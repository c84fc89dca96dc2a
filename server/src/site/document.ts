import { defaultLocale, digitalLink, gtin14, type PassportValue, type Schemas } from '@product-passport/openapi';
import { inLanguage } from '../languages/words.ts';
import { templateAt } from '../templates/catalogue.ts';
import { ownProperties, unitCode } from './document-properties.ts';
import { shownImage } from './image.ts';
import type { PassportPath, PublicPassport } from './public-passport.ts';

type PassportDocument = Schemas['PassportDocument'];

/**
 * The passport as JSON-LD, in the vocabularies of schema.org and GS1.
 *
 * @param labels the language of the labels. No hash depends on it.
 * @param address of the document: that of an older version has its number
 */
export function passportDocument(
  passport: PublicPassport,
  siteUrl: string,
  labels: string,
  address = documentAddress(passport.path, siteUrl),
): PassportDocument {
  const { path, row, values } = passport;
  const url = addressOf(path, siteUrl);
  const gtin = row.gtin === null ? undefined : gtin14(row.gtin);
  const link = row.gtin === null ? undefined : digitalLink(siteUrl, row.gtin);
  const language = defaultLocale(row.country);
  const { fields } = templateAt(row.product_group, row.template_version);
  const known = new Map(fields.map(({ key, label }) => [key, inLanguage(label, labels)]));
  const image = shownImage(path, row);
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
    ...(image ? { image: siteUrl + image.path } : {}),
    ...(row.model === null ? {} : { model: row.model }),
    ...(row.product_group === null ? {} : { category: row.product_group }),
    ...ownProperties(values, templateAt(row.product_group, row.template_version)),
    url,
    ...(link ? { hasGS1DigitalLink: link } : {}),
    'gs1:dpp': documentAddress(path, siteUrl),
    hasDigitalProductPassport: passportNode(passport, address, language),
    additionalProperty: values.map((value) => ({
      ...propertyValue(value, known),
      ...(passport.view.role === 'inspector' ? originOf(value) : {}),
    })),
  };
}

/**
 * The address of a passport as JSON-LD.
 *
 * @param version an older version; default: the latest one
 */
export function documentAddress(path: PassportPath, siteUrl: string, version?: number): string {
  return `${addressOf(path, siteUrl)}/jsonld${version === undefined ? '' : `?version=${version}`}`;
}

/** The address of a passport's page. */
export function addressOf({ tenant, product }: PassportPath, siteUrl: string): string {
  return `${siteUrl}/p/${tenant}/${product}`;
}

function passportNode(
  { row, view, publicContentHash }: PublicPassport,
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

type Origin = Pick<PassportDocument['additionalProperty'][number], 'dpp:source' | 'dpp:needsReview' | 'dpp:updatedAt'>;

/** With these and the salt an inspector can recompute the content hash. */
function originOf({ source, needs_review, updated_at }: PassportValue): Origin {
  return { 'dpp:source': source, 'dpp:needsReview': needs_review, 'dpp:updatedAt': updated_at };
}

/** JSON-LD drops `null` silently, so it is never written. An unknown value has a `description` instead. */
function propertyValue(
  { field_key, value, unit, is_unknown, access_level, locale }: PassportValue,
  label: Map<string, string>,
): PassportDocument['additionalProperty'][number] {
  const literal = typeof value === 'object' ? { '@type': '@json', '@value': value } : value;
  const code = unit === null ? undefined : unitCode(unit);
  return {
    '@type': 'PropertyValue',
    propertyID: field_key,
    name: label.get(field_key) ?? field_key,
    ...(is_unknown ? { description: 'unknown' as const } : {}),
    ...(is_unknown || value === null ? {} : { value: literal }),
    ...(unit === null ? {} : { unitText: unit }),
    ...(code ? { unitCode: code } : {}),
    'dpp:accessLevel': access_level,
    'dpp:locale': locale,
    ...(is_unknown ? { 'dpp:isUnknown': true as const } : {}),
  };
}

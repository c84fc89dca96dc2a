import type { PassportDocument, PassportValue } from '../../contract.ts';
import type { ViewRole } from './records.ts';

/** What a viewer may see of a passport. */
export interface PublicPassport {
  readonly name: string;
  readonly urn: string;
  readonly gtin: string | null;
  readonly group: string | null;
  readonly model: string | null;
  readonly issuer: string;
  readonly siteUrl: string;
  /** The address of the page. */
  readonly page: string;
  /** The GS1 Digital Link, if the product has a GTIN. */
  readonly link: string | undefined;
  readonly role: ViewRole;
  readonly hasInvalidToken: boolean;
  readonly values: readonly PassportValue[];
  readonly completeness: number;
  readonly language: string;
  readonly templateVersion: number;
  readonly version: number;
  readonly salt: string;
  readonly modified: string;
  readonly contentHash: string;
  /** The hash over the public values alone. */
  readonly publicHash: string;
}

/** The members that the public hash covers. */
export function publiclyHashed({ field_key, is_unknown, locale, unit, value }: PassportValue) {
  return { field_key, is_unknown, locale, unit, value: is_unknown ? null : value };
}

/** The document of the contract, which `verifyPassport` checks. */
export function contractDocument(passport: PublicPassport): PassportDocument {
  const { name, urn, gtin, group, model, page, link, role, language } = passport;
  const address = `${page}/jsonld`;
  const gtin14 = gtin?.padStart(14, '0');
  return {
    '@context': [
      'https://schema.org/',
      { gs1: 'https://ref.gs1.org/voc/', dpp: `${passport.siteUrl}/ns/dpp#`, 'gs1:dpp': { '@type': '@id' } },
    ],
    '@type': ['Product', 'gs1:Product'],
    '@id': link ?? urn,
    identifier: urn,
    name,
    ...(gtin14 !== undefined && { gtin14, 'gs1:gtin': gtin14 }),
    'gs1:productName': { '@value': name, '@language': language },
    ...(model !== null && { model }),
    ...(group !== null && { category: group }),
    url: page,
    ...(link !== undefined && { hasGS1DigitalLink: link }),
    'gs1:dpp': address,
    hasDigitalProductPassport: {
      '@type': 'DigitalProductPassport',
      '@id': address,
      identifier: {
        '@type': 'PropertyValue',
        propertyID: 'sha-256',
        name: 'content_hash',
        value: passport.contentHash,
      },
      version: passport.version,
      dateModified: passport.modified,
      inLanguage: language,
      issuedBy: { '@type': 'Organization', name: passport.issuer },
      'dpp:viewRole': role,
      ...(passport.hasInvalidToken && {
        'dpp:notice': 'The access link is not valid. This is the public view.' as const,
      }),
      'dpp:templateVersion': passport.templateVersion,
      'dpp:completeness': passport.completeness,
      ...(role === 'inspector' && { 'dpp:contentSalt': passport.salt }),
      'dpp:publicContentHash': passport.publicHash,
    },
    additionalProperty: passport.values.map(propertyOf),
  };
}

function propertyOf(value: PassportValue): PassportDocument['additionalProperty'][number] {
  const { field_key, unit, access_level, locale, is_unknown } = value;
  return {
    '@type': 'PropertyValue',
    propertyID: field_key,
    name: field_key,
    ...(!is_unknown && value.value !== null && { value: literal(value.value) }),
    ...(unit !== null && { unitText: unit }),
    ...(is_unknown && { description: 'unknown' as const, 'dpp:isUnknown': true as const }),
    'dpp:accessLevel': access_level,
    'dpp:locale': locale,
  };
}

/** JSON-LD would read a list or an object as its own syntax. */
function literal(value: unknown): unknown {
  return typeof value === 'object' ? { '@type': '@json', '@value': value } : value;
}

/** Another document in the same vocabularies. */
export function flatDocument(passport: PublicPassport): object {
  return {
    '@context': { '@vocab': 'https://schema.org/', gs1: 'https://ref.gs1.org/voc/' },
    '@graph': [
      {
        '@type': 'gs1:Product',
        'gs1:productName': passport.name,
        'gs1:gtin': passport.gtin ?? undefined,
        url: passport.page,
        sha256: passport.contentHash,
        additionalProperty: passport.values.map(({ field_key, value, is_unknown }) => ({
          '@type': 'PropertyValue',
          name: field_key,
          value: is_unknown ? undefined : JSON.stringify(value),
        })),
      },
    ],
  };
}

/** The passport as an HTML page. */
export function passportPage({ name, values, hasInvalidToken, issuer, language }: PublicPassport): string {
  const rows = values.map(({ field_key, value, unit, is_unknown }) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const shown = is_unknown || value === null ? 'unknown' : `${text} ${unit ?? ''}`.trim();
    return `<dt>${escaped(field_key)}</dt><dd>${escaped(shown)}</dd>`;
  });
  const notice = hasInvalidToken ? '<p role="note">The access link is not valid. This is the public view.</p>' : '';
  return document(name, `${notice}<p>${escaped(issuer)}</p><dl lang="${language}">${rows.join('')}</dl>`);
}

export function errorPage(message: string): string {
  return document(message, '');
}

function document(title: string, content: string): string {
  const heading = escaped(title);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${heading}</title><h1>${heading}</h1>${content}</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

import { type ViewRole, visibleValues } from '../../../../openapi/src/rules/access.ts';
import { completeness, dayOf, isAnswered } from '../../../../openapi/src/rules/completeness.ts';
import { type DocumentContext, documentOf, type ShownPassport } from '../../../../openapi/src/rules/document.ts';
import type { ErrorCode } from '../../../../openapi/src/rules/errors.ts';
import { SentQuery } from '../../../../openapi/src/rules/parameters.ts';
import { formsOf, hashedContent } from '../../../../openapi/src/rules/passport.ts';
import { fold, gtin14, slugFromName, suffixedSlug } from '../../../../openapi/src/rules/product.ts';
import type { Parameter, Schema, ServedOperation } from '../../../../openapi/src/rules/types.ts';
import type { Violation } from '../../../../openapi/src/rules/validation.ts';
import type { Template } from '../../check.ts';
import type { PassportValue } from '../../contract.ts';
import { errors } from '../../generated/samples.ts';
import { templates } from '../../generated/templates.ts';
import { hasValidCheckDigit } from '../../gtin.ts';
import { sha256 } from '../../hash.ts';
import { flatDocument } from './document.ts';
import { isObject } from './resource.ts';

/** A version of the values of a passport. */
export interface Version {
  readonly number: number;
  readonly salt: string;
  /** In the order of their keys. */
  readonly values: readonly PassportValue[];
  readonly createdAt: Date;
  /** The product was active when the next version replaced this one. */
  wasPublic: boolean;
}

/** The fields that the alternative accepts: those of the templates. */
export const fieldKeys: readonly string[] = [
  ...new Set([
    ...['manufacturer_name', 'country_of_origin'],
    ...Object.values(templates).flatMap((template) => template?.fields.map(({ key }) => key) ?? []),
  ]),
];

/**
 * Everything that the service's description leaves open. Each row has the behaviour of the reference server first, then
 * another one that the description allows too. A program that works with both relies on the description alone.
 */
const table = {
  // Identifiers and times
  id: either(
    (count: number) => `00000000-0000-7000-8000-${String(count).padStart(12, '0')}`,
    (count: number) => String(count),
  ),
  time: either(
    (at: Date) => at.toISOString(),
    (at: Date) => `${at.toISOString().slice(0, 19)}+00:00`,
  ),
  urnNamespace: either('dpp', 'artikelpass'),

  // Tenants
  plan: either('business', 'Kostenlos 2026'),
  country: either(
    (code: string) => code.toUpperCase(),
    (code: string) => code.toLowerCase(),
  ),

  // Responses
  body: either((body: unknown) => body, rearrange),
  contentType: either(
    (type: string) => `${type}; charset=utf-8`,
    (type: string) => `${type};charset="UTF-8"`,
  ),
  headers: either(
    (count: number): Record<string, string> => ({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': `request-${count}`,
    }),
    (): Record<string, string> => ({ server: 'Passdienst/7', 'x-region': 'eu-central', vary: 'authorization' }),
  ),
  message: either(
    (code: ErrorCode) => messageOf(code),
    (code: ErrorCode) => german[code] ?? messageOf(code),
  ),
  /** The code of an error that the description does not name. */
  code: either(
    (code: ErrorCode): string => code,
    (code: ErrorCode): string => germanCodes[code] ?? code,
  ),
  challengesForKey: either(true, false),

  // Requests
  refusesUnknownPathWithoutKey: either(true, false),
  refusesWrongMethodWith: either<ErrorCode>('method_not_allowed', 'not_found'),
  acceptsTrailingSlash: either(true, false),
  servesHead: either(true, false),
  refusesOtherContentType: either(true, false),
  refusesRepeatedParameter: either(true, false),
  /** Otherwise a number outside its range is refused. */
  clampsNumbers: either(true, false),
  /** The query that is validated. The alternative ignores an unknown status, and all but the first of repeated parameters. */
  queryOf: either((_operation: ServedOperation, sent: SentQuery) => sent, lenientQuery),

  // Products
  newestFirst: either(false, true),
  fold: either(fold, (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  slugOfName: either(slugFromName, underscored),
  /** The slug for one that the client sent. */
  slugOfSlug: either(
    (slug: string) => slug,
    (slug: string) => slug.replace(/[^\w~-]/g, ''),
  ),
  suffixed: either(suffixedSlug, (slug: string, nth: number) => `${slug}~${nth - 1}`),
  /** The parameters of an operation. The alternative has slugs of another form. */
  parameters: either(
    (parameters: readonly Parameter[]) => parameters,
    (parameters: readonly Parameter[]) =>
      parameters.map((one) => (one.in === 'path' && one.name !== 'gtin' ? { ...one, schema: {} } : one)),
  ),
  /** The schema of a body. The alternative has other product groups, and does not trim names. */
  bodySchema: either((schema: Schema) => schema, otherSchema),
  /** Violations beside the contract's: the alternative refuses a null and an unknown member. */
  surplus: either((_given: object, _read: unknown): Violation[] => [], surplusOf),
  acceptsGtin: either((_gtin: string) => true, hasValidCheckDigit),
  registryStatus: either('none', 'not_started'),

  // Passports
  templateVersion: either(
    (group: string | null) => templateOf(group).version,
    () => 7,
  ),
  locale: either(
    (language: string): string => language,
    () => 'und',
  ),
  acceptsFieldKey: either(
    (_key: string) => true,
    (key: string) => fieldKeys.includes(key),
  ),
  /** An update without an access level or a unit does not change it. Otherwise it gets the default. */
  updateIgnoresAbsent: either(true, false),
  /** Otherwise `updated` counts the fields whose value changed. */
  countsUnchanged: either(true, false),
  everyWriteIsAVersion: either(false, true),
  ordered: either(
    (values: readonly PassportValue[]) => [...values],
    (values: readonly PassportValue[]) => [...values].sort((a, b) => a.field_key.length - b.field_key.length),
  ),
  completeness: either(
    (group: string | null, { values, createdAt }: Version) => completeness(templateOf(group), values, dayOf(createdAt)),
    (_group: string | null, { values }: Version) => values.filter(isAnswered).length,
  ),
  contentHash: either(saltedHash, numberedHash),

  // Data carriers
  carrierType: either('qr', 'gs1_qr'),
  carrierStatus: either('active', 'printed'),
  carrierTag: either<string | null>(null, '04A2240B3C5D80'),
  linkGtin: either(gtin14, (gtin: string) => gtin),
  onlyActivatedHaveCarriers: either(true, false),

  // Public side
  redirect: either<302 | 307>(307, 302),
  redirectIsAbsolute: either(true, false),
  redirectKeepsQuery: either(true, false),
  /** The first or the last of the products that share a GTIN, by activation. */
  sharedGtinLeadsTo: either(0, -1),
  serialLeadsToItem: either(true, false),
  notPublic: either(404, 410),
  publicErrorsAreHtml: either(false, true),
  /** Otherwise the public view, with a notice. */
  refusesInvalidToken: either(false, true),
  /** The values that a role may see. */
  visible: either(
    (values: readonly PassportValue[], role: ViewRole) => visibleValues(values, role),
    (values: readonly PassportValue[], role: ViewRole) =>
      visibleValues(values, role).filter(({ access_level }) => access_level !== 'authority'),
  ),
  document: either<(...about: [passport: ShownPassport, context: DocumentContext]) => object>(documentOf, flatDocument),
  documentCountsAsScan: either(false, true),

  // Scan statistics
  listsDaysWithoutScan: either(true, false),
  latestDayFirst: either(false, true),
  listsRolesWithoutScan: either(true, false),
  topProducts: either(10, 1000),
};

/** What the service does where the description leaves it open. */
export type Behaviour = { readonly [Row in keyof typeof table]: (typeof table)[Row]['reference'] };

export type Mode = 'reference' | 'alternative';

export function behaviourOf(mode: Mode): Behaviour {
  return Object.fromEntries(Object.entries(table).map(([row, choices]) => [row, choices[mode]])) as Behaviour;
}

function either<Choice>(reference: Choice, alternative: Choice): Readonly<Record<Mode, Choice>> {
  return { reference, alternative };
}

/** The template of a product group. */
export function templateOf(group: string | null): Template {
  const known: Readonly<Partial<Record<string, Template>>> = templates;
  // The alternative has a group without a template.
  return known[group ?? 'other'] ?? templates.other;
}

/** The content hash of the reference server, which `verifyContentHash` checks. */
function saltedHash({ salt, values }: Version, template_version: number): Promise<string> {
  return sha256(hashedContent(salt, template_version, formsOf(values)));
}

/** A content hash of another form: shortened, and over the number of the version instead of a salt. */
async function numberedHash({ number, values }: Version): Promise<string> {
  const hash = await sha256(JSON.stringify([number, values]));
  return `v${number}-${hash.slice(0, 40).toUpperCase()}`;
}

function messageOf(code: ErrorCode): string {
  return errors[code]?.message ?? code;
}

function lenientQuery({ parameters }: ServedOperation, { values }: SentQuery): SentQuery {
  const firsts = new URLSearchParams();
  for (const [name, value] of values) if (!firsts.has(name)) firsts.set(name, value);
  const status = parameters.find(({ name }) => name === 'status')?.schema.enum;
  if (status && !status.includes(firsts.get('status'))) firsts.delete('status');
  return new SentQuery(`?${firsts}`);
}

/** Product groups that the description names, and one of its own. */
const otherGroups = ['textile', 'battery', 'smartphone', 'computer', 'cable', 'motor', 'tyre', 'packaging', 'chemical'];

function otherSchema(schema: Schema): Schema {
  const { properties } = schema;
  if (!properties?.product_group) return schema;
  const { name, slug, product_group } = properties;
  const { 'x-trim': _, ...untrimmed } = name ?? {};
  const { pattern: __, ...anySlug } = slug ?? {};
  const groups = { type: ['string', 'null'], 'x-extensible-enum': [...otherGroups, 'other', 'instrument'] };
  const { oneOf: ___, ...group } = product_group;
  return {
    ...schema,
    properties: { ...properties, name: untrimmed, slug: anySlug, product_group: { ...group, ...groups } },
  };
}

function surplusOf(given: object, read: unknown): Violation[] {
  const isSurplus = Object.entries(given).some(([name, value]) => value === null || !Object.hasOwn(Object(read), name));
  return isSurplus ? [{ code: 'invalid_request', message: 'A field is not allowed.', whole: false }] : [];
}

const german: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_api_key: 'Der Schlüssel fehlt oder ist ungültig.',
  not_found: 'Das gibt es hier nicht.',
  invalid_json: 'Der Inhalt der Anfrage ist kein JSON.',
  name_required: 'Der Name fehlt.',
  unknown_product_group: 'Diese Produktgruppe gibt es nicht.',
  values_must_be_array: 'Der Inhalt der Anfrage muss eine Liste sein.',
  field_key_required: 'Einem Wert fehlt der Feldschlüssel.',
  internal_error: 'Ein Fehler ist aufgetreten.',
  invalid_gtin: 'Die GTIN ist ungültig.',
  invalid_request: 'Ein Wert der Anfrage ist ungültig.',
  method_not_allowed: 'Diese Methode ist hier nicht möglich.',
  unsupported_media_type: 'Der Inhalt der Anfrage muss JSON sein.',
};

/** Other codes for the errors that the description does not name. */
const germanCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_gtin: 'gtin_ungueltig',
  invalid_request: 'anfrage_ungueltig',
};

/** Names that the description does not have, because it does not name the fields of `product_group` and `model`. */
const renamed: Readonly<Record<string, string>> = { product_group: 'template_key', model: 'variant' };

/**
 * A response body as another provider may send it: the members in another order, more members, without those that are
 * empty and without those that only the reference server has.
 */
function rearrange(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(rearrange);
  if (!isObject(body)) return body;
  const members = Object.entries(body)
    .filter(([name, value]) => !isLeftOut(name, value))
    .map(([name, value]) => [renamed[name] ?? name, name === 'value' ? value : rearrange(value)])
    .reverse();
  return Object.fromEntries('id' in body ? [['revision', 1], ...members] : members);
}

function isLeftOut(name: string, value: unknown): boolean {
  if (name === 'salt') return true;
  if (name === 'unit') return value === null;
  return (name === 'is_unknown' || name === 'needs_review') && value === false;
}

/** Another slug: `Wollmütze Förde` gives `wollmtze_frde`. */
function underscored(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const plain = words.map((word) => word.replace(/[^a-z0-9]/g, '')).filter((word) => word !== '');
  return plain.join('_').slice(0, 40) || 'artikel';
}

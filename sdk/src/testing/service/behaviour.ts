import { canonical } from '../../../../openapi/src/rules/canonical.ts';
import type { Fields } from '../../generated/templates.ts';
import { hasValidCheckDigit } from '../../gtin.ts';
import { hashedFields, sha256 } from '../../hash.ts';
import { contractDocument, flatDocument, type PublicPassport } from './document.ts';
import type { Version, ViewRole } from './records.ts';
import { isObject } from './resource.ts';

const named = {
  ...{ textile: true, battery: true, smartphone: true, computer: true, cable: true, motor: true, tyre: true },
  ...{ packaging: true, chemical: true, other: true },
} as const;

const further: Readonly<Record<Exclude<keyof Fields, keyof typeof named>, true>> = {
  footwear: true,
  furniture: true,
  mattress: true,
  steel: true,
  aluminium: true,
  detergent: true,
  toy: true,
  construction: true,
  tablet: true,
  display: true,
  washing_machine: true,
  refrigerator: true,
  dishwasher: true,
  lighting: true,
  charger: true,
  server: true,
  paint: true,
  lubricant: true,
  jewellery: true,
  cosmetic: true,
  vehicle_part: true,
};

/** The product groups that the description names. */
const namedGroups: readonly string[] = Object.keys(named);

/** The product groups of the reference server. */
const allGroups: readonly string[] = [...namedGroups, ...Object.keys(further)];

/** The required fields of a passport. The service has one template, whatever the product group. */
const requiredKeys = [
  'manufacturer_name',
  'country_of_origin',
  'product_description',
  'recycling_instructions',
] as const satisfies readonly (keyof Fields['other'])[];

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
    (code: ServiceErrorCode) => english[code],
    (code: ServiceErrorCode) => german[code],
  ),
  /** The code of an error that the description does not name. */
  code: either(
    (code: ServiceErrorCode): string => code,
    (code: ServiceErrorCode): string => germanCodes[code] ?? code,
  ),
  challengesForKey: either(true, false),

  // Requests
  refusesUnknownPathWithoutKey: either(true, false),
  refusesWrongMethodWith: either<ServiceErrorCode>('method_not_allowed', 'not_found'),
  acceptsTrailingSlash: either(true, false),
  servesHead: either(true, false),
  refusesOtherContentType: either(true, false),
  refusesRepeatedParameter: either(true, false),
  /** Otherwise a number outside its range is refused. */
  clampsNumbers: either(true, false),
  /** Otherwise the filter is ignored. */
  refusesUnknownStatus: either(true, false),

  // Products
  newestFirst: either(false, true),
  fold: either(
    // Through upper case, because ß has no lower-case form of two letters and ς differs from σ.
    (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC'),
    (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  slugOfName: either(hyphenated, underscored),
  /** The slug for one that the client sent, or `undefined` to refuse it. */
  slugOfSlug: either(
    (slug: string): string | undefined => (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) ? slug : undefined),
    (slug: string): string | undefined => slug.replace(/[^\w~-]/g, '') || undefined,
  ),
  suffixed: either(numbered, (slug: string, nth: number) => `${slug}~${nth - 1}`),
  acceptsNull: either(true, false),
  refusesUnknownMember: either(false, true),
  trim: either(
    (name: string) => name.trim(),
    (name: string) => name,
  ),
  acceptsGtin: either((_gtin: string) => true, hasValidCheckDigit),
  groups: either(new Set(allGroups), new Set([...namedGroups, 'instrument'])),
  registryStatus: either('none', 'not_started'),

  // Passports
  templateVersion: either(2, 7),
  locale: either(
    (country: string): string => (/^(de|at)$/i.test(country) ? 'de' : 'en'),
    () => 'und',
  ),
  acceptsAnyFieldKey: either(true, false),
  writesAllOrNothing: either(true, false),
  /** An update without an access level or a unit does not change it. Otherwise it gets the default. */
  updateIgnoresAbsent: either(true, false),
  /** Otherwise `updated` counts the fields whose value changed. */
  countsUnchanged: either(true, false),
  everyWriteIsAVersion: either(false, true),
  sortsValues: either(true, false),
  completeness: either(
    (answered: ReadonlySet<string>) =>
      Math.floor((100 * requiredKeys.filter((key) => answered.has(key)).length) / requiredKeys.length),
    (answered: ReadonlySet<string>) => answered.size,
  ),
  contentHash: either(saltedHash, numberedHash),

  // Data carriers
  carrierType: either('qr', 'gs1_qr'),
  carrierStatus: either('active', 'printed'),
  carrierTag: either<string | null>(null, '04A2240B3C5D80'),
  linkGtin: either(
    (gtin: string) => gtin.padStart(14, '0'),
    (gtin: string) => gtin,
  ),
  onlyActivatedHaveCarriers: either(true, false),

  // Public side
  redirect: either(307, 302),
  redirectIsAbsolute: either(true, false),
  redirectKeepsQuery: either(true, false),
  /** The first or the last of the products that share a GTIN, by activation. */
  sharedGtinLeadsTo: either(0, -1),
  notPublic: either(404, 410),
  publicErrorsAreHtml: either(false, true),
  /** Otherwise the public view, with a notice. */
  refusesInvalidToken: either(false, true),
  levelsOf: either(
    (role: ViewRole): readonly string[] => levels[role],
    (role: ViewRole): readonly string[] => levels[role].filter((level) => level !== 'authority'),
  ),
  document: either<(passport: PublicPassport) => object>(contractDocument, flatDocument),
  documentCountsAsScan: either(false, true),

  // Scan statistics
  listsDaysWithoutScan: either(true, false),
  latestDayFirst: either(false, true),
  listsRolesWithoutScan: either(true, false),
  topProducts: either(10, 1000),
};

/** The access levels that each role may see. */
const levels: Readonly<Record<ViewRole, readonly string[]>> = {
  consumer: ['public'],
  recycler: ['public', 'restricted'],
  inspector: ['public', 'restricted', 'authority'],
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

/** The content hash of the reference server, which `verifyContentHash` checks. */
function saltedHash({ salt, values }: Version, template_version: number): Promise<string> {
  const hashed = values.map((value) => Object.fromEntries(hashedFields.map((field) => [field, value[field]])));
  return sha256(canonical({ salt, template_version, values: hashed }));
}

/** A content hash of another form: shortened, and over the number of the version instead of a salt. */
async function numberedHash({ number, values }: Version): Promise<string> {
  const hash = await sha256(JSON.stringify([number, values]));
  return `v${number}-${hash.slice(0, 40).toUpperCase()}`;
}

const english: Readonly<Record<ServiceErrorCode, string>> = {
  invalid_api_key: 'The API key is missing, unknown or revoked.',
  not_found: 'The resource does not exist.',
  invalid_json: 'The request body is not valid JSON.',
  name_required: 'name is required: give the product a name.',
  unknown_product_group: 'product_group must be the key of a template.',
  values_must_be_array: 'The request body must be an array of passport values.',
  field_key_required: 'field_key is required in every element: name the template field.',
  internal_error: 'Something went wrong on our side.',
  invalid_gtin: 'gtin must have 8, 12, 13 or 14 digits.',
  invalid_request: 'The request breaks the contract: check the types and the limits of its fields.',
  method_not_allowed: 'This path does not allow this method. The Allow header lists the methods it allows.',
  unsupported_media_type: 'The request body must be application/json.',
};

const german: Readonly<Record<ServiceErrorCode, string>> = {
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
const germanCodes: Readonly<Partial<Record<ServiceErrorCode, string>>> = {
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

const spelled: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ł: 'l', ı: 'i' },
};

/** The reference server's slug of a name: `Wollmütze Förde` gives `wollmuetze-foerde`. */
function hyphenated(name: string): string {
  const letters = Array.from(name.normalize('NFC').toLowerCase(), (letter) => spelled[letter] ?? letter).join('');
  const plain = letters.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  return cut(words.join('-'), 100) || 'product';
}

/** The reference server's slug of the nth product with the same slug. It has at most 100 characters. */
function numbered(slug: string, nth: number): string {
  const suffix = `-${nth}`;
  return cut(slug, 100 - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, '');
}

/** Another slug: `Wollmütze Förde` gives `wollmtze_frde`. */
function underscored(name: string): string {
  const words = name.toLowerCase().split(/[\s_-]+/);
  const plain = words.map((word) => word.replace(/[^a-z0-9]/g, '')).filter((word) => word !== '');
  return plain.join('_').slice(0, 40) || 'artikel';
}

/** All fields of the template. */
export const fieldKeys = [
  ...requiredKeys,
  'model_identifier',
  'product_weight',
  'material_composition',
  'carbon_footprint',
  'warranty_months',
  'repair_instructions',
  'disassembly_instructions',
  'substances_of_concern',
  'test_reports',
] as const satisfies readonly (keyof Fields['other'])[];

/** The kinds of errors, with the reference server's codes. The first eight codes are those of the description. */
export const statuses = {
  invalid_api_key: 401,
  not_found: 404,
  invalid_json: 400,
  name_required: 400,
  unknown_product_group: 400,
  values_must_be_array: 400,
  field_key_required: 400,
  internal_error: 500,
  invalid_gtin: 400,
  invalid_request: 400,
  method_not_allowed: 405,
  unsupported_media_type: 415,
} as const;

export type ServiceErrorCode = keyof typeof statuses;

/** Ends a request with an error response. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ServiceErrorCode, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.code = code;
    this.headers = headers;
  }
}

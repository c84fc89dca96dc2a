import { hasValidCheckDigit } from '../../gtin.ts';
import { numberedHash, saltedHash } from './content-hash.ts';
import { contractDocument, flatDocument, type PublicPassport } from './document.ts';
import { english, german, germanCodes } from './messages.ts';
import { rearrange } from './rearrange.ts';
import type { ViewRole } from './records.ts';
import type { ServiceErrorCode } from './service-error.ts';
import { hyphenated, numbered, underscored } from './slugs.ts';
import { allGroups, namedGroups, requiredKeys } from './template.ts';

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

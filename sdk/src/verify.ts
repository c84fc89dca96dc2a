/**
 * `@product-passport/sdk/verify`: whether the values of a passport are those that its hashes were made of. It sends no
 * requests.
 */
import { enter } from './call-site.ts';
import type { Passport, PassportDocument, PassportValue } from './contract.ts';
import { ArgumentError } from './errors.ts';

export { ArgumentError } from './errors.ts';

/** The result of recomputing a hash. */
export interface HashCheck {
  /** Whether the two hashes are the same. */
  readonly ok: boolean;
  /** The hash that the passport names. */
  readonly expected: string;
  /** The hash of the passport's values, 64 lower-case hexadecimal digits. */
  readonly actual: string;
}

/** The RFC 8785 (JCS) form of what `JSON.parse` gave: its numbers and texts are ECMAScript's, its members sorted. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)}}`;
}

/** Whatever shape the passport has that came from outside: either a hash is compared, or the argument is refused. */
async function check(argument: string, take: () => { expected: unknown; values: unknown }): Promise<HashCheck> {
  let expected: unknown;
  let text = '';
  try {
    const taken = take();
    text = canonical(taken.values);
    expected = taken.expected;
  } catch {} // no hash either, then
  if (typeof expected !== 'string') throw new ArgumentError(argument, 'is not as the contract has it');
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const actual = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { ok: actual === expected, expected, actual };
}

function literal(value: unknown): unknown {
  const node = Object(value);
  return node['@type'] === '@json' ? node['@value'] : (value ?? null);
}

/**
 * Whether a document's public values are those that its `dpp:publicContentHash` was made of, in whichever role it was
 * read. The hash covers the values in `additionalProperty` whose `dpp:accessLevel` is `public`: their `propertyID`,
 * `value`, `unitText`, `dpp:locale` and `dpp:isUnknown`. It does not cover labels, the product's name, or values that
 * are not public; and it is no signature: a change of both values and hash goes undetected.
 *
 * Rejects with an `ArgumentError` if it is not a passport document. Needs `crypto.subtle`, which a browser has only
 * on https pages and localhost.
 */
export function verifyPassport(document: PassportDocument): Promise<HashCheck> {
  const leave = enter(verifyPassport);
  try {
    return check('document', () => ({
      expected: document.hasDigitalProductPassport['dpp:publicContentHash'],
      values: document.additionalProperty
        .filter((property) => property['dpp:accessLevel'] === 'public')
        .map((property) => ({
          field_key: property.propertyID,
          is_unknown: property['dpp:isUnknown'] ?? false,
          locale: property['dpp:locale'],
          unit: property.unitText ?? null,
          // As it stands, also beside `dpp:isUnknown`: a value that was slipped in there must not go unseen.
          value: literal(property.value),
        }))
        .sort((a, b) => ((a.field_key === b.field_key ? a.locale < b.locale : a.field_key < b.field_key) ? -1 : 1)),
    }));
  } finally {
    leave();
  }
}

/** What the content hash is made of; a later service may send more. */
const hashed = [
  'access_level',
  'field_key',
  'is_unknown',
  'locale',
  'needs_review',
  'source',
  'unit',
  'value',
] as const satisfies (keyof PassportValue)[];

/**
 * Whether a passport's values, of every access level, are those that its `content_hash` was made of. It takes a
 * passport that was read with the key, by `passports.get`: a public document lacks some of its fields. The hash covers
 * the random `salt` of the passport's `latest_version`, too.
 * Its `expected` is also what the public document names as `content_hash`, so that the two can be compared.
 *
 * Rejects with an `ArgumentError` if it is not a passport, or if its `latest_version` has no `salt`: the version was made
 * before hashes had one. Needs `crypto.subtle`.
 */
export async function verifyContentHash(passport: Passport): Promise<HashCheck> {
  const leave = enter(verifyContentHash);
  try {
    const salt = passport?.latest_version?.salt;
    if (!salt) throw new ArgumentError('passport', 'has no latest_version.salt: an older hash cannot be checked');
    return check('passport', () => ({
      expected: passport.latest_version.content_hash,
      values: {
        salt,
        template_version: passport.template_version,
        values: passport.values.map((value) => Object.fromEntries(hashed.map((name) => [name, value[name] ?? null]))),
      },
    }));
  } finally {
    leave();
  }
}

/**
 * `@product-passport/sdk/verify`: checks whether the values of a passport match its hashes. It sends no requests.
 */
import { canonical, sha256 } from '../../openapi/src/rules/passport.ts';
import type { Passport, PassportDocument, PassportValue } from './contract.ts';
import { ArgumentError } from './errors.ts';

export { ArgumentError } from './errors.ts';

/** The fields of a value that the content hash covers. A later service may send more. */
const hashedFields = [
  'access_level',
  'field_key',
  'is_unknown',
  'locale',
  'needs_review',
  'source',
  'unit',
  'value',
] as const satisfies (keyof PassportValue)[];

/** The result of recomputing a hash. */
export interface HashCheck {
  /** Whether the two hashes are the same. */
  readonly ok: boolean;
  /** The hash in the passport. */
  readonly expected: string;
  /** The hash of the passport's values, 64 lower-case hexadecimal digits. */
  readonly actual: string;
}

/**
 * Compares the hashes. Throws an `ArgumentError` for any input without a hash, because the passport may be malformed.
 */
async function check(argument: string, take: () => { expected: unknown; values: unknown }): Promise<HashCheck> {
  let expected: unknown;
  let text = '';
  try {
    const taken = take();
    text = canonical(taken.values);
    expected = taken.expected;
  } catch {} // leaves `expected` undefined
  if (typeof expected !== 'string') throw new ArgumentError(argument, 'does not follow the contract');
  const actual = await sha256(text);
  return { ok: actual === expected, expected, actual };
}

function literal(value: unknown): unknown {
  const node = Object(value);
  return node['@type'] === '@json' ? node['@value'] : (value ?? null);
}

/**
 * Checks whether a document's public values match its `dpp:publicContentHash`. The document may be of any view role.
 * The hash covers the values in `additionalProperty` whose `dpp:accessLevel` is `public`: their `propertyID`, `value`,
 * `unitText`, `dpp:locale` and `dpp:isUnknown`. It does not cover labels, the product's name, or values that are not
 * public. The hash is not a signature: a change of both values and hash goes undetected.
 *
 * Rejects with an `ArgumentError` if the argument is not a passport document. Needs `crypto.subtle`, which a browser
 * has only on https pages and localhost.
 */
export function verifyPassport(document: PassportDocument): Promise<HashCheck> {
  return check('document', () => ({
    expected: document.hasDigitalProductPassport['dpp:publicContentHash'],
    values: document.additionalProperty
      .filter((property) => property['dpp:accessLevel'] === 'public')
      .map((property) => ({
        field_key: property.propertyID,
        is_unknown: property['dpp:isUnknown'] ?? false,
        locale: property['dpp:locale'],
        unit: property.unitText ?? null,
        // Hashed even with `dpp:isUnknown`, so that a value added there is detected.
        value: literal(property.value),
      }))
      .sort((a, b) => ((a.field_key === b.field_key ? a.locale < b.locale : a.field_key < b.field_key) ? -1 : 1)),
  }));
}

/**
 * Checks whether a passport's values, of every access level, match its `content_hash`. It takes a passport from
 * `passports.get`, because a public document lacks some of the fields. The hash also covers the random `salt` of the
 * passport's `latest_version`. To compare with the public document, compare `expected` with its `content_hash`.
 *
 * Rejects with an `ArgumentError` if the argument is not a passport, or if its `latest_version` has no `salt`. Needs
 * `crypto.subtle`.
 */
export function verifyContentHash(passport: Passport): Promise<HashCheck> {
  return check('passport', () => {
    const { template_version, values, latest_version } = passport;
    const { salt, content_hash } = latest_version;
    return {
      // Another provider may have no salt. Its hash cannot be checked, which does not mean that it is wrong.
      expected: salt && content_hash,
      values: {
        salt,
        template_version,
        values: values.map((value) => Object.fromEntries(hashedFields.map((name) => [name, value[name] ?? null]))),
      },
    };
  });
}

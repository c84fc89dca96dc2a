/** How to recognise a value of each type that a template names. Pure: the server and the SDK share it. */

interface Kind {
  test(value: unknown): boolean;
  /** What to call it in a message: "must be a list". */
  readonly words: string;
}

const text: Kind = { test: (value) => typeof value === 'string', words: 'a text' };

/** The codes of ISO 3166-1 by their first letters, and XK, which the EU and others use for Kosovo. */
const countries =
  /^(?:A[DEFGILMOQRSTUWXZ]|B[ABDEFGHIJLMNOQRSTVWYZ]|C[ACDFGHIKLMNORUVWXYZ]|D[EJKMOZ]|E[CEGHRST]|F[IJKMOR]|G[ABDEFGHILMNPQRSTUWY]|H[KMNRTU]|I[DELMNOQRST]|J[EMOP]|K[EGHIMNPRWYZ]|L[ABCIKRSTUVY]|M[ACDEFGHKLMNOPQRSTUVWXYZ]|N[ACEFGILOPRUZ]|OM|P[AEFGHKLMNRSTWY]|QA|R[EOSUW]|S[ABCDEGHIJKLMNORSTVXYZ]|T[CDFGHJKLMNORTVWZ]|U[AGMSYZ]|V[ACEGINU]|W[FS]|XK|Y[ET]|Z[AMW])$/;

/** A day or a month that exists: 2026-02-30 does not. */
function isDate(value: unknown): boolean {
  return matches(value, /^\d{4}-\d\d(?:-\d\d)?$/) && new Date(`${value}`).toJSON()?.startsWith(`${value}`) === true;
}

function matches(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value);
}

export const fieldTypes = {
  string: text,
  text,
  contact: text,
  phone: text,
  enum: text,
  url: { test: (value) => matches(value, /^https?:\/\/\S+$/i), words: 'a web address' },
  date: { test: isDate, words: 'a date, as in "2026-12-31", or a month, as in "2026-12"' },
  country_code: {
    test: (value) => matches(value, countries),
    words: 'an ISO 3166-1 country code, such as "DE", "GB" or "GR"',
  },
  number: { test: (value) => Number.isFinite(value), words: 'a number' },
  integer: { test: (value) => Number.isInteger(value), words: 'a whole number' },
  boolean: { test: (value) => typeof value === 'boolean', words: 'true or false' },
  list: { test: (value) => Array.isArray(value), words: 'a list' },
  object: { test: (value) => typeof value === 'object' && value !== null && !Array.isArray(value), words: 'an object' },
} as const satisfies Readonly<Record<string, Kind>>;

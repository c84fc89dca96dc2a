/** How to recognise a value of each type that a template names. Pure: the server and the SDK share it. */

interface Kind {
  test(value: unknown): boolean;
  /** What to call it in a message: "must be a list". */
  readonly words: string;
}

const text: Kind = { test: (value) => typeof value === 'string', words: 'a text' };

function matching(pattern: RegExp, words: string): Kind {
  return { test: (value) => typeof value === 'string' && pattern.test(value), words };
}

export const fieldTypes = {
  string: text,
  text,
  contact: text,
  phone: text,
  enum: text,
  url: matching(/^https?:\/\/\S+$/i, 'a web address'),
  date: matching(/^\d{4}-\d\d-\d\d$/, 'a date, as in "2026-12-31"'),
  country_code: matching(/^[A-Z]{2}$/, 'a country of two letters, as in "DE"'),
  number: { test: Number.isFinite, words: 'a number' },
  integer: { test: Number.isInteger, words: 'a whole number' },
  boolean: { test: (value) => typeof value === 'boolean', words: 'true or false' },
  list: { test: Array.isArray, words: 'a list' },
  object: { test: (value) => typeof value === 'object' && value !== null && !Array.isArray(value), words: 'an object' },
} as const satisfies Readonly<Record<string, Kind>>;

/**
 * The API keys in the pact. A provider makes keys of random bits and cannot be told which, so these stand for them:
 * the states name the placeholder, and the verification puts the issued key in its place. One that no state names is
 * sent as it stands.
 */
export const keys = {
  /** Stands for the tenant's key. */
  valid: placeholder('example-of-a-key-that-works'),
  /** Stands for a key that worked once. */
  revoked: placeholder('example-of-a-key-that-was-revoked'),
  /** Of a key's form; no provider ever issued it. */
  unknown: placeholder('example-of-a-key-that-nobody-has'),
} as const;

/** `ppk_` and 43 characters, as every key. */
function placeholder(words: string): string {
  return `ppk_${words.padEnd(43, '-')}`;
}

/** The same for access tokens, in a query's `zugang`. */
export const tokens = {
  recycler: 'example-of-a-token-of-a-recycler',
  inspector: 'example-of-a-token-of-an-inspector',
  revoked: 'example-of-a-token-that-was-revoked',
} as const;

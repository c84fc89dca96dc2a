/**
 * The API keys in the pact. A provider issues random keys, so the pact has placeholders: the state names the placeholder,
 * and the verification replaces it with the issued key. A placeholder that no state names is sent unchanged.
 */
export const keys = {
  /** The tenant's key. */
  valid: placeholder('example-of-a-key-that-works'),
  /** A key that worked until it was revoked. */
  revoked: placeholder('example-of-a-key-that-was-revoked'),
  /** A well-formed key that no provider issued. */
  unknown: placeholder('example-of-a-key-that-nobody-has'),
} as const;

/** `ppk_` and 43 characters, like every key. */
function placeholder(words: string): string {
  return `ppk_${words.padEnd(43, '-')}`;
}

/** Placeholders for the access tokens in the query parameter `zugang`. */
export const tokens = {
  recycler: 'example-of-a-token-of-a-recycler',
  inspector: 'example-of-a-token-of-an-inspector',
  revoked: 'example-of-a-token-that-was-revoked',
} as const;

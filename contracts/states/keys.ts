/**
 * The values that a provider issues in its states. They differ between providers and runs, so the pact has examples. A
 * verifier sends the value that the state returned instead of its example.
 */
export const keys = {
  /** The tenant's key. */
  valid: wellFormed('example-of-a-key-that-works'),
  /** A key that worked until it was revoked. */
  revoked: wellFormed('example-of-a-key-that-was-revoked'),
  /** A well-formed key that no provider issued. Verifiers send it unchanged. */
  unknown: wellFormed('example-of-a-key-that-nobody-has'),
} as const;

/** `ppk_` and 43 characters, like every key. */
function wellFormed(words: string): string {
  return `ppk_${words.padEnd(43, '-')}`;
}

/** An access token in the query parameter `zugang`. */
export const accessToken = 'example-of-an-access-token';

/** The return values of the states that the pact sends, by name. */
export const examples = {
  api_key: keys.valid,
  revoked_api_key: keys.revoked,
  access_token: accessToken,
} as const;

/** `other_api_key` is for the conformance suite: no interaction of the pact sends it. */
export type ReturnValue = keyof typeof examples | 'other_api_key';

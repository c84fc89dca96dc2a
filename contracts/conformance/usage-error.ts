/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 3. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

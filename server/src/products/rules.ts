/** The product cannot change to this status. The message is for an operator. */
export class LifecycleError extends Error {
  override readonly name: string = 'LifecycleError';
}

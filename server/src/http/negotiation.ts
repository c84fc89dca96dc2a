import Negotiator from 'negotiator';

/** Which of these media types an `Accept` prefers. The first where it wants none of them: nothing is 406. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  return (new Negotiator({ headers: { accept } }).mediaType([...types]) as Type | undefined) ?? types[0];
}

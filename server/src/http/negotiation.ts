import Negotiator from 'negotiator';

/** What follows a media type but its weight: no answer comes in more than one profile or charset. */
const parameters = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"[^"]*"|[^;,"]*)/gi;

/** Which of these media types an `Accept` prefers. The first where it wants none of them: nothing is 406. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const headers = { accept: accept?.replace(parameters, '') };
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}

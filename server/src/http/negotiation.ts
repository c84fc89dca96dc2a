import Negotiator from 'negotiator';

/** The parameters of a media type without its weight. No response comes in more than one profile or charset. */
const parameters = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"[^"]*"|[^;,"]*)/gi;

/** The media type that an `Accept` prefers. If it accepts none of them, the first one: the server never sends 406. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const headers = { accept: accept?.replace(parameters, '') };
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}

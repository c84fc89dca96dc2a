/** Why a product is not published. Pure: the server and the SDK's fake service share it. */
import { type BlockingFinding, isTooOpen } from './blocking.ts';

/** Fields that a message names. */
const maxNamed = 20;

/**
 * Why a passport is not ready, as the message of `not_ready`. It names at most 20 fields.
 *
 * @param missing the keys of the required fields without a value
 */
export function notReadyMessage(blocking: readonly BlockingFinding[], missing: readonly string[]): string {
  const keysOf = (findings: readonly BlockingFinding[]) => new Set(findings.map(({ field_key }) => field_key));
  const open = keysOf(blocking.filter(isTooOpen));
  const unfit = keysOf(blocking.filter((finding) => !isTooOpen(finding)));
  let room = maxNamed;
  const sentence = (start: string, keys: ReadonlySet<string>): string[] => {
    if (keys.size === 0) return [];
    const named = [...keys].slice(0, room);
    room -= named.length;
    const more = keys.size - named.length;
    const rest = more === 0 ? [] : [named.length === 0 ? `${more} fields` : `${more} more`];
    return [`${start}: ${[...named, ...rest].join(', ')}.`];
  };
  return [
    'The passport is not ready.',
    ...sentence('More open than the template', open),
    ...(open.size > 0 ? ['Write their access_level, or name them in open.'] : []),
    ...sentence('Does not fit the template', unfit),
    ...sentence('Required and without a value', new Set(missing)),
    ...(unfit.size + missing.length > 0 ? ['Write these values, or publish it anyway with accept_findings.'] : []),
  ].join(' ');
}

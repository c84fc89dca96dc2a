import { ArgumentError } from './errors.ts';

/**
 * Encodes a value as one segment of a path. Throws an `ArgumentError` for a value that would leave the segment: `..`
 * requests the parent resource, `''` requests the list, and `%2e%2e` or `a%2f..` do the same behind a proxy that
 * decodes once more. Slugs and GTINs never contain these.
 */
export function segment(argument: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$|[/\\%]|\p{Cs}/u.test(value)) {
    throw new ArgumentError(argument, 'must be one segment of a path, without / \\ %');
  }
  return encodeURIComponent(value);
}

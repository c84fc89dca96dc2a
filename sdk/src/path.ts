import { ArgumentError } from './errors.ts';

/**
 * Guards a value that becomes one segment of a path. Without it `..` asks for the parent resource, `''` for the list,
 * and `%2e%2e` or `a%2f..` does the same behind a proxy that decodes once more. Slugs and GTINs have none of these.
 */
export function segment(argument: string, value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$|[/\\%]|\p{Cs}/u.test(value)) {
    throw new ArgumentError(argument, 'must be one segment of a path, without / \\ %');
  }
  return value;
}

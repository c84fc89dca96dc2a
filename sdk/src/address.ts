import { ArgumentError } from './errors.ts';
import { apiRoot } from './generated/requests.ts';

/** The URL of an http(s) address without user and password. `undefined` for any other value. */
export function webUrl(value: string, from?: string): URL | undefined {
  const url = URL.canParse(value, from) ? new URL(value, from) : undefined;
  return url && /^https?:..[^/@]+\//.test(url.href) ? url : undefined;
}

const notWeb = 'must be an http(s) URL without user and password';

/** Like `webUrl`, but throws an `ArgumentError`. The error does not quote the value, which may contain a password. */
export function webAddress(argument: string, value: string): URL {
  const url = webUrl(value);
  if (!url) throw new ArgumentError(argument, notWeb);
  return url;
}

/** The root of the contract's paths, from the address of the API or of the public side. */
export function rootOf(argument: 'baseUrl' | 'siteUrl', address: string): string {
  const href = webUrl(address)?.href;
  const path = href?.replace(/\/$/, '') ?? '';
  const isOfApi = path.endsWith(apiRoot);
  const root = isOfApi ? path.slice(0, -apiRoot.length).replace(/\/+$/, '') : path;
  const isBare = isOfApi === (argument === 'baseUrl') && !/[?#]/.test(root);
  if (href && isBare) return root;
  const rule = argument === 'baseUrl' ? `must end in ${apiRoot}` : `must not contain ${apiRoot}, a query or a fragment`;
  // Neither a user and a password nor a query and a fragment are shown. Any other text may be a key.
  const shown = `${address}`.replace(/[?#].*|.*@/gs, '');
  const got = /:\/\/|\/api\//.test(shown) ? ` (got "${shown}")` : '';
  throw new ArgumentError(argument, `${href ? rule : notWeb}${got}`);
}

/**
 * Encodes a value as one segment of a path. Throws an `ArgumentError` for a value that would leave the segment: `..`
 * requests the parent resource, `''` requests the list, and `%2e%2e` or `a%2f..` do the same if a proxy decodes
 * the path once more. Slugs and GTINs never contain these.
 */
export function segment(argument: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$|[/\\%]|\p{Cs}/u.test(value)) {
    throw new ArgumentError(argument, 'must be one segment of a path, without / \\ %');
  }
  return encodeURIComponent(value);
}

import { ArgumentError } from './errors.ts';

/** An http(s) address without user and password, where the value is one. */
export function webUrl(value: string, from?: string): URL | undefined {
  const url = URL.canParse(value, from) ? new URL(value, from) : undefined;
  return url && /^https?:..[^/@]+\//.test(url.href) ? url : undefined;
}

/** The same, or an error. What is wrong is named, never quoted: it may hold a password. */
export function webAddress(argument: string, value: string): URL {
  const url = webUrl(value);
  if (!url) {
    throw new ArgumentError(argument, 'must be an http(s) URL without user and password');
  }
  return url;
}

/** The root that the contract's paths are joined to, from the address of the API. */
export function rootOfApi(baseUrl: string): string {
  const { href } = webAddress('baseUrl', baseUrl);
  const root = href.replace(/\/api\/v1\/?$/, '');
  if (root === href || /[?#]/.test(root)) throw new ArgumentError('baseUrl', 'must end in /api/v1');
  return root;
}

/** The root that the contract's paths are joined to, from the address of the public side. */
export function rootOfSite(siteUrl: string): string {
  const { href } = webAddress('siteUrl', siteUrl);
  if (/[?#]|\/api\/v1\/?$/.test(href))
    throw new ArgumentError('siteUrl', 'must end before /api/v1, a query or a fragment');
  return href.replace(/\/$/, '');
}

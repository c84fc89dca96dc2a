import { ArgumentError } from './errors.ts';

const prefix = '/api/v1';

/** An http(s) address, where the value is one. */
export function webUrl(value: string, from?: string): URL | undefined {
  const url = URL.canParse(value, from) ? new URL(value, from) : undefined;
  return url && /^https?:/.test(url.href) ? url : undefined;
}

/** An http(s) address. What is wrong is named, never quoted: it may hold a password. */
export function webAddress(argument: string, value: string): URL {
  const url = webUrl(value);
  if (!url || url.username || url.password) {
    throw new ArgumentError(argument, 'must be an http(s) URL without user and password');
  }
  return url;
}

/** Without the slash at its end. */
function root(argument: string, value: string): string {
  const url = webAddress(argument, value);
  if (/[?#]/.test(value)) throw new ArgumentError(argument, 'must not have a query or a fragment');
  return (url.origin + url.pathname).replace(/\/$/, '');
}

/** The root that the contract's paths are joined to, from the address of the API. */
export function rootOfApi(baseUrl: string): string {
  const base = root('baseUrl', baseUrl);
  if (!base.endsWith(prefix)) throw new ArgumentError('baseUrl', `must end in ${prefix}`);
  return base.slice(0, -prefix.length);
}

/** The root that the contract's paths are joined to, from the address of the public side. */
export function rootOfSite(siteUrl: string): string {
  const site = root('siteUrl', siteUrl);
  if (site.endsWith(prefix)) throw new ArgumentError('siteUrl', `must not end in ${prefix}`);
  return site;
}

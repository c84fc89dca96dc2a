import { InvalidArgumentError, Option } from 'commander';

/** `--site-url`, the same for the server and for what is printed to lead to it. */
export function siteUrlOption(description: string): Option {
  return new Option('--site-url <url>', description).env('PRODUCT_PASSPORT_SITE_URL').argParser(siteUrl);
}

function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRoot = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.href === `${url.origin}/`;
  if (!isRoot) throw new InvalidArgumentError('It is scheme and host, for example https://passport.example.com.');
  return url.origin;
}

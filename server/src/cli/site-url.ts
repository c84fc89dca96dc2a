import { InvalidArgumentError, Option } from 'commander';

/** `--site-url` of the server, and of the commands that print links to it. */
export function siteUrlOption(description: string): Option {
  return new Option('--site-url <url>', description).env('PRODUCT_PASSPORT_SITE_URL').argParser(siteUrl);
}

function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRoot = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.href === `${url.origin}/`;
  if (!isRoot)
    throw new InvalidArgumentError('Use the scheme and host only, for example https://passport.example.com.');
  return url.origin;
}

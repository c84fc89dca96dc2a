/** What an address says by itself: its form, its GTIN and its access token. */
import { gtin14 } from '@product-passport/openapi';

/** Why nobody can open the text as a link, as the end of a sentence. `undefined` for a web address. */
export function wrongText(text: string): string | undefined {
  const [, digits = '', others = ''] = /^\s*\(01\)([\d\s]+)(.*)$/s.exec(text) ?? [];
  if (digits !== '') {
    const path = `/01/${digits.replace(/\s/g, '')}${qualifiersIn(others)}`;
    return `is what is printed under a code. Scan the code, or type https://, the host of your links, and ${path}`;
  }
  if (/^\s*(?:\/\/)?(?:(?:[\p{L}\d-]+\.)+[\p{L}\d-]+|localhost)(?::\d+)?(?:[/?#]|\s*$)/iu.test(text)) {
    return `has no https:// at its beginning. Type https://${withoutQuery(text).trim().replace(/^\/\//, '')}`;
  }
  return URL.canParse(text) ? wrongForm(new URL(text)) : 'is not a web address';
}

/** The query may have a token. */
export function withoutQuery(text: string): string {
  return text.replace(/[?#].*$/s, '');
}

/** `(10)A1(21)7` as `/10/A1/21/7`. */
function qualifiersIn(text: string): string {
  const parts = [...text.matchAll(/\((22|10|21|235)\)([^()]+)/g)];
  return parts.map(([, name, value = '']) => `/${name}/${encodeURIComponent(value.trim())}`).join('');
}

/** What no link of the web has. */
export function wrongForm({ protocol, username, password }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return `has the scheme ${protocol} and not https:`;
  return username === '' && password === '' ? undefined : 'has a user name or a password';
}

/** Without the brackets of IPv6 and the final dot of a full name. `URL` has already read octal, hexadecimal and short forms. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

export const digitalLink = /^(.*?)\/01\/([^/]+)(\/.*)?$/s;
export const passportPath = /^.*\/p\/[^/]+\/[^/]+(?=\/(?:index\.html?)?$|$)/s;

/** The part of a link that must be a GTIN. A passport page may have a tenant `01`. */
export function gtinPartOf({ pathname }: URL): string | undefined {
  return passportPath.test(pathname) ? undefined : digitalLink.exec(pathname)?.[2];
}

/** The GTIN of a Digital Link with 14 digits. */
export function gtinOf(url: URL): string | undefined {
  const part = gtinPartOf(url) ?? '';
  return /^(?:\d{8}|\d{12,14})$/.test(part) ? gtin14(part) : undefined;
}

/** The same for an address that may be relative, and for what is not an address. */
export function gtinInAddress(address: string): string | undefined {
  const base = 'https://relative.invalid';
  return URL.canParse(address, base) ? gtinOf(new URL(address, base)) : undefined;
}

export function serialIn(address: string): string | undefined {
  const [, serial] = /\/01\/\d+(?:\/(?:22|10)\/[^/?#]+)*\/21\/([^/?#]+)/.exec(address) ?? [];
  try {
    return serial && decodeURIComponent(serial);
  } catch {
    return serial;
  }
}

/** Only the host of the link may have its access token, and no other may read it on the way. */
export function mayHaveToken({ host, protocol }: URL, link: URL): boolean {
  return host === link.host && (protocol === link.protocol || protocol === 'https:');
}

export function tokenIn(url: URL): string | undefined {
  return [...url.searchParams].find(([name]) => name.toLowerCase() === 'zugang')?.[1];
}

export function withoutToken(url: URL): URL {
  const plain = new URL(url);
  for (const name of [...plain.searchParams.keys()]) {
    if (name.toLowerCase() === 'zugang') plain.searchParams.delete(name);
  }
  return plain;
}

/** Follows a link as a phone that scanned it does, and requests what programs read. The checks judge the responses. */
import type { LookupAddress } from 'node:dns';
import { lookup as lookupHost } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { gtin14 } from '@product-passport/openapi';
import { sendTo } from '../http/connection.ts';
import { type Exchange, jsonIn } from '../http/exchange.ts';
import { textOfPage } from './documents.ts';

/** IANA's special-purpose registries. Of IPv6 only 2000::/3 is public, so the rest holds mapped and NAT64 addresses, too. */
const closedNetworks = new BlockList();
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/3', '4000::/2', '8000::/1'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [address = '', bits] = network.split('/');
  closedNetworks.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Not only private ones: also those of this machine, its links, groups, examples and translations. */
function isClosed(address: string): boolean {
  const plain = address.replace(/%.*$/s, '');
  return closedNetworks.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** Without the brackets of IPv6 and the final dot of a full name. `URL` has already read octal, hexadecimal and short forms. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

interface Guard {
  /** Looks up each host once, so that a request cannot get another address than the one that was judged. */
  readonly lookup: LookupFunction;
  /** Why this address of a redirect or a document must not be requested, as the end of a sentence. */
  refusalOf(url: URL): Promise<string | undefined>;
}

/** For those who check a service of their own network. */
const option = ' (--allow-private allows it)';

const lookupAll = (host: string): Promise<LookupAddress[]> => lookupHost(host, { all: true });

export interface LinkOptions {
  /** Redirects may lead into private networks. */
  readonly isPrivateAllowed: boolean;
  readonly signal: AbortSignal;
  /** Looks up all addresses of a host. Default: the system's. */
  readonly lookup?: (host: string) => Promise<LookupAddress[]>;
}

/** @param given the address on the command line: its host may be private */
function createGuard(given: URL, { isPrivateAllowed, lookup = lookupAll }: LinkOptions): Guard {
  const known = new Map<string, Promise<LookupAddress[]>>();
  const addressesOf = (host: string): Promise<LookupAddress[]> => {
    const found = known.get(host) ?? lookup(host);
    known.set(host, found);
    return found;
  };
  const isGiven = async (url: URL, addresses: readonly LookupAddress[]): Promise<boolean> => {
    if (hostOf(url) === hostOf(given)) return true;
    // 127.0.0.1 is localhost, too. Any other name may get an address of this machine from a stranger.
    const isLiteral = isIP(hostOf(given)) !== 0 || hostOf(given) === 'localhost';
    if (!isLiteral || url.port !== given.port) return false;
    const own = (await addressesOf(hostOf(given))).map(({ address }) => address);
    return addresses.length > 0 && addresses.every(({ address }) => own.includes(address));
  };
  return {
    lookup(host, { all }, found) {
      addressesOf(host.replace(/\.$/, '')).then(
        (addresses) => (all ? found(null, addresses) : found(null, addresses[0]?.address ?? '', addresses[0]?.family)),
        (error) => found(error, []),
      );
    },
    async refusalOf(url) {
      const wrong = wrongForm(url);
      if (wrong !== undefined || isPrivateAllowed) return wrong;
      // A name that does not exist is the failure of its request.
      const addresses = await addressesOf(hostOf(url)).catch(() => []);
      const port = Number(url.port || 443);
      const isOwn = await isGiven(url, addresses);
      const isOfWeb = port >= 1024 || port === 80 || port === 443 || (isOwn && url.port === given.port);
      if (!isOfWeb) return `has the port ${port}, not a port of web pages${option}`;
      if (isOwn) return undefined;
      const closed = addresses.find(({ address }) => isClosed(address))?.address;
      if (closed === undefined) return undefined;
      return `is ${closed === hostOf(url) ? '' : `${closed}, `}not a public address${option}`;
    },
  };
}

/** What no link of the web has. */
export function wrongForm({ protocol, username, password }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return `has the scheme ${protocol} and not https:`;
  return username === '' && password === '' ? undefined : 'has a user name or a password';
}

const limits = {
  requests: 10,
  redirects: 5,
  /** Milliseconds for each request. */
  timeout: 10_000,
  maxBytes: 5 * 1024 * 1024,
} as const;

/** A request that was sent, and its address. */
export interface Visit extends Exchange {
  readonly url: URL;
}

/** Where requests led, and why they ended there. */
interface Journey {
  /** Each but the last is a redirect. */
  readonly visits: readonly Visit[];
  readonly last: Visit;
  /** Why the redirect of the last visit was not followed. */
  readonly blocked?: string;
  /** The redirects are a loop, or too many. */
  readonly isEndless?: boolean;
}

function openRequests(given: URL, options: LinkOptions) {
  const guard = createGuard(given, options);
  const sent: Visit[] = [];
  let redirects = 0;

  /** One request. */
  async function ask(url: URL, accept: string): Promise<Visit> {
    const headers = { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'product-passport-verify' };
    const request = { method: 'GET', path: `${url.pathname}${url.search}`, headers };
    const begin = performance.now();
    const facts = { caseId: 'link', purpose: 'valid', origin: url.origin, url, request } as const;
    const sentAt = new Date().toISOString();
    const { timeout, maxBytes } = limits;
    const { signal } = options;
    const own = { timeout, maxBytes, agent: false, lookup: guard.lookup, decode: textOfPage, signal } as const;
    const outcome =
      sent.length === limits.requests
        ? { failure: `not sent, because a link may take ${limits.requests} requests` }
        : await sendTo(url, request, own).then(
            (response) => ({ response }),
            ({ message }: Error) => ({ failure: message }),
          );
    const visit = { ...facts, ...outcome, sentAt, milliseconds: Math.round(performance.now() - begin) };
    sent.push(visit);
    return visit;
  }

  /** A request, and those of its redirects. */
  async function follow(url: URL, accept: string): Promise<Journey> {
    const visits: Visit[] = [];
    for (let next = url; ; ) {
      const last = await ask(next, accept);
      visits.push(last);
      const target = targetOf(last);
      if (target === undefined) return { visits, last };
      const endless = endlessReason(target, visits);
      if (endless !== undefined) return { visits, last, blocked: endless, isEndless: true };
      const blocked = await guard.refusalOf(target);
      if (blocked !== undefined) return { visits, last, blocked };
      redirects += 1;
      next = target;
    }
  }

  function endlessReason(target: URL, visits: readonly Visit[]): string | undefined {
    if (visits.some(({ url }) => url.href === target.href)) return 'is a loop';
    return redirects === limits.redirects ? `comes after ${limits.redirects} redirects` : undefined;
  }

  /** Where a redirect leads. */
  function targetOf(visit: Visit): URL | undefined {
    const target = redirectOf(visit);
    return target === undefined || mayHaveToken(target, given) ? target : withoutToken(target);
  }

  return { ask, follow, guard, sent };
}

export function isRedirect({ response }: Visit): boolean {
  return [301, 302, 303, 307, 308].includes(response?.status ?? 0);
}

/** The address in a redirect. */
export function redirectOf(visit: Visit): URL | undefined {
  const { url, response } = visit;
  const { location } = response?.headers ?? {};
  if (!isRedirect(visit) || location === undefined) return undefined;
  return URL.canParse(location, url) ? new URL(location, url) : undefined;
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

export type Inspection = Awaited<ReturnType<typeof inspect>>;

/** Where an open redirect would lead. The name cannot exist. */
export const foreignHost = 'open-redirect.invalid';
export const probeQuery = 'verify=1';

const unknownGtin = '09999999999994';

const digitalLink = /^(.*?)\/01\/([^/]+)(\/.*)?$/s;
const passportPath = /^.*\/p\/[^/]+\/[^/]+(?=\/(?:index\.html?)?$|$)/s;

/** The part of a link that must be a GTIN. A passport page may have a tenant `01`. */
export function gtinPartOf({ pathname }: URL): string | undefined {
  return passportPath.test(pathname) ? undefined : digitalLink.exec(pathname)?.[2];
}

function gtinOf(url: URL): string | undefined {
  const part = gtinPartOf(url) ?? '';
  return /^(?:\d{8}|\d{12,14})$/.test(part) ? gtin14(part) : undefined;
}

export async function inspect(link: URL, options: LinkOptions) {
  const { ask, follow, guard, sent } = openRequests(link, options);
  /** In its 14-digit form, if the link is a Digital Link. */
  const gtin = gtinOf(link);
  const journey = await follow(link, 'text/html,application/xhtml+xml,*/*;q=0.8');
  const { visits, last } = journey;
  /** The response that leads away from the Digital Link. */
  const resolver = gtin === undefined ? undefined : visits.findLast(({ url }) => gtinOf(url) === gtin);
  /** The address `/p/{tenant}/{product}` that the link leads to. */
  const passport = visits.map(({ url }) => url).find(({ pathname }) => passportPath.test(pathname));
  const isResolved = resolver !== undefined && redirectOf(resolver) !== undefined;
  const plain = withoutToken(resolver?.url ?? link);
  const whenResolved = async (url: URL, accept: string) => (isResolved ? ask(url, accept) : undefined);
  const probe = await whenResolved(probeOf(plain), 'text/html');
  const unknown = await whenResolved(withUnknownGtin(plain), 'text/html');
  const linkset = await whenResolved(plain, 'application/linkset+json');
  const hasPage = passport !== undefined && last.response?.status === 200;
  const document = hasPage ? await follow(documentOf(passport), 'application/ld+json') : undefined;
  const hrefs = [...(linkset?.response?.text ?? '').matchAll(/"href"\s*:\s*"([^"]+)"/g)].slice(0, 100);
  const targets = hrefs.flatMap(([, href = '']) => (URL.canParse(href, plain) ? [new URL(href, plain)] : []));
  // These addresses are not requested, so their names are not looked up.
  const refusals = await Promise.all(
    targets.map(async (url) => [url.href, isIP(hostOf(url)) ? await guard.refusalOf(url) : wrongForm(url)] as const),
  );
  return {
    ...{ link, gtin, journey, resolver, passport, probe, unknown, linkset, document, sent },
    /** Addresses in the linkset that nobody may open, each with the reason. */
    closedLinks: refusals.filter(([, reason]) => reason !== undefined).map((words) => words.join(' ')),
    json: jsonIn(document?.last.response?.text.replace(/^\uFEFF/, '') ?? ''),
  };
}

function probeOf(link: URL): URL {
  const probe = new URL(link);
  const targets = ['url', 'redirect', 'target', 'next', 'to'].map((name) => `${name}=https%3A%2F%2F${foreignHost}%2F`);
  probe.search = [probe.search.slice(1), probeQuery, ...targets].filter(Boolean).join('&');
  return probe;
}

function withUnknownGtin(link: URL): URL {
  const [, before = ''] = digitalLink.exec(link.pathname) ?? [];
  return new URL(`${before}/01/${unknownGtin}`, link);
}

function documentOf(passport: URL): URL {
  const [path = ''] = passportPath.exec(passport.pathname) ?? [];
  return new URL(`${path}/jsonld`, passport);
}

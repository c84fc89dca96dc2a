/** Which addresses a stranger's link may lead to. A request to any other could reach the network of this machine. */
import type { LookupAddress } from 'node:dns';
import { lookup as lookupHost } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

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

/** Without the brackets of IPv6 and the dot of a whole name. `URL` has already read octal, hexadecimal and short forms. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

export interface Guard {
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
export function createGuard(given: URL, { isPrivateAllowed, lookup = lookupAll }: LinkOptions): Guard {
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

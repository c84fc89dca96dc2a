/** Which addresses a run may request: a stranger's redirect must not lead into the network of the one who checks it. */
import type { LookupAddress } from 'node:dns';
import { lookup as lookupHost } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { proxyFor } from '../http/environment-proxy.ts';
import { hostOf, wrongForm } from './address.ts';

/** IANA's special-purpose registries. Of IPv6 only 2000::/3 is public, so the rest holds mapped and NAT64 addresses, too. */
const closedNetworks = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '::/3', '4000::/2', '8000::/1'],
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]) {
  const [address = '', bits] = network.split('/');
  const family = familyOf(address);
  closedNetworks[family].addSubnet(address, Number(bits), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Not only private ones: also those of this machine, its links, groups, examples and translations. */
function isClosed(address: string): boolean {
  const plain = address.replace(/%.*$/s, '');
  // A list of both families takes an IPv4 address for one of ::/3.
  return closedNetworks[familyOf(plain)].check(plain, familyOf(plain));
}

/** Names that no public DNS has (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`), and names of a single word. */
const closedNames = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$|^[^.:]+$/i;

export interface Guard {
  /** Looks up each host once, so that a request cannot get another address than those that were judged. */
  readonly lookup: LookupFunction;
  /** Why this address of a redirect must not be requested, as the end of a sentence. */
  refusalOf(url: URL): Promise<string | undefined>;
  /** Why not everybody can open this address of a document. It is not requested, so its name is not looked up. */
  closedReason(url: URL): Promise<string | undefined>;
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

/** @param given the address on the command line: its host may be private, and may then lead to itself */
export function createGuard(given: URL, { isPrivateAllowed, lookup = lookupAll }: LinkOptions): Guard {
  const known = new Map<string, Promise<LookupAddress[]>>();
  const addressesOf = (host: string): Promise<LookupAddress[]> => {
    const found = known.get(host) ?? lookup(host);
    known.set(host, found);
    return found;
  };
  // A name that does not exist is the failure of its request.
  const knownOf = (host: string) => addressesOf(host).catch((): LookupAddress[] => []);
  const isGiven = async (url: URL): Promise<boolean> => {
    if (portOf(url) !== portOf(given)) return false;
    if (hostOf(url) === hostOf(given)) return true;
    // 127.0.0.1 is localhost, too. Any other name may get an address of this machine from a stranger.
    if (isIP(hostOf(given)) === 0 && hostOf(given) !== 'localhost') return false;
    if (proxyFor(url)) return false;
    const [addresses = [], own = []] = await Promise.all([url, given].map((one) => knownOf(hostOf(one))));
    return addresses.length > 0 && addresses.every(({ address }) => own.some((one) => one.address === address));
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
      // Its addresses are those that it had from the start.
      if (await isGiven(url)) return undefined;
      const port = portOf(url);
      if (port < 1024 && port !== 80 && port !== 443) {
        return `has the port ${port}, not a port of web pages${option}`;
      }
      // The proxy looks the name up.
      if (proxyFor(url) && isIP(hostOf(url)) === 0) return nameReason(url);
      const closed = (await knownOf(hostOf(url))).find(({ address }) => isClosed(address))?.address;
      if (closed === undefined) return undefined;
      return `is ${closed === hostOf(url) ? '' : `${closed}, `}not a public address${option}`;
    },
    async closedReason(url) {
      if (isIP(hostOf(url)) !== 0) return this.refusalOf(url);
      const wrong = wrongForm(url);
      if (wrong !== undefined || isPrivateAllowed || nameReason(url) === undefined) return wrong;
      return (await isGiven(url)) ? undefined : nameReason(url);
    },
  };
}

function nameReason(url: URL): string | undefined {
  return closedNames.test(hostOf(url)) ? `is not a public address${option}` : undefined;
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'http:' ? 80 : 443));
}

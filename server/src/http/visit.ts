import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request } from '@hapi/hapi';
import { isPrefetch } from '@product-passport/openapi';

/** A request as a visit to the public side. */
export interface Visit {
  /** The client's address. It is hashed before it is stored, and never logged. */
  address: string;
  /** Somebody sees the response: not for HEAD, and not for a prefetch. */
  isView: boolean;
  accept: string | undefined;
  acceptLanguage: string | undefined;
}

/** @param proxies number of our own proxies in front of the server */
export function visitOf(request: Request, proxies: number): Visit {
  const { req } = request.raw;
  const { accept, 'accept-language': acceptLanguage } = req.headers;
  return {
    address: addressOf(req, proxies),
    isView: request.method === 'get' && !isPrefetch((name) => [req.headers[name] ?? []].flat().join(',')),
    accept,
    acceptLanguage,
  };
}

/**
 * The address of the client. Each of our own proxies appends the address that it received the request from to
 * `X-Forwarded-For`. Addresses further to the left come from the client, and are not read.
 */
export function addressOf(request: IncomingMessage, proxies: number): string {
  const direct = request.socket.remoteAddress ?? '';
  if (proxies === 0) return direct;
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join().toLowerCase().split(',');
  const address = forwarded.at(-Math.min(proxies, forwarded.length))?.trim() ?? '';
  return isIP(address) === 0 ? direct : address;
}

/** An IPv4 address, or the first half of an IPv6 address: one household or server usually has all of its second half. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [start = '', end] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::');
  const groups = start === '' ? [] : start.split(':');
  const missing = 8 - groups.length - (end ? end.split(':').length : 0);
  const filled = end === undefined ? groups : [...groups, ...Array<string>(missing).fill('0')];
  return filled.slice(0, 4).join(':');
}

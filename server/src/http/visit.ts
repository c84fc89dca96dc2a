import { isIP } from 'node:net';
import type { Request } from '@hapi/hapi';

/** A request as a visit to the public side. */
export interface Visit {
  /** The client's address. It is hashed before it is stored, and never logged. */
  address: string;
  /** Somebody sees the response: not for HEAD, and not for a prefetch. */
  isView: boolean;
  accept: string | undefined;
  acceptLanguage: string | undefined;
}

/** Headers with which browsers mark a prefetch. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-moz'];

/** @param proxies number of our own proxies in front of the server */
export function visitOf(request: Request, proxies: number): Visit {
  const isPrefetch = purposeHeaders.some((name) => elements(request, name, /[,;]/).includes('prefetch'));
  const { accept, 'accept-language': acceptLanguage } = request.raw.req.headers;
  return {
    address: clientAddress(request, proxies),
    isView: request.method === 'get' && !isPrefetch,
    accept,
    acceptLanguage,
  };
}

/**
 * The address of the client. Each of our own proxies appends the address that it received the request from to
 * `X-Forwarded-For`. The client can write anything further to the left, so that is not read.
 */
function clientAddress(request: Request, proxies: number): string {
  const direct = request.info.remoteAddress;
  const forwarded = proxies === 0 ? [] : elements(request, 'x-forwarded-for', ',').slice(-proxies);
  const [address = ''] = forwarded;
  return isIP(address) === 0 ? direct : address;
}

function elements({ raw }: Request, name: string, separator: RegExp | string): string[] {
  const text = [raw.req.headers[name] ?? []].flat().join(',');
  return text === '' ? [] : text.split(separator).map((element) => element.trim().toLowerCase());
}

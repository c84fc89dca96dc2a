import { isIP } from 'node:net';
import type { Request } from '@hapi/hapi';
import type { Visit } from './handlers.ts';

/** What browsers say when they fetch a page ahead that nobody may ever look at. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-moz'];

/** Who asks, and whether somebody looks: not where only the head is asked for, or the page is fetched ahead. */
export function visitOf(request: Request, proxies: number): Visit {
  const isAhead = purposeHeaders.some((name) => elements(request, name, /[,;]/).includes('prefetch'));
  return {
    address: clientAddress(request, proxies),
    isView: request.method === 'get' && !isAhead,
    acceptLanguage: request.raw.req.headers['accept-language'],
  };
}

/**
 * The address of the client. Each of our own proxies adds to the right of `X-Forwarded-For` whom it got the request
 * from; what stands further left is the client's word, and is not read.
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

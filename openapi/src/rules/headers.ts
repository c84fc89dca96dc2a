/** What the headers of requests and responses mean. Pure: the server and the SDK's fake service share it. */

/** Whether an `If-None-Match` names this tag or `*`. Weak and strong tags match here (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = (ifNoneMatch ?? '').split(',').map(bare);
  return tags.includes('*') || tags.includes(bare(etag));
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

/** The beginnings of API keys, access tokens and control tokens. A client may send one as an id, and ids are logged. */
const secret = /ppk_|eyJ|sandbox_/;

/** Whether a service takes over the `X-Request-Id` of a request. */
export function isRequestId(text: string): boolean {
  return requestIdForm.test(text) && !secret.test(text);
}

/** Headers with which browsers mark a prefetch. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-moz'];

/** @param header the value of a header */
export function isPrefetch(header: (name: string) => string): boolean {
  return purposeHeaders.some((name) =>
    header(name)
      .split(/[,;]/)
      .some((element) => element.trim().toLowerCase() === 'prefetch'),
  );
}

/** Every site may read public responses, and what a client needs to wait and to report. A token in the address must not reach other sites in a `Referer`. */
export function publicHeaders(hasAccessToken: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
    ...(hasAccessToken && { 'referrer-policy': 'no-referrer' }),
  };
}

/** A `Link` header (RFC 8288) to another representation of the same passport. */
export function linkTo(address: string, type: string, ...relations: string[]): string {
  return `<${address}>; rel="${['alternate', ...relations].join(' ')}"; type="${type}"`;
}

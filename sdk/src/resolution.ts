import type { ApiResponse } from './api-promise.ts';
import type { PassportDocument } from './contract.ts';
import { isApiError, type ResponseInfo } from './errors.ts';
import type { FetchResponse } from './fetch.ts';
import type { PublicGet } from './public-get.ts';
import { type Fail, isRedirect, isType, type Read, readObject, type TextResponse, targetOf } from './response.ts';

/** Where a Digital Link leads. */
export interface Resolution {
  /** The address of the passport. Without a `document`, the address of the page for people. */
  readonly url: string;
  /** The passport. `undefined` if the provider has only a page, or a document that does not follow this contract. */
  readonly document: PassportDocument | undefined;
}

export const documentType = 'application/ld+json';
// Without `*/*`, a resolver that has only pages or a linkset could respond with 406.
const accepted = `${documentType},*/*;q=0.1`;

/** The address of the document of the contract's `/p/{tenant}/{product}`. Returns any other address unchanged. */
function documentOf(page: string): string {
  return page.replace(/^([^?#]*\/p\/[^/?#]+\/(?!jsonld(?:[/?#]|$))[^/?#]+)\/?(?=[?#]|$)/, '$1/jsonld');
}

/** Whether the response is something other than JSON, such as a page. */
function isPage(response: FetchResponse): boolean {
  return response.ok && !isType(response, /json/i);
}

/** Reads a passport. Returns `pageOnly` if the document is not a passport. */
function readPassport(received: TextResponse, url: string, fail: Fail, pageOnly: Resolution): Resolution | undefined {
  const found = readObject(received) as (PassportDocument & { linkset?: unknown }) | undefined;
  if (found?.linkset) fail('got a linkset instead. A static mock cannot do this: use the reference server');
  return found && (found.hasDigitalProductPassport ? { url, document: found } : pageOnly);
}

/**
 * Follows a Digital Link to its passport. It checks each redirect before it follows it, so that a link cannot lead a
 * server from https to another scheme. In a browser, `fetch` follows redirects by the browser's own rules.
 *
 * @param link a Digital Link; a `linkType` in it is ignored
 * @param isAllowed whether an address may be requested
 */
export async function resolveLink(
  get: PublicGet,
  link: URL,
  isAllowed: (address: string) => boolean,
): Promise<ApiResponse<Resolution>> {
  link.search = link.search.replace(/(?<=[?&])linktype=[^&]*&?/gi, '');
  const plain = link.href;
  link.searchParams.set('linkType', 'gs1:dpp');
  let url = link.href;
  let page = plain; // the page for people, if no document is found
  let isGuess = false; // whether `url` is derived from a page's address, and may not have a document
  let left = 8; // requests
  const pageOnly = () => ({ url: page, document: undefined });
  const allowed = (to: string | undefined) => (to && left > 1 && isAllowed(to) ? to : undefined);

  /** Returns where the link leads, or the next address. */
  const read: Read = (received, from, fail): Resolution | string | undefined => {
    if (from !== url && !isGuess) page = from;
    if (isRedirect(received.response)) return allowed(targetOf(received.response, from));
    if (isPage(received.response)) return isGuess || documentOf(page) === page ? pageOnly() : from;
    return readPassport(received, from, fail, pageOnly());
  };

  /** Handles a failure: returns the result, or `undefined` to request `url` again, or throws the failure. */
  const recover = (error: Partial<ResponseInfo>): Resolution | undefined => {
    const { status = Infinity } = error;
    if (isGuess && status < 429) return pageOnly();
    // A resolver without this link type responds with 404, and not necessarily as the contract does.
    if (url !== link.href || status !== 404 || isApiError(error)) throw error;
    url = plain;
    return undefined;
  };

  /** Moves on to an address, or to its document. Returns whether that was the last request already. */
  const goTo = (to: string): boolean => {
    const last = url;
    url = documentOf(to);
    if (!isGuess || url !== to) page = to; // The page is not requested: that would count as a scan.
    isGuess ||= url !== to;
    return isGuess && url === last;
  };

  // A failure leads to a page only after a response that led to it.
  let response: FetchResponse | undefined;
  for (; ; left -= 1) {
    const found = await get<Resolution | string>(url, accepted, read, isPage).then((received) => {
      response = received.response;
      return received.value;
    }, recover);
    const value = found && typeof found !== 'object' && goTo(found) ? pageOnly() : found;
    if (typeof value === 'object') return { value, response: response as FetchResponse };
  }
}

import { isRedirect, type Read, readObject, readTarget } from './answer.ts';
import type { PassportDocument } from './contract.ts';
import { isApiError, isPassportError } from './errors.ts';
import type { Decide, Get } from './public-transport.ts';

/** Where a Digital Link leads. */
export interface Resolution {
  /** Where the passport was read; without a `document` the page to open for a person. */
  readonly url: string;
  /** The passport. `undefined` if the provider has only a page, or a document that is not this contract's. */
  readonly document: PassportDocument | undefined;
}

export const documentType = 'application/ld+json';
// A resolver that has only pages, or a linkset, may not refuse with 406.
const accepted = `${documentType},*/*;q=0.1`;

/** The document beside the contract's `/p/{tenant}/{product}`. Any other address as it is. */
function documentOf(page: string): string {
  return page.replace(/^([^?#]*\/p\/[^/?#]+\/(?!jsonld(?:[/?#]|$))[^/?#]+)\/?(?=[?#]|$)/, '$1/jsonld');
}

/** A JSON document, but not the list of links that a resolver sends on request. */
const readLinked: Read = (answer, _url, refuse) => {
  const found = readObject(answer);
  return found?.linkset
    ? refuse('a linkset came instead. A static mock cannot do this: use the reference server')
    : found;
};

/**
 * Follows a Digital Link to its passport. Each redirect is looked at before it is followed, so that a link cannot lead
 * a server from https to anywhere else. A browser hides them and has rules of its own: there `fetch` follows.
 *
 * @param link a Digital Link, whose link type is of no account
 * @param isAllowed whether an address may be asked
 */
export async function resolution(
  get: Get,
  decided: Decide,
  link: URL,
  isAllowed: (address: string) => boolean,
): Promise<Resolution> {
  link.search = link.search.replace(/(?<=[?&])linktype=[^&]*&?/gi, '');
  const plain = link.href;
  link.searchParams.set('linkType', 'gs1:dpp');
  let url = link.href;
  let page = plain; // for a person, if there is no document
  let isGuess = false; // whether `url` is the document that may be beside the page
  for (let left = 8; ; left -= 1) {
    const asked = url;
    let response = await get(asked, accepted);
    if (response.type === 'opaqueredirect') {
      response = await get(asked, accepted, 'follow');
      url = response.url;
      if (!isGuess) page = url;
    }
    const none = { url: page, document: undefined };
    const { ok, status, headers } = response;
    if (ok && !/json/i.test(headers.get('content-type') ?? '')) {
      if (isGuess || documentOf(page) === page) return none;
    } else {
      try {
        const isHop = isRedirect(response);
        const found = (await decided(response, url, isHop ? readTarget : readLinked)) as string & PassportDocument;
        if (!isHop) return found.hasDigitalProductPassport ? { url, document: found } : none;
        if (left < 2 || !isAllowed(found)) await decided(response, url, readObject); // throws: refused
        url = found;
      } catch (error) {
        if (isGuess && status < 429 && isPassportError(error)) return none;
        // A resolver without this link type says 404, and need not say it as the contract does.
        if (status !== 404 || left < 8 || isApiError(error)) throw error;
        url = plain;
        continue;
      }
    }
    const document = documentOf(url);
    if (!isGuess || document !== url) page = url; // It is not fetched: that would count as a scan.
    isGuess ||= document !== url;
    url = document;
    if (isGuess && url === asked) return none;
  }
}

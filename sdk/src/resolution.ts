import { isRedirect, readObject, readTarget } from './answer.ts';
import type { PassportDocument } from './contract.ts';
import { isApiError } from './errors.ts';
import type { Decide, Get } from './public-transport.ts';

/** Where a Digital Link leads. */
export interface Resolution {
  /** Where the passport was read; without a `document` the page to open for a person. */
  readonly url: string;
  /** The passport. `undefined` if the provider has only a page, or a document that is not this contract's. */
  readonly document: PassportDocument | undefined;
}

export const documentType = 'application/ld+json';

/** The document beside the contract's `/p/{tenant}/{product}`. Any other address as it is. */
function documentOf(page: string): string {
  return page.replace(/^([^?#]*\/p\/[^/?#]+\/(?!jsonld(?:[/?#]|$))[^/?#]+)\/?(?=[?#]|$)/, '$1/jsonld');
}

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
  let page = plain; // for a person, where there is no document
  for (let left = 8; ; left -= 1) {
    let response = await get(url, documentType);
    if (response.type === 'opaqueredirect') {
      response = await get(url, documentType, 'follow');
      url = page = response.url;
    }
    const { ok, status, headers } = response;
    const beside = documentOf(page);
    if (isRedirect(response)) {
      page = (await decided(response, url, readTarget)) as string;
      if (left === 1 || !isAllowed(page)) await decided(response, url, readObject); // throws: refused
      url = documentOf(page); // The page itself is not fetched: that would count as a scan.
    } else if (ok && /json/.test(headers.get('content-type') ?? '')) {
      const document = (await decided(response, url, readObject)) as unknown as PassportDocument;
      return document.hasDigitalProductPassport ? { url, document } : { url: page, document: undefined };
    } else if (ok && left > 1 && beside !== page && beside !== url) {
      url = beside;
    } else if (ok || (beside === url && page !== url && status < 429)) {
      return { url: page, document: undefined };
    } else {
      try {
        await decided(response, url, readObject);
      } catch (error) {
        // A resolver without this link type says 404, and need not say it as the contract does.
        if (status !== 404 || left < 8 || isApiError(error)) throw error;
        url = plain;
      }
    }
  }
}

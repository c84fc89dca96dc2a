import { isRedirect, readObject, readTarget } from './answer.ts';
import type { PassportDocument } from './contract.ts';
import { isApiError } from './errors.ts';
import type { Decide, Get } from './public-transport.ts';

/** Where a Digital Link leads. */
export interface Resolution {
  /** Where the passport was read; without a `document` the page that stands there, to be opened by a person. */
  readonly url: string;
  /** The passport. `undefined` where the provider has only a page, or a document that is not this contract's. */
  readonly document: PassportDocument | undefined;
}

export const documentType = 'application/ld+json';
const mostRequests = 8;

/** The address with this query parameter alone of its name, in any case, or with none. The rest stays as it is. */
export function withQuery(address: string, name: string, value?: string): string {
  const url = new URL(address);
  const rest = url.search
    .slice(1)
    .replace(RegExp(`(^|&)${name}=[^&]*`, 'gi'), '')
    .replace(/^&/, '');
  url.search = value === undefined ? rest : `${rest && `${rest}&`}${name}=${value}`;
  return url.href;
}

/** The document of the contract's `/p/{tenant}/{product}`. `undefined` for any other address. */
function documentOf(page: string): string | undefined {
  const document = page.replace(/^([^?#]*[^/]\/p\/[^/?#]+\/(?!jsonld(?:[/?#]|$))[^/?#]+)\/?(?=[?#]|$)/, '$1/jsonld');
  return document === page ? undefined : document;
}

function isDocument(value: unknown): value is PassportDocument {
  const { hasDigitalProductPassport, additionalProperty } = value as Partial<PassportDocument>;
  return typeof hasDigitalProductPassport === 'object' && Array.isArray(additionalProperty);
}

/**
 * Follows a Digital Link to its passport. Each redirect is looked at before it is followed, so that a link cannot lead
 * a server from https to anywhere else. A browser hides them and has rules of its own: there `fetch` follows.
 *
 * @param link a Digital Link, without `linkType`
 * @param isAllowed whether an address may be asked
 */
export async function resolution(
  get: Get,
  decided: Decide,
  link: string,
  isAllowed: (address: string) => boolean,
): Promise<Resolution> {
  let url = withQuery(link, 'linkType', 'gs1:dpp');
  let page: string | undefined; // whose document is being looked for
  const found = (address: string, document?: PassportDocument) => ({ url: withQuery(address, 'linkType'), document });
  for (let requests = 1; ; requests += 1) {
    let response = await get(url, documentType);
    if (response.type === 'opaqueredirect') {
      response = await get(url, documentType, 'follow');
      url = response.url;
    }
    const { ok, status, headers } = response;
    if (isRedirect(response)) {
      const target = (await decided(response, url, readTarget)) as string;
      if (requests === mostRequests || !isAllowed(target)) await decided(response, url, readObject); // throws: refused
      const document = documentOf(target);
      if (document) page = target; // It is not fetched: that would count as a scan.
      url = document ?? target;
    } else if (ok && /json/.test(headers.get('content-type') ?? '')) {
      const document = await decided(response, url, readObject);
      return isDocument(document) ? found(url, document) : found(page ?? url);
    } else if (ok && !page && documentOf(url)) {
      page = url;
      url = documentOf(url) as string;
    } else if (ok || (page && status < 429)) {
      return found(page ?? url);
    } else {
      try {
        await decided(response, url, readObject);
      } catch (error) {
        // A resolver without this link type says 404, and need not say it as the contract does.
        if (status !== 404 || requests > 1 || isApiError(error)) throw error;
        url = link;
      }
    }
  }
}

/** The response to a GS1 Digital Link whose product is known: a redirect, or the list of its links. */
import { ContractError } from './errors.ts';
import type { QueryPart } from './parameters.ts';
import { digitalLink } from './product.ts';
import type { Schemas } from './types.ts';

type Linkset = Schemas['Linkset'];

interface Redirect {
  status: 302 | 307;
  location: string;
  headers: Record<string, string>;
}

interface LinksetRepresentation {
  type: 'application/linkset+json';
  body: Linkset;
  headers: Record<string, string>;
}

export interface DigitalLinkRequest {
  /** Decoded. */
  path: { gtin: string; batch?: string; serial?: string };
  queryParts: readonly QueryPart[];
  /** The media type that the `Accept` of the request prefers. */
  preferred: (types: readonly string[]) => string | undefined;
}

interface LinkedProduct {
  /** The slug of the tenant. */
  tenant: string;
  slug: string;
  name: string;
}

/** @throws ContractError `not_found` if the product has no link of the requested type */
export function linkResponse(
  { tenant, slug, name }: LinkedProduct,
  { path, queryParts, preferred }: DigitalLinkRequest,
  { siteUrl, redirectStatus }: { siteUrl: string; redirectStatus: 302 | 307 },
): Redirect | LinksetRepresentation {
  const anchor = digitalLink(siteUrl, path.gtin);
  const page = `${siteUrl}/p/${tenant}/${slug}`;
  const link = `<${anchor}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`;
  const { linkType, passedOn } = splitLinkType(queryParts);
  const scanned = scannedQuery(path);
  // The address of an item must not stay in a cache.
  const cache = scanned.length > 0 ? { 'cache-control': 'private, no-store' } : {};
  const form = linkType === undefined ? acceptedForm(preferred) : formOfLinkType.get(shortName(linkType));
  const headers = { link, vary: 'Accept', ...cache };
  switch (form) {
    case 'page':
      return {
        status: redirectStatus,
        location: withQuery(page, ...scanned, passedOn),
        headers,
      };
    case 'document':
      return {
        status: redirectStatus,
        location: withQuery(`${page}/jsonld`, passedOn),
        headers,
      };
    case 'linkset':
      return {
        type: 'application/linkset+json',
        body: linksetOf(anchor, name, page),
        headers: { ...headers, link: `${link}, ${linksetContext}` },
      };
    default:
      throw new ContractError(
        'not_found',
        'There is no link of this type. linkType=linkset lists the available links.',
        { link },
      );
  }
}

/** The targets of a link: the page, the JSON-LD document, or the list of all links. */
type Form = 'page' | 'document' | 'linkset';

const linksetContext =
  '<https://ref.gs1.org/standards/resolver/linkset-context>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"';

const formOfLinkType = new Map<string, Form>([
  ['gs1:defaultLink', 'page'],
  ['gs1:pip', 'page'],
  ['gs1:dpp', 'document'],
  ['linkset', 'linkset'],
  ['all', 'linkset'],
]);

/** Clients without a preference get the first one. */
const formOfMediaType = new Map<string, Form>([
  ['text/html', 'page'],
  ['application/ld+json', 'document'],
  ['application/linkset+json', 'linkset'],
]);

/** Shortens the IRI of a link type to the form `gs1:pip`. Older vocabularies had other hosts. */
function shortName(linkType: string): string {
  return linkType.replace(/^https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\//, 'gs1:');
}

/** The form that an `Accept` prefers; the page if it accepts none. */
function acceptedForm(preferred: DigitalLinkRequest['preferred']): Form {
  return formOfMediaType.get(preferred([...formOfMediaType.keys()]) ?? '') ?? 'page';
}

/**
 * Separates the link type from the rest of the query, which is passed on as it was sent: only characters that a URL
 * must not contain are escaped. A link type that is given twice counts as empty.
 */
function splitLinkType(parts: readonly QueryPart[]): { linkType: string | undefined; passedOn: string } {
  const isLinkType = ({ name }: QueryPart): boolean => name.toLowerCase() === 'linktype';
  const linkTypes = parts.filter(isLinkType);
  const others = parts.filter((part) => !isLinkType(part)).map(({ raw }) => raw);
  const escaped = others
    .join('&')
    .replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi, (character) =>
      `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`.toUpperCase(),
    );
  return {
    linkType: linkTypes.length > 1 ? '' : linkTypes[0]?.value,
    passedOn: escaped,
  };
}

/** The batch and the serial number of the scanned code, for the page. They come first, so that they count. */
function scannedQuery(path: DigitalLinkRequest['path']): string[] {
  return (['batch', 'serial'] as const).flatMap((name) => {
    const value = path[name];
    // The server escapes a segment of dots (`http/target.ts`).
    const scanned = value?.replace(/^(?:%2e){1,2}$/i, decodeURIComponent);
    return scanned === undefined ? [] : [`${name}=${encodeURIComponent(scanned)}`];
  });
}

function withQuery(address: string, ...parts: string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? address : `${address}?${query}`;
}

function linksetOf(anchor: string, name: string, page: string): Linkset {
  const title = 'Product passport';
  const document = {
    href: `${page}/jsonld`,
    title: 'Product passport for machines',
    type: 'application/ld+json',
  } as const;
  return {
    linkset: [
      {
        anchor,
        itemDescription: name,
        'https://ref.gs1.org/voc/defaultLink': [{ href: page, title }],
        'https://ref.gs1.org/voc/pip': [{ href: page, title, type: 'text/html' }],
        'https://ref.gs1.org/voc/dpp': [document],
      },
    ],
  };
}

/** The description of the resolver at `/.well-known/gs1resolver`. */
export function resolverDescription(siteUrl: string): Schemas['ResolverDescription'] {
  return {
    name: 'Product Passport Service',
    resolverRoot: siteUrl,
    supportedPrimaryKeys: ['01'],
    supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/', prefix: 'gs1:' }],
    linkTypeDefaultCanBeLinkset: false,
  };
}

/** GS1's character set 82. */
const keyQualifier = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/;

/** Whether a text is a batch or a serial number. */
export function isKeyQualifier(text: string): boolean {
  return keyQualifier.test(text);
}

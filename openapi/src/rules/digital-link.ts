/** The response to a GS1 Digital Link whose product is known: a redirect, or the list of its links. */

import type { Schemas } from './contract.ts';
import { documentAddress, dppAddress, pageAddress } from './document.ts';
import { ContractError } from './errors.ts';
import type { QueryPart } from './http.ts';
import { type Identity, openedBy, opensAs } from './item.ts';
import { keyQualifier } from './passport.ts';
import { digitalLink } from './product.ts';

type Linkset = Schemas['Linkset'];

export interface Redirect {
  status: 302 | 307;
  location: string;
  headers: Record<string, string>;
}

export interface DigitalLinkRequest {
  /** Decoded. */
  path: { gtin: string } & { [Name in KeyQualifier]?: string };
  queryParts: readonly QueryPart[];
  /** The media type that the `Accept` of the request prefers. */
  preferred: (types: readonly string[]) => string | undefined;
}

/** An active product, as Digital Links see it. */
interface Linked extends Identity {
  slug: string;
  name: string;
}

interface LinkedProducts {
  /** The slug of the tenant. */
  tenant: string;
  /** Active products of the tenant with the GTIN, as `openedBy` takes them. */
  products: readonly [Linked, ...Linked[]];
  /** The tenant has an economic operator, so its passports can be read as EN 18222 has it. */
  isOperated: boolean;
}

/** @throws ContractError `not_found` if the product has no link of the requested type */
export function linkResponse(
  linked: LinkedProducts,
  { path, queryParts, preferred }: DigitalLinkRequest,
  { siteUrl, redirectStatus }: { siteUrl: string; redirectStatus: 302 | 307 },
): Redirect | { type: 'application/linkset+json'; body: Linkset; headers: Record<string, string> } {
  const levels = levelsOf(path, siteUrl, linked);
  const [scanned] = levels;
  const link = `<${scanned.anchor}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`;
  const { linkType, passedOn } = splitLinkType(queryParts);
  // The address of an item must not stay in a cache.
  const cache = levels.length > 1 ? { 'cache-control': 'private, no-store' } : {};
  const accepted = formOfMediaType.get(preferred([...formOfMediaType.keys()]) ?? '') ?? 'page';
  const form = linkType === undefined ? accepted : formOfLinkType.get(shortName(linkType));
  const headers = { link, vary: 'Accept', ...cache };
  const target = form === undefined || form === 'linkset' ? undefined : scanned[form];
  if (form === undefined || (linkType !== undefined && form !== 'linkset' && target === undefined)) {
    throw new ContractError('not_found', 'There is no link of this type. linkType=linkset lists the available links.', {
      link,
    });
  }
  // The page says that the passport is that of another item.
  if (form !== 'linkset') {
    return { status: redirectStatus, location: withQuery(target ?? scanned.page, passedOn), headers };
  }
  return {
    type: 'application/linkset+json',
    body: { linkset: levels.map(linksOf) },
    headers: { ...headers, link: `${link}, ${linksetContext}` },
  };
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

/** Clients without a preference, or that accept none of these, get the first one. */
const formOfMediaType = new Map<string, Form>([
  ['text/html', 'page'],
  ['application/ld+json', 'document'],
  ['application/linkset+json', 'linkset'],
]);

/** Shortens the IRI of a link type to the form `gs1:pip`. Older vocabularies had other hosts. */
function shortName(linkType: string): string {
  return linkType.replace(/^https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\//, 'gs1:');
}

/** A query as it was sent: only characters that a URL must not contain are escaped. */
export function sentQueryText(parts: readonly QueryPart[]): string {
  return parts
    .map(({ raw }) => raw)
    .join('&')
    .replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi, (character) =>
      `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`.toUpperCase(),
    );
}

/** Separates the link type from the rest of the query, which is passed on. A link type that is given twice counts as empty. */
function splitLinkType(parts: readonly QueryPart[]): { linkType: string | undefined; passedOn: string } {
  const isLinkType = ({ name }: QueryPart): boolean => name.toLowerCase() === 'linktype';
  const linkTypes = parts.filter(isLinkType);
  const passedOn = sentQueryText(parts.filter((part) => !isLinkType(part)));
  return { linkType: linkTypes.length > 1 ? '' : linkTypes[0]?.value, passedOn };
}

/** What a Digital Link identifies: a product, a variant, a batch or an item. */
interface Level {
  /** Its Digital Link, in GS1's canonical form. */
  anchor: string;
  /** The passport page. The key qualifiers begin its query, so that they count. */
  page: string;
  /** The passport for machines. Absent if it is that of another item. */
  document: string | undefined;
  /** The same as EN 18222 has it. */
  dpp: string | undefined;
  name: string;
}

/** GS1's key qualifiers, with their application identifiers, in GS1's order. */
const qualifiers = { cpv: 22, batch: 10, serial: 21, tpx: 235 } as const;

export type KeyQualifier = keyof typeof qualifiers;
/** The qualifiers by their names in the contract, in GS1's order. */
export const keyQualifiers = Object.keys(qualifiers) as KeyQualifier[];

/** The scanned item, its batch, its variant and its product, as far as the path names them. */
function levelsOf(
  path: DigitalLinkRequest['path'],
  siteUrl: string,
  { tenant, products, isOperated }: LinkedProducts,
): [Level, ...Level[]] {
  let anchor = digitalLink(siteUrl, path.gtin);
  const query: string[] = [];
  const levelOf = (serial?: string): Level => {
    const opened = openedBy(products, serial);
    const passport = { tenant, product: opened.slug };
    const page = withQuery(pageAddress(passport, siteUrl), query.join('&'));
    const isOther = opensAs(opened, serial) === 'other item';
    const document = isOther ? undefined : documentAddress(passport, siteUrl);
    const dpp = isOther || !isOperated ? undefined : dppAddress(passport, siteUrl);
    return { anchor, page, document, dpp, name: opened.name };
  };
  let levels: [Level, ...Level[]] = [levelOf()];
  for (const name of keyQualifiers) {
    // The server escapes a segment of dots (`http/target.ts`).
    const value = path[name]?.replace(/^(?:%2e){1,2}$/i, decodeURIComponent);
    if (value === undefined) continue;
    const text = encodeURIComponent(value);
    anchor += `/${qualifiers[name]}/${text}`;
    query.push(`${name}=${text}`);
    levels = [levelOf(name === 'serial' ? value : undefined), ...levels];
  }
  return levels;
}

function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

function linksOf({ anchor, page, document, dpp, name }: Level): Linkset['linkset'][number] {
  const title = 'Product passport';
  const type = 'application/ld+json' as const;
  return {
    anchor,
    itemDescription: name,
    'https://ref.gs1.org/voc/defaultLink': [{ href: page, title }],
    'https://ref.gs1.org/voc/pip': [{ href: page, title, type: 'text/html' }],
    ...(document === undefined
      ? {}
      : {
          'https://ref.gs1.org/voc/dpp': [
            { href: document, title: 'Product passport for machines', type },
            ...(dpp === undefined
              ? []
              : [{ href: dpp, title: 'Product passport for machines', type: 'application/json' as const }]),
          ],
        }),
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

/** The key qualifiers in the query of a page. A text that GS1 does not allow is left out. */
export function scannedIn(query: readonly QueryPart[]): { [Name in KeyQualifier]?: string } {
  const found = keyQualifiers.flatMap((name) => {
    const value = query.find((part) => part.name === name)?.value;
    const isValid = value !== undefined && keyQualifier.test(value);
    return isValid && (name === 'tpx' || value.length <= 20) ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

/** The GS1 Digital Link resolver. Where it leads comes from the store and the site's own address, never from a request. */
import { digitalLink } from '../carriers/rules.ts';
import type { OperationId } from '../contract/document.ts';
import { ContractError } from '../contract/errors.ts';
import type { components } from '../contract/generated/openapi.ts';
import type { Handlers, Redirect, Representation } from '../http/handlers.ts';
import { preferredType } from '../http/negotiation.ts';
import { findActiveByGtin } from '../products/store.ts';
import type { Services } from '../services.ts';

type Linkset = components['schemas']['Linkset'];

/** The Digital Link of a GTIN, and those that go on with key qualifiers. */
type DigitalLinkOperation = Extract<OperationId, `resolveGtin${string}`>;

export function resolverHandlers({
  database,
  siteUrl,
  redirectStatus,
}: Services): Pick<Handlers, DigitalLinkOperation | 'getResolverDescription'> {
  /** Passports are of a product, so whatever the qualifiers say, the GTIN decides. */
  async function resolve({ path, search, accept }: DigitalLinkRequest): Promise<Redirect | LinksetAnswer> {
    const found = await findActiveByGtin(database, path.gtin);
    if (!found) throw new ContractError('not_found');
    const anchor = digitalLink(siteUrl(), path.gtin);
    const page = `${siteUrl()}/p/${found.tenant_slug}/${found.slug}`;
    const link = `<${anchor}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`;
    const { linkType, passedOn } = readQuery(search);
    const form = linkType === undefined ? acceptedForm(accept) : formOfLinkType.get(shortName(linkType));
    const headers = { link, vary: 'Accept' };
    switch (form) {
      case 'page':
        return { status: redirectStatus, location: page + passedOn, headers };
      case 'document':
        return { status: redirectStatus, location: `${page}/jsonld${passedOn}`, headers };
      case 'linkset':
        return {
          type: 'application/linkset+json',
          body: linksetOf(anchor, found.name, page),
          headers: { ...headers, link: `${link}, ${linksetContext}` },
        };
      default:
        throw new ContractError('not_found', 'There is no link of this type: linkType=linkset lists those there are.', {
          link,
        });
    }
  }

  return {
    resolveGtin: resolve,
    resolveGtinCpv: resolve,
    resolveGtinBatch: resolve,
    resolveGtinSerial: resolve,
    resolveGtinCpvBatch: resolve,
    resolveGtinCpvSerial: resolve,
    resolveGtinBatchSerial: resolve,
    resolveGtinCpvBatchSerial: resolve,
    resolveGtinTpx: resolve,

    async getResolverDescription() {
      const body = {
        name: 'Product Passport Service',
        resolverRoot: siteUrl(),
        supportedPrimaryKeys: ['01' as const],
        supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/' as const, prefix: 'gs1:' as const }],
        linkTypeDefaultCanBeLinkset: false as const,
      };
      return { type: 'application/json', body, headers: {} };
    },
  };
}

type LinksetAnswer = Representation<{ 'application/linkset+json': Linkset }>;

interface DigitalLinkRequest {
  path: { gtin: string };
  search: string;
  accept: string | undefined;
}

/** How a passport is had: as the page, as the document for machines, or as the list of its links. */
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

/** The first one is for those to whom all are the same. */
const formOfMediaType = new Map<string, Form>([
  ['text/html', 'page'],
  ['application/ld+json', 'document'],
  ['application/linkset+json', 'linkset'],
]);

/** A link type as `gs1:pip`, also where it came as an IRI. Older vocabularies had other hosts. */
function shortName(linkType: string): string {
  return linkType.replace(/^https?:\/\/(?:ref\.|www\.)?gs1\.org\/voc\//, 'gs1:');
}

/** What the client accepts best. One that accepts nothing of ours gets the page. */
function acceptedForm(accept: string | undefined): Form {
  return formOfMediaType.get(preferredType(accept, [...formOfMediaType.keys()]) ?? '') ?? 'page';
}

/**
 * The link type that a query asks for, and what of the query is passed on: all the rest, as it was sent. Only what may
 * not stand in an address is escaped. A link type given twice counts as empty.
 */
function readQuery(search: string): { linkType: string | undefined; passedOn: string } {
  const linkTypes: string[] = [];
  const others = search
    .slice(1)
    .split('&')
    .filter((part) => {
      // The `?` is for URLSearchParams, which would take one at the beginning of the part away.
      const [[name, value] = ['', '']] = new URLSearchParams(`?${part}`);
      if (name.toLowerCase() !== 'linktype') return true;
      linkTypes.push(value);
      return false;
    })
    .join('&');
  const escaped = others.replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/gi, (character) =>
    `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`.toUpperCase(),
  );
  return {
    linkType: linkTypes.length > 1 ? '' : linkTypes[0],
    passedOn: escaped === '' ? '' : `?${escaped}`,
  };
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

/** The reads of EN 18222, as its public descriptions say. The passports are those of the pages. */
import {
  ContractError,
  compressed,
  type DataElement,
  type Dpp,
  dppOf,
  elementAt,
  elementSteps,
  instantOf,
  type NamedProduct,
  namedProduct,
  openedBy,
  type PassportPath,
  pageAddress,
  pageOfIds,
  passportPathOf,
  type QueryPart,
  type Redirect,
  type Representation,
  sentQueryText,
} from '@product-passport/openapi';
import { Encoded } from '../http/encoded.ts';
import type { Handlers, Visit } from '../http/handlers.ts';
import { preferredType } from '../http/representation.ts';
import { findVersionAt } from '../passports/published-versions.ts';
import type { Cached } from '../passports/read.ts';
import { findLinked } from '../products/gtins.ts';
import { findSlugs } from '../products/identifiers.ts';
import type { Services } from '../services.ts';
import { templateAt } from '../templates/catalogue.ts';
import { findPublicPassport, type PublicPassport, type Published, readPublishedVersion } from './public-passport.ts';
import { type Rendered, tagOf } from './rendered.ts';

type DppOperation = `readDpp${'ById' | 'ByProductId' | 'IdsByProductIds' | 'VersionByIdAndDate'}` | 'readDataElement';

/** The elements of a passport, to find one of them. */
class Elements implements Cached {
  readonly elements: readonly DataElement[];
  readonly size: number;

  constructor(elements: readonly DataElement[]) {
    this.elements = elements;
    // Objects take several times the memory of their text.
    this.size = 4 * JSON.stringify(elements).length;
  }

  gzipped(): undefined {}
}

export function dppHandlers(services: Services, rendered: Rendered): Pick<Handlers, DppOperation> {
  const { database, siteUrl } = services;

  /** @throws ContractError `not_found`, also if the tenant has no operator */
  async function findAt(path: PassportPath | undefined, zugang: string | undefined): Promise<Published> {
    const published = path && (await findPublicPassport(services, path, zugang));
    if (!published || published.row.economic_operator_id === null) throw new ContractError('not_found');
    return published;
  }

  /** The passport of a product. It is that of the resolver, if that is the product that the identifier names. */
  async function findNamed(named: NamedProduct | undefined, zugang: string | undefined): Promise<Published> {
    if (named === undefined) throw new ContractError('not_found');
    if ('path' in named) {
      const published = await findAt(named.path, zugang);
      const isNamed = named.urn === undefined || named.urn === published.row.unique_product_identifier;
      return isNamed ? published : findAt(undefined, zugang);
    }
    const { gtin, serial = null } = named;
    const linked = await findLinked(database, gtin, named.serial);
    const opened = linked && openedBy(linked.products, named.serial);
    const isNamed = opened && opened.public_serial === serial && Boolean(opened.is_item) === (serial !== null);
    return findAt(isNamed ? { tenant: linked.tenant, product: opened.slug } : undefined, zugang);
  }

  function contextOf({ row }: PublicPassport) {
    return { siteUrl: siteUrl(), fields: templateAt(row.product_group, row.template_version).fields };
  }

  /** The passport, or the way to its page for those who prefer HTML. */
  function responseFor(
    published: Published,
    { representation = 'compressed' }: { representation: Representation | undefined },
    { queryParts, visit }: { queryParts: readonly QueryPart[]; visit: Visit },
  ) {
    const address = siteUrl();
    const headers = { vary: 'accept' };
    if (preferredType(visit.accept, ['application/json', 'text/html']) === 'text/html') {
      const query = sentQueryText(queryParts);
      const location = `${pageAddress(published.path, address)}${query && `?${query}`}`;
      return { status: 307, location, headers } satisfies Redirect;
    }
    const tag = tagOf('dpp', address, published, representation);
    const body = (acceptsGzip: boolean) =>
      rendered({ tag, published, acceptsGzip }, (passport): Encoded<Dpp> => {
        return Encoded.of(dppOf(passport, contextOf(passport), representation));
      });
    return { type: 'application/json' as const, tag, body, headers };
  }

  return {
    async readDppById({ path: { dppId }, query, ...request }) {
      return responseFor(await findAt(passportPathOf(dppId, siteUrl()), query.zugang), query, request);
    },

    async readDppByProductId({ path: { productId }, query, ...request }) {
      return responseFor(await findNamed(namedProduct(productId, siteUrl()), query.zugang), query, request);
    },

    async readDppVersionByIdAndDate({ path: { dppId }, query: { date, representation = 'compressed' } }) {
      const instant = instantOf(date ?? '');
      if (instant === undefined) throw new ContractError('invalid_request', 'date must be a time that exists.');
      const address = siteUrl();
      const published = await findAt(passportPathOf(dppId, address), undefined);
      const { tenant_id: tenantId, id: productId } = published.row;
      const version = await findVersionAt(database, { tenantId, productId, instant });
      if (version === undefined) throw new ContractError('not_found');
      const tag = tagOf('dpp version', address, published, String(version), representation);
      const body = (acceptsGzip: boolean) =>
        rendered(
          { tag, published, acceptsGzip },
          (passport): Encoded<Dpp> => Encoded.of(dppOf(passport, contextOf(passport), representation)),
          () => readPublishedVersion(services, published, version),
        );
      // Before ETags are compared: a version that is not public has a 404.
      await body(false);
      return { type: 'application/json', tag, body, headers: {} };
    },

    async readDataElement({ path: { dppId, elementIdPath }, query: { zugang, representation = 'compressed' } }) {
      const steps = elementSteps(elementIdPath);
      if (!steps) throw new ContractError('invalid_request', "elementIdPath must be a path such as $['a'][0] or $.a.");
      const address = siteUrl();
      const published = await findAt(passportPathOf(dppId, address), zugang);
      const { elements } = await rendered({ tag: tagOf('dpp elements', address, published), published }, (passport) => {
        return new Elements(dppOf(passport, contextOf(passport), 'full').elements ?? []);
      });
      const element = elementAt(elements, steps);
      if (!element) throw new ContractError('not_found');
      const text = JSON.stringify(representation === 'full' ? element : compressed(element));
      return {
        type: 'application/json',
        tag: tagOf('dpp element', address, published, elementIdPath, representation),
        body: async () => Encoded.ofJson(text),
        headers: {},
      };
    },

    async readDppIdsByProductIds({ body, query }) {
      const page = await pageOfIds(body, query, siteUrl(), (named) => findSlugs(database, named));
      return { type: 'application/json', ...page };
    },
  };
}

import {
  ContractError,
  dayOf,
  documentAddress,
  dppAddress,
  linkTo,
  opensAs,
  type PassportPath,
  pageAddress,
  type Schemas,
  scannedIn,
} from '@product-passport/openapi';
import { Encoded, Gapped } from '../http/encoded.ts';
import type { Handlers, Visit } from '../http/handlers.ts';
import { type Language, languageOf } from '../languages/languages.ts';
import type { PassportCache } from '../passports/read.ts';
import { findActiveItem, hasActiveItem } from '../products/gtins.ts';
import type { ScanRecorder } from '../scans/recorder.ts';
import { isCounted } from '../scans/recorder.ts';
import type { Services } from '../services.ts';
import { otherItemPage } from './other-item.ts';
import { toneStyleOf } from './palette.ts';
import { passportPage } from './passport-page.ts';
import { findPublicPassport, type Published, passportDocument, readPublishedVersion } from './public-passport.ts';
import { type Rendered, tagOf } from './rendered.ts';
import { pageHeaders, pageVary, passportHeaders, type Render } from './rendering.ts';
import { isOfItem, type RequestParts, requestPartsOf, withGaps, withRequestParts } from './request-parts.ts';

/** How the number of a version is written. */
const versionForm = /^[1-9][0-9]{0,8}$/;

export function siteHandlers(
  services: Services,
  {
    recorder,
    render,
    cache,
    rendered,
  }: { recorder: ScanRecorder; render: Render; cache: PassportCache; rendered: Rendered },
): Pick<Handlers, 'getPassportPage' | 'getPassportJsonld'> {
  const { siteUrl, now } = services;

  /**
   * The JSON-LD representation, with a link to the page.
   *
   * @param labels the language of the labels
   * @param isFile a file for people, with one member on each line
   */
  function documentOf(published: Published, labels: string, isFile = false) {
    const address = siteUrl();
    const tag = tagOf(isFile ? 'file' : 'document', address, published, labels);
    const name = `${published.path.product}.jsonld`;
    return {
      type: 'application/ld+json' as const,
      tag,
      body: (acceptsGzip: boolean) =>
        rendered({ tag, published, acceptsGzip }, (passport): Encoded<Schemas['PassportDocument']> => {
          const document = passportDocument(passport, address, labels);
          return isFile ? Encoded.ofJson(`${JSON.stringify(document, null, 2)}\n`) : Encoded.of(document);
        }),
      headers: {
        ...{
          vary: 'accept-language',
          link: linksOf(published, linkTo(pageAddress(published.path, address), 'text/html')),
        },
        ...(isFile && { 'content-disposition': `attachment; filename="${name}"` }),
      },
    };
  }

  /** The JSON-LD representation of a version. It is read before ETags are compared: a version that is not public has a 404. */
  async function versionOf(published: Published, text: string, labels: string) {
    const version = versionForm.test(text) ? Number(text) : 0;
    if (version < 1 || version > published.row.version) throw new ContractError('not_found');
    const address = siteUrl();
    const everybody: Published = { ...published, view: { ...published.view, role: 'consumer' } };
    const tag = tagOf('version', address, everybody, text, labels);
    const own = documentAddress(published.path, address, version);
    const body = (acceptsGzip: boolean) =>
      rendered(
        { tag, published, acceptsGzip },
        (passport) => Encoded.of(passportDocument(passport, address, labels, own)),
        () => readPublishedVersion(services, everybody, version),
      );
    await body(false);
    return { ...documentOf(published, labels), tag, body };
  }

  /**
   * The passport that a page shows: that of the address, or that of the item with the requested serial number. An old
   * redirect or a bookmark leads to the model or to another item.
   */
  async function findRequested(path: PassportPath, zugang: string | undefined, serial: string | undefined) {
    const published = await findPublicPassport(services, path, zugang);
    if (serial === undefined || serial === published.row.public_serial) return published;
    const item = await findActiveItem(services.database, published.row, serial);
    return item ? findPublicPassport(services, { ...path, product: item.slug }, zugang) : published;
  }

  /** The `Link` header: the other representation, and the read of EN 18222 if the tenant has an economic operator. */
  function linksOf({ path, row }: Published, link: string): string {
    if (row.economic_operator_id === null) return link;
    return `${link}, ${linkTo(dppAddress(path, siteUrl()), 'application/json')}`;
  }

  /** The page of an item that is asked for with the serial number of another one. It is HTML whatever the client prefers. */
  function otherItem(published: Published, parts: RequestParts, language: Language) {
    const { row } = published;
    const hasToken = parts.zugang !== undefined;
    const tag = tagOf('other item', siteUrl(), published, language, String(hasToken));
    return {
      type: 'text/html' as const,
      body: async (acceptsGzip: boolean) => {
        const get = () =>
          cache.get(tag, async () => withGaps(render('other-item', otherItemPage(published, { language, hasToken }))));
        const page = await (acceptsGzip ? cache.gzipped(tag, get) : get());
        const scanned = { language, group: row.product_group, opens: 'other item', serial: null } as const;
        return withRequestParts(page, parts, scanned);
      },
      headers: { ...pageHeaders(language, { style: toneStyleOf(row.color) }), ...cacheOf(parts) },
    };
  }

  /** The page of a passport. */
  async function pageOf(published: Published, parts: RequestParts, language: Language, visit: Visit) {
    const address = siteUrl();
    const { path, row, view } = published;
    const opens = opensAs(row, parts.serial);
    const counts = isCounted(services, row);
    const today = dayOf(now());
    // An inspector's page says what is missing today.
    const day = view.role === 'inspector' ? today : undefined;
    const hasItems = parts.serial !== undefined && opens === 'model' && (await hasActiveItem(services.database, row));
    const shown = { counts, hasToken: parts.zugang !== undefined, isOfItem: isOfItem(parts), hasItems };
    const tag = tagOf('page', address, published, language, JSON.stringify(shown), day);
    const record = (): Promise<void> =>
      recorder.record({
        tenantId: row.tenant_id,
        productId: row.id,
        at: now(),
        role: view.role,
        address: visit.address,
      });
    return {
      type: 'text/html' as const,
      ...(isOfItem(parts) ? {} : { tag }),
      body: async (acceptsGzip: boolean) => {
        const options = { language, siteUrl: address, ...shown, today };
        const page = await rendered({ tag, published, acceptsGzip }, async (passport) => {
          const html = render('passport', await passportPage(passport, options));
          return shown.hasToken || shown.isOfItem ? withGaps(html) : Encoded.of(html);
        });
        const scanned = { language, group: row.product_group, opens, serial: row.public_serial };
        return page instanceof Gapped ? withRequestParts(page, parts, scanned) : page;
      },
      headers: {
        ...passportHeaders(language, row.color),
        ...cacheOf(parts),
        link: linksOf(published, linkTo(`${pageAddress(path, address)}/jsonld`, 'application/ld+json', 'dpp')),
      },
      // Commits the scan before the page is sent, if it can be stored in time.
      ...(visit.isView && counts ? { beforeSent: record } : {}),
    };
  }

  return {
    async getPassportPage({ path, query: { zugang, lang }, queryParts, visit, mediaType }) {
      const published = await findRequested(path, zugang, scannedIn(queryParts).serial);
      // Links leave out a token that is not valid: all of them have the same page.
      const parts = requestPartsOf(queryParts, published.view.refused ? undefined : zugang);
      const language = languageOf(lang, visit.acceptLanguage, published.row.language);
      if (opensAs(published.row, parts.serial) === 'other item') return otherItem(published, parts, language);
      if (mediaType === 'application/ld+json') {
        const { headers, tag, ...document } = documentOf(published, language);
        return {
          ...document,
          ...(isOfItem(parts) ? {} : { tag }),
          headers: { ...headers, vary: pageVary, ...cacheOf(parts) },
        };
      }
      return pageOf(published, parts, language, visit);
    },

    async getPassportJsonld({ path, query: { zugang, version, lang }, queryParts, visit }) {
      const published = await findPublicPassport(services, path, zugang);
      if (opensAs(published.row, scannedIn(queryParts).serial) === 'other item') throw new ContractError('not_found');
      const labels = languageOf(lang, visit.acceptLanguage, published.row.language);
      if (version !== undefined) return versionOf(published, version, labels);
      const isFile = queryParts.some(({ name }) => name === 'download');
      return documentOf(published, labels, isFile);
    },
  };
}

/** No cache may have the number of an item. */
function cacheOf(parts: RequestParts): Record<string, string> {
  return isOfItem(parts) ? { 'cache-control': 'private, no-store' } : {};
}

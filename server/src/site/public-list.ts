/** `/p/{tenant}`: the active products of a tenant that opened its public list. Items are counted, and found by their numbers. */
import type { Plugin } from '@hapi/hapi';
import { ContractError, fold, keyQualifier, type Serials } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { columnsOf, statement, textsOf } from '../database/statement.ts';
import { Encoded } from '../http/encoded.ts';
import { representationOf } from '../http/representation.ts';
import { queryOf } from '../http/target.ts';
import { imageOf, withImages } from '../images/store.ts';
import { fill, inLanguage, type Language, languageOf, texts } from '../languages/languages.ts';
import { activeWithGtin, listProducts } from '../products/list.ts';
import { type FoundPage, type Page, type Product, type ProductListItem, readCounts } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { TenantQueue } from '../tenants/queue.ts';
import { findListedTenant, type ListedTenant } from '../tenants/store.ts';
import { type Pictured, shownPicture } from './image.ts';
import { brandOf, footerOf, translations } from './page.ts';
import { toneStyleOf } from './palette.ts';
import { emblemOf } from './pictures.ts';
import { pageHeaders, type Render } from './rendering.ts';
import { addSitemap, type SitemapOptions } from './sitemap.ts';
import { presenterOf } from './values.ts';

/** Characters of a search. */
const maxSearchLength = 200;

/** Page numbers that are read from a query. */
const maxPage = 1_000_000_000;

/** Serves `/p/{tenant}`, a page, and the site map. A tenant without an open list gets the same 404 as an unknown one. */
export const publicListPlugin: Plugin<SitemapOptions & { render: Render }> = {
  name: 'public-list',
  register(server, options) {
    const { database, siteUrl, render, cache } = options;
    // Searches without a key must not take the connections from requests with one.
    const searches = new TenantQueue({ atOnce: 1, inAll: 2, waiting: 50 });
    addSitemap(server, options, searches);
    server.route({
      method: 'GET',
      path: '/p/{tenant}',
      // Its errors, also those of other methods, are those of an unknown address.
      options: { app: { errors: 'preferred' } },
      async handler(request, h) {
        const acceptLanguage = request.raw.req.headers['accept-language'];
        const tenant = await findListedTenant(database, String(request.params.tenant));
        if (!tenant) throw new ContractError('not_found');
        const { values } = queryOf(request);
        const asked = listRequestOf(values);
        const found = await searches.run(tenant.id, () => find(database, tenant.id, asked));
        const language = languageOf(values.get('lang') ?? undefined, acceptLanguage, tenant.language);
        const page = publicListPage(tenant, asked.search, found, { language, siteUrl: siteUrl() });
        const html = Encoded.of(render('public-list', page));
        const common = pageHeaders(language, { style: toneStyleOf(tenant.color), form: 'self' });
        const headers = { ...common, vary: 'accept-language' };
        const { tag } = html;
        // Anybody can invent searches, so their pages take no place in the cache.
        const isCached = asked.search === '';
        const body = async (acceptsGzip: boolean) =>
          acceptsGzip && isCached ? cache.gzipped(tag, async () => html) : html;
        return representationOf({ type: 'text/html', tag, body, headers }, request, h);
      },
    });
  },
};

/** The search and the page of a query. What is not the number of a page is the first one. */
function listRequestOf(values: URLSearchParams): ListRequest {
  const search = Array.from((values.get('search') ?? '').trim())
    .slice(0, maxSearchLength)
    .join('');
  const page = values.get('page') ?? '';
  // A search that folds to nothing does not filter.
  const isEmpty = fold(search) === '';
  return { search: isEmpty ? '' : search, number: /^[1-9][0-9]*$/.test(page) ? Math.min(Number(page), maxPage) : 1 };
}

/** GTINs are written in groups, too. */
const gtinForm = /^(?:\d{8}|\d{12,14})$/;

/** The products of a page; of the last page, if there are fewer. Items are not listed. */
async function find(database: Knex, tenantId: string, { search, number }: ListRequest) {
  const first = await read(database, tenantId, search, number);
  const last = Math.max(Math.ceil(first.total / pageSize), 1);
  const { items, total, isNumber } = number > last ? await read(database, tenantId, search, last) : first;
  const shown = await withLooks(database, tenantId, JSON.parse(String(items)));
  const { active_items: singles } = await readCounts(database, tenantId);
  return { items: shown, total, last, number: Math.min(number, last), isNumber, singles };
}

/** One page. A GTIN, and then the public serial number of an item, find their products before names do. */
async function read(database: Knex, tenantId: string, search: string, number: number) {
  const page = { limit: pageSize, offset: (number - 1) * pageSize };
  const same = await withNumber(database, tenantId, search, page);
  if (same && same.total > 0) return { ...same, isNumber: true };
  const models = { status: 'active', serial: '', search } as const;
  return { ...(await listProducts(database, tenantId, models, page)), isNumber: false };
}

async function withNumber(
  database: Knex,
  tenantId: string,
  search: string,
  page: Page,
): Promise<FoundPage | undefined> {
  const gtin = fold(search).replaceAll(/[\s-]/g, '');
  const same = gtinForm.test(gtin) ? await activeWithGtin(database, tenantId, gtin, page) : undefined;
  // Other texts are no serial number of a link, so no item has them as its public one.
  if ((same && same.total > 0) || !keyQualifier.test(search)) return same;
  return listProducts(database, tenantId, { status: 'active', publicSerial: search }, page);
}

/** What a list shows of a product next to its name. */
type Look = Pick<Product, 'id' | 'product_group'> & Pick<Serials, 'public_serial'> & Pictured;

const looksOf = statement<Look, { tenantId: string; ids: string }>((database, { tenantId, ids }) =>
  withImages(database, database('products'), tenantId)
    .where('products.tenant_id', tenantId)
    .whereRaw(`products.id IN (${textsOf(database)})`, ids)
    .select({ ...columnsOf('products', ['id', 'product_group', 'public_serial']), ...imageOf }),
);

async function withLooks(
  database: Knex,
  tenantId: string,
  items: ProductListItem[],
): Promise<(ProductListItem & Look)[]> {
  const rows = await looksOf.all(database, { tenantId, ids: JSON.stringify(items.map(({ id }) => id)) });
  const looks = new Map(rows.map((row) => [row.id, row]));
  return items.flatMap((item) => {
    const look = looks.get(item.id);
    return look ? [{ ...item, ...look }] : [];
  });
}

/** Products on one page. */
const pageSize = 30;

/** What a reader asks for: the pages are numbered from 1, and an empty search finds all products. */
interface ListRequest {
  search: string;
  number: number;
}

function publicListPage(
  tenant: ListedTenant,
  search: string,
  { items, total, last, number, isNumber, singles }: Awaited<ReturnType<typeof find>>,
  { language, siteUrl }: { language: Language; siteUrl: string },
) {
  const text = texts[language];
  const presenter = presenterOf(language);
  const path = `/p/${tenant.slug}`;
  const title = fill(text.list.title, { name: tenant.name });
  const queryOf = (page: number): Record<string, string> => ({
    ...(search === '' ? {} : { search }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  const own = new URLSearchParams(queryOf(number)).toString();
  const hrefOf = (query: Record<string, string>): string =>
    `${path}?${new URLSearchParams({ lang: language, ...query })}`;
  const way = (shown: boolean, words: string, page: number, relation?: 'next' | 'prev') =>
    shown ? [{ text: words, href: hrefOf(queryOf(page)), relation }] : [];
  const count = presenter.counted(search === '' || isNumber ? text.list.count : text.list.found, total, { search });
  const counts = search === '' && singles > 0 ? [count, presenter.counted(text.list.items, singles)] : [count];
  const place = fill(text.list.page, { page: presenter.number(number), pages: presenter.number(last) });
  return {
    language,
    text,
    title,
    name: tenant.name,
    brand: brandOf(tenant.slug, tenant),
    footer: footerOf(tenant, language),
    translations: translations(queryOf(number)),
    description: fill(text.list.description, { name: tenant.name }),
    canonical: `${siteUrl}${path}${own === '' ? '' : `?${own}`}`,
    // Search engines index the list, not its searches.
    isPrivate: search !== '',
    // The address of the list without a query.
    path,
    search,
    summary: (last === 1 ? counts : [...counts, place]).join(' · '),
    isEmpty: search === '' && singles === 0,
    products: items.map((item) => ({
      name: item.name,
      href: `${path}/${item.slug}?lang=${language}`,
      group: inLanguage(templateOf(item.product_group).title, language),
      gtin: item.gtin,
      serial: item.public_serial === null ? undefined : fill(text.scanned.serial, { code: item.public_serial }),
      image: shownPicture({ tenant: tenant.slug, product: item.slug }, item),
      // In place of an image.
      emblem: emblemOf(item.product_group),
    })),
    nameLanguage: tenant.language,
    // Links to the other pages and to the whole list.
    ways: [
      ...way(number > 2, text.list.first, 1),
      ...way(number > 1, text.list.previous, number - 1, 'prev'),
      ...way(number < last, text.list.next, number + 1, 'next'),
      ...way(number < last - 1, text.list.last, last),
      ...(search === '' ? [] : [{ text: text.list.all, href: hrefOf({}), relation: undefined }]),
    ],
  };
}

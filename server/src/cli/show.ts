/** Shows one product: its status, what is missing, carriers and versions. */
import { dayOf, digitalLink } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { listCarriers } from '../carriers/store.ts';
import { findImage } from '../images/store.ts';
import { listVersions, type PastVersion } from '../passports/published-versions.ts';
import type { Product } from '../products/store.ts';
import { aboutOf, kindOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { siteOf } from './database.ts';
import { findingTables, missingTable, reviewOf } from './review.ts';
import { facts, section } from './table.ts';

/** Versions that are shown. */
const maxVersions = 20;

export async function readShown(
  database: Knex,
  tenant: Tenant,
  product: Product,
  options: { siteUrl: string | undefined; on: string | undefined },
) {
  const siteUrl = await siteOf(database, options);
  const review = await reviewOf(database, tenant, product, options.on);
  const { on, template, required, missing, rules, exempt, findings, unknown } = review;
  const shown = {
    product,
    /** The address of the page without scheme and host if the site is not known; `null` if the product is not public. */
    public_url: product.status === 'active' ? `${siteUrl ?? ''}/p/${tenant.slug}/${product.slug}` : null,
    /** `null` if the product has no GTIN, or the site is not known. */
    gs1_digital_link: product.gtin === null || siteUrl === undefined ? null : digitalLink(siteUrl, product.gtin),
    image: (await findImage(database, tenant.id, product.id)) ?? null,
    /** The day of the next members. The product's `completeness` is that of the day of its latest version. */
    on,
    required_fields: required.length,
    missing_fields: missing.map((field) => {
      const { key, label, type, unit } = field;
      const points = rules.get(key)?.points ?? [];
      /** The mandatory data points that it leaves open. */
      const data_points = points.map(({ number, source }) => ({ number, source }));
      return { key, label: label.en, type, unit, kind: kindOf(field), data_points };
    }),
    /** The values name a category that needs no passport. */
    needs_no_passport: exempt !== undefined,
    /** The official list of the data points; `null`: the template has none. */
    data_points: template.data_points ? aboutOf(template.data_points) : null,
    findings,
    /** The fields that the template does not have, and the closest one of the template. */
    unknown_fields: unknown,
    carriers: await listCarriers(database, tenant.id, product.id),
    versions: await listVersions(database, tenant.id, product.id, maxVersions),
  };
  return { shown, review };
}
type Shown = Awaited<ReturnType<typeof readShown>>;

export function shownLines({ shown, review }: Shown): string[] {
  const { product, image, required_fields: required, missing_fields: missing } = shown;
  const versionedOn = dayOf(shown.versions[0]?.created_at ?? product.created_at);
  const registration = product.registry_id === null ? '' : ` (${product.registry_id})`;
  const lines: [string, string][] = [
    ['Product', `${product.slug}  ${product.name}`],
    ['Status', product.status],
    ['Public page', pageOf(shown)],
    ['Digital Link', shown.gs1_digital_link ?? (product.gtin === null ? 'none: no GTIN' : 'add --site-url to see it')],
    ['GTIN', product.gtin ?? 'none'],
    ['Group', product.product_group ?? 'none: the template of the group other applies'],
    ['Registry', `${product.registry_status}${registration}`],
    ['Complete', `${product.completeness} % on ${versionedOn}, the day of the latest version`],
    ['Answered', `${required - missing.length} of ${required} required fields on ${shown.on}`],
    ['Image', image ? `${image.width} × ${image.height} pixels, ${image.alt ?? 'described by the name'}` : 'none'],
    ['Versions', versionsOf(shown.versions)],
  ];
  const carriers = shown.carriers.map(({ id, type, status, created_at }) => [id, type, status, created_at]);
  return [
    ...facts(lines),
    ...missingTable(review),
    ...findingTables(review),
    ...section(['ID', 'TYPE', 'STATUS', 'CREATED'], carriers, 'Data carriers'),
  ];
}

function pageOf({ product: { status }, public_url }: Shown['shown']): string {
  if (public_url === null) return `none: the product is ${status === 'draft' ? 'a draft' : status}`;
  return public_url.startsWith('/') ? `${public_url} (add --site-url to see the whole address)` : public_url;
}

function versionsOf([latest]: PastVersion[]): string {
  return latest === undefined ? 'none' : `${latest.version}, the latest from ${latest.created_at}`;
}

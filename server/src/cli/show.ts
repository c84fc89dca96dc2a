/** Shows one product: its status, what is missing, carriers and versions. */
import { digitalLink } from '@product-passport/openapi';
import type { Knex } from 'knex';
import type { StoredCarrier } from '../carriers/rules.ts';
import { listCarriers } from '../carriers/store.ts';
import type { ImageInfo } from '../images/rules.ts';
import { findImage } from '../images/store.ts';
import { listVersions, type PastVersion } from '../passports/published-versions.ts';
import type { Product } from '../products/store.ts';
import { kindOf, templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { requireProduct, type SiteOptions, siteOf, type TenantOptions } from './database.ts';
import { escaped, print } from './output.ts';
import { findingTables, type Review, reviewOf, table } from './review.ts';

export type ShowOptions = TenantOptions & SiteOptions;

/** The largest number of versions that are shown. */
const mostVersions = 20;

interface ShownProduct {
  product: Product;
  /** The address of the page without scheme and host if the site is not known; `null` if the product is not public. */
  public_url: string | null;
  /** `null` if the product has no GTIN, or the site is not known. */
  gs1_digital_link: string | null;
  image: ImageInfo | null;
  required_fields: number;
  missing_fields: { key: string; label: string; type: string; unit: string | null; kind: string }[];
  findings: Review['findings'];
  /** The fields that the template does not have, and the closest one of the template. */
  unknown_fields: Review['unknown'];
  carriers: StoredCarrier[];
  /** The newest versions, newest first. */
  versions: PastVersion[];
}

export async function readShown(
  database: Knex,
  tenant: Tenant,
  slug: string,
  options: ShowOptions,
): Promise<ShownProduct> {
  const siteUrl = await siteOf(database, options);
  const product = await requireProduct(database, tenant, slug, options);
  const template = templateOf(product.product_group);
  const { missing, findings, unknown } = await reviewOf(database, tenant, product);
  return {
    product,
    public_url: product.status === 'active' ? `${siteUrl ?? ''}/p/${tenant.slug}/${product.slug}` : null,
    gs1_digital_link: product.gtin === null || siteUrl === undefined ? null : digitalLink(siteUrl, product.gtin),
    image: (await findImage(database, tenant.id, product.id)) ?? null,
    required_fields: template.fields.filter(({ required }) => required).length,
    missing_fields: missing.map((field) => {
      const { key, label, type, unit } = field;
      return { key, label: label.en, type, unit, kind: kindOf(field) };
    }),
    findings,
    unknown_fields: unknown,
    carriers: await listCarriers(database, tenant.id, product.id),
    versions: await listVersions(database, tenant.id, product.id, mostVersions),
  };
}

export function printShown(shown: ShownProduct): void {
  const { product, image, required_fields: required, missing_fields: missing } = shown;
  const registration = product.registry_id === null ? '' : ` (${product.registry_id})`;
  const lines: [string, string][] = [
    ['Product', `${product.slug}  ${product.name}`],
    ['Status', product.status],
    ['Public page', pageOf(shown)],
    ['Digital Link', shown.gs1_digital_link ?? (product.gtin === null ? 'none: no GTIN' : 'add --site-url to see it')],
    ['GTIN', product.gtin ?? 'none'],
    ['Group', product.product_group ?? 'none: the template of the group other applies'],
    ['Registry', `${product.registry_status}${registration}`],
    ['Complete', `${product.completeness} %: ${required - missing.length} of ${required} required fields`],
    ['Image', image ? `${image.width} × ${image.height} pixels, ${image.alt ?? 'described by the name'}` : 'none'],
    ['Versions', versionsOf(shown.versions)],
  ];
  print(...lines.map(([name, text]) => `${name.padEnd(13)} ${escaped(text)}`));
  const fields = missing.map(({ key, label, kind }) => [key, label, kind]);
  printLines(table('Missing required fields', ['FIELD', 'LABEL', 'TYPE'], fields));
  printLines(findingTables({ findings: shown.findings, unknown: shown.unknown_fields }));
  const carriers = shown.carriers.map(({ id, type, status, created_at }) => [id, type, status, created_at]);
  printLines(table('Data carriers', ['ID', 'TYPE', 'STATUS', 'CREATED'], carriers));
}

function pageOf({ product: { status }, public_url }: ShownProduct): string {
  if (public_url === null) return `none: the product is ${status === 'draft' ? 'a draft' : status}`;
  return public_url.startsWith('/') ? `${public_url} (add --site-url to see the whole address)` : public_url;
}

function versionsOf([latest]: PastVersion[]): string {
  return latest === undefined ? 'none' : `${latest.version}, the latest from ${latest.created_at}`;
}

function printLines(lines: readonly string[]): void {
  if (lines.length > 0) print(...lines);
}

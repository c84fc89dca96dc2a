/** Addresses below the site. */

export function pagePath({ tenant, slug }: { readonly tenant: string; readonly slug: string }): string {
  return `/p/${encodeURIComponent(tenant.toWellFormed())}/${encodeURIComponent(slug.toWellFormed())}`;
}

export function documentPath(product: { readonly tenant: string; readonly slug: string }): string {
  return `${pagePath(product)}/jsonld`;
}

export function linkPath(gtin: string): string {
  return `/01/${gtin}`;
}

import { dayOf, lastDays, type ViewRole } from '../../../../openapi/src/rules/passport.ts';
import type { ScanStatistics } from '../../contract.ts';
import type { TenantCall } from './call.ts';
import { templateOf } from './passports.ts';
import { resource } from './response.ts';
import type { Scan, State, StoredProduct } from './state.ts';

const roles = ['consumer', 'inspector', 'recycler'] as const satisfies readonly ViewRole[];

export function getScanStatistics({ state, tenant, query }: TenantCall): ScanStatistics {
  const days = Number(query.days);
  const period = lastDays(state.now(), days);
  const scans = tenant.scans.filter(({ day }) => period.includes(day));

  const perRole = roles.map((role) => [role, scans.filter((scan) => scan.role === role).length]);
  return {
    ...resource('scans'),
    days,
    total: scans.length,
    per_day: period.map((date) => ({ date, count: scans.filter(({ day }) => day === date).length })),
    by_view_role: Object.fromEntries(perRole),
    top_products: topProducts(scans).slice(0, 10),
  };
}

/** Counts a view of a passport page, unless the law forbids it for the product group. */
export function countScan({ now }: State, product: StoredProduct, role: ViewRole): void {
  if (templateOf(product).scans === false) return;
  product.tenant.scans.push({ product, role, day: dayOf(now()) });
}

function topProducts(scans: readonly Scan[]): ScanStatistics['top_products'] {
  const products = [...new Set(scans.map(({ product }) => product))];
  return products
    .map((product) => {
      const { slug, name } = product;
      return { slug, name, count: scans.filter((scan) => scan.product === product).length };
    })
    .sort((a, b) => b.count - a.count || (a.slug < b.slug ? -1 : 1));
}

import type { ScanStatistics } from '../../contract.ts';
import { routes } from '../../generated/routes.ts';
import { integer, type TenantCall } from './call.ts';
import type { Scan, StoredProduct, ViewRole } from './records.ts';
import { resource } from './resource.ts';
import type { State } from './state.ts';

const dayInMs = 86_400_000;
const roles = ['consumer', 'inspector', 'recycler'] as const satisfies readonly ViewRole[];

export function getScanStatistics(call: TenantCall): ScanStatistics {
  const { behaviour, now } = call.state;
  const days = integer(call, 'days', routes.getScanStatistics.integers.days);
  const today = now().getTime();
  const period = Array.from({ length: days }, (_, index) => dayOf(new Date(today - (days - 1 - index) * dayInMs)));
  const scans = call.tenant.scans.filter(({ day }) => period.includes(day));

  const perDay = period
    .map((date) => ({ date, count: scans.filter(({ day }) => day === date).length }))
    .filter(({ count }) => count > 0 || behaviour.listsDaysWithoutScan);
  const perRole = roles
    .map((role) => [role, scans.filter((scan) => scan.role === role).length] as const)
    .filter(([, count]) => count > 0 || behaviour.listsRolesWithoutScan);
  return {
    ...resource('scans'),
    days,
    total: scans.length,
    per_day: behaviour.latestDayFirst ? perDay.reverse() : perDay,
    by_view_role: Object.fromEntries(perRole) as Record<ViewRole, number>,
    top_products: topProducts(scans).slice(0, behaviour.topProducts),
  };
}

/** Counts a view of a passport page. */
export function countScan({ now }: State, product: StoredProduct, role: ViewRole): void {
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

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

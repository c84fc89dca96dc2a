import type { PassportValue } from '../passports/rules.ts';
import type { ViewRole } from '../scans/store.ts';

/** The roles that a token can grant. Without one everybody is a consumer. */
export const tokenRoles = ['recycler', 'inspector'] as const;
export type TokenRole = (typeof tokenRoles)[number];

const visible: Record<ViewRole, readonly PassportValue['access_level'][]> = {
  consumer: ['public'],
  recycler: ['public', 'restricted'],
  inspector: ['public', 'restricted', 'authority'],
};

/** The values that a role may see. Of the others nothing may leave the server, not even that they exist. */
export function visibleValues(values: PassportValue[], role: ViewRole): PassportValue[] {
  return values.filter((value) => visible[role].includes(value.access_level));
}

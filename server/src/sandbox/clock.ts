import Joi from 'joi';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { checked, wholeNumber } from './input.ts';
import type { TenantState } from './state.ts';
import { moveTimes } from './store.ts';

const form = Joi.object<{ days: number }>({ days: wholeNumber(1, 3650).required() });

/**
 * Moves the clock of a tenant forward: all its stored times and the expiry of its tokens become older. Only whole days,
 * because scans are counted by day.
 */
export async function moveClock(
  { database }: Services,
  tenant: Tenant,
  state: TenantState,
  body: unknown,
): Promise<{ days: number }> {
  const { days } = checked(form, body);
  await database.transaction((transaction) => moveTimes(transaction, tenant.id, days));
  state.days += days;
  return { days: state.days };
}

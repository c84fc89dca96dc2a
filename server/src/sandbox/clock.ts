import Joi from 'joi';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { ControlError } from './control-error.ts';
import { checked, wholeNumber } from './input.ts';
import type { TenantState } from './state.ts';
import { moveTimes } from './store.ts';

/** SQLite has no dates before the year 0. */
const mostDays = 36_500;

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
  if (state.days + days > mostDays) {
    throw new ControlError(
      400,
      'invalid_request',
      `The clock can move ${mostDays} days in all. Create another tenant.`,
    );
  }
  await database.transaction((transaction) => moveTimes(transaction, tenant.id, days));
  state.days += days;
  return { days: state.days };
}

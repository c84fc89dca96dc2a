import { isRecord, type TokenRole, tokenRoles } from '@product-passport/openapi';
import Joi from 'joi';
import type { Knex } from 'knex';
import { revokeToken } from '../access/store.ts';
import { createToken } from '../access/token.ts';
import type { Contract } from '../contract/document.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { faultReader } from './faults.ts';
import { ControlError, checked, wholeNumber } from './input.ts';
import { activate, moveTo, requireProduct } from './move.ts';
import { type PactSession, pactStates } from './pact-states.ts';
import { newScans } from './scans.ts';
import { seedProducts, seedReader } from './seed.ts';
import type { TenantState, TenantStates } from './state.ts';
import { newTenant, requireTenant } from './tenant.ts';

/** A control operation. server/README.md lists them all. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/_sandbox`. */
  path: string;
  /** Returns the body of the response. */
  run(input: ControlInput): Promise<object>;
}

interface ControlInput {
  params: Readonly<Record<string, string>>;
  body: unknown;
}

/** A control request for one tenant. */
interface TenantInput {
  tenant: Tenant;
  state: TenantState;
  /** The slug in the path. */
  product: string;
  body: unknown;
}

interface Control {
  services: Services;
  contract: Contract;
  states: TenantStates;
}

const noMembers = Joi.object({});

export function controlRoutes({ services, contract, states }: Control): ControlRoute[] {
  const { database } = services;
  const seeds = seedReader(contract);
  const faultsIn = faultReader(contract);
  const changeState = pactStateChange(services, states);

  const ofTenant = (
    method: ControlRoute['method'],
    path: string,
    run: (input: TenantInput) => Promise<object> | object,
  ): ControlRoute => ({
    method,
    path: `/tenants/{tenant}${path}`,
    async run({ params, body }) {
      const tenant = await requireTenant(database, params.tenant ?? '');
      return run({ tenant, state: states.of(tenant.id), product: params.product ?? '', body });
    },
  });

  /** An operation whose body has no members. */
  const withoutBody = (
    method: ControlRoute['method'],
    path: string,
    run: (input: TenantInput) => Promise<object> | object,
  ) =>
    ofTenant(method, path, (input) => {
      checked(noMembers, input.body);
      return run(input);
    });

  return [
    { method: 'POST', path: '/tenants', run: ({ body }) => newTenant(services, body) },
    ofTenant('POST', '/products', async ({ tenant, body }) => ({
      items: await seedProducts(services, tenant, await seeds.read(body)),
    })),
    ofTenant('POST', '/products/{product}/activate', ({ tenant, product, body }) =>
      activate(services, tenant, product, body),
    ),
    withoutBody('POST', '/products/{product}/archive', ({ tenant, product }) =>
      moveTo(services, tenant, product, 'archived'),
    ),
    ofTenant('POST', '/products/{product}/scans', ({ tenant, product, body }) =>
      newScans(services, tenant, product, body),
    ),
    ofTenant('POST', '/tokens', ({ tenant, body }) => newToken(services, tenant, body)),
    ofTenant('POST', '/clock', ({ tenant, state, body }) => moveClock(services, tenant, state, body)),
    ofTenant('POST', '/faults', ({ state, body }) => {
      state.faults.add(faultsIn(body));
      return { requests: state.faults.requests };
    }),
    withoutBody('DELETE', '/faults', ({ state }) => {
      state.faults.clear();
      return { requests: state.faults.requests };
    }),
    withoutBody('GET', '/requests', ({ state }) => state.requests),
    withoutBody('GET', '/findings', ({ state }) => state.findings(contract)),
    withoutBody('POST', '/reset', async ({ tenant }) => {
      await database.transaction((transaction) => deleteData(transaction, tenant.id));
      states.forget(tenant.id);
      return tenant;
    }),
    { method: 'POST', path: '/pact/states', run: ({ body }) => changeState(body) },
  ];
}

/** SQLite has no dates before the year 0. */
const mostDays = 36_500;

const form = Joi.object<{ days: number }>({ days: wholeNumber(1, 3650).required() });

/**
 * Moves the clock of a tenant forward: all its stored times and the expiry of its tokens become older. Only whole days,
 * because scans are counted by day.
 */
async function moveClock(
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

const tenYears = 10 * 365 * 86_400;

const tokenForm = Joi.object<{ role: TokenRole; product?: string; expires_in_seconds: number; revoked: boolean }>({
  role: Joi.valid(...tokenRoles).required(),
  product: Joi.string(),
  expires_in_seconds: wholeNumber(-tenYears, tenYears).default(365 * 86_400),
  revoked: Joi.boolean().default(false),
});

/** Creates an access token, also one that is expired or revoked. */
async function newToken({ database, now }: Services, tenant: Tenant, body: unknown) {
  const { role, product: slug, expires_in_seconds, revoked } = checked(tokenForm, body);
  const product = slug === undefined ? null : await requireProduct({ database }, tenant, slug);
  const expiresAt = new Date(now().getTime() + expires_in_seconds * 1000);
  const grant = { product_id: product?.id ?? null, role, expiresAt };
  const { id, token, expires_at } = await createToken(database, tenant.id, grant, now());
  if (revoked) await revokeToken(database, tenant.id, id, now());
  return { id, token, role, product: product?.slug ?? null, expires_at, revoked };
}

/** The state with which every interaction begins. */
const firstState = 'a tenant with an API key';

/**
 * The state endpoint for Pact verifiers. contracts/README.md documents it. The tenants in the pact have fixed slugs, so
 * one verifier at a time can use a sandbox. Other tenants stay as they are.
 *
 * It responds to a state change with the state's return values. Each failure has status 400, because Pact's verifier
 * retries after a 5xx, 408 or 429 for two minutes. Teardown has nothing to do.
 */
function pactStateChange(services: Services, states: TenantStates): (body: unknown) => Promise<object> {
  const session: PactSession = { ...services, states, tenants: [] };

  async function setUp(state: string, parameters: unknown): Promise<object | undefined> {
    if (!Object.hasOwn(pactStates, state)) throw new Error(`The catalogue has no provider state "${state}".`);
    if (state === firstState) await removeTenants(session);
    // The pact carries the parameters as JSON; contracts/states types them.
    const handler: (session: PactSession, parameters: never) => Promise<object | undefined> =
      pactStates[state as keyof typeof pactStates];
    return handler(session, parameters as never);
  }

  return async (body) => {
    if (!isRecord(body))
      throw new ControlError(400, 'invalid_request', 'The body of a state change must be a JSON object.');
    if (body.action === 'teardown') return {};
    try {
      return (await setUp(String(body.state), body.params ?? {})) ?? {};
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ControlError(400, 'invalid_request', reason);
    }
  };
}

/** Removes the tenants of the previous interaction. */
async function removeTenants({ database, tenants, states }: PactSession): Promise<void> {
  const removed = tenants.splice(0);
  await database.transaction(async (transaction) => {
    for (const { id } of removed) await deleteTenant(transaction, id);
  });
  for (const { id } of removed) states.forget(id);
}

/** The columns of each table with data of tenants. A table comes before those that it refers to. A sandbox is always SQLite. */
async function tenantColumns(transaction: Knex.Transaction): Promise<Map<string, string[]>> {
  const rows: { table: string; column: string }[] = await transaction.raw(
    'select m.name as "table", c.name as "column" from sqlite_schema m join pragma_table_info(m.name) c where m.type = \'table\' order by m.rowid desc',
  );
  const tables = Map.groupBy(rows, ({ table }) => table);
  const columns = [...tables].map(([table, found]): [string, string[]] => [table, found.map(({ column }) => column)]);
  return new Map(columns.filter(([, names]) => names.includes('tenant_id')));
}

/** Deletes everything of a tenant except itself and its keys. */
async function deleteData(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  for (const table of (await tenantColumns(transaction)).keys()) {
    if (table !== 'api_keys') await transaction(table).where({ tenant_id: tenantId }).delete();
  }
}

async function deleteTenant(transaction: Knex.Transaction, tenantId: string): Promise<void> {
  await deleteData(transaction, tenantId);
  await transaction('api_keys').where({ tenant_id: tenantId }).delete();
  await transaction('tenants').where({ id: tenantId }).delete();
}

/** Makes every time of a tenant older by some days. */
async function moveTimes(transaction: Knex.Transaction, tenantId: string, days: number): Promise<void> {
  const past = `-${days} days`;
  const moved = (column: string) => transaction.raw("strftime('%Y-%m-%dT%H:%M:%fZ', ??, ?)", [column, past]);
  const movedAll = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, moved(column)]));
  await transaction('tenants')
    .where({ id: tenantId })
    .update(movedAll(['created_at', 'listed_at', 'scans_off_at']));
  for (const [table, columns] of await tenantColumns(transaction)) {
    const times = columns.filter((column) => column.endsWith('_at'));
    if (times.length > 0) await transaction(table).where({ tenant_id: tenantId }).update(movedAll(times));
  }
  // In two steps, because the date is part of the primary key, and another row may still have the new date.
  for (const table of ['scan_counts', 'scan_days']) {
    const counts = () => transaction(table).where({ tenant_id: tenantId });
    await counts().update({ date: transaction.raw("'moving ' || date") });
    await counts().update({ date: transaction.raw('date(substr(date, 8), ?)', [past]) });
  }
}

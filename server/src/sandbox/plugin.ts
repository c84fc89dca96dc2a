import { createHash, timingSafeEqual } from 'node:crypto';
import { isBoom } from '@hapi/boom';
import type { Lifecycle, Plugin, Request, Server } from '@hapi/hapi';
import {
  type Contract,
  ContractError,
  errorMeanings,
  type Fault,
  isRecord,
  keyIn,
  readJson,
} from '@product-passport/openapi';
import { faultForm, throwFirst } from '@product-passport/openapi/body';
import Joi from 'joi';
import type { Knex } from 'knex';
import { addHealth } from '../admin/admin.ts';
import { purposeOf } from '../database/open.ts';
import { readBytes } from '../http/body.ts';
import type { RespondToError } from '../http/errors.ts';
import { unreadBody } from '../http/routes.ts';
import { queryOf } from '../http/target.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { hostFault } from './client.ts';
import {
  activateForm,
  addScans,
  checked,
  moveTo,
  newTenant,
  newToken,
  requireTenant,
  scansForm,
  seeder,
  seedForm,
  tokenForm,
  wholeNumber,
} from './control.ts';
import { type PactSession, pactStates } from './pact-states.ts';
import { type TenantState, TenantStates, trafficPlugin } from './traffic.ts';

interface SandboxOptions {
  controlToken: string;
  contract: Contract;
  services: Services;
  respondToError: RespondToError;
}

/** How long the body of a control request may take to arrive, in milliseconds. */
const bodyTimeout = 10_000;

export const sandboxPlugin: Plugin<SandboxOptions> = {
  name: 'sandbox',
  async register(server, { controlToken, contract, services, respondToError }) {
    const fault = hostFault(server.settings.host ?? '');
    if (fault !== undefined) throw new Error(fault);
    if ((await purposeOf(services.database)) !== 'sandbox') {
      throw new Error(
        'A sandbox needs a database that it created: open it with `openDatabase(address, { sandbox: true })`.',
      );
    }
    const states = new TenantStates();
    await server.register({
      plugin: trafficPlugin,
      options: { database: services.database, states, meanings: errorMeanings(contract), respondToError },
    });
    addHealth(server);
    const respond = responder(controlToken);
    const routes = controlRoutes(services, contract, states);
    for (const { method, path, run } of routes) {
      const handler = respond(({ params }, body) => run({ params: params as Record<string, string>, body }));
      addRoute(server, method, path, handler);
    }
    addRoute(
      server,
      '*',
      '/{rest*}',
      respond(({ path }) => refuse(server, path)),
    );
  },
};

function addRoute(server: Server, method: ControlRoute['method'] | '*', path: string, handler: Lifecycle.Method): void {
  const options = { auth: false as const, ...(method === 'GET' ? {} : { payload: unreadBody }) };
  server.route({ method, path: `/_sandbox${path}`, options, handler });
}

/** Other methods and paths. They need the token, too. */
function refuse(server: Server, path: string): never {
  const known = ['GET', 'POST', 'DELETE'] as const;
  const allow = known.filter((method) => server.match(method, path)?.method === method.toLowerCase()).join(', ');
  if (allow) throw new ContractError('method_not_allowed', `Use ${allow} for this path.`, { allow });
  throw new ContractError(
    'not_found',
    'The sandbox has no such path. The README of @product-passport/server lists its paths.',
  );
}

/** Makes Hapi's handler of a control operation: checks the token, reads the body, and responds to errors that no contract has. */
function responder(controlToken: string) {
  return (run: (request: Request, body: unknown) => Promise<object>): Lifecycle.Method =>
    async (request, h) => {
      const refuse = (status: number, code: string, message: string) =>
        h.response({ error: { code, message } }).code(status);
      if (!hasToken(request, controlToken)) {
        const message =
          'The control token is missing or wrong. Send the one that the server printed, as Authorization: Bearer.';
        return refuse(401, 'invalid_control_token', message).header('www-authenticate', 'Bearer');
      }
      try {
        return h.response(await run(request, await readBody(request)));
      } catch (error) {
        if (!isBoom(error)) throw error;
        return refuse(409, 'conflict', error.message);
      }
    };
}

/** A Pact verifier sends no header of its own, so the query may have the token. */
function hasToken(request: Request, controlToken: string): boolean {
  const given = keyIn(request.raw.req.headers.authorization) ?? queryOf(request).values.get('control_token') ?? '';
  return timingSafeEqual(digest(given), digest(controlToken));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Reads the body as JSON, whatever its type. An empty one is an object without members. */
async function readBody({ raw, method }: Request): Promise<unknown> {
  if (method === 'get' || method === 'head') return {};
  const bytes = await readBytes(raw, { bodyTimeout });
  if (bytes.length === 0) return {};
  const { value, violations } = readJson(bytes);
  throwFirst(violations, []);
  return value;
}

/** A control operation. server/README.md lists them all. */
interface ControlRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below `/_sandbox`. */
  path: string;
  /** Returns the body of the response. */
  run(input: { params: Readonly<Record<string, string>>; body: unknown }): Promise<object>;
}

/** A control request for one tenant. */
interface TenantInput<Body> {
  tenant: Tenant;
  state: TenantState;
  /** The slug in the path. */
  product: string;
  body: Body;
}

const noMembers = Joi.object({});

function controlRoutes(services: Services, contract: Contract, states: TenantStates): ControlRoute[] {
  const { database } = services;
  const seed = seeder(services, contract);
  const changeState = pactStateChange(services, states);

  function ofTenant<Body>(
    method: ControlRoute['method'],
    path: string,
    form: Joi.ObjectSchema<Body>,
    run: (input: TenantInput<Body>) => Promise<object> | object,
  ): ControlRoute {
    return {
      method,
      path: `/tenants/{tenant}${path}`,
      async run({ params, body }) {
        const tenant = await requireTenant(database, params.tenant ?? '');
        const state = states.of(tenant.id);
        return run({ tenant, state, product: params.product ?? '', body: checked(form, body) });
      },
    };
  }

  return [
    { method: 'POST', path: '/tenants', run: ({ body }) => newTenant(services, body) },
    ofTenant('POST', '/products', seedForm, async ({ tenant, body }) => ({
      items: await seed(tenant, body),
    })),
    ofTenant('POST', '/products/{product}/activate', activateForm, ({ tenant, product, body }) =>
      moveTo(services, tenant, product, 'active', body.share_gtin),
    ),
    ofTenant('POST', '/products/{product}/archive', noMembers, ({ tenant, product }) =>
      moveTo(services, tenant, product, 'archived'),
    ),
    ofTenant('POST', '/products/{product}/scans', scansForm, async ({ tenant, product, body: { scans } }) => {
      for (const scansOfDay of scans) await addScans(services, tenant, product, scansOfDay);
      return { added: scans.reduce((sum, { count }) => sum + count, 0) };
    }),
    ofTenant('POST', '/tokens', tokenForm, ({ tenant, body }) => newToken(services, tenant, body)),
    ofTenant('POST', '/clock', clockForm, ({ tenant, state, body }) => moveClock(services, tenant, state, body)),
    ofTenant('POST', '/faults', faultsForm(contract), ({ state, body }) => {
      state.faults.add(body.faults);
      return { requests: state.faults.requests };
    }),
    ofTenant('DELETE', '/faults', noMembers, ({ state }) => {
      state.faults.clear();
      return { requests: state.faults.requests };
    }),
    ofTenant('GET', '/requests', noMembers, ({ state }) => state.requests),
    ofTenant('GET', '/findings', noMembers, ({ state }) => state.findings(contract)),
    ofTenant('POST', '/reset', noMembers, async ({ tenant }) => {
      await database.transaction((transaction) => deleteData(transaction, tenant.id));
      states.delete(tenant.id);
      return tenant;
    }),
    { method: 'POST', path: '/pact/states', run: ({ body }) => changeState(body) },
  ];
}

/** The faults in the body of a control request, with the names that the SDK's fake service has too. */
function faultsForm({ operations }: Contract): Joi.ObjectSchema<{ faults: Fault[] }> {
  const known = operations.map(({ operationId }) => operationId);
  const spelt = (name: string) => Joi.forbidden().messages({ 'any.unknown': `{{#label}} is spelt ${name}` });
  const fault = faultForm(Joi, known).append({ delay_ms: spelt('delayMs'), retry_after: spelt('retryAfter') });
  return Joi.object({ faults: Joi.array().items(fault).min(1).max(1000).required() });
}

/** SQLite has no dates before the year 0. */
const maxDays = 36_500;

const clockForm = Joi.object<{ days: number }>({ days: wholeNumber(1, 3650).required() });

/**
 * Moves the clock of a tenant forward: all its stored times and the expiry of its tokens become older. Only whole days,
 * because scans are counted by day.
 */
async function moveClock(
  { database }: Services,
  tenant: Tenant,
  state: TenantState,
  { days }: { days: number },
): Promise<{ days: number }> {
  if (state.days + days > maxDays) {
    throw new ContractError('invalid_request', `The clock can move ${maxDays} days in all. Create another tenant.`);
  }
  await database.transaction((transaction) => moveTimes(transaction, tenant.id, days));
  state.days += days;
  return { days: state.days };
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

  async function setUp(state: string, parameters: unknown): Promise<unknown> {
    if (!Object.hasOwn(pactStates, state)) throw new Error(`The catalogue has no provider state "${state}".`);
    if (state === firstState) await removeTenants(session);
    // The pact carries the parameters as JSON; contracts/states types them.
    const handler: (session: PactSession, parameters: never) => Promise<unknown> =
      pactStates[state as keyof typeof pactStates];
    return handler(session, parameters as never);
  }

  return async (body) => {
    if (!isRecord(body))
      throw new ContractError('invalid_request', 'The body of a state change must be a JSON object.');
    if (body.action === 'teardown') return {};
    try {
      return Object(await setUp(String(body.state), body.params ?? {}));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ContractError('invalid_request', reason);
    }
  };
}

/** Removes the tenants of the previous interaction. */
async function removeTenants({ database, tenants, states }: PactSession): Promise<void> {
  const removed = tenants.splice(0);
  await database.transaction(async (transaction) => {
    for (const { id } of removed) await deleteTenant(transaction, id);
  });
  for (const { id } of removed) states.delete(id);
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

import Joi from 'joi';
import type { Contract } from '../contract/document.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { moveClock } from './clock.ts';
import type { FaultReader } from './faults.ts';
import { checked } from './input.ts';
import { activate, moveTo } from './move.ts';
import { PactStates } from './pact-endpoint.ts';
import { newScans } from './scans.ts';
import { seedProducts, seedReader } from './seed.ts';
import type { TenantState, TenantStates } from './state.ts';
import { deleteData } from './store.ts';
import { newTenant, requireTenant } from './tenant.ts';
import { newToken } from './tokens.ts';

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
  faults: FaultReader;
}

const noMembers = Joi.object({});

export function controlRoutes({ services, contract, states, faults }: Control): ControlRoute[] {
  const { database } = services;
  const seeds = seedReader(contract);
  const pact = new PactStates(services, states);

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
      items: await seedProducts(services, tenant, seeds.read(body)),
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
      state.addFaults(faults.pending(body));
      return { requests: state.faultyRequests };
    }),
    withoutBody('DELETE', '/faults', ({ state }) => {
      state.clearFaults();
      return { requests: state.faultyRequests };
    }),
    withoutBody('GET', '/requests', ({ state }) => state.requests),
    withoutBody('POST', '/reset', async ({ tenant }) => {
      await database.transaction((transaction) => deleteData(transaction, tenant.id));
      states.forget(tenant.id);
      return tenant;
    }),
    { method: 'POST', path: '/pact/states', run: ({ body }) => pact.change(body) },
  ];
}

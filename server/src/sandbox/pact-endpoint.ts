import { isRecord } from '@product-passport/openapi';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { ControlError } from './control-error.ts';
import { type PactSession, pactStates } from './pact-states.ts';
import type { TenantStates } from './state.ts';
import { deleteTenant } from './store.ts';

/** The state with which every interaction begins. */
const firstState = 'a tenant with an API key';

/**
 * The state endpoint for Pact verifiers. contracts/README.md documents it. The tenants in the pact have fixed slugs, so
 * one verifier at a time can use a sandbox. Other tenants stay as they are.
 */
export class PactStates {
  readonly #session: PactSession;

  constructor(services: Services, states: TenantStates) {
    this.#session = { ...services, states, tenants: [] };
  }

  /**
   * Responds to a state change with the state's return values. Each failure has status 400, because Pact's verifier
   * retries after a 5xx, 408 or 429 for two minutes. Teardown has nothing to do.
   */
  async change(body: unknown): Promise<object> {
    if (!isRecord(body))
      throw new ControlError(400, 'invalid_request', 'The body of a state change must be a JSON object.');
    if (body.action === 'teardown') return {};
    try {
      return (await this.#setUp(String(body.state), body.params ?? {})) ?? {};
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ControlError(400, 'invalid_request', reason);
    }
  }

  async #setUp(state: string, parameters: unknown): Promise<object | undefined> {
    if (!Object.hasOwn(pactStates, state)) throw new Error(`The catalogue has no provider state "${state}".`);
    if (state === firstState) await this.#removeTenants();
    // The pact carries the parameters as JSON; contracts/states types them.
    const handler: (session: PactSession, parameters: never) => Promise<object | undefined> =
      pactStates[state as keyof typeof pactStates];
    return handler(this.#session, parameters as never);
  }

  /** Removes what the states of the interaction before made. */
  async #removeTenants(): Promise<void> {
    const { database, tenants, states } = this.#session;
    const before: Tenant[] = tenants.splice(0);
    await database.transaction(async (transaction) => {
      for (const { id } of before) await deleteTenant(transaction, id);
    });
    for (const { id } of before) states.forget(id);
  }
}

import { type Behaviour, behaviourOf, type Mode } from './behaviour.ts';
import type { Grant, StoredProduct, StoredTenant } from './records.ts';

/** The data of the service, and its settings. Maps keep their entries oldest first. */
export interface State {
  readonly siteUrl: string;
  readonly behaviour: Behaviour;
  readonly now: () => Date;
  readonly tenants: Map<string, StoredTenant>;
  /** The valid API keys, and the tenant of each. */
  readonly keys: Map<string, StoredTenant>;
  /** The access tokens that were not revoked. */
  readonly tokens: Map<string, Grant>;
  /** Products in the order of their first activation. */
  readonly activated: Set<StoredProduct>;
  /** The next number of the sequence for identifiers, salts and keys: the same in every run. */
  next(): number;
}

export function emptyState(siteUrl: string, mode: Mode, now: () => Date): State {
  let count = 0;
  return {
    siteUrl,
    behaviour: behaviourOf(mode),
    now,
    tenants: new Map(),
    keys: new Map(),
    tokens: new Map(),
    activated: new Set(),
    next: () => {
      count += 1;
      return count;
    },
  };
}

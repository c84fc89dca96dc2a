import type { Knex } from 'knex';

/** What the handlers of every noun need. `app.ts` makes it. */
export interface Services {
  database: Knex;
  /** Scheme, host and port of the public addresses, without a trailing slash. */
  siteUrl: () => string;
  /** The namespace in `urn:<namespace>:<tenant>:<product>`. */
  urnNamespace: string;
  /** Status of the resolver's redirect. */
  redirectStatus: 302 | 307;
  /** Whether this installation counts views of passport pages. */
  countScans: boolean;
  now: () => Date;
}

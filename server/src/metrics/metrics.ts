import type { Knex } from 'knex';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { poolUse } from '../database/connection.ts';
import { observeStatements } from '../database/knex-clients.ts';
import type { Refusal } from '../database/state.ts';
import { type FinishedRequest, type RefusingLimit, refusingLimits } from '../http/request-log.ts';

/** Upper bounds in seconds: most requests take milliseconds, and time limits end at ten seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statementBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];

/** The label of paths and methods that the contract does not have. */
const noOperation = 'none';

/** What a server measures of itself for Prometheus. No label holds a tenant, a product or anything that a client wrote. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: 'product_passport_requests_total',
    help: 'Requests by operation of the contract, HTTP status and error code.',
    labelNames: ['operation', 'status', 'code'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'product_passport_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by operation.',
    labelNames: ['operation'],
    buckets: requestBuckets,
    registers: [this.#registry],
  });
  readonly #statements = new Histogram({
    name: 'product_passport_statement_duration_seconds',
    help: 'Time of SQL statements, by kind and by the table that they begin with.',
    labelNames: ['kind', 'table'],
    buckets: statementBuckets,
    registers: [this.#registry],
  });
  readonly #limits = new Counter({
    name: 'product_passport_limits_hit_total',
    help: 'Requests and connections that a limit refused.',
    labelNames: ['limit'],
    registers: [this.#registry],
  });

  constructor() {
    // Event loop, garbage collection, memory and processor time of the process.
    collectDefaultMetrics({ register: this.#registry });
    for (const limit of ['tenant_rate', ...refusingLimits]) this.#limits.inc({ limit }, 0);
  }

  /** Counts a request. */
  finished({ operation: known, method, status, code, refusedBy, duration }: FinishedRequest): void {
    const operation = known ?? noOperation;
    this.#requests.inc({ operation, status, code: code ?? '' });
    // Bytes that are not a request take no time.
    if (method !== undefined) this.#durations.observe({ operation }, duration / 1000);
    if (refusedBy) this.limitHit(refusedBy);
    else if (code === 'rate_limited') this.limitHit('tenant_rate');
  }

  limitHit(limit: RefusingLimit | 'tenant_rate'): void {
    this.#limits.inc({ limit });
  }

  /** Measures the statements and the connections of a database. */
  watchDatabase(database: Knex): void {
    observeStatements(database, (sql, duration) => this.#statements.observe(storeOf(sql), duration / 1000));
    const registers = [this.#registry];
    new Gauge({
      name: 'product_passport_database_connections',
      help: 'Open connections to the database, by pool.',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const { pool, used, free } of poolUse(database)) {
          this.set({ pool, state: 'used' }, used);
          this.set({ pool, state: 'free' }, free);
        }
      },
    });
    new Gauge({
      name: 'product_passport_database_waiting',
      help: 'Work that waits for a connection to the database, by pool.',
      labelNames: ['pool'],
      registers,
      collect() {
        for (const { pool, waiting } of poolUse(database)) this.set({ pool }, waiting);
      },
    });
  }

  /** Measures whether the database refuses writes. */
  watchWrites(state: { readonly refusal: Refusal | undefined }): void {
    new Gauge({
      name: 'product_passport_writes_refused',
      help: 'Whether the database refuses writes: 1 with the reason, 0 without one.',
      labelNames: ['reason'],
      registers: [this.#registry],
      collect() {
        this.reset();
        this.set({ reason: state.refusal ?? '' }, state.refusal === undefined ? 0 : 1);
      },
    });
  }

  /** Measures the scans that wait for their write, and those that were lost. */
  watchScans(scans: { readonly waiting: number; readonly lost: number }): void {
    const registers = [this.#registry];
    new Gauge({
      name: 'product_passport_scans_waiting',
      help: 'Scans that wait for their write.',
      registers,
      collect() {
        this.set(scans.waiting);
      },
    });
    new Counter({
      name: 'product_passport_scans_lost_total',
      help: 'Scans that could not be stored in time.',
      registers,
      collect() {
        this.reset();
        this.inc(scans.lost);
      },
    });
  }

  /** The content type of the text. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All values in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** The kinds of statements that read or change rows. */
const kinds = new Set(['select', 'insert', 'update', 'delete']);

/** The kind of a SQL statement, and the table that it names first. */
function storeOf(sql: string): { kind: string; table: string } {
  const [, word = ''] = /^\W*(\w+)/.exec(sql) ?? [];
  const kind = word.toLowerCase();
  if (!kinds.has(kind)) return { kind: 'other', table: '' };
  const [, table = ''] = /\b(?:from|into|update)\s+[`"]?([a-z_]+)/i.exec(sql) ?? [];
  return { kind, table };
}

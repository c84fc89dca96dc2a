import type { Knex } from 'knex';

/** Why a database takes no writes. From a `wrong_file` nothing may be read either. */
export type Refusal = 'read_only' | 'disk_full' | 'io_error' | 'locked' | 'no_response' | 'wrong_file';

/** By the code of SQLite's or PostgreSQL's error. Errors that only one request gets, such as a deadlock, are none. */
const refusals: Readonly<Record<string, Refusal>> = {
  SQLITE_READONLY: 'read_only',
  SQLITE_FULL: 'disk_full',
  SQLITE_IOERR: 'io_error',
  SQLITE_BUSY: 'locked',
  '25006': 'read_only',
  '53100': 'disk_full',
  '08006': 'no_response',
};

/** Receives what has changed. `path` is where the wrong file is. */
type StateObserver = (refusal: Refusal | undefined, path: string | undefined) => void;

/** Whether a database takes writes, as the last write or check has shown. */
export class DatabaseState {
  #refusal: Refusal | undefined;
  readonly #observers: StateObserver[] = [];

  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Only a restart ends a `wrong_file`. */
  set(refusal: Refusal | undefined, path?: string): void {
    if (refusal === this.#refusal || this.#refusal === 'wrong_file') return;
    this.#refusal = refusal;
    for (const observe of this.#observers) observe(refusal, path);
  }

  observe(observer: StateObserver): void {
    this.#observers.push(observer);
  }
}

/** The state that a database shares with its reader. */
export function stateOf({ client }: Knex): DatabaseState {
  return client.state;
}

/**
 * Runs a write. One that a PostgreSQL refuses on an old connection runs once more on a new one: it wrote nothing.
 *
 * @param write may run twice
 */
export async function repeated<Result>(database: Knex, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if ((error as { code?: string }).code !== '25006' || !(await database.client.probe())) throw error;
    return write();
  }
}

/** Like `repeated`, and records whether the database took the write. */
export async function recorded<Result>(database: Knex, write: () => Promise<Result>): Promise<Result> {
  const state = stateOf(database);
  try {
    const result = await repeated(database, write);
    state.set(undefined);
    return result;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (refusals[code]) state.set(refusals[code]);
    throw error;
  }
}

/** Finds out without a lock whether the database is read-only. Nothing but a write shows other refusals, and their end. */
export async function checkWrites(database: Knex): Promise<void> {
  const state = stateOf(database);
  const takesWrites: boolean = await database.client.takesWrites();
  if (!takesWrites && state.refusal === undefined) state.set('read_only');
  if (!takesWrites) return;
  if (state.refusal === 'read_only') state.set(undefined);
}

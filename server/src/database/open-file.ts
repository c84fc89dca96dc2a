import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import type { DatabaseState } from './state.ts';

/** How often the files are compared without a write, in milliseconds. */
const interval = 1000;

/** Device and inode; undefined if there is no file. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/**
 * A SQLite file that is open, and the files next to it. Somebody may move, remove or replace them: SQLite would go on with
 * the old ones, and a new connection would open others.
 */
export class OpenFile {
  readonly #path: string;
  readonly #state: DatabaseState;
  readonly #identities = new Map<string, string>();
  #openedReadOnly = false;

  constructor(address: string, state: DatabaseState) {
    this.#path = resolve(address);
    this.#state = state;
  }

  /**
   * Remembers the files of the open connections, and compares them from now on. A path may be a symbolic link that somebody
   * changes. SQLite has followed it.
   *
   * @param isImmutable SQLite takes the file for one that nobody changes
   * @returns ends the comparisons
   */
  watch(isImmutable: boolean): () => void {
    this.#openedReadOnly = isImmutable || this.#accessError() !== undefined;
    const real = realpathSync(this.#path);
    for (const path of [this.#path, `${real}-wal`, `${real}-shm`]) {
      const identity = identityOf(path);
      // Windows does not let anybody move or remove an open file.
      if (identity !== undefined && process.platform !== 'win32') this.#identities.set(path, identity);
    }
    const timer = setInterval(() => {
      try {
        this.compare();
      } catch {
        // The next statement throws it, too.
      }
    }, interval).unref();
    return () => clearInterval(timer);
  }

  /** @throws OperatorError if a file is not the one that was opened */
  compare(): void {
    try {
      for (const [path, identity] of this.#identities) {
        if (identityOf(path) !== identity) this.#state.set('wrong_file', path);
      }
    } catch (cause) {
      throw Object.assign(new Error('The database file cannot be examined.', { cause }), { code: 'SQLITE_IOERR' });
    }
    this.requireRight();
  }

  /** Like `compare`, with the result of the last comparison. */
  requireRight(): void {
    if (this.#state.refusal !== 'wrong_file') return;
    const fault = `the database file ${this.#path} was moved, removed or replaced while it was open`;
    throw Object.assign(new OperatorError(`${fault}. Put the right file there, and start again.`), {
      code: 'WRONG_FILE',
    });
  }

  /** Whether SQLite can write. Without the right to, it opens a file read-only, and keeps it so. */
  get isWritable(): boolean {
    return !this.#openedReadOnly && this.#accessError() !== 'EROFS';
  }

  #accessError(): string | undefined {
    try {
      accessSync(this.#path, constants.W_OK);
      return undefined;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Load, Outcome } from './load.ts';

/** The process that sends the load. */
export class Generator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('load.ts', import.meta.url)), {
    // The timer of autocannon (retimer) is set to a negative time if it fires late.
    execArgv: ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning'],
  });

  /** Runs one load. @throws if a request fails: a rate of errors says nothing */
  async run(load: Load): Promise<Outcome> {
    const outcome = await this.runAnyway(load);
    if (outcome.failures > 0) {
      const { method, requests } = load;
      throw new Error(`${method} ${requests[0]?.path} of ${load.host}: ${outcome.failures} requests failed.`);
    }
    return outcome;
  }

  /** Runs one load in which requests may fail. */
  async runAnyway(load: Load): Promise<Outcome> {
    const report = once(this.#child, 'message');
    this.#child.send(load);
    const [outcome] = await report;
    return outcome;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

import { chmodSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isNativeError } from 'node:util/types';
import { TestEnvironment } from 'jest-environment-node';
import { temporaryFolder } from './program.ts';
import { recordStatements } from './tenant-statements.ts';

if (process.env.STATEMENTS) recordStatements(process.env.STATEMENTS);

/**
 * Jest runs each test file in its own realm with its own `Error`. Errors of Node, of native modules and of CommonJS packages
 * (see `transform.js`) come from the outer realm. Outside Jest there is one realm, so `instanceof Error` accepts all errors.
 */
function acceptErrorsOfAllRealms(errorClass) {
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    configurable: true,
    value(value) {
      const ordinary = Function.prototype[Symbol.hasInstance].call(this, value);
      return this === errorClass ? ordinary || isNativeError(value) : ordinary;
    },
  });
}

acceptErrorsOfAllRealms(Error);

/**
 * Jest's environment for Node, where `requireOutside` loads a module in the outer realm. A failed test shows why its server
 * responded with 500. The first response that breaks the contract ends the file.
 */
export default class Environment extends TestEnvironment {
  #failedRequests = new Set();
  #isOver = false;
  #folder;

  constructor(config, context) {
    super(config, context);
    acceptErrorsOfAllRealms(this.global.Error);
    this.global.requireOutside = createRequire(import.meta.url);
    this.global.noteFailedRequest = (reason) => void this.#failedRequests.add(reason);
    this.global.folderOfFile = () => {
      if (!this.#folder) {
        this.#folder = temporaryFolder('test');
        // Some tests run programs as another user.
        chmodSync(this.#folder, 0o711);
      }
      return this.#folder;
    };
  }

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.#isOver) Object.assign(test, { mode: 'skip', errors: [] });
    if (name !== 'test_done') return;
    const reasons = [...this.#failedRequests];
    this.#failedRequests.clear();
    if (test.errors.length === 0) return;
    // The error of a snapshot stands alone, any other one with the place of its test.
    this.#isOver = test.errors.flat().some((error) => error?.name === 'ContractMismatch');
    for (const stack of reasons.slice(0, 3)) test.errors.push([Object.assign(new Error(), { stack }), undefined]);
  }

  async teardown() {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    await super.teardown();
  }
}

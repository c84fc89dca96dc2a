import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNativeError } from 'node:util/types';
import { Worker } from 'node:worker_threads';
import { TestEnvironment } from 'jest-environment-node';
import './statement-recorder.js';

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

/** Ends the process of a test file that takes too long. A thread of its own, because the file may be in an endless loop. */
const watch = `
  const { parentPort } = require('node:worker_threads');
  let timer;
  parentPort.on('message', ({ testPath, fileSeconds }) => {
    clearTimeout(timer);
    if (testPath === undefined) return;
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, testPath + ' did not end within ' + fileSeconds + ' seconds.\\n');
      // Jest loses what it has not read when the process ends.
      timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000);
    }, fileSeconds * 1000);
  });
`;

let watcher;

/** Jest names the file whose process ended, and goes on. Without workers the process is Jest's own, and is not ended. */
function limitTime(file) {
  if (process.send === undefined) return;
  watcher ??= new Worker(watch, { eval: true, execArgv: [] });
  watcher.unref();
  watcher.postMessage(file);
}

/**
 * Jest's environment for Node, where `requireOutside` loads a module in the outer realm, and a file has limited time. A failed
 * test shows why its server responded with 500. The first response that breaks the contract ends the file.
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
        this.#folder = mkdtempSync(join(tmpdir(), 'passport-test-'));
        // Some tests run programs as another user.
        chmodSync(this.#folder, 0o711);
      }
      return this.#folder;
    };
    const { fileSeconds } = config.projectConfig.testEnvironmentOptions;
    limitTime({ testPath: context.testPath, fileSeconds });
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
    limitTime({});
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
    await super.teardown();
  }
}

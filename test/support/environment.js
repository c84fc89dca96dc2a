import { createRequire } from 'node:module';
import { isNativeError } from 'node:util/types';
import { TestEnvironment } from 'jest-environment-node';
import './statement-recorder.js';

/**
 * Jest runs each test file in its own realm with its own `Error`. Errors of Node, of native modules and of CommonJS packages
 * (see `packages.js`) come from the outer realm. Outside Jest there is one realm, so `instanceof Error` accepts all errors.
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

/** Jest's environment for Node, where `requireOutside` loads a module in the outer realm. */
export default class Environment extends TestEnvironment {
  constructor(...given) {
    super(...given);
    acceptErrorsOfAllRealms(this.global.Error);
    this.global.requireOutside = createRequire(import.meta.url);
  }
}

import { isNativeError } from 'node:util/types';

/**
 * Jest runs each test file in its own realm, where an error made by Node or a native module is not an
 * `instanceof Error`, and Hapi treats it as "a non-error object". Outside Jest there is one realm. Import this file first.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    const ordinary = Function.prototype[Symbol.hasInstance].call(this, value);
    return this === Error ? ordinary || isNativeError(value) : ordinary;
  },
});

import { isNativeError } from 'node:util/types';

/**
 * Jest runs each test file in a realm of its own, where an error that Node or a native module made is no
 * `instanceof Error`, and Hapi takes it for "a non-error object". Outside Jest there is one realm. Import this first.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    const ordinary = Function.prototype[Symbol.hasInstance].call(this, value);
    return this === Error ? ordinary || isNativeError(value) : ordinary;
  },
});

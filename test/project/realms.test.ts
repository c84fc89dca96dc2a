import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The constructor of all functions in the realm of a package. */
const OuterFunction: FunctionConstructor = Object.getPrototypeOf(Ajv2020.prototype.compile).constructor;
const OuterError: ErrorConstructor = OuterFunction('return Error')();

test('a CommonJS package is loaded outside the realm of the test file, once for each worker', () => {
  expect(OuterFunction).not.toBe(Function);
});

test('an error is an instance of Error in both realms, and only of its own subclasses', async () => {
  const ofNode = await readFile('/does/not/exist').catch((error: unknown) => error);
  for (const error of [ofNode, new Error('inner'), new OuterError('outer')]) {
    expect(error instanceof Error).toBe(true);
    expect(error instanceof OuterError).toBe(true);
    expect(error instanceof TypeError).toBe(false);
  }
  expect({ message: 'not an error' } instanceof Error).toBe(false);
});

import { afterAll } from '@jest/globals';

/** Undoes things when the test file ends, the last first, and continues after a failure: `ending.defer(() => …)`. */
export const ending = new AsyncDisposableStack();

afterAll(() => ending.disposeAsync());

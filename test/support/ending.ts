import { afterAll } from '@jest/globals';

/** What is undone when the test file ends, the last first, even where one of them fails: `ending.defer(() => …)`. */
export const ending = new AsyncDisposableStack();

afterAll(() => ending.disposeAsync());

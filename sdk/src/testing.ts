/**
 * `@product-passport/sdk/testing`: for unit tests of programs that use the SDK. It provides the real client with a
 * `fetch` that never leaves the process, so paths, paging and errors are real. It needs no test framework.
 */

export type { PlatformFetch } from './fetch.ts';
export type { ApiOperation } from './http.ts';
export * from './testing/fake.ts';
export * from './testing/inject.ts';
export * from './testing/sample.ts';
export * from './testing/service/index.ts';

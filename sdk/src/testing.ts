/**
 * `@product-passport/sdk/testing`: for unit tests of programs that use the SDK. It provides the real client with a
 * `fetch` that never leaves the process, so paths, paging and errors are real. It needs no test framework.
 */

export type { PlatformFetch } from './fetch.ts';
export type { ApiOperation } from './operation.ts';
export {
  apiError,
  createFakeClient,
  createFakeFetch,
  createFakePublicClient,
  type FakeApiError,
  type FakeCall,
  type FakeClient,
  type FakeErrorCode,
  type FakeFetch,
  type FakeNetworkError,
  type FakePublicClient,
  type FakeResponse,
  type FakeResponses,
  networkError,
  type PublicOperation,
  pageOf,
} from './testing/fake.ts';
export { type Injectable, injectFetch } from './testing/inject.ts';
export { type Samples, sample } from './testing/sample.ts';
export {
  createFakeService,
  type EmptyProvider,
  type FakeService,
  type FakeServiceOptions,
  type NewFault,
  type NewTenant,
  type NewToken,
  type Operator,
  type Provider,
} from './testing/service/index.ts';

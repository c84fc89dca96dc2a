/**
 * `@product-passport/sdk/testing`: for unit tests of programs that use the SDK. It provides the real client with a
 * `fetch` that never leaves the process, so paths, paging and errors are real. It needs no test framework.
 */

export type { PlatformFetch } from './fetch.ts';
export type { ApiOperation } from './operation.ts';
export {
  apiError,
  type CodeOf,
  createFakeClient,
  createFakeFetch,
  createFakePublicClient,
  type FakeAnswer,
  type FakeAnswers,
  type FakeCall,
  type FakeClient,
  type FakeFetch,
  type FakePublicClient,
  type NetworkFailure,
  networkError,
  type PublicOperation,
  pageOf,
  type Refusal,
} from './testing/fake.ts';
export { type Injectable, injectFetch } from './testing/inject.ts';
export { type Samples, sample } from './testing/sample.ts';
export {
  createFakeService,
  type FakeService,
  type NewTenant,
  type NewToken,
  type Operator,
  type Provider,
  type ServiceOptions,
} from './testing/service/index.ts';

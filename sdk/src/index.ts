/** `@product-passport/sdk`: the API of one tenant, for programs that hold its key. */
export type { RequestOptions } from './api.ts';
export type { Attempt, AttemptStart } from './call.ts';
export { type Client, type ClientOptions, createClient, type RequestInput } from './client.ts';
export type * from './contract.ts';
export type { Ensured } from './ensure.ts';
export * from './errors.ts';
export type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
export type { FieldKey, FieldsOf, PutValues, TemplateKey, ValueOf, ValuesOf } from './fields.ts';
export type { ApiKey } from './key.ts';
export type { ApiOperation, Input, Value } from './operation.ts';
export type { Paged } from './pages.ts';
export type { Reply, Result, WithResponse } from './result.ts';
export type { Page } from './walk.ts';

/** `@product-passport/sdk`: the API of one tenant, for programs that hold its key. */
export type { ApiKey, ExtraHeaders, RequestOptions } from './api.ts';
export type { ApiPromise, Result, WithResponse } from './api-promise.ts';
export type { Attempt, AttemptStart } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type * from './contract.ts';
export type { EnsureResult } from './ensure.ts';
export * from './errors.ts';
export type { Fetch, FetchInit, FetchResponse } from './fetch.ts';
export type { FieldKey, FieldsOf, PutValues, TemplateKey, ValueOf, ValuesOf } from './fields.ts';
export type { ApiOperation, ApiPaths, HttpClient, HttpMethod, OperationOutput } from './http.ts';
export type { Page } from './page-tracker.ts';
export type { PagePromise } from './pages.ts';
export type { PutOptions } from './put.ts';

/** `@product-passport/sdk`: the API of one tenant, for programs that hold its key. */
export type { ApiKey, ExtraHeaders, HttpClient, HttpMethod, RequestOptions } from './api.ts';
export type { Attempt, AttemptStart } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type * from './contract.ts';
export type { EnsureResult } from './ensure.ts';
export * from './errors.ts';
export type { FindQuery } from './find.ts';
export type { Page, PagePromise } from './pages.ts';
export type { FieldKey, FieldsOf, PutOptions, PutValues, TemplateKey, ValueOf, ValuesOf } from './put.ts';
export type { ApiPromise, Fetch, FetchInit, FetchResponse, Result, WithResponse } from './response.ts';

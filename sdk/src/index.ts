/** `@product-passport/sdk`: the API of one tenant, for programs that hold its key. */
export { type Client, type ClientOptions, createClient, type Ensured } from './client.ts';
export type * from './contract.ts';
export * from './errors.ts';
export type { FieldKey, FieldsOf, ValueOf, ValuesOf } from './fields.ts';
export type { Page, Paged } from './pages.ts';
export type { Reply, Result } from './result.ts';
export type { Attempt, Fetch, RequestOptions } from './transport.ts';

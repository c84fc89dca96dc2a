import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Client as OpenapiFetch } from 'openapi-fetch';
import ts from 'typescript';
import * as undici from 'undici';
import {
  type ApiPaths,
  type Client,
  createClient,
  type ErrorCode,
  type FieldKey,
  type FieldsOf,
  isApiError,
  isPassportError,
  type KnownErrorCode,
  type Operation,
  type PagePromise,
  type Passport,
  type PassportError,
  type Product,
  type ProductGroup,
  type ProductList,
  type ProductListItem,
  type ValueOf,
  type ValuesOf,
} from '../../sdk/src/index.ts';
import { createPublicClient, type PublicClient, type Resolution } from '../../sdk/src/public.ts';
import { apiError, createFakeClient, type FakeErrorCode } from '../../sdk/src/testing.ts';
import { type HashCheck, verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';

// Never called: only `npm run check:types` reads these. An expected error that does not occur is an error itself.

async function refused(client: Client, site: PublicClient, signal: AbortSignal): Promise<void> {
  // @ts-expect-error: options are closed, so a typo is found
  client.me.get({ signall: signal });
  // @ts-expect-error: a limit is a number of milliseconds
  client.me.get({ deadlineMs: '5s' });
  // @ts-expect-error: the hook belongs to the client
  client.me.get({ onAttempt: () => {} });
  // @ts-expect-error: options of the client are closed too
  createClient({ baseUrl: 'x', apiKey: 'y', retries: 3 });
  // @ts-expect-error: a client needs a key
  createClient({ baseUrl: 'x' });
  // @ts-expect-error: no room for options of openapi-fetch
  client.passports.get('x', { baseUrl: 'https://elsewhere.example' });
  // @ts-expect-error: a query is closed
  client.products.list({ limt: 2 });
  // @ts-expect-error: a value is closed
  client.passports.put('x', [{ field_key: 'a', value: 2, acess_level: 'public' }]);
  // @ts-expect-error: a passport has values, not a value
  client.passports.put('x', { field_key: 'a', value: 2 });
  // @ts-expect-error: zugang, not token
  site.passports.page('t', 'p', { token: 'x' });
  // @ts-expect-error: the public side takes no key
  site.passports.page('t', 'p', {}, { apiKey: 'x' });
  // @ts-expect-error: without a document there is only a page
  (await site.resolve('09520001000072')).document.name;
  // @ts-expect-error: a document is not a passport: its content hash takes the values of every access level
  verifyContentHash(await site.passports.document('t', 'p'));
  // @ts-expect-error: an item is not a page
  for await (const item of client.products.list()) item.total;
}

async function results(client: Client, error: unknown): Promise<void> {
  const result = await client.products.create({ name: 'x' }).result();
  // @ts-expect-error: check `ok` before `value`
  result.value;
  if (result.ok) result.value satisfies Product;
  else result.error satisfies PassportError<'createProduct'>;
  const page = await client.products.list().result();
  if (page.ok) page.value.items satisfies ProductListItem[];
  // @ts-expect-error: the second argument is an operation
  isApiError(error, 'not_found');
  if (isApiError(error, 'createProduct')) {
    error.operation satisfies 'createProduct';
    same<typeof error.code, ErrorCode<'createProduct'>>(true);
    // @ts-expect-error: an error is read-only
    error.code = 'invalid_gtin';
  }
  same<
    KnownErrorCode<'getMe'>,
    'invalid_api_key' | 'rate_limited' | 'internal_error' | 'service_unavailable' | BesideOperations
  >(true);
  // errors.test.ts compares the codes that a fake has with the contract.
  same<{ [Name in Operation]: KnownErrorCode<Name> }, { [Name in Operation]: FakeErrorCode<Name> | BesideOperations }>(
    true,
  );
  // @ts-expect-error: a create finds nothing that might be missing
  'not_found' satisfies KnownErrorCode<'createProduct'>;
}

type BesideOperations = 'method_not_allowed' | 'request_timeout' | 'headers_too_large';

/** Compiles if the two types are the same. */
function same<A, B>(
  equal: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): boolean {
  return equal;
}

async function accepted(client: Client, site: PublicClient, signal: AbortSignal | undefined): Promise<void> {
  const listed: PagePromise<ProductList> = client.products.list({ limit: 2 }, { signal });
  const first: ProductList = await listed;
  for await (const page of listed.pages()) page satisfies ProductList;
  const passport: Passport = await client.passports.get('x', {});
  await client.passports.put('x', passport.values);
  await client.passports.put('x', Object.freeze([{ field_key: 'a', value: { any: ['JSON'] } }]));
  await client.products.create({ name: 'x', product_group: 'a group of tomorrow', model: null });
  // Under `exactOptionalPropertyTypes` an optional value may be `undefined`.
  const none: undefined = undefined;
  await client.products.list({ limit: none, search: none, status: none }, { signal: none, timeoutMs: none });
  await client.products.ensure({ name: 'x', slug: 'x', gtin: none, model: none, product_group: none });
  const value = { field_key: 'x', value: 2, unit: none, source: none, access_level: none, is_unknown: none };
  await client.passports.put('x', [value, { field_key: 'cable_length', value: 2, needs_review: none }]);
  await client.http.GET('/api/v1/products', { params: { query: { limit: none } }, timeoutMs: none });
  const { document }: Resolution = await site.resolve('09520001000072', { zugang: 'x' }, { signal });
  (await site.passports.page('t', 'p')) satisfies string;
  (await verifyPassport(document ?? (await site.passports.document('t', 'p')))) satisfies HashCheck;
  (await verifyContentHash(passport)) satisfies HashCheck;
  // The contract says which members of the document are optional.
  document?.manufacturer?.name satisfies string | undefined;
  document?.additionalProperty.map(({ name }) => name) satisfies string[] | undefined;

  // An open enum offers its known values in the editor, and accepts any other text.
  const registry: string = first.items[0]?.registry_status ?? 'none';
  const code: ErrorCode = 'a_code_of_tomorrow';
  [registry, code].length;
}

async function codes(client: Client, error: unknown): Promise<void> {
  const created = await client.products.create({ name: 'x' }).result();
  if (!created.ok) {
    if (isApiError(created.error, 'createProduct', 'name_required')) created.error.code satisfies 'name_required';
    // @ts-expect-error: a typo in a code
    isApiError(created.error, 'createProduct', 'name_requird');
    // @ts-expect-error: a code of another operation
    isApiError(created.error, 'createProduct', 'field_key_required');
    // @ts-expect-error: a create writes no values
    created.error.applied;
    // @ts-expect-error: and takes whatever slug the service gives
    if (created.error.name === 'ConflictError') throw created.error;
  }
  if (isApiError(error, undefined, 'rate_limited')) error.code satisfies 'rate_limited';
}

async function ofOneMethod(client: Client): Promise<void> {
  const written = await client.passports.put('x', []).result();
  if (!written.ok) {
    written.error.applied satisfies number;
    if (written.error.name === 'ApiError') written.error.operation satisfies 'putPassport';
    // @ts-expect-error: a write of values makes no product
    if (written.error.name === 'ConflictError') throw written.error;
  }
  const ensured = await client.products.ensure({ name: 'x', slug: 'x' }).result();
  if (!ensured.ok && ensured.error.name === 'ConflictError') ensured.error.product.slug satisfies string;
  // @ts-expect-error: it writes no values
  if (!ensured.ok) ensured.error.applied;
  const me = await client.me.get().result();
  // @ts-expect-error: reading the tenant makes no product
  if (!me.ok && me.error.name === 'ConflictError') throw me.error;
}

async function requested(client: Client, signal: AbortSignal): Promise<void> {
  const { data, response } = await client.http.GET('/api/v1/me', { signal, timeoutMs: 5 });
  const plan: string = data.tenant.plan; // an open enumeration
  [plan, response.headers.get('x-request-id')] satisfies unknown[];
  const path = { slug: 'x' };
  const { data: product } = await client.http.GET('/api/v1/products/{slug}', { params: { path } });
  product.registry_status satisfies string;
  const body = { name: 'x', product_group: 'a group of tomorrow' };
  (await client.http.POST('/api/v1/products', { body })).data.slug satisfies string;
  (await client.http.GET('/api/v1/me', { parseAs: 'text' })).data satisfies string;
  client.http satisfies OpenapiFetch<ApiPaths>;
  // @ts-expect-error: not a path of the contract
  client.http.GET('/api/v1/product');
  // @ts-expect-error: a path of the public side
  client.http.GET('/p/{tenant}/{product}', { params: { path: { tenant: 't', product: 'p' } } });
  // @ts-expect-error: a method that the path does not have
  client.http.PUT('/api/v1/me');
  // @ts-expect-error: its path has a slug
  client.http.GET('/api/v1/products/{slug}');
  // @ts-expect-error: a typo in a query
  client.http.GET('/api/v1/products', { params: { query: { limt: 3 } } });
  // @ts-expect-error: a list of values is needed
  client.http.PUT('/api/v1/products/{slug}/passport', { params: { path } });
  // @ts-expect-error: a read has no body
  client.http.GET('/api/v1/me', { body: {} });
}

function fetches(dispatcher: undici.Agent): void {
  const options = { baseUrl: 'x', apiKey: 'y' };
  createClient({ ...options, fetch: globalThis.fetch });
  createClient({ ...options, fetch: undici.fetch });
  createClient({ ...options, fetch: (url, init) => undici.fetch(url, { ...init, dispatcher }) });
  createClient({ ...options, fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }) });
  createPublicClient({ siteUrl: 'x', fetch: undici.fetch });
  createPublicClient({ siteUrl: 'x', fetch: globalThis.fetch });
  // @ts-expect-error: it is called with an address, and not with a Request
  createClient({ ...options, fetch: async (request: Request) => fetch(request) });
  // @ts-expect-error: a response has a status
  createClient({ ...options, fetch: async () => ({ ok: true }) });
}

async function fields({ passports }: Client): Promise<void> {
  const values: ValuesOf<'battery', 'our_colour'> = [
    { field_key: 'manufacturer_name', value: 'Nordlicht', access_level: 'public' },
    { field_key: 'battery_category', value: 'ev' },
    { field_key: 'warranty_months', value: 24, unit: 'month' },
    { field_key: 'separate_collection_symbol', value: null, is_unknown: true },
    { field_key: 'our_colour', value: { ral: 9005 } },
  ];
  await passports.put('x', values);
  const any: FieldKey<'battery'> = 'a_field_of_ours';
  await passports.put('x', [{ field_key: any, value: 1 }]);
  // Every group that the contract knows has a template. A group of tomorrow is `string`.
  type Known<Group> = Group extends string ? (string extends Group ? never : Group) : never;
  type Templates = { [Group in Known<ProductGroup>]: FieldsOf<Group> };
  'textile' satisfies keyof Templates;
  // @ts-expect-error: no group
  values.length satisfies FieldsOf<'batery'>;

  await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 2 }]);
  await passports.put<'cable', 'our_colour'>('x', [{ field_key: 'our_colour', value: 'red', unit: 'RAL' }]);
  await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: [], access_level: 'authority' }]);
  const lead = ['lead', { name: 'lead', cas: '7439-92-1', share: null }];
  await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: lead, access_level: 'restricted' }]);
  const fibres = [{ fibre: 'wool', share: 80 }, { fibre: 'silk', share: '15-20 %' as const }, {}];
  await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: fibres }]);
  await passports.put<'motor'>('x', [{ field_key: 'power_losses', value: { '25/25': 1.4 }, unit: '%' }]);
  // @ts-expect-error: the key is misspelled
  await passports.put<'cable'>('x', [{ field_key: 'cable_lenght', value: 2 }]);
  // @ts-expect-error: a number is not text
  await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 'two' }]);
  // @ts-expect-error: the unit is m
  await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 200, unit: 'km' }]);
  // @ts-expect-error: the member is misspelled
  await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: [{ fiber: 'wool' }] }]);
  // @ts-expect-error: a share is a number, or a text with its unit
  await passports.put<'textile'>('x', [{ field_key: 'fibre_composition', value: [{ fibre: 'wool', share: '80' }] }]);
  // @ts-expect-error: without an access level the value would be public
  await passports.put<'cable'>('x', [{ field_key: 'substances_of_concern', value: ['Blei'] }]);
  // @ts-expect-error: and so it would be with this one
  await passports.put<'cable'>('x', [{ field_key: 'test_reports', value: 'https://x', access_level: 'restricted' }]);

  const several: ValueOf<'textile' | 'battery', 'our_colour'>[] = [];
  several.push({ field_key: 'pilling_grade', value: 4 }, { field_key: 'battery_category', value: 'ev' });
  several.push({ field_key: 'our_colour', value: { ral: 9005 } });
  // @ts-expect-error: a field of neither group
  several.push({ field_key: 'cable_length', value: 2 });
  same<FieldKey<'textile' | 'battery'>, FieldKey<'textile'> | FieldKey<'battery'>>(true);
  several satisfies ValuesOf<'textile' | 'battery', 'our_colour'>;
}

/** Responses that no service sends. */
function faked(product: Product): void {
  // @ts-expect-error: no such operation
  createFakeClient({ getProducts: product });
  // @ts-expect-error: the public side is another client's
  createFakeClient({ resolveGtin: '/p/t/p' });
  // @ts-expect-error: a product has more than a slug
  createFakeClient({ getProduct: ({ slug }) => ({ slug }) });
  // @ts-expect-error: reading a product cannot fail with name_required
  createFakeClient({ getProduct: apiError('name_required') });
  // @ts-expect-error: also from a function
  createFakeClient({ getProduct: () => apiError('name_required') });
  // @ts-expect-error: the contract sets the status of a code
  createFakeClient({ getProduct: apiError('not_found', 'x', 410) });
  // @ts-expect-error: getMe has no slug
  createFakeClient({ getMe: ({ slug }) => slug });
  // @ts-expect-error: its fetch is the fake's
  createFakeClient({}, { fetch: globalThis.fetch });
}

function told(error: unknown): string | number {
  if (isApiError(error)) return error.status + error.code.length + error.detail.length;
  if (!isPassportError(error)) return 'not ours';
  switch (error.name) {
    case 'ApiError':
      return error.detail;
    case 'UnexpectedResponseError':
      return error.excerpt;
    case 'NetworkError':
      return error.code satisfies 'network_error';
    case 'TimeoutError':
      return error.phase;
    case 'AbortError':
      return error.code satisfies 'aborted';
    case 'ArgumentError':
      return error.argument;
    case 'ConflictError':
      return error.product.slug;
    case 'AmbiguousError':
      return error.slugs.length;
  }
}

void [refused, results, accepted, codes, ofOneMethod, requested, fetches, fields, faked, told];

test('the program of the tutorial is strict TypeScript', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const tutorial = readFileSync(join(root, 'docs/tutorials/first-sync.md'), 'utf8');
  const [, text = ''] = /sync\.mjs <<'END_OF_FILE'\n(.*?)^END_OF_FILE$/ms.exec(tutorial) ?? [];
  const { options: ours } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const options = { ...ours, allowJs: true, checkJs: true };
  const path = join(root, 'test/sdk/sync.mjs');
  const findingsOf = (program: string) => {
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile } = host;
    host.fileExists = (name) => name === path || fileExists(name);
    host.readFile = (name) => (name === path ? program : readFile(name));
    const compiled = ts.createProgram([path], options, host);
    const source = compiled.getSourceFile(path);
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)].map(
      ({ code }) => code,
    );
  };
  expect(findingsOf(text)).toEqual([]);
  expect(findingsOf(text.replace('outcome.error.message', 'outcome.error.mesage'))).toEqual([2551]);
});

test('everything that the SDK exports has a docstring, which editors show', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const read = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const manifest: { exports: object } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));
  const entries = Object.values(manifest.exports).flatMap((path) => globSync(join(root, 'sdk', path)));
  const modules = entries.filter((path) => path.endsWith('.ts'));
  const program = ts.createProgram(modules, ts.parseJsonConfigFileContent(read.config, ts.sys, root).options);
  const checker = program.getTypeChecker();
  const original = (one: ts.Symbol) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one);
  const bare = modules.flatMap((path) => {
    const source = program.getSourceFile(path);
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module ? checker.getExportsOfModule(module) : [];
    expect([path, exported.length]).not.toEqual([path, 0]);
    const undocumented = exported.filter((one) => original(one).getDocumentationComment(checker).length === 0);
    return undocumented.map(({ name }) => `${basename(path)} ${name}`);
  });
  expect(bare).toEqual([]);
});

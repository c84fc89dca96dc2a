/** What the compiler lets a handler read. `npm run check:types` fails if one of these types changes. */
import { expect, test } from '@jest/globals';
import type { Handlers } from '../../server/src/http/handlers.ts';

type Part = 'tenant' | 'path' | 'query' | 'body' | 'visit' | 'queryParts' | 'mediaType';
type PartsOf<Id extends keyof Handlers> = Extract<Part, keyof Parameters<Handlers[Id]>[0]>;

/** Compiles only if the handler's request has exactly these parts. */
function parts<Id extends keyof Handlers>(operation: Id, names: Record<PartsOf<Id>, true>): string {
  return `${operation} ${Object.keys(names).join(' ')}`;
}

test('a handler of the API has a tenant, and only the parts of its operation', () => {
  expect(parts('getMe', { tenant: true })).toBe('getMe tenant');
  expect(parts('listProducts', { tenant: true, query: true })).toBe('listProducts tenant query');
  expect(parts('createProduct', { tenant: true, body: true })).toBe('createProduct tenant body');
  expect(parts('putPassport', { tenant: true, path: true, body: true })).toBe('putPassport tenant path body');
});

test('a public handler has no tenant', () => {
  const visited = { visit: true, queryParts: true, mediaType: true } as const;
  expect(parts('getPassportPage', { path: true, query: true, ...visited })).toContain('getPassportPage path query');
  expect(parts('getResolverDescription', visited)).toContain('getResolverDescription visit');
  // @ts-expect-error A public request has no tenant.
  const handler: Handlers['getPassportJsonld'] = async ({ tenant }) => tenant;
  expect(handler).toBeInstanceOf(Function);
});

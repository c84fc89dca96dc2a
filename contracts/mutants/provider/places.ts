/** The requests of each operation. */
import type { At } from './alter.ts';

const products = '^/api/v1/products';

function at(method: string, path: string): At {
  return { method, path: new RegExp(path) };
}

export const everywhere: At = { path: /^/ };
export const api: At = { path: /^\/api\/v1\// };
export const me = at('GET', '^/api/v1/me$');
export const list = at('GET', `${products}$`);
export const create = at('POST', `${products}$`);
export const product = at('GET', `${products}/[^/]+$`);
export const ofProduct: At = { path: new RegExp(`${products}/[^/]+`) };
export const passport = at('GET', `${products}/[^/]+/passport$`);
export const write = at('PUT', `${products}/[^/]+/passport$`);
export const carriers = at('GET', `${products}/[^/]+/carriers$`);
export const scans = at('GET', '^/api/v1/analytics/scans$');
export const page = at('GET', '^/p/[^/]+/[^/]+$');
export const document = at('GET', '^/p/[^/]+/[^/]+/jsonld$');
export const publicSide: At = { path: /^\/(p|01)\// };
export const resolver = at('GET', '^/01/[^/]+$');

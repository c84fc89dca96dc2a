/** Renderings of passports that are made once, and the tags that identify them. */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Cached, PassportCache } from '../passports/read.ts';
import type { Services } from '../services.ts';
import { TenantQueue } from '../tenants/queue.ts';
import { type PublicPassport, type Published, readPublicPassport } from './public-passport.ts';

/** The cached rendering of one view of a passport. */
export type Rendered = <Made extends Cached>(
  wanted: { tag: string; published: Published; acceptsGzip?: boolean },
  make: (passport: PublicPassport) => Made | Promise<Made>,
  read?: () => Promise<PublicPassport>,
) => Promise<Made>;

export function renderings(services: Services, cache: PassportCache): Rendered {
  // Four read the database at the same time. Requests for one tenant do not delay those for others.
  const queue = new TenantQueue({ atOnce: 4, inAll: 4, waiting: 50 });
  return ({ tag, published, acceptsGzip = false }, make, read = () => readPublicPassport(services, published)) => {
    const tenantId = published.row.tenant_id;
    const get = () => cache.get(tag, () => queue.run(tenantId, async () => make(await read())));
    return acceptsGzip ? cache.gzipped(tag, get) : get();
  };
}

/** Identifies a rendering by everything that it shows. It is the ETag too, so that a 304 needs no rendering. */
export function tagOf(
  form: string,
  siteUrl: string,
  { path, row, view }: Published,
  ...more: (string | undefined)[]
): string {
  // Only an inspector's page shows what was confirmed.
  const { confirmed: _, ...common } = row;
  const shown = form === 'page' && view.role === 'inspector' ? row : common;
  return hash('sha256', JSON.stringify([rendererVersion(), form, siteUrl, path, shown, view, ...more]), 'base64url');
}

/** What pages and documents are made with, as well as the passport: the code, its data, and the rules of the contract. */
const sources = [
  new URL('../', import.meta.url),
  new URL('../../data/', import.meta.url),
  new URL('rules/', pathToFileURL(createRequire(import.meta.url).resolve('@product-passport/openapi'))),
];

/**
 * Identifies the renderer: it changes with anything that pages and documents are made with. The ETags contain it, so that
 * an instance answers 304 only if it would send the same bytes.
 */
function rendererVersion(): string {
  version ??= sources
    .flatMap((folder) => {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
    })
    .reduce((hash, path) => hash.update(basename(path)).update(readFileSync(path)), createHash('sha256'))
    .digest('base64url');
  return version;
}

/** Made with the first page: it reads all sources. */
let version: string | undefined;

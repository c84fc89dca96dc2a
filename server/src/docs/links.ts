import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { baseStyle, compact } from '../site/rendering.ts';

/** The stylesheet of the reference. */
export const docsStyle = compact(baseStyle + readFileSync(new URL('./views/docs.css', import.meta.url), 'utf8'));

/**
 * The script in each page, which loads the search when a reader begins to search. Without it a page has all of its content,
 * but no search, no copy buttons and no mark.
 */
export const pageScript = readFileSync(new URL('./views/page.js', import.meta.url), 'utf8').replaceAll(
  /^ +(?:\/\/.*\n)?|^\/\/.*\n/gm,
  '',
);

/** Allows this script, and what it loads, in the content security policy of the pages. */
export const scriptPolicy = `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}' 'strict-dynamic'`;

/** The page that the others lead back to. */
export const overview = 'index';

/** The page that lists the product groups. */
export const groupsPage = 'fields';

/** The page of a product group: `fields/cable`. */
export const groupPage = (group: string): string => `${groupsPage}/${group}`;

/** The page with all schemas. */
export const schemas = 'schemas';

/** Where the pages and their files are: on a server, or in a folder of static files. */
export type Links = ReturnType<typeof serverLinks>;

/** Addresses on the server. They begin with a slash, because `/docs` also works with a slash at its end. */
export function serverLinks(stylesheet: string) {
  return {
    page: (name: string): string => (name === overview ? '/docs' : `/docs/${name}`),
    stylesheet,
    // The script of the search, with its index.
    search: '/docs/search.js',
    yaml: '/openapi.yaml',
    json: '/openapi.json',
  };
}

/** Addresses of files in one folder, which a browser also opens without a server. */
export const fileLinks: Links = {
  page: (name) => `${name.replace('/', '-')}.html`,
  stylesheet: 'docs.css',
  search: 'search.js',
  yaml: 'openapi.yaml',
  json: 'openapi.json',
};

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What pages and documents are made with, beside the passport: code, views, words, pictures and templates. */
const sources = [
  './',
  './views/',
  '../access/',
  '../carriers/',
  '../languages/',
  '../passports/',
  '../products/',
  '../templates/',
  '../tenants/',
  '../../data/',
  '../../data/languages/',
];

/**
 * Identifies the renderer: it changes with anything that pages and documents are made with. The ETags contain it, so that
 * an instance answers 304 only if it would send the same bytes.
 */
export const rendererVersion: string = sources
  .reduce((hash, folder) => {
    const url = new URL(folder, import.meta.url);
    const files = readdirSync(url, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      hash.update(name).update(readFileSync(new URL(name, url)));
    }
    return hash;
  }, createHash('sha256'))
  .digest('base64url');

/** The script in each page. Without it a page has all of its content, but no search, no copy buttons and no mark. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** It loads the script of the search when a reader begins to search. */
export const pageScript = readFileSync(new URL('./views/page.js', import.meta.url), 'utf8').replaceAll(
  /^ +(?:\/\/.*\n)?|^\/\/.*\n/gm,
  '',
);

/** Allows this script, and what it loads, in the content security policy of the pages. */
export const scriptPolicy = `script-src 'sha256-${createHash('sha256').update(pageScript).digest('base64')}' 'strict-dynamic'`;

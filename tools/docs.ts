/** `npm run docs` writes the API reference as static files. They open without a server, and load nothing else. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readDocument, readText } from '../openapi/src/index.ts';
import { docsStyle, fileLinks } from '../server/src/docs/links.ts';
import { docsPages, searchFile } from '../server/src/docs/pages.ts';

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: 'dist/docs' },
    'site-url': { type: 'string', default: 'https://passport.example.com' },
  },
});
const folder = resolve(values.to);
const siteUrl = new URL(values['site-url']).origin;

await mkdir(folder, { recursive: true });
const pages = docsPages(fileLinks, siteUrl);
const files: Record<string, string> = {
  ...Object.fromEntries(pages.map(({ name, html }) => [fileLinks.page(name), html])),
  [fileLinks.search]: searchFile(pages, fileLinks.page),
  [fileLinks.stylesheet]: docsStyle,
  [fileLinks.yaml]: readText(),
  [fileLinks.json]: `${JSON.stringify(readDocument(), null, 2)}\n`,
};
for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
process.stdout.write(`wrote ${Object.keys(files).length} files to ${folder}\n`);

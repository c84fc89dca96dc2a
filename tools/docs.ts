/** `npm run docs` writes the API reference as static files. They open without a server, and load nothing else. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readDocument, readText } from '../openapi/src/index.ts';
import { docsStyle, fileLinks } from '../server/src/docs/links.ts';
import { docsPages, searchFile } from '../server/src/docs/pages.ts';
import { optionsOf, refuse } from './options.ts';

const usage = `npm run docs -- [--to FOLDER] [--site-url URL]

  --to FOLDER      where the files go (default dist/docs)
  --site-url URL   the address in the examples (default https://passport.example.com)
`;

const { values } = optionsOf(usage, {
  options: {
    to: { type: 'string', default: 'dist/docs' },
    'site-url': { type: 'string', default: 'https://passport.example.com' },
  },
});
const folder = resolve(values.to);
if (!URL.canParse(values['site-url'])) refuse('--site-url must be an address.', usage);
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

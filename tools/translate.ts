/**
 * `npm run translate -- fr` adds each missing word to `server/data/languages/fr.json` as an empty text, and lists what is
 * still to translate. Pages show English in place of an empty text.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { completed, gapsOf, type Words } from './translation.ts';

const [language = ''] = process.argv.slice(2);
if (!/^[a-z]{2}$/.test(language)) {
  throw new Error('Name the language by its two letters, as in `npm run translate -- fr`.');
}
const fileOf = (code: string) => new URL(`../server/data/languages/${code}.json`, import.meta.url);
const read = (code: string): Words => JSON.parse(readFileSync(fileOf(code), 'utf8'));

const english = read('en');
const file = existsSync(fileOf(language)) ? read(language) : {};
writeFileSync(fileOf(language), `${JSON.stringify(completed(english, file, language), null, 2)}\n`);
const gaps = gapsOf(english, file, language);
process.stdout.write(`${[...gaps, `${gaps.length} to translate`].join('\n')}\n`);

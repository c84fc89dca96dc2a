/** Every kind of page is valid HTML, judged by html-validate, which is installed on first use. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { fileLinks, serverLinks } from '../../server/src/docs/links.ts';
import { docsPages } from '../../server/src/docs/pages.ts';
import { openPublicList } from '../../server/src/tenants/store.ts';
import { newFolder } from '../support/files.ts';
import { installed } from '../support/packages.ts';
import { run } from '../support/program.ts';
import { fillPublicDemo, useService } from '../support/service.ts';

jest.setTimeout(240_000);

const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl });
/** The paths of the passport pages, with each language and role. */
let passportPages: string[] = [];

beforeAll(async () => {
  const { tokens, products } = await fillPublicDemo(service);
  passportPages = products.flatMap(({ tenant, slug }) => {
    const zugang = tokens.filter((token) => token.tenant === tenant).map(({ token }) => `&zugang=${token}`);
    return ['', ...zugang].flatMap((role) => ['en', 'de'].map((lang) => `/p/${tenant}/${slug}?lang=${lang}${role}`));
  });
});

/** The findings in pages, by the recommended rules and these. */
async function findings(pages: readonly string[], rules: Record<string, unknown> = {}): Promise<string> {
  const own = newFolder();
  const config = {
    root: true,
    extends: ['html-validate:recommended'],
    // A product's name may be long.
    rules: { 'doctype-style': ['error', { style: 'lowercase' }], 'long-title': 'off', ...rules },
  };
  await writeFile(join(own, '.htmlvalidate.json'), JSON.stringify(config));
  await Promise.all(pages.map((html, index) => writeFile(join(own, `${index}.html`), html)));
  const tool = await installed(['html-validate@11.18.0']);
  const { code, stdout, stderr } = await run(`${tool}/node_modules/.bin/html-validate --formatter text ${own}`);
  return code === 0 ? '' : `${stdout}${stderr}`;
}

async function get(path: string): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': path.includes('lang=de') ? 'de' : 'en' };
  return (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).text();
}

test('the check finds a wrong page', async () => {
  const [page = ''] = passportPages;
  expect(await findings([(await get(page)).replace('</main>', '</div>')])).toMatch(/0\.html:\d+:\d+: error/);
});

test('the passport pages of the demo, and error pages', async () => {
  expect(passportPages).toHaveLength(7 * 2 * 4 + 13 * 2 * 3 + 2 * 2);
  const paths = [...passportPages, '/p/nordlicht/none?lang=en', '/p/nordlicht/none?lang=de', '/01/0?lang=de'];
  expect(await findings(await Promise.all(paths.map(get)))).toBe('');
});

test('the vocabulary, and lists of public passports with a hostile search or product', async () => {
  const client = await service.newTenant({ slug: 'laden', name: 'Laden <i>&' });
  const hostile = `<b>"Tasse' & Co`;
  await client.publish(hostile);
  await openPublicList(service.database, client.tenant.id, new Date());
  const searches = ['', hostile, 'tasse', '%', '{count}'];
  const lists = searches.map((search) => `/p/laden?search=${encodeURIComponent(search)}`);
  const paths = ['/ns/dpp?lang=en', '/ns/dpp?lang=de', '/', '/p', '/p/nordlicht', ...lists];
  expect(await findings(await Promise.all(paths.map(get)))).toBe('');
});

test('the API reference, on a server and as files', async () => {
  const pages = [serverLinks('/assets/docs.css'), fileLinks].flatMap((links) => docsPages(links, siteUrl));
  const rules = {
    // The contents stand there twice: one list for a desk, one for a phone. Only one of them is shown.
    'unique-landmark': 'off',
    // Output of the Markdown renderer.
    'no-trailing-whitespace': 'off',
  };
  expect(
    await findings(
      pages.map(({ html }) => html),
      rules,
    ),
  ).toBe('');
});

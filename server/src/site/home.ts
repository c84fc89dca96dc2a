import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from '@hapi/hapi';
import { ContractError } from '@product-passport/openapi';
import { servePublic } from '../http/fallbacks.ts';
import { preferredType } from '../http/representation.ts';
import { queryOf } from '../http/target.ts';
import { languageOf } from '../languages/words.ts';
import { homePage, readScannedCode } from './home-page.ts';
import { formHeaders, type Render } from './rendering.ts';

/** Browsers ask for these icons at the root. Every page of the site names the same icon as SVG. */
const icon = (name: string): Buffer => readFileSync(new URL(`./views/${name}`, import.meta.url));

const favicon = icon('favicon.ico');
const touchIcon = icon('apple-touch-icon.png');

/** Robots may read the passports. The API is for programs with a key. */
const robots = (siteUrl: string): string => `User-agent: *\nDisallow: /api/\nSitemap: ${siteUrl}/sitemap.xml\n`;

/** Refuses a program, which gets the error of an unknown address. */
function refusePrograms({ headers: { accept } }: IncomingMessage): void {
  if (preferredType(accept, ['application/json', 'text/html']) !== 'text/html') throw new ContractError('not_found');
}

/** Serves `/`, which opens the passport of a GTIN or a scanned link, `/robots.txt` and icons. `/p` leads to `/`. */
export const homePlugin: Plugin<{ render: Render; siteUrl: () => string }> = {
  name: 'home',
  register(server, { render, siteUrl }) {
    server.route({
      method: 'GET',
      path: '/',
      // Other methods get the error of an unknown address.
      options: { app: { offersHtmlErrors: true } },
      handler(request, h) {
        refusePrograms(request.raw.req);
        const { values } = queryOf(request);
        const language = languageOf(values.get('lang') ?? undefined, request.raw.req.headers['accept-language']);
        const code = (values.get('code') ?? '').slice(0, 2000);
        const read = code.trim() === '' ? undefined : readScannedCode(code);
        if (read && 'path' in read) return h.response().code(303).header('location', `${read.path}?lang=${language}`);
        const response = h.response(render('home', homePage(language, code, read))).type('text/html');
        for (const [name, value] of Object.entries(formHeaders(language))) response.header(name, value);
        return response.code(read ? 400 : 200);
      },
    });
    server.route({
      method: 'GET',
      path: '/p',
      options: { app: { offersHtmlErrors: true } },
      handler(request, h) {
        refusePrograms(request.raw.req);
        const lang = queryOf(request).values.get('lang');
        return h.redirect(lang === null ? '/' : `/?${new URLSearchParams({ lang })}`).code(303);
      },
    });
    for (const [path, type, content] of [
      ['/robots.txt', 'text/plain', () => robots(siteUrl())],
      ['/favicon.ico', 'image/x-icon', () => favicon],
      ['/apple-touch-icon.png', 'image/png', () => touchIcon],
    ] as const)
      servePublic(server, path, (_, h) =>
        h.response(content()).type(type).header('cache-control', 'public, max-age=86400'),
      );
  },
};

import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from '@hapi/hapi';
import { ContractError, hasValidCheckDigit } from '@product-passport/openapi';
import { preferredType, StaticContent, withHeaders } from '../http/representation.ts';
import { servePublic } from '../http/routes.ts';
import { queryOf } from '../http/target.ts';
import { fill, type Language, languageOf, texts } from '../languages/languages.ts';
import { translations } from './page.ts';
import { emblemOf } from './pictures.ts';
import { pageHeaders, type Render } from './rendering.ts';

/** Browsers ask for these icons at the root. Every page of the site names the same icon as SVG. */
const icon = (name: string): Buffer => readFileSync(new URL(`./views/${name}`, import.meta.url));

/** The only script of the site's pages: it reads a code with the camera. */
const scanScript = readFileSync(new URL('./views/scan.js', import.meta.url), 'utf8');

const favicon = icon('favicon.ico');
const touchIcon = icon('apple-touch-icon.png');

/** Robots may read the passports. The API is for programs with a key. */
const robots = (siteUrl: string): string => `User-agent: *\nDisallow: /api/\nSitemap: ${siteUrl}/sitemap.xml\n`;

/** Refuses a program, which gets the error of an unknown address. */
function refusePrograms({ headers: { accept } }: IncomingMessage): void {
  if (preferredType(accept, ['application/json', 'text/html']) !== 'text/html') throw new ContractError('not_found');
}

/** Characters of a code. */
const maxCode = 2000;

/** Serves `/`, which opens the passport of a GTIN or a scanned link, `/robots.txt` and icons. `/p` leads to `/`. */
export const homePlugin: Plugin<{ render: Render; siteUrl: () => string }> = {
  name: 'home',
  register(server, { render, siteUrl }) {
    const pages = new Map<Language, StaticContent>();
    server.route({
      method: 'GET',
      path: '/',
      // Other methods get the error of an unknown address.
      options: { app: { errors: 'preferred' } },
      handler(request, h) {
        refusePrograms(request.raw.req);
        const { values } = queryOf(request);
        const language = languageOf(values.get('lang') ?? undefined, request.raw.req.headers['accept-language']);
        const code = (values.get('code') ?? '').slice(0, maxCode).toWellFormed();
        const read = code.trim() === '' ? undefined : readScannedCode(code);
        if (read && 'path' in read) return h.response().code(303).header('location', `${read.path}?lang=${language}`);
        const headers = {
          ...pageHeaders(language, { form: 'self', script: scanScript }),
          'permissions-policy': 'camera=(self)',
        };
        if (read) {
          const html = render('home', homePage(language, code, read));
          return withHeaders(h.response(html).type('text/html').code(400), headers);
        }
        const page = pages.get(language) ?? new StaticContent('text/html', render('home', homePage(language)));
        pages.set(language, page);
        return page.respond(request, h, headers);
      },
    });
    server.route({
      method: 'GET',
      path: '/p',
      options: { app: { errors: 'preferred' } },
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

/**
 * The content of the page at `/`.
 *
 * @param code what the reader entered
 */
function homePage(language: Language, code = '', read?: Exclude<ScannedCode, { path: string }>) {
  const text = texts[language];
  const problem =
    read && (read.problem === 'unread' ? text.home.unread : fill(text.home.checkDigit, { digit: read.digit }));
  const footer = [
    { text: text.home.create, href: '/docs#first-passport' },
    { text: text.errors.reference, href: '/docs' },
  ].map((link) => ({ ...link, isForeign: false, language: 'en' as const }));
  const places = ['textile', 'washing_machine', 'packaging'].map(emblemOf);
  return {
    language,
    text,
    title: text.home.title,
    translations: translations(),
    footer,
    code,
    problem,
    places,
    script: scanScript,
  };
}

/** What a reader typed or pasted: the path of a Digital Link, or the reason why it is none. */
type ScannedCode = { path: string } | { problem: 'unread' } | { problem: 'checkDigit'; digit: string };

const gtinLengths = [8, 12, 13, 14];

/** The application identifiers that a path may have after the GTIN, in the order of GS1. */
const qualifiers = ['22', '10', '21'];

/** Reads `https://id.example/01/…`, `(01)…` with batch and serial, and a bare GTIN. */
export function readScannedCode(text: string): ScannedCode {
  const code = text.trim();
  const [, linked = ''] =
    /^https?:\/\/[^/?#]+(?:\/[^?#]*)?(\/01\/\d{8,14}(?:\/[^?#\s]*)?)(?:[?#].*)?$/i.exec(code) ?? [];
  // A header must not contain these characters.
  if (linked) return { path: linked.replace(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent) };
  const elements = new Map(
    [...code.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, key = '', value = '']) => [key, value.trim()]),
  );
  const isElements = /^\(\d{2,4}\)/.test(code);
  const gtin = (isElements ? (elements.get('01') ?? '') : code).replaceAll(/[\s-]/g, '');
  if (!/^\d+$/.test(gtin) || !gtinLengths.includes(gtin.length)) return { problem: 'unread' };
  if (!hasValidCheckDigit(gtin)) return { problem: 'checkDigit', digit: gtin.slice(-1) };
  const rest = qualifiers.flatMap((key) => {
    const value = elements.get(key);
    return value ? [`/${key}/${encodeURIComponent(value)}`] : [];
  });
  return { path: `/01/${gtin}${rest.join('')}` };
}

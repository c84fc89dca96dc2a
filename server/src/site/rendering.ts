import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Server } from '@hapi/hapi';
import vision from '@hapi/vision';
import { Eta } from 'eta';
import type { Language } from './language.ts';
import type { ErrorPage, PassportPage } from './page.ts';

/** Makes HTML of a page in words. */
export interface Render {
  (template: 'passport', page: PassportPage): Promise<string>;
  (template: 'error', page: ErrorPage): Promise<string>;
}

const templates = new URL('./views/', import.meta.url);
const stylesheet = readFileSync(new URL('passport.css', templates));
const fingerprint = createHash('sha256').update(stylesheet).digest('hex').slice(0, 16);
const stylesheetPath = `/assets/passport.${fingerprint}.css`;

/** Has the server render pages and serve their stylesheet, whose address changes with its content. */
export async function addRendering(server: Server): Promise<Render> {
  const eta = new Eta();
  await server.register(vision);
  server.views({
    engines: {
      eta: {
        compile(source: string) {
          const template = eta.compile(source);
          return (context: object) => eta.render(template, context);
        },
        registerPartial: (name: string, source: string) => eta.loadTemplate(`@${name}`, source),
      },
    },
    path: fileURLToPath(templates),
    partialsPath: fileURLToPath(new URL('partials', templates)),
    layout: true,
  });
  server.route({
    method: 'GET',
    path: stylesheetPath,
    handler: (_, h) =>
      h.response(stylesheet).type('text/css').header('cache-control', 'public, max-age=31536000, immutable'),
  });
  return (template: string, page: object) => server.render(template, { ...page, stylesheetPath });
}

/** Nothing runs, and nothing is loaded but the stylesheet and the icon that stands in the page itself. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What of the request decides on the form of an answer at a page's address. */
export const pageVary = 'accept, accept-language';

/** The headers of every page, also of an error's. */
export function pageHeaders(language: Language): Record<string, string> {
  return {
    'content-language': language,
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    vary: pageVary,
  };
}

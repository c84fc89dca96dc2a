import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@hapi/hapi';
import { hasValidCheckDigit } from '@product-passport/openapi';
import { Eta } from 'eta';
import { LRUCache } from 'lru-cache';
import type { ErrorPageMaker } from '../http/errors.ts';
import { StaticContent } from '../http/representation.ts';
import { fill, type Language, languageOf, openGraphLocale, texts } from '../languages/languages.ts';
import type { ListedTenant } from '../tenants/store.ts';
import { brandOf, footerOf, type Page, translations } from './page.ts';
import { toneStyleOf } from './palette.ts';

/** Renders the content of a page as HTML. The view has the members that the page has in addition to the common ones. */
export type Render = (
  view: 'passport' | 'other-item' | 'error' | 'namespace' | 'home' | 'public-list',
  page: Page,
) => string;

const views = new URL('./views/', import.meta.url);
/** What every page of the site looks like. A stylesheet begins with it. */
export const baseStyle = textOf('base.css');

// Comments, and spaces, semicolons and zeros that mean nothing, are a third of the stylesheet.
const meaningless = /\/\*[\s\S]*?\*\/|(?<=[{};,:>])\s+|\s+(?=[{>])|;(?=\s*\})|(?<=[\s,:(-])0(?=\.\d)/g;
/** A style without what browsers do not need. */
export const compact = (style: string): string => style.replace(meaningless, '');
const parts = ['passport.css', 'key-facts.css', 'pictures.css', 'details.css', 'brand.css'];
const common = compact(baseStyle + parts.map(textOf).join(''));
/** The stylesheet of all pages but passports. A passport has its style in the page: whoever scans a code waits for one request less. */
const siteStyle = common + compact(textOf('form.css'));

function textOf(name: string): string {
  return readFileSync(new URL(name, views), 'utf8');
}

/** The style of a page that loads nothing, because the server would refuse that request, too. */
const aloneStyle = `
:root{color-scheme:light dark}
body{margin:0;background:#f4f3ee;color:#16211e;font:1rem/1.5 system-ui,sans-serif}
.top{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding:.5rem 1.25rem;background:#0e3f3a;color:#f3faf5}
.brand{display:flex;align-items:center;gap:.6rem;margin:0;font-weight:600}
.top a,button{display:block;padding:.6rem;border:0;background:none;color:inherit;font:inherit}.languages{background:#0e3f3a;color:#f3faf5}
.error{max-width:34rem;margin:auto;padding:2rem 1.25rem;text-align:center}
.error a{color:#0b5c50}
@media(prefers-color-scheme:dark){body{background:#0d1412;color:#e6eee9}.error a{color:#8fe0bd}}`.replaceAll('\n', '');

/**
 * Adds the route of a stylesheet.
 *
 * @returns its address, which changes with its content, so that browsers keep it forever
 */
export function serveStylesheet(server: Server, name: string, css: string): string {
  const path = `/assets/${name}.${createHash('sha256').update(css).digest('hex').slice(0, 16)}.css`;
  const content = new StaticContent('text/css', css);
  server.route({
    method: 'GET',
    path,
    handler: (request, h) => content.respond(request, h, { 'cache-control': 'public, max-age=31536000, immutable' }),
  });
  return path;
}

/** All views are read at the start: a process without file descriptors could not read the one of an error page. */
function readViews(): Eta {
  const folder = fileURLToPath(views);
  const sources = new Map(readdirSync(folder).map((name) => [join(folder, name), textOf(name)]));
  const eta = new Eta({ views: folder, cache: true });
  eta.readFile = (path) => sources.get(path) ?? '';
  return eta;
}

/** Lets the server render pages and serve their stylesheet, whose address changes with its content. */
export function addRendering(server: Server): Render {
  const eta = readViews();
  const stylesheetPath = serveStylesheet(server, 'site', siteStyle);
  return (view, page) => {
    const tone = page.brand?.tone?.style ?? '';
    const look = view === 'passport' ? { style: common + tone } : { stylesheetPath, style: tone };
    const shared = { locale: openGraphLocale(page.language), ...(page.isAlone ? { style: aloneStyle } : look) };
    return eta.render('./layout', { ...page, ...shared, content: eta.render(`./${view}`, page) });
  };
}

/** The request headers that the representation at a page's address depends on. */
export const pageVary = 'accept, accept-language';

/**
 * The headers of every page, error pages included. Pages run no scripts, but the one at `/`. They load their stylesheet and images from this
 * origin, and an icon from a `data:` URL.
 *
 * @param style the style in the page, which is allowed, and no other
 * @param script the script in the page, which is allowed, and no other
 * @param form whether the page may send a form to its own server
 */
export function pageHeaders(
  language: Language,
  { style = '', script = '', form = 'none' }: { style?: string; script?: string; form?: 'none' | 'self' } = {},
): Record<string, string> {
  const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `style-src 'self'${style && ` ${sourceOf(style)}`}`,
    ...(script === '' ? [] : [`script-src ${sourceOf(script)}`]),
    "img-src 'self' data:",
    `form-action '${form}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-language': language,
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    vary: pageVary,
  };
}

/** By language and colour of the tenant, so that the style is hashed once. */
const passportHeadersOf = new LRUCache<string, Record<string, string>>({ max: 1000 });

/**
 * The headers of a passport.
 *
 * @param color the tenant's
 */
export function passportHeaders(language: Language, color: string | null): Record<string, string> {
  const key = `${language} ${color}`;
  const headers = passportHeadersOf.get(key) ?? pageHeaders(language, { style: common + toneStyleOf(color) });
  passportHeadersOf.set(key, headers);
  return headers;
}

/** Finds a tenant with an open list. Others stay hidden. */
type FindTenant = (slug: string) => Promise<ListedTenant | undefined>;

/**
 * Renders error pages in the reader's language, each once. Those of a scanned number and below a tenant are rendered each
 * time.
 */
export function errorPages(render: Render, findTenant: FindTenant): ErrorPageMaker {
  const rendered = new Map<string, string>();
  return async (status, reader) => {
    const context = errorContextAt(reader.target);
    // The database may have failed since the error.
    const tenant =
      status === 404 && context.tenant !== undefined
        ? await findTenant(context.tenant).catch(() => undefined)
        : undefined;
    const language = languageOf(reader.lang, reader.acceptLanguage, tenant?.language);
    if (tenant) return tenantErrorPage(render, errorPage(status, language, context), tenant);
    const name = `${status} ${language} ${context.place}`;
    const html = rendered.get(name) ?? render('error', errorPage(status, language, context));
    if (context.digits === undefined) rendered.set(name, html);
    return { html, headers: pageHeaders(language, isBusy(status) ? { style: aloneStyle } : {}) };
  };
}

/** The page has the tenant's look and its links, also that to its list. It is the same for every address below the tenant. */
function tenantErrorPage(render: Render, page: Page, tenant: ListedTenant) {
  const look = { brand: brandOf(tenant.slug, tenant), footer: footerOf(tenant, page.language, `/p/${tenant.slug}`) };
  const headers = pageHeaders(page.language, { style: toneStyleOf(tenant.color) });
  return { html: render('error', { ...page, ...look }), headers };
}

/** What the reader of an error page looked for. Nothing else of the request is on the page. */
interface ErrorContext {
  place: 'passport' | 'reference' | 'page' | 'scan';
  /** The slug in a path below a tenant. */
  tenant?: string | undefined;
  /** 8 to 14 digits of a scanned code. */
  digits?: string | undefined;
}

function errorContextAt(target: string): ErrorContext {
  const [path = ''] = target.split('?');
  const [, digits] = /^\/01\/([0-9]{8,14})(?:\/|$)/.exec(path) ?? [];
  if (digits !== undefined) return { place: 'scan', digits };
  if (/^\/docs(?:\/|$)/.test(path)) return { place: 'reference' };
  const [, tenant] = /^\/p\/([^/]+)\//.exec(path) ?? [];
  return { place: /^\/(?:p|01)(?:\/|$)/.test(path) ? 'passport' : 'page', tenant };
}

/** The error page of a status. It is the same for every product that does not exist. */
function errorPage(status: number, language: Language, context: ErrorContext = { place: 'passport' }) {
  const text = texts[language];
  const { title, text: message } = explanationOf(status, language, context);
  return {
    language,
    text,
    title,
    isAlone: isBusy(status),
    translations: translations(),
    status: fill(text.errors.status, { status }),
    message,
    // Where the reader can go on.
    way:
      context.place === 'reference'
        ? { href: '/docs', text: text.errors.reference }
        : { href: `/?lang=${language}`, text: text.home.link },
  };
}

/** The digits alone decide: a draft and an unknown number have the same page. */
function explanationOf(
  status: number,
  language: Language,
  { place, digits }: ErrorContext,
): { title: string; text: string } {
  const { errors } = texts[language];
  if (digits !== undefined && (status === 404 || status === 400)) {
    const { title, says, length, checkDigit, help } = errors.scan;
    const found = [8, 12, 13, 14].includes(digits.length) ? says : length;
    const digit = found === length || hasValidCheckDigit(digits) ? [] : [fill(checkDigit, { digit: digits.slice(-1) })];
    return { title, text: [fill(found, { digits }), ...digit, help].join(' ') };
  }
  if (status === 404 && place !== 'passport') return errors.page;
  return errors[errorKind(status)];
}

/** The server refuses requests of this reader for now. */
function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}

function errorKind(status: number): 'notFound' | 'method' | 'busy' | 'request' | 'failed' {
  if (status === 404) return 'notFound';
  if (status === 405) return 'method';
  if (isBusy(status)) return 'busy';
  return status < 500 ? 'request' : 'failed';
}

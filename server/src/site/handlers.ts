import type { Handlers } from '../http/handlers.ts';
import type { ScanRecorder } from '../scans/recorder.ts';
import type { Services } from '../services.ts';
import { passportDocument } from './document.ts';
import { languageOf } from './language.ts';
import { passportPage } from './passport-page.ts';
import { type PublicPassport, readPublicPassport } from './public-passport.ts';
import { pageHeaders, pageVary, type Render } from './rendering.ts';

export function siteHandlers(
  services: Services,
  recorder: ScanRecorder,
  render: Render,
): Pick<Handlers, 'getPassportPage' | 'getPassportJsonld'> {
  const { siteUrl, now } = services;
  return {
    async getPassportPage({ path, query: { zugang, lang }, visit, mediaType }) {
      const passport = await readPublicPassport(services, path, zugang);
      if (mediaType === 'application/ld+json') {
        const { headers, ...document } = documentOf(passport, siteUrl());
        return { ...document, headers: { ...headers, vary: pageVary } };
      }
      const language = languageOf(lang, visit.acceptLanguage);
      const page = await passportPage(passport, { language, siteUrl: siteUrl(), zugang });
      const { tenant, product, view } = passport;
      const record = (): Promise<void> =>
        recorder.record({
          tenantId: tenant.id,
          productId: product.id,
          at: now(),
          role: view.role,
          address: visit.address,
        });
      return {
        type: mediaType,
        body: await render('passport', page),
        headers: { ...pageHeaders(language), link: linkTo(`${page.canonical}/jsonld`, 'application/ld+json', 'dpp') },
        // Commits the scan before the page is sent, if it can be stored in time.
        ...(visit.isView ? { beforeSent: record } : {}),
      };
    },

    async getPassportJsonld({ path, query }) {
      return documentOf(await readPublicPassport(services, path, query.zugang), siteUrl());
    },
  };
}

/** The JSON-LD representation, with a link to the page. */
function documentOf(passport: PublicPassport, siteUrl: string) {
  const document = passportDocument(passport, siteUrl);
  return {
    type: 'application/ld+json' as const,
    body: document,
    headers: { link: linkTo(document.url, 'text/html') } as Record<string, string>,
  };
}

/** A `Link` header (RFC 8288) to another representation of the same passport. */
function linkTo(address: string, type: string, ...relations: string[]): string {
  return `<${address}>; rel="${['alternate', ...relations].join(' ')}"; type="${type}"`;
}

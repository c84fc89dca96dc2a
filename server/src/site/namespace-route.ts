import type { Plugin } from '@hapi/hapi';
import { servePublic } from '../http/fallbacks.ts';
import { preferredType } from '../http/representation.ts';
import { StaticContent } from '../http/static.ts';
import { queryOf } from '../http/target.ts';
import { languageOf } from '../languages/words.ts';
import { namespaceDocument, namespacePage, namespacePath } from './namespace.ts';
import { pageHeaders, pageVary, type Render } from './rendering.ts';

/** How long clients may use the vocabulary before they ask again. It changes only with a new release. */
const cacheControl = 'public, max-age=3600';

/** Serves the vocabulary of the JSON-LD documents: a page for readers, JSON-LD for everybody else. */
export const namespacePlugin: Plugin<{ siteUrl: () => string; render: Render }> = {
  name: 'namespace',
  register(server, { siteUrl, render }) {
    /** By address and language. The address of a server is known once it listens. */
    const made = new Map<string, StaticContent>();
    const once = (key: string, make: () => StaticContent): StaticContent => {
      const result = made.get(key) ?? make();
      made.set(key, result);
      return result;
    };

    servePublic(
      server,
      namespacePath,
      async (request, h) => {
        const { accept, 'accept-language': acceptLanguage } = request.raw.req.headers;
        const type = preferredType(accept, ['application/ld+json', 'application/json', 'text/html']);
        if (type === 'text/html') {
          const language = languageOf(queryOf(request).values.get('lang') ?? undefined, acceptLanguage);
          const page = once(language, () => new StaticContent(type, render('namespace', namespacePage(language))));
          return page.respond(request, h, { ...pageHeaders(language), 'cache-control': cacheControl });
        }
        const address = siteUrl();
        const vocabulary = () => JSON.stringify(namespaceDocument(address));
        const document = once(address, () => new StaticContent('application/ld+json', vocabulary()));
        return document.respond(request, h, { vary: pageVary, 'cache-control': cacheControl });
      },
      { offersHtmlErrors: false },
    );
  },
};

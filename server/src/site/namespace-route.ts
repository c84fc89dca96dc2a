import { createHash } from 'node:crypto';
import type { Plugin } from '@hapi/hapi';
import { Encoded } from '../http/encoded.ts';
import { addOtherMethods } from '../http/fallbacks.ts';
import { queryOf } from '../http/query.ts';
import { preferredType, representationOf } from '../http/representation.ts';
import { namespaceDocument, namespacePage, namespacePath } from './namespace.ts';
import { pageHeaders, pageVary, type Render } from './rendering.ts';
import { languageOf } from './texts.ts';

/** How long clients may use the vocabulary before they ask again. It changes only with a new release. */
const cacheControl = 'public, max-age=3600';

interface Made {
  type: string;
  body: Encoded<string>;
  tag: string;
}

/** Serves the vocabulary of the JSON-LD documents: a page for readers, JSON-LD for everybody else. */
export const namespacePlugin: Plugin<{ siteUrl: () => string; render: Render }> = {
  name: 'namespace',
  register(server, { siteUrl, render }) {
    /** By address and language. The address of a server is known once it listens. */
    const made = new Map<string, Promise<Made>>();
    const once = (key: string, make: () => Promise<Made>): Promise<Made> => {
      const result = made.get(key) ?? make();
      made.set(key, result);
      return result;
    };

    server.route({
      method: 'GET',
      path: namespacePath,
      options: { auth: false, app: { isPublic: true } },
      async handler(request, h) {
        const { accept, 'accept-language': acceptLanguage } = request.raw.req.headers;
        const type = preferredType(accept, ['application/ld+json', 'application/json', 'text/html']);
        if (type === 'text/html') {
          const language = languageOf(queryOf(request).values.get('lang') ?? undefined, acceptLanguage);
          const page = await once(language, async () => documentOf(type, render('namespace', namespacePage(language))));
          const headers = { ...pageHeaders(language), 'cache-control': cacheControl };
          return representationOf({ ...page, body: async () => page.body, headers }, request, h);
        }
        const address = siteUrl();
        const document = await once(address, async () =>
          documentOf('application/ld+json', JSON.stringify(namespaceDocument(address))),
        );
        const headers = { vary: pageVary, 'cache-control': cacheControl };
        return representationOf({ ...document, body: async () => document.body, headers }, request, h);
      },
    });
    addOtherMethods(server, namespacePath, ['GET', 'HEAD', 'OPTIONS'], { isPublic: true });
  },
};

function documentOf(type: string, text: string): Made {
  return { type, body: Encoded.of(text), tag: createHash('sha256').update(text).digest('base64url') };
}

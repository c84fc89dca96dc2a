import { createHash } from 'node:crypto';
import type { Plugin } from '@hapi/hapi';
import { readDocument, readText } from '@product-passport/openapi';
import { ContractError } from '../contract/errors.ts';
import { Encoded } from '../http/encoded.ts';
import { addOtherMethods } from '../http/fallbacks.ts';
import { representationOf } from '../http/representation.ts';
import { assetOf, pageHeaders, serveAsset } from '../site/rendering.ts';
import { overview, serverLinks } from './links.ts';
import { docsPages, docsStyle } from './pages.ts';
import { addTryIt, loadSwaggerUi, tryItPath } from './try-it.ts';

interface DocsOptions {
  /** The address in the examples. It is known once the server listens. */
  siteUrl: () => string;
  /** Serve a page from which the reader sends requests. */
  tryIt: boolean;
}

/** What one address serves. */
interface Document {
  type: string;
  body: Encoded<string>;
  tag: string;
}

/** Serves the API reference, and the contract itself. Neither needs a key. */
export const docsPlugin: Plugin<DocsOptions> = {
  name: 'docs',
  register(server, { siteUrl, tryIt }) {
    const stylesheet = assetOf('docs.css', docsStyle);
    serveAsset(server, stylesheet);
    if (tryIt) addTryIt(server, loadSwaggerUi());
    const links = serverLinks(stylesheet.path, tryIt ? tryItPath : undefined);

    const app = { isPublic: true, offersHtmlErrors: true };
    const add = (path: string, find: (name: string) => Document | undefined, headers: Record<string, string>): void => {
      server.route({
        method: 'GET',
        path,
        options: { app },
        handler(request, h) {
          const document = find(String(request.params.page ?? overview));
          if (!document) throw new ContractError('not_found');
          const { body, ...described } = document;
          return representationOf({ ...described, body: async () => body, headers }, request, h);
        },
      });
      addOtherMethods(server, path, ['GET', 'HEAD', 'OPTIONS'], app);
    };

    // Made at the first request: most servers in tests never get one.
    const pages = once(
      () => new Map(docsPages(links, siteUrl()).map(({ name, html }) => [name, documentOf('text/html', html)])),
    );
    const yaml = once(() => documentOf('application/yaml', readText()));
    const json = once(() => documentOf('application/json', `${JSON.stringify(readDocument(), null, 2)}\n`));
    // The pages exist in one language.
    const { vary: _vary, ...headers } = pageHeaders('en');
    for (const path of ['/docs', '/docs/{page}']) add(path, (name) => pages().get(name), headers);
    add(links.yaml, yaml, {});
    add(links.json, json, {});
  },
};

function documentOf(type: string, text: string): Document {
  return { type, body: Encoded.of(text), tag: createHash('sha256').update(text).digest('base64url') };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

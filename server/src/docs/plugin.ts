import type { Plugin, Request } from '@hapi/hapi';
import { ContractError, dayOf, readDocument, readText } from '@product-passport/openapi';
import { StaticContent } from '../http/representation.ts';
import { servePublic } from '../http/routes.ts';
import { pageHeaders, serveStylesheet } from '../site/rendering.ts';
import { docsStyle, groupPage, overview, scriptPolicy, serverLinks } from './links.ts';

/**
 * Serves the API reference, and the contract itself. Neither needs a key. The address in the examples is known once the
 * server listens.
 */
export const docsPlugin: Plugin<{ siteUrl: () => string }> = {
  name: 'docs',
  register(server, { siteUrl }) {
    const links = serverLinks(serveStylesheet(server, 'docs', docsStyle));

    // Made at the first request of a day: it takes 40 ms, and most servers in tests never get one.
    let made: { day: string; byName: Map<string, StaticContent>; search: StaticContent } | undefined;
    const contentOfToday = async () => {
      const { docsPages, searchFile } = await import('./pages.ts');
      const day = dayOf(new Date());
      if (made?.day !== day) {
        const pages = docsPages(links, siteUrl(), day);
        const byName = new Map(pages.map(({ name, html }) => [name, new StaticContent('text/html', html)]));
        made = { day, byName, search: new StaticContent('text/javascript', searchFile(pages, links.page)) };
      }
      return made;
    };
    // The pages exist in one language.
    const { vary: _vary, 'content-security-policy': policy, ...common } = pageHeaders('en');
    const headers = { ...common, 'content-security-policy': `${policy}; ${scriptPolicy}` };
    for (const path of ['/docs', '/docs/{page}', `/docs/${groupPage('{group}')}`])
      servePublic(server, path, async (request, h) => {
        const document = (await contentOfToday()).byName.get(nameOf(request.params));
        if (!document) throw new ContractError('not_found');
        return document.respond(request, h, headers);
      });
    servePublic(server, links.search, async (request, h) => (await contentOfToday()).search.respond(request, h, {}));
    const contract = new Map<string, StaticContent>();
    for (const [path, type, text] of [
      [links.yaml, 'application/yaml', readText],
      [links.json, 'application/json', () => `${JSON.stringify(readDocument(), null, 2)}\n`],
    ] as const)
      servePublic(server, path, (request, h) => {
        const content = contract.get(path) ?? new StaticContent(type, text());
        contract.set(path, content);
        return content.respond(request, h, {});
      });
  },
};

/** The name of a page, from the parameters of its path. */
function nameOf({ page, group }: Request['params']): string {
  return group === undefined ? String(page ?? overview) : groupPage(String(group));
}

import { beforeAll, describe, expect, test } from '@jest/globals';
import { languages } from '../../server/src/languages/languages.ts';
import { fillPublicDemo } from '../support/public-demo.ts';
import { useService } from '../support/service.ts';

describe('the pages of the demo', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  const pages: { path: string; text: string }[] = [];
  let styles = 0;

  const get = async (path: string): Promise<{ status: number; text: string }> =>
    service.send({ method: 'GET', path, headers: {} });

  beforeAll(async () => {
    const { tokens, products } = await fillPublicDemo(service);
    for (const { tenant, slug } of products) {
      const zugang = tokens.filter((token) => token.tenant === tenant).map(({ token }) => `&zugang=${token}`);
      for (const lang of ['en', 'de']) {
        for (const role of ['', ...zugang]) {
          const path = `/p/${tenant}/${slug}?lang=${lang}${role}`;
          const { status, text } = await get(path);
          expect(status).toBe(200);
          pages.push({ path, text });
        }
      }
    }
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(pages[0]?.text ?? '') ?? [];
    styles = (await (await fetch(`http://127.0.0.1:${service.port}${address}`)).arrayBuffer()).byteLength;
  });

  test('are complete in number', () => {
    expect(pages).toHaveLength(13 * 2 * 4 + 2 * 2);
    expect(styles).toBeGreaterThan(1000);
  });

  test('have a target for each link within the page', () => {
    for (const { path, text } of pages) {
      const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
      const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect([path, targets.filter((id) => !ids.has(id))]).toEqual([path, []]);
    }
    expect(pages.filter(({ text }) => text.includes('href="#further"')).length).toBeGreaterThan(10);
  });

  test('are smaller than 60 kB with the stylesheet and without the links to each language', () => {
    const links = /<link rel="alternate" hreflang[^>]*>|<a [^>]*hreflang.*?<\/a>/gs;
    const weights = pages.map(({ text }) => Buffer.byteLength(text.replaceAll(links, '')) + styles);
    expect(pages[0]?.text.match(links)?.length).toBeGreaterThan(2 * languages.length);
    expect(Math.max(...weights)).toBeLessThan(60_000);
  });
});

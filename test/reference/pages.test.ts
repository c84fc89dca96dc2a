/** The content of the API reference, on a server and as files. */
import { describe, expect, test } from '@jest/globals';
import { codesOf, readContract, readDocument } from '../../openapi/src/index.ts';
import { fileLinks, serverLinks } from '../../server/src/docs/links.ts';
import { markdownWith } from '../../server/src/docs/markdown.ts';
import { docsPages, docsStyle } from '../../server/src/docs/pages.ts';

const contract = readContract();
const forms = {
  server: { links: serverLinks('/assets/docs.css', '/docs/try'), loaded: ['/assets/docs.css', '/docs/try'] },
  files: { links: fileLinks, loaded: ['docs.css'] },
};

describe.each(Object.entries(forms))('the reference as %s', (_form, { links, loaded }) => {
  const pages = docsPages(links, 'https://passport.example.com');
  const all = pages.map(({ html }) => html).join('\n');
  const ids = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);

  test('describes each operation and each variant once', () => {
    for (const { operationId, path } of contract.operations) {
      expect(ids(all).filter((id) => id === operationId)).toEqual([operationId]);
      expect(all).toContain(`<code class="plain">${path}</code>`);
    }
  });

  test('describes each error code and each schema once', () => {
    const responses = [contract.besideOperations, ...contract.operations.map((operation) => operation.responses)];
    const codes = new Set(responses.flatMap((byStatus) => Object.values(byStatus).flatMap(codesOf)));
    const { components } = readDocument() as { components: { schemas: object } };
    const names = [...codes, ...Object.keys(components.schemas)];
    expect(names.length).toBeGreaterThan(45);
    for (const name of names) expect(ids(all).filter((id) => id === name)).toEqual([name]);
  });

  test('shows each parameter with its limits, and each field of a body', () => {
    for (const { operationId, parameters, body, variantOf } of contract.operations) {
      if (variantOf) continue;
      const section = new RegExp(`<section class="part operation" aria-labelledby="${operationId}">.*?</section>`, 's');
      const [shown = ''] = section.exec(all) ?? [];
      const fields = Object.keys((body?.schema.items ?? body?.schema)?.properties ?? {});
      for (const name of [...parameters.map((parameter) => parameter.name), ...fields])
        expect(shown).toContain(`<code class="name">${name}</code>`);
    }
    expect(all).toContain('at most 500 characters');
    expect(all).toContain('1 to 200, default 50; the service moves other numbers to the nearest bound');
    expect(all).toContain('an array of at most 1,000 elements');
  });

  test('shows each example of the contract', () => {
    const summaries = contract.operations.flatMap(({ responses }) =>
      Object.values(responses['200']?.content ?? {}).flatMap(({ examples = {} }) =>
        Object.values(examples).flatMap(({ summary }) => summary ?? []),
      ),
    );
    expect(summaries.length).toBeGreaterThan(15);
    for (const summary of summaries) expect(all).toContain(`200 · ${summary.replaceAll("'", '&#39;')}`);
  });

  test('has no link that leads nowhere', () => {
    const known = new Set([links.yaml, links.json, ...loaded]);
    for (const { name, html } of pages) {
      const address = links.page(name);
      known.add(address);
      for (const id of ids(html)) known.add(`${address}#${id}`);
      expect(new Set(ids(html)).size).toBe(ids(html).length);
    }
    for (const { name, html } of pages) {
      const followed = Array.from(html.matchAll(/ href="(?!data:)([^"]+)"/g), ([, href = '']) =>
        href.startsWith('#') ? links.page(name) + href : href,
      );
      expect(followed.length).toBeGreaterThan(20);
      expect(followed.filter((href) => !known.has(href))).toEqual([]);
    }
  });

  test('has no script', () => {
    expect(all).not.toContain('<script');
  });

  test('is small', () => {
    const sizes = pages.map(({ html }) => Buffer.byteLength(html));
    expect(Math.max(...sizes)).toBeLessThan(90_000);
    expect(Buffer.byteLength(docsStyle)).toBeLessThan(12_000);
  });
});

test('HTML in a description is shown as text', () => {
  const html = markdownWith(() => undefined)('a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n\n`<b>`');
  expect(html).not.toMatch(/<(script|img|b)\b/);
  expect(html).toContain('&lt;script&gt;');
});

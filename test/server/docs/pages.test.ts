/** The API reference, on a server and as files: its content, and each example, which runs in a shell or in Node. */
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { codesOf, errorIn, readContract, readDocument, type Schema } from '../../../openapi/src/index.ts';
import { jsonText, keyVariable } from '../../../server/src/docs/examples.ts';
import { docsStyle, fileLinks, pageScript, scriptPolicy, serverLinks } from '../../../server/src/docs/links.ts';
import { coloured, escaped, markdownWith } from '../../../server/src/docs/markdown.ts';
import { docsPages, searchFile } from '../../../server/src/docs/pages.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import { newFolder } from '../../support/files.ts';
import { root, run } from '../../support/program.ts';
import { type Client, useService } from '../../support/service.ts';

const contract = readContract();
/** Without those that behave as another one. */
const operations = contract.operations.filter(({ variantOf }) => variantOf === undefined);
/** Without the colours of code. */
const plain = (html: string) => html.replace(/<\/?span[^>]*>/g, '');
const forms = {
  server: { links: serverLinks('/assets/docs.css'), loaded: ['/assets/docs.css'] },
  files: { links: fileLinks, loaded: ['docs.css'] },
};

describe.each(Object.entries(forms))('the reference as %s', (_form, { links, loaded }) => {
  const pages = docsPages(links, 'https://passport.example.com');
  const all = pages.map(({ html }) => html).join('\n');
  const ids = (html: string) => Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);

  test('describes each operation and each variant once', () => {
    for (const { operationId, path } of contract.operations) {
      expect(ids(all).filter((id) => id === operationId)).toEqual([operationId]);
      expect(all.replaceAll('<wbr>', '')).toContain(`<code class="plain">${path}</code>`);
    }
  });

  test('describes each error code and each schema once', () => {
    const responses = [contract.outsideOperations, ...contract.operations.map((operation) => operation.responses)];
    const codes = new Set(responses.flatMap((byStatus) => Object.values(byStatus).flatMap(codesOf)));
    const { components } = readDocument() as { components: { schemas: object } };
    const names = [...codes, ...Object.keys(components.schemas)];
    expect(names.length).toBeGreaterThan(45);
    for (const name of names) expect(ids(all).filter((id) => id === name)).toEqual([name]);
  });

  test.each(operations)(
    'shows each parameter, each field of the body and each error of $operationId',
    ({ operationId, parameters, body, responses }) => {
      const section = new RegExp(`<section class="part operation" aria-labelledby="${operationId}">.*?</section>`, 's');
      const [shown = ''] = section.exec(all) ?? [];
      const fields = Object.keys((body?.schema.items ?? body?.schema)?.properties ?? {});
      for (const name of [...parameters.map((parameter) => parameter.name), ...fields])
        expect(shown).toContain(`<code class="name">${name}</code>`);
      const errors = Object.entries(responses)
        .filter(([status]) => status >= '400')
        .flatMap(([status, { content = {} }]) =>
          Object.values(content['application/json']?.examples ?? {}).map(({ value }) => ({ status, value })),
        );
      for (const { status, value } of errors) {
        expect(shown).toContain(`${status} · ${errorIn(value)?.code}</summary>`);
        expect(plain(shown)).toContain(escaped(jsonText(value)));
      }
    },
  );

  test('a schema without members shows its type', () => {
    const types = all.matchAll(/<h2 class="anchored" id="(\w+)">.*?<\/a>(?: <span class="type">(.*?)<\/span>)?<\/h2>/g);
    const typeOf = Object.fromEntries(Array.from(types, ([, name = '', type]) => [name, type]));
    expect(typeOf).toMatchObject({ ProductStatus: 'string', Completeness: 'integer', Product: undefined });
  });

  test('shows the limits of parameters and fields', () => {
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

  test('says of each field whether it belongs to the model or to the item, and why', () => {
    const battery = pages.find(({ html }) => html.includes('id="state_of_certified_energy"'))?.html ?? '';
    const reasons = Array.from((/<ol>.*?<\/ol>/s.exec(battery)?.[0] ?? '').matchAll(/<li>(.*)<\/li>/g));
    for (const { key, belongs } of templateOf('battery').fields) {
      const [, to, number] = new RegExp(`id="${key}"[^]*?Belongs to the (\\w+) \\((\\d+)\\)`).exec(battery) ?? [];
      expect([key, to, reasons[Number(number) - 1]?.[1]]).toEqual([key, belongs.to, belongs.why]);
    }
  });

  test('has no link that leads nowhere', () => {
    const sources = templateKeys.flatMap((key) => templateOf(key).data_points?.url ?? []);
    const known = new Set([links.yaml, links.json, ...loaded, ...sources]);
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

  test('has one script in each page, and the address of the search', () => {
    for (const { html } of pages) {
      expect(html.split('<script')).toHaveLength(2);
      expect(html).toContain(`<script type="module">${pageScript}</script>`);
      expect(html).toContain(`data-script="${links.search}"`);
    }
  });

  test('has an index of sections, operations, error codes, schemas and fields, and each entry leads to its place', () => {
    const file = searchFile(pages, links.page);
    const index: { pages: [string, string][]; entries: [string, number[]][] } = JSON.parse(
      file.slice(file.indexOf('{'), file.indexOf(';\n')),
    );
    const found = index.entries.flatMap(([id, on]) => on.map((page) => `${index.pages[page]?.[0]}${id && `#${id}`}`));
    const places = pages.flatMap(({ name, html }) => [
      links.page(name),
      ...ids(html).map((id) => `${links.page(name)}#${id}`),
    ]);
    expect(found.filter((address) => !places.includes(address))).toEqual([]);
    const ends = new Set(found.map((address) => address.split('#')[1]));
    const { components } = readDocument() as { components: { schemas: object } };
    const names = [
      ...operations.flatMap(({ operationId, responses }) => [
        operationId,
        ...Object.values(responses).flatMap(codesOf),
      ]),
      ...Object.keys(components.schemas),
      'paging',
      'limits',
      'rules',
    ];
    expect(names.filter((name) => !ends.has(name))).toEqual([]);
    const fields = templateKeys.flatMap((key) => templateOf(key).fields.map((field) => `${key}#${field.key}`));
    const ended = new Set(found.map((address) => address.replace(/^.*fields.|\.html/g, '')));
    expect(fields.filter((field) => !ended.has(field.replace('#', '.html#')) && !ended.has(field))).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(index))).toBeLessThan(34_000);
  });

  test('is small', () => {
    expect(Math.max(...pages.map(({ html }) => Buffer.byteLength(html)))).toBeLessThan(145_000);
    expect(Buffer.byteLength(docsStyle)).toBeLessThan(12_000);
  });
});

test('an example has coloured parts, and stays the same text', () => {
  const call = `curl -X PUT http://127.0.0.1:3000/x \\\n  -d '{ "name": "a: <b>", "n": -1.5, "on": true }'`;
  const html = coloured(call);
  expect(plain(html)).toBe(escaped(call));
  const parts = Array.from(html.matchAll(/<span class="code-(\w+)">(.*?)<\/span>/g), ([, kind, text]) => [kind, text]);
  expect(parts).toEqual([
    ['option', '-X'],
    ['option', '-d'],
    ['name', '&quot;name&quot;'],
    ['text', '&quot;a: &lt;b&gt;&quot;'],
    ['name', '&quot;n&quot;'],
    ['number', '-1.5'],
    ['name', '&quot;on&quot;'],
    ['word', 'true'],
  ]);
  expect(coloured('<p class="of">')).toBe('&lt;p class=&quot;of&quot;&gt;');
});

test('HTML in a description is shown as text', () => {
  const html = markdownWith(() => undefined)('a <script>alert(1)</script> b\n\n<img src=x onerror=alert(1)>\n\n`<b>`');
  expect(html).not.toMatch(/<(script|img|b)\b/);
  expect(html).toContain('&lt;script&gt;');
});

const document = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');

describe('the reference on a server', () => {
  const service = useService('SQLite', { siteUrl: 'https://passport.example.com' });
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, { redirect: 'manual', ...init });

  test.each([
    ['yaml', (text: string) => text, document],
    ['json', JSON.parse, parse(document)],
  ])('serves the contract as %s', async (type, read, whole) => {
    const response = await request(`/openapi.${type}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      `application/${type}; charset=utf-8`,
    ]);
    expect(read(await response.text())).toEqual(whole);
  });

  const paths = ['/openapi.yaml', '/openapi.json', '/docs', '/docs/', '/docs/products', '/docs/schemas'];
  test.each(paths)('%s has an ETag, and is not sent twice', async (path) => {
    const first = await request(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}-gzip"$/);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const again = await request(path, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
  });

  test.each(paths)('%s may be read by every site, also with HEAD, and OPTIONS lists the methods', async (path) => {
    const head = await request(path, { method: 'HEAD' });
    expect([head.status, await head.text(), head.headers.get('access-control-allow-origin')]).toEqual([200, '', '*']);
    const options = await request(path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const post = await request(path, { method: 'POST', body: 'x' });
    expect([post.status, (await post.json()).error.code]).toEqual([405, 'method_not_allowed']);
    expect(post.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['/docs/none', '/docs/products/none', '/docs/try', '/docs/__proto__', '/openapi.xml'])(
    '%s gives the same 404 as any other unknown path',
    async (path) => {
      const [response, other] = [await request(path), await request('/none')];
      expect([response.status, await response.text()]).toEqual([404, await other.text()]);
      expect(response.headers.get('content-type')).toBe(other.headers.get('content-type'));
    },
  );

  test('allows only the script in the page with what it loads, and only its own stylesheet', async () => {
    const policy = (await request('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; style-src 'self'");
    expect(policy.match(/script-src[^;]*/g)).toEqual([scriptPolicy]);
  });

  test('names its own address in the examples', async () => {
    expect(await (await request('/docs/tenant')).text()).toContain('curl https://passport.example.com/api/v1/me');
  });
});

test.each<[unknown, string]>([
  [{}, '{}'],
  [[], '[]'],
  [['a', 1, null, true], '["a", 1, null, true]'],
  [{ a: 'x'.repeat(45) }, `{ "a": "${'x'.repeat(45)}" }`],
  [{ a: 'x'.repeat(46) }, `{\n  "a": "${'x'.repeat(46)}"\n}`],
  [{ a: { b: 'x'.repeat(43) } }, `{\n  "a": { "b": "${'x'.repeat(43)}" }\n}`],
  [{ a: { b: 'x'.repeat(44) } }, `{\n  "a": {\n    "b": "${'x'.repeat(44)}"\n  }\n}`],
  [[1, ['x'.repeat(56)]], `[\n  1,\n  [\n    "${'x'.repeat(56)}"\n  ]\n]`],
])('an example of more than 56 characters has a line for each member: %j', (value, text) => {
  expect(jsonText(value)).toBe(text);
});

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The required fields of an object. */
function requiredOf(schema: Schema | undefined): string[] {
  return [...(schema?.required ?? []), ...(schema?.allOf ?? []).flatMap(requiredOf)];
}

describe('the examples', () => {
  const service = useService('SQLite');
  const folder = newFolder();
  let client: Client;
  /** By operation: the shown texts by title. */
  const examples = new Map<string, Map<string, string>>();
  let setUp = '';

  beforeAll(async () => {
    client = await service.publisherOf(await service.newTenant({ slug: 'skellig' }));
    await service.database('tenants').update({ economic_operator_id: '0088:9520001000003' });
    await client.publish({ name: 'USB-C Cable 240 W 2 m', slug: 'usb-c-cable-240-w-2-m', gtin: '9520001200045' });
    const pages = docsPages(serverLinks('/x.css'), `http://127.0.0.1:${service.port}`);
    const all = pages.map(({ html }) => html).join('\n');
    for (const [, id = '', section = ''] of all.matchAll(
      /<section class="part operation" aria-labelledby="(\w+)">(.*?)<\/section>/gs,
    ))
      examples.set(id, new Map(shownIn(section)));
    [setUp = ''] = (examples.get('start')?.get('JavaScript (SDK)') ?? '').split('\n\nconsole.log(');
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(root, 'node_modules/@product-passport'), join(folder, 'node_modules/@product-passport'));
  });

  /** The examples of a section as the reader copies them. */
  function* shownIn(section: string): Generator<[string, string]> {
    const pattern = /<figcaption class="caption">(.*?)<\/figcaption>\s*<pre><code>(.*?)<\/code>/gs;
    for (const [, title = '', html = ''] of section.matchAll(pattern))
      yield [
        title,
        html.replace(/<\/?span[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_all, name) => characters[name] ?? ''),
      ];
  }

  test('the first call in JavaScript and in Python prints the name of the tenant', async () => {
    const access = { [keyVariable]: client.key };
    const first = examples.get('start');
    await writeFile(join(folder, 'first.mjs'), first?.get('JavaScript (SDK)') ?? '');
    await writeFile(join(folder, 'first.py'), first?.get('Python') ?? '');
    const printed = { code: 0, stdout: `${client.tenant.name}\n`, stderr: '' };
    expect(await run('node first.mjs', access, folder)).toEqual(printed);
    expect(await run('python3 first.py', access, folder)).toEqual(printed);
  });

  test('exist for each operation', () => {
    for (const { operationId } of operations) expect([...(examples.get(operationId)?.keys() ?? [])]).toContain('curl');
    const withoutMethod = operations.filter(({ operationId }) => !examples.get(operationId)?.has('JavaScript (SDK)'));
    const ids = withoutMethod.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !id.startsWith('readD'))).toEqual(['getResolverDescription']);
  });

  test.each(operations)('curl: $operationId', async ({ operationId, method, path }) => {
    const command = examples.get(operationId)?.get('curl') ?? '';
    const { code, stdout, stderr } = await run(command.replace(/^curl (?:-i )?/, 'curl -sSi '), {
      [keyVariable]: client.key,
    });
    expect([code, stderr]).toEqual([0, '']);
    const [head = '', text = ''] = stdout.split(/\r\n\r\n(.*)/s);
    const [first = '', ...rest] = head.split('\r\n');
    const headers = Object.fromEntries(rest.map((header) => header.split(/:\s*(.*)/s).slice(0, 2)));
    const status = Number(first.split(' ')[1]);
    if (operationId === 'resolveGtin')
      expect([status, headers.location]).toEqual([307, expect.stringMatching(/\/p\/skellig\/usb-c-cable-240-w-2-m$/)]);
    // The time of the example is before the first activation if the demo is made later.
    else if (operationId === 'readDppVersionByIdAndDate') expect([200, 404]).toContain(status);
    else expect(status).toBe(200);
    service.judge({ operationId, method, path }, { status, headers, text });
  });

  test('SDK: one program runs them all', async () => {
    const snippets = operations.flatMap(({ operationId }) => {
      const snippet = examples.get(operationId)?.get('JavaScript (SDK)');
      const [, result] = /^const (\w+) = /.exec(snippet ?? '') ?? [];
      return snippet === undefined ? [] : [`{ ${snippet}\nresults.${operationId} = ${result}; }`];
    });
    const program = [setUp, 'const results = {};', ...snippets, 'process.stdout.write(JSON.stringify(results));'];
    await writeFile(join(folder, 'all.mjs'), program.join('\n'));
    const { stdout, stderr } = await run('node all.mjs', { [keyVariable]: client.key }, folder);
    expect(stderr).toBe('');
    const results = JSON.parse(stdout);
    expect(results.resolveGtin).toMatchObject({ document: { name: 'USB-C Cable 240 W 2 m' } });
    expect(results.getPassportPage).toMatch(/^<!doctype html>/);
    for (const { operationId, responses } of operations) {
      const [media] = Object.values(responses['200']?.content ?? {});
      const result = results[operationId];
      // A resolution is the target, not the response.
      if (typeof result === 'object' && operationId !== 'resolveGtin')
        expect([operationId, ...Object.keys(result)]).toEqual(expect.arrayContaining(requiredOf(media?.schema)));
    }
    const withMethod = operations.filter(({ operationId }) => examples.get(operationId)?.has('JavaScript (SDK)'));
    expect(Object.keys(results)).toHaveLength(withMethod.length);
  });

  test('paging: the loop of the overview reads every product', async () => {
    const pages = docsPages(serverLinks('/x.css'), `http://127.0.0.1:${service.port}`);
    const [, loop] = [...shownIn(pages[0]?.html ?? '')].find(([, text]) => text.startsWith('for await')) ?? [];
    const file = join(folder, 'loop.mjs');
    await writeFile(file, `${setUp}\n\n${loop}\n`);
    const { stdout } = await run(`node ${file}`, { [keyVariable]: client.key }, folder);
    expect(stdout).toMatch(/^usb-c-cable-240-w-2-m\n/);
  });
});

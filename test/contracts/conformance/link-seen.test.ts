/** Links that are right, and links that are wrong, as their providers would describe them: who sees the product, and what programs read. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createGuard } from '../../../contracts/conformance/link/guard.ts';
import { ending, fileWith } from '../../support/files.ts';
import { announcement, start } from '../../support/program.ts';
import { typeSuite } from '../../support/suite.ts';
import {
  at,
  doc,
  document,
  gtin,
  html,
  jsonLd,
  type LinkService,
  linksetOf,
  page,
  pageOf,
  passport,
  product,
  root,
  serveLinks,
  site,
  verified,
} from './link-services.ts';

beforeAll(serveLinks);

const script = '<script src="/app.js"></script>';
const foreign = '<html lang="el"><h1>Καλώδιο φόρτισης</h1>';
const utf8 = { 'content-type': 'text/html; charset=utf-8' };
/** A page with a text, and a document with a name and more. */
const named = (name: string, body: string | Buffer, more: object = {}) =>
  site({
    [passport]: [200, utf8, body],
    [document]: [200, jsonLd, product({ name, 'gs1:productName': name, ...more })],
  });
const pipLink = { href: passport, title: 'Passport' };
const pip = 'https://ref.gs1.org/voc/pip';
const otherProduct = '09520001000089';

/** A product, and another one that it goes with. */
const graph = {
  '@context': 'https://schema.org/',
  '@graph': [
    { '@type': 'Organization', name: 'Nordlicht' },
    { '@type': 'Product', name: 'USB cable', gtin: '9520001000072' },
    { '@type': 'Product', name: 'Charger', gtin: otherProduct },
  ],
};
const docsOf = (body: object) => at(document, 200, jsonLd, JSON.stringify(body));

type Row = readonly [what: string, answer: LinkService['answer'], link?: string];

describe('the product is seen', () => {
  const rows: readonly Row[] = [
    ['its name in a title', pageOf(`${foreign}<p title="USB cable">i</p>`)],
    ['its name as the text of a picture', pageOf(`${script}<img src="/a.png" alt="USB cable">`)],
    ['its name in an aria-label', pageOf(`${foreign}<main aria-label='USB&nbsp;cable'></main>`)],
    ['a GTIN in groups', pageOf(`${foreign}<p>9 520001 000072</p>`)],
    ['a GTIN with 14 digits', pageOf(`${foreign}<p>(01)09520001000072</p>${script}`)],
    [
      'two values',
      named('Charging cable', `${foreign}<p>Edelstahl, recyceltes Kupfer`, {
        additionalProperty: [
          { propertyID: 'jacket', value: 'Edelstahl' },
          { propertyID: 'conductor', value: ['recyceltes Kupfer'] },
        ],
      }),
    ],
    ['letters that cannot be read', named('Stühle für Gäste', Buffer.from('<h1>Stühle für Gäste', 'latin1'))],
    ['a page with a log-in in its head', pageOf(`<input type="password">${page('USB cable')}`)],
    ['a page of another address', at(passport, 302, { location: '/de/usb' })],
    ['a short name', named('A1', '<h1>Model A1</h1>')],
    ['a list of other GTINs', pageOf(`${page('USB cable')}<p>Goes with GTIN ${otherProduct}`)],
    ['a legend', pageOf(`${page('USB cable')}<dl><dt>access_level: restricted<dd>Value: only recyclers, see 2.1`)],
    [
      'a list of fields in a script',
      pageOf(`${page('USB cable')}<script>[{"key":"lead","access_level":"restricted"}]`),
    ],
    ['a legend with marks', pageOf(`${page('USB cable')}<tr data-access-level="restricted"><td>2<td>Restricted</tr>`)],
    ['UTF-16 with a byte order mark', named('Stühle', Buffer.from('\uFEFF<h1>Stühle', 'utf16le'))],
    [
      'Chinese in its own encoding',
      pageOf(Buffer.from([...Buffer.from('<h1>9520001000072 '), 0xb5, 0xe7, 0xcf, 0xdf]), {
        'content-type': 'text/html; charset=gbk',
      }),
    ],
    [
      'its own GTIN in its data',
      pageOf(
        `${foreign}<script type="application/ld+json">{"gtin13":"9520001000072","name":"USB cable"}</script><p>GTIN 9520001000072`,
      ),
    ],
    ['a name in several languages', doc({ name: { en: 'Cable', de: 'USB cable' } })],
    ['a graph', docsOf(graph)],
    ['a list of fields in the document', doc({ about: [{ propertyID: 'lead', access_level: 'restricted' }] })],
    ['public levels as addresses', doc({ about: [{ value: 1, access_level: { '@id': 'ex:public' } }] })],
    ['a byte order mark', at(document, 200, jsonLd, `\uFEFF${product()}`)],
    [
      'a linkset of two levels',
      linksetOf(
        { anchor: gtin, [pip]: [pipLink], 'title*': [{ value: 'Kabel' }] },
        { anchor: `${gtin}/10/A`, [pip]: [pipLink] },
      ),
    ],
    [
      'a context of its own',
      ({ path }) => doc({ '@context': ['https://schema.org/', `${root}/own`] })({ path } as never),
    ],
    [
      'a document of the page',
      doc({ '@id': '/p/a/b', gtin14: undefined, mainEntity: { '@id': gtin, gtin: '9520001000072' } }),
    ],
  ];
  test.each(rows)('%s', async (_what, answer, link = gtin) => {
    const usb = ({ path }: { path: string }) =>
      path === '/de/usb' ? ([200, html, page('USB cable')] as const) : undefined;
    const { verdict, because, findings } = await verified(root + link, (ask) => usb(ask) ?? answer(ask));
    expect({ verdict, because, findings }).toEqual({ verdict: 'conformant', findings: [] });
  });
});

describe('a note', () => {
  const unseen = 'Programs can read it; nobody saw the product on the page.';
  test.each<[string, RegExp, string | undefined, LinkService['answer'], string?]>([
    ['a page in another language', /^Nobody saw/, unseen, pageOf(foreign)],
    ['a product that could not be loaded', /^Nobody saw/, unseen, pageOf('<p>This product could not be loaded.')],
    ['seven Japanese letters', /^Nobody saw/, unseen, pageOf(`${script}<h1>日本語の充電線`)],
    ['one value', /^Nobody saw/, unseen, named('Charger', '<p>Edelstahl und anderes', { material: 'Edelstahl' })],
    [
      'bare digits, a GLN and a link',
      /^Nobody saw/,
      unseen,
      pageOf(
        `${foreign}<p>${otherProduct}, GLN ${otherProduct}, <a href="/01/${otherProduct}">GTIN ${otherProduct}</a>`,
      ),
    ],
    ['the name of the maker', /^Nobody saw/, unseen, pageOf(`${foreign}<p>Nordlicht Mobile, Kiel`)],
    ['garbled letters', /garbled/, unseen, named('Stühle', '<meta charset="utf-8"><h1>StÃ¼hle')],
    [
      'a tracker',
      /load.*: stats\.example\./,
      undefined,
      pageOf(`${page('USB cable')}<img src="https://stats.example/1.gif">`),
    ],
    [
      'a serial number that nobody registered',
      /serial number X/,
      undefined,
      site({ [`${gtin}/21/X`]: [302, { location: passport }] }),
      `${gtin}/21/X`,
    ],
  ])('%s', async (_what, note, remark, answer, link = gtin) => {
    const { verdict, because, findings, cases } = await verified(root + link, answer);
    expect({ verdict, because, findings }).toEqual({
      verdict: 'conformant',
      ...(remark && { because: remark }),
      findings: [],
    });
    expect(cases.flatMap(({ warnings }) => warnings)).toContainEqual(expect.stringMatching(note));
  });
});

const noise = Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * index * 31 + index * 7) % 251));
const login = '<h1>Sign in to Nordlicht</h1><form><input type=password></form>';
const docs = (body: string | Buffer) => at(document, 200, jsonLd, body);
const hides = (level: unknown) => doc({ about: [{ propertyID: 'lead', value: 0.1, 'ex:accessLevel': level }] });
const private_ = 'is not a public address (--allow-private allows it)';

describe('a failure', () => {
  test.each<[id: string, string, because: string, LinkService['answer'], link?: string]>([
    [
      'LINK-4.text',
      'a page behind a login',
      'is not that of a passport',
      site({ [passport]: [302, { location: '/login' }], '/login': [200, html, '<h1>Welcome to Nordlicht'] }),
    ],
    ['LINK-4.text', 'a login at its own address', 'asks for a password', pageOf(login)],
    ['LINK-4.text', 'a picture', 'is not text', pageOf(noise, { 'content-type': 'text/html' })],
    ['LINK-4.text', 'a picture that calls itself UTF-8', 'is not text', pageOf(noise)],
    ['LINK-4.text', 'a shell', 'without script the page shows neither', pageOf(`<p>Please wait…</p>${script}`)],
    [
      'LINK-4.text',
      'the other product of a graph',
      `another product, ${otherProduct}`,
      site({
        [passport]: [200, html, `<h1>Charger</h1>GTIN ${otherProduct}`],
        [document]: [200, jsonLd, JSON.stringify(graph)],
      }),
    ],
    [
      'LINK-4.text',
      'another GTIN',
      `another product, ${otherProduct}`,
      pageOf(`<p>Charger<dt>EAN</dt><dd>9520001-000089</dd>`),
    ],
    [
      'LINK-4.text',
      'another GTIN in its data',
      `another product, ${otherProduct}`,
      pageOf(`<p>Charger, 60 W<script type="application/ld+json">{"gtin13":"9520001000089"}</script>`),
    ],
    [
      'LINK-4.text',
      'another GTIN in microdata',
      `another product, ${otherProduct}`,
      pageOf(`<p>Charger<b itemprop="gtin13">9520001000089</b>`),
    ],
    [
      'LINK-4.text',
      'another canonical address',
      `another product, ${otherProduct}`,
      pageOf(`<link rel="canonical" href="https://a.example/01/${otherProduct}"><p>Charger`),
    ],
    [
      'LINK-5.document',
      'bytes of Latin-1',
      'is not UTF-8 at line 1, column',
      docs(Buffer.from(product({ color: 'grün' }), 'latin1')),
    ],
    [
      'LINK-5.document',
      'what does not parse',
      'is not JSON at line 2, column 12: { "@id": "a" "b": 1}',
      docs('{\n"@id": "a" "b": 1}'),
    ],
    [
      'LINK-5.document',
      'an empty graph',
      'finds nothing in it',
      docs('{"@context":"https://schema.org/","@graph":[]}'),
    ],
    [
      'LINK-5.document',
      'an identifier alone',
      'finds nothing in it',
      docs(`{"@context":["https://schema.org/",{"id":"@id"}],"id":"https://a.example${gtin}"}`),
    ],
    [
      'LINK-5.document',
      'a context in a file',
      'file:///c.jsonld has the scheme file:',
      doc({ '@context': ['https://schema.org/', 'file:///c.jsonld'] }),
    ],
    [
      'LINK-5.document',
      'a context inside',
      `http://localhost:1/c ${private_}`,
      doc({ '@context': ['https://schema.org/', { '@import': 'http://localhost:1/c' }] }),
    ],
    [
      'LINK-6.product',
      'another GTIN in @id',
      `is ${otherProduct}`,
      doc({ '@id': `https://a.example/01/${otherProduct}` }),
    ],
    [
      'LINK-6.product',
      'another GTIN in its link',
      `is ${otherProduct}`,
      doc({ hasGS1DigitalLink: { '@id': `https://a.example/01/${otherProduct}` } }),
    ],
    [
      'LINK-6.product',
      'its GTIN in an accessory alone',
      `is ${otherProduct}`,
      doc({ gtin14: otherProduct, isAccessoryOrSparePartFor: { gtin: '9520001000072' } }),
    ],
    [
      'LINK-7.public',
      'a level as an address',
      'lead is restricted (…pertyID":"lead","value":"***","ex:accessLevel":{"@id":',
      hides({ '@id': 'https://a.example/ns/dpp#restricted' }),
    ],
    ['LINK-7.public', 'a level as a short address', 'lead is authority', hides('dpp:authority')],
    [
      'LINK-7.public',
      'a value in a script',
      'is restricted: …>x=[{"key":"lead","value":12,"access_level":"restricted"',
      pageOf(`${page('USB cable')}<script>x=[{"key":"lead","value":12,"access_level":"restricted"}]`),
    ],
    [
      'LINK-7.public',
      'a value in a cell',
      'is restricted: ',
      pageOf(`${page('USB cable')}<tr data-access-level="restricted"><td>Lead<td>0.1 %</tr>`),
    ],
    [
      'LINK-5.linkset',
      'a linkset of texts',
      'must be an object with href',
      linksetOf({ anchor: gtin, [pip]: [passport] }),
    ],
    ['LINK-5.linkset', 'a linkset without links', 'has no link', linksetOf({ anchor: gtin, [pip]: [] })],
    [
      'LINK-5.linkset',
      'the linkset of another product',
      `has the GTIN ${otherProduct}, not 09520001000072`,
      linksetOf({ anchor: `/01/${otherProduct}`, [pip]: [pipLink] }),
    ],
    [
      'LINK-1.form',
      'no https://',
      'has no https:// at its beginning. Type https://id.example.com/01/1.',
      site({}),
      'id.example.com/01/1?zugang=secret',
    ],
    [
      'LINK-1.form',
      'printed text',
      'The link is what is printed under a code. Scan the code, or type https://, the host of your links, and /01/09520001000072/21/A%2F1.',
      site({}),
      '(01) 09520001000072 (21)A/1',
    ],
    [
      'LINK-3.target',
      'another port of its host',
      private_,
      ({ other, path }) => (path === gtin ? [302, { location: other + passport }] : site({})({ path } as never)),
    ],
  ])('%s: %s', async (id, _what, because, answer, link = gtin) => {
    const { verdict, base_url, cases } = await verified(link.startsWith('/') ? root + link : link, answer);
    const faults = cases.filter(({ status }) => status === 'failed').map((one) => [one.id, one.reasons[0]]);
    expect(faults).toEqual([[id, expect.stringContaining(because)]]);
    expect(verdict).toBe('not conformant');
    expect(base_url).not.toContain('secret');
  });
});

test.each([
  ['no such name', 'http://nowhere.invalid', /^http:\/\/nowhere\.invalid could not be reached: the host name/],
  ['a closed port', 'http://127.0.0.1:1', /^http:\/\/127\.0\.0\.1:1 could not be reached: nothing listens/],
  ['429', '', /^http:\/\/127\.0\.0\.1:\d+ could not be reached: it limits requests \(429\)/],
])('%s is not reached', async (_what, host, because) => {
  const limited: LinkService['answer'] = () => [429, html, 'Later'];
  const { verdict, findings, because: found } = await verified((host || root) + gtin, limited);
  expect({ verdict, findings, found }).toEqual({
    verdict: 'incomplete',
    findings: [],
    found: expect.stringMatching(because),
  });
  const { code, stdout } = await typeSuite('verify', 'link', '--file', fileWith(`${host || root}${gtin}\n`));
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('could not be reached') });
});

describe('later addresses', () => {
  const [outside, nextDoor] = ['93.184.216.34', '10.0.0.7'].map((address) => ({ address, family: 4 }));
  const names: Readonly<Record<string, unknown>> = {
    'a.example': [outside],
    'both.example': [outside, nextDoor],
    'in.example': [nextDoor],
  };
  const lookup = async (host: string) => (names[host] ?? []) as never;
  const { signal } = new AbortController();
  test.each([
    ['http://a.example', 'http://a.example/next', undefined],
    ['http://a.example', 'http://both.example', `is 10.0.0.7, ${private_.slice(3)}`],
    ['http://in.example:8080', 'http://in.example:8080/next', undefined],
    ['http://in.example:8080', 'http://in.example:8081', `is 10.0.0.7, ${private_.slice(3)}`],
    ['http://in.example:8080', 'http://a.example', undefined],
    ['http://both.example', 'https://both.example', `is 10.0.0.7, ${private_.slice(3)}`],
  ])('%s may lead to %s: %s', async (given, next, refusal) => {
    const guard = createGuard(new URL(given), { isPrivateAllowed: false, signal, lookup });
    expect(await guard.refusalOf(new URL(next))).toBe(refusal);
    const allowing = createGuard(new URL(given), { isPrivateAllowed: true, signal, lookup });
    expect(await allowing.refusalOf(new URL(next))).toBeUndefined();
  });

  test('the addresses that were looked at are those that are connected to', async () => {
    const asked: string[] = [];
    const once = async (host: string) => [asked.push(host) === 1 ? outside : nextDoor] as never;
    const guard = createGuard(new URL('http://a.example'), { isPrivateAllowed: false, signal, lookup: once });
    await guard.refusalOf(new URL('http://b.example'));
    const { promise, resolve } = Promise.withResolvers();
    guard.lookup('b.example', { all: true }, (_error, found) => resolve(found));
    expect(await promise).toEqual([outside]);
  });
});

test('the pages of the reference server, in seven languages and for three roles', async () => {
  const demo = await start('product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
  ending.defer(async () => void (await demo.stop()));
  const { base_url, site_url, tenants, access_tokens } = announcement(demo.said());
  const links: string[] = [];
  for (const { api_key, slug: tenant } of tenants) {
    const headers = { authorization: `Bearer ${api_key}` };
    const { items } = await (await fetch(`${base_url}/products?status=active`, { headers })).json();
    const [first] = items;
    const tokens = access_tokens.filter((one) => one.tenant === tenant && one.product === null && !one.revoked);
    const roles = ['', ...tokens.map(({ token }) => `&zugang=${token}`)];
    for (const language of ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl']) {
      const path = first.gtin === null ? `/p/${tenant}/${first.slug}` : `/01/${first.gtin}`;
      links.push(...roles.map((role) => `${site_url}${path}?lang=${language}${role}`));
    }
  }
  const { code, stdout } = await typeSuite('verify', 'link', '--file', fileWith(links.join('\n')));
  expect({ code, rows: stdout.match(/^conformant .*/gm)?.length }).toEqual({ code: 0, rows: links.length });
  expect(stdout).not.toContain('nobody saw');
  // Every token of a tenant opens a role of its own.
  expect(links.length).toBeGreaterThanOrEqual(7 * 3 * 2);
}, 60_000);

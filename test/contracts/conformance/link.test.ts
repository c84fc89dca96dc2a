/** `verify link` on correct services of other hands, and on wrong links. */
import { readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { proxyFor } from '../../../contracts/conformance/http/environment-proxy.ts';
import { selfSigned } from '../../support/certificate.ts';
import { ending, fileWith, newFolder } from '../../support/files.ts';
import { announcement, run, start } from '../../support/program.ts';
import { listen } from '../../support/serve.ts';
import { typeSuite } from '../../support/suite.ts';
import {
  type Ask,
  answerWith,
  at,
  correctServices,
  doc,
  document,
  html,
  inside,
  jsonLd,
  type LinkService,
  gtin as link,
  linksetOf,
  other,
  page,
  pageOf,
  passport,
  product,
  received,
  root,
  serveLinks,
  site,
  verified,
} from './link-services.ts';

beforeAll(serveLinks);

describe('correct services', () => {
  test.each(correctServices)('$name', async ({ link, answer: given }) => {
    const { verdict, because, findings, cases } = await verified(root + link, given, { isPrivateAllowed: true });
    expect({ verdict, because, findings }).toEqual({ verdict: 'conformant', findings: [] });
    const notes = cases.flatMap(({ warnings }) => warnings).map((note) => note.replaceAll(root, 'ROOT'));
    expect(notes).toMatchSnapshot();
    expect(received.length).toBeLessThanOrEqual(10);
  });
});

const unknown = '/01/09999999999994';
const leadsTo = (location: string, status = 302) => at(link, status, { location });
const next = ({ path }: Ask) => new URLSearchParams(path.split('?')[1]).get('next');

/** A JSON-LD document as the reference server makes it, with a hash that is not that of its value. */
const hashed = {
  '@context': ['https://schema.org/', { dpp: 'https://passport.example.com/ns/dpp#' }],
  hasDigitalProductPassport: { 'dpp:publicContentHash': 'f'.repeat(64) },
  additionalProperty: [{ propertyID: 'max_power', value: 240, 'dpp:accessLevel': 'public', 'dpp:locale': 'en' }],
};

type Wrong = readonly [what: string, because: string, answer?: LinkService['answer'], link?: string];

/** The wrong links, by the check that fails. */
const wrongLinks: Readonly<Record<string, readonly Wrong[]>> = {
  'LINK-1.form': [
    ['no address', 'The link is not a web address.', site({}), 'usb cable'],
    ['another scheme', 'has the scheme ftp:', site({}), 'ftp://a.example/01/1'],
    ['a password', 'has a user name or a password', site({}), 'http://me:secret@a.example/'],
    ['a GTIN of nine digits', 'or 14 digits, is 952000199.', site({}), '/01/952000199'],
  ],
  'LINK-2.redirect': [
    ['a permanent redirect', '→ 301. Expected: 302 or 307', leadsTo(passport, 301)],
    ['a redirect with 303', '→ 303. Expected: 302 or 307', leadsTo(passport, 303)],
    ['200 for a GTIN that it does not know', '→ 200, not a redirect', at(link, 200, html, 'Sorry')],
    ['404', '→ 404. Expected: 302 or 307', at(link, 404, html)],
    ['a redirect without an address', '→ 302. Expected: 302 or 307 with', at(link, 302, {})],
    [
      'a broken address',
      '→ 302 to "http://[bad/p", not an address. Expected: 302 or 307 with',
      leadsTo('http://[bad/p'),
    ],
    ['a redirect to the home page', 'Expected: an address /p/{tenant}/{product}', leadsTo('/')],
    ['a page that is not a passport', 'Expected: an address /p/', at('/about', 200, html, page('About')), '/about'],
  ],
  'LINK-3.target': [
    ...[
      ...['http://10.0.0.1', 'http://192.168.1.1', 'http://169.254.169.254', 'http://100.64.0.1', 'http://0.0.0.0'],
      ...['http://224.0.0.1', 'http://2130706434', 'http://0177.0.0.2', 'http://0x7f.2', 'http://[::ffff:10.0.0.1]'],
      ...['http://[64:ff9b::a00:1]', 'http://[fe80::1]', 'http://[fd00::1]', 'http://1.1.1.1:22', 'http://me@1.1.1.1'],
      ...['file:///etc', 'javascript:alert(1)', 'http://localhost:22', 'http://127.0.0.1:22'],
    ].map((target): Wrong => [`a redirect to ${target}`, ', which ', leadsTo(target)]),
    ['a port of another service of its host', 'has the port 22, not a port', leadsTo(`http://127.0.0.1:22${passport}`)],
    [
      'a redirect to a host inside',
      'is not a public address (--allow-private allows it).',
      (ask) => leadsTo(inside + passport)(ask),
    ],
    ['an open redirect', 'the address in its query', (ask) => leadsTo(next(ask) ?? passport)(ask)],
    ['an open redirect in use', 'its query names', (ask) => leadsTo(next(ask) ?? passport)(ask), `${link}?next=OTHER/`],
  ],
  'LINK-3.end': [
    ['a loop', 'is a loop', site({ [link]: [302, { location: '/a' }], '/a': [302, { location: link }] })],
    ['six redirects', 'comes after 5 redirects', ({ path }) => [302, { location: `${path}0` }]],
  ],
  'LINK-3.token': [
    ...[link, passport].map(
      (from): Wrong => [
        `a redirect of ${from} that hands the token on to another host`,
        'hands zugang on to another host, 127.0.0.1:',
        (ask) =>
          site({
            [link]: [302, { location: `${passport}?zugang=secret` }],
            [from]: [302, { location: `${ask.other}${passport}/index.html?zugang=secret` }],
            [`${passport}/index.html`]: [200, html, page('USB cable')],
          })(ask),
        `${link}?zugang=secret`,
      ],
    ),
  ],
  'LINK-2.unknown': [
    ['200 for every GTIN', '→ 200. Expected: 404', at(unknown, 200, html, 'Sorry')],
    ['one passport for every GTIN', 'leads to the same passport', at(unknown, 302, { location: passport })],
  ],
  'LINK-4.page': [
    ['a page with 404', '→ 404. Expected: 200', at(passport, 404, html)],
    ['a page as a download', 'a/pdf. Expected: text/html', pageOf('%PDF', { 'content-type': 'a/pdf' })],
    ['another protocol', 'closed the connection', at(passport, 101, { upgrade: 'x', connection: 'upgrade' })],
    ['large headers', 'have more than 16 KiB', pageOf('', { ...html, 'x-large': 'x'.repeat(20_000) })],
    ['a page of 6 MB', 'has more than 5242880 bytes', pageOf('<p>abc'.repeat(1_000_000))],
    [
      'a page that grows when it is decoded',
      'has more than 5242880 bytes',
      pageOf(gzipSync(Buffer.alloc(50_000_000)), { ...html, 'content-encoding': 'gzip' }),
    ],
  ],
  'LINK-4.text': [
    [
      'a page that only a script fills',
      'has no text',
      pageOf('<noscript>Turn it on</noscript><script src=a></script>'),
    ],
    ['a page of a doctype', 'has no text', pageOf('<!doctype html><title>USB cable</title><script src=a></script>')],
    ['a page that is loading', 'shows neither the name', pageOf('<p>Loading</p><script src=a.js></script>')],
    [
      'another short name',
      'shows neither the name',
      site({
        [passport]: [200, html, '<h1>茶</h1><script src=a.js></script>'],
        [document]: [200, jsonLd, product({ name: '茶碗', 'gs1:productName': '茶碗' })],
      }),
    ],
    ['a page of zeros', 'has no text', pageOf('0 '.repeat(1_000_000))],
    ['a page of open tags', 'has no text', pageOf('<script><!--'.repeat(400_000))],
  ],
  'LINK-5.linkset': [
    ['a linkset without an anchor', 'with anchor', linksetOf({ item: [{ href: '/p' }] })],
    [
      'a script as an address',
      'has a wrong address: javascript:alert(1) has the scheme javascript: and not https:.',
      linksetOf({ anchor: link, item: [{ href: 'javascript:alert(1)' }] }),
    ],
    ['a private address', 'http://10.0.0.1/ is not', linksetOf({ anchor: link, item: [{ href: 'http://10.0.0.1' }] })],
  ],
  'LINK-5.document': [
    ['no document', '→ 404. Expected: 200', at(document, 404, {})],
    ['another type', 'Expected: application/ld+json', at(document, 200, html, product())],
    ['a broken document', 'is not JSON at line 1, column 12: {"@context"', at(document, 200, jsonLd, '{"@context"')],
    ['10,000 levels', 'has more than 100 levels', at(document, 200, jsonLd, '[{"a":'.repeat(10_000))],
    ['no vocabulary', 'no term of schema.org', at(document, 200, jsonLd, '{"name":"USB cable"}')],
    ['no context', 'drops everything', at(document, 200, jsonLd, '{"name":"A cable of schema.org"}')],
    ['@type is a number', 'a JSON-LD processor refuses it: /@type', doc({ '@type': 5 })],
    ['a private address', '10.0.0.1/, which is not', at(document, 302, { location: 'http://10.0.0.1/' })],
  ],
  'LINK-6.product': [['another product', 'must be 09520001000072, is 0952', doc({ gtin14: '09520001000089' })]],
  'LINK-7.public': [
    [
      'a hidden value',
      'lead is restricted',
      doc({ about: [{ propertyID: 'lead', value: 0.1, 'dpp:accessLevel': 'restricted' }] }),
    ],
    [
      'a hidden value in the source',
      'that is authority: …',
      pageOf(`${page('USB cable')}<!-- value: 0.1, access_level: "authority" -->`),
    ],
  ],
  'LINK-8.hash': [
    ['a wrong hash', 'and the values give', doc(hashed)],
    ['a hash of nothing', 'lacks what', doc({ ...hashed, additionalProperty: undefined })],
  ],
};

/** A page of a few words with a script, and the name that the document has. */
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const pages: readonly (readonly [name: string, page: string | Buffer, type?: string])[] = [
  ['Stühle', latin1('<h1>Stühle</h1>'), 'text/html; charset="iso-8859-1"'],
  ['Stühle', latin1('<meta charset=ISO-8859-1><h1>Stühle</h1>'), 'text/html'],
  ['Stühle', latin1('<h1>Stühle</h1>'), 'text/html'],
  ['茶碗', Buffer.from([...Buffer.from('<meta charset=Shift_JIS><h1>'), 0x92, 0x83, 0x98, 0x71]), 'text/html'],
  ['Käse & Brot', '<h1>K&auml;se &amp; Brot</h1>'],
  ['Fuß "A"', '<h1>Fu&szlig; &quot;A&quot;</h1>'],
  ['Smørbrød™ α', '<h1>Sm&oslash;rbr&#248;d&trade; &alpha;</h1>'],
  ['USB-Kabel', '<h1>USB-<wbr>Kabel</h1>'],
  ['Fußmatte', '<h1>Fuß<b>matte</b></h1>'],
  ['茶碗', '<h1>茶碗</h1>'],
  ['碗', '<h1>碗</h1>'],
];

test.each(pages)('the page shows the name %s: %s', async (name, text, type = 'text/html; charset=utf-8') => {
  const body = Buffer.concat([Buffer.from('<script src="/x.js"></script>'), Buffer.from(text)]);
  const { verdict, findings } = await verified(
    root + link,
    site({
      [passport]: [200, { 'content-type': type }, body],
      [document]: [200, jsonLd, product({ name, 'gs1:productName': name })],
    }),
  );
  expect({ verdict, findings }).toEqual({ verdict: 'conformant', findings: [] });
});

describe.each(Object.entries(wrongLinks))('wrong links: %s', (id, rows) => {
  test.each(rows)('%s', async (_what, because, given = site({}), path = link) => {
    const more = { isPrivateAllowed: path.includes('OTHER') };
    const { verdict, cases } = await verified(path.replace(/^\//, `${root}/`).replace('OTHER', other), given, more);
    const faults = cases.filter(({ status }) => status === 'failed').map((one) => [one.id, one.reasons[0]]);
    expect(faults).toContainEqual([id, expect.stringContaining(because)]);
    expect(verdict).toBe('not conformant');
    expect(received.length).toBeLessThanOrEqual(10);
    expect(received.filter(({ url }) => url.startsWith(inside))).toEqual([]);
  });
});

/** Each node has the large context of its type. Copying it for every node would take minutes. */
const expensive = {
  '@context': {
    '@vocab': 'https://schema.org/',
    T: { '@context': Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`t${index}`, null])) },
  },
  '@graph': Array.from({ length: 9_000 }, () => ({ '@type': 'T' })),
};

test('a document that is expensive to read takes seconds, and a provider that limits requests is not judged', async () => {
  const begin = performance.now();
  await verified(root + link, at(document, 200, jsonLd, JSON.stringify(expensive)));
  expect(performance.now() - begin).toBeLessThan(20_000);
  const { verdict, findings } = await verified(root + link, at(document, 429, html));
  expect({ verdict, findings }).toEqual({ verdict: 'incomplete', findings: [] });
}, 30_000);

const digits = 'ab'.repeat(32);

test.each([
  [undefined],
  [{ propertyID: 'gtin', value: '09520001000072' }],
  [{ value: `sha256:${digits}` }],
  [{ value: `urn:sha256:${digits}` }],
  [{ propertyID: 'SHA-256', value: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }],
  [{ 'ex:contentHash': { '@value': 'zQmYtUc4iTCbbfVSDNKvtQqrfyezPPnFvE33wFmutw9PBBk' } }],
])('the identifier %j is no finding', async (identifier) => {
  const { verdict, cases } = await verified(root + link, doc({ identifier }));
  expect(verdict).toBe('conformant');
  const { warnings, reasons } = cases.find(({ id }) => id === 'LINK-8.hash') ?? {};
  expect({ reasons, warnings }).toMatchSnapshot();
});

const unreachable = { address: '2600:ffff:ffff::1', family: 6 };

describe('the requests', () => {
  test('TLS has the name of the host, which is looked up once', async () => {
    const { key, cert } = selfSigned('localhost');
    const names: unknown[] = [];
    const server = createSecureServer({ key, cert }, ({ url = '', socket, headers }, outgoing) => {
      names.push((socket as TLSSocket).servername, headers.host);
      const [status, all, body] = site({})({ path: url } as Ask) ?? [404, {}];
      outgoing.writeHead(status, all).end(body);
    });
    const host = (await listen(server, 'localhost')).replace('https://', '');
    const environment = { NODE_EXTRA_CA_CERTS: fileWith(cert, 'ca.pem') };
    const { code } = await run(`product-passport-contracts verify link https://${host}${link}`, environment);
    expect(code).toBe(0);
    expect(new Set(names)).toEqual(new Set(['localhost', host]));
  }, 60_000);

  describe('through the proxy of the environment', () => {
    const asked: string[] = [];
    /** Reaches the port of an address on this machine, whatever its host. */
    const proxy = createServer((incoming, outgoing) => {
      const { host, port, pathname, search } = new URL(incoming.url ?? '');
      asked.push(`${incoming.headers['proxy-authorization']} ${host}`);
      if (host.includes('down')) return void outgoing.writeHead(502, html).end('No such host');
      const { method, headers } = incoming;
      const passed = request({ port, path: pathname + search, method, headers }, (found) => {
        outgoing.writeHead(found.statusCode ?? 0, found.headers);
        found.pipe(outgoing);
      });
      incoming.pipe(passed);
      return undefined;
    }).on('connect', ({ url = '' }, client) => {
      asked.push(`CONNECT ${url}`);
      if (url.includes('down')) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      const upstream = connect({ port: Number(url.split(':')[1]) }, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      for (const socket of [client, upstream]) socket.on('error', () => {});
      client.pipe(upstream).pipe(client);
      return undefined;
    });
    const environmentOf = async (more = {}) => {
      asked.length = 0;
      const own = proxy.listening ? `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` : await listen(proxy);
      const url = own.replace('//', '//me:p%40w@');
      return { HTTP_PROXY: url, HTTPS_PROXY: url, NODE_USE_ENV_PROXY: '1', ...more };
    };

    test('a link is checked, and its redirects are judged as they are written', async () => {
      const { port } = new URL(root);
      answerWith((ask) =>
        ask.path.startsWith('/01') ? leadsTo(`http://shop.invalid:${port}${passport}`)(ask) : site({})(ask),
      );
      const directory = newFolder();
      const line = `product-passport-contracts verify link http://shop.invalid:${port}${link} --report ${directory}`;
      const { code, stdout } = await run(line, await environmentOf());
      expect([code, stdout]).toEqual([0, expect.stringContaining('Through the proxy no name is looked up here')]);
      expect(new Set(asked)).toEqual(new Set([`Basic ${btoa('me:p@w')} shop.invalid:${port}`]));
      answerWith(leadsTo('http://passports.internal/'));
      const inner = await run(line, await environmentOf());
      expect([inner.code, inner.stdout]).toEqual([1, expect.stringContaining('is not a public address')]);
      const down = await run(line.replace('shop', 'down'), await environmentOf());
      expect([down.code, down.stdout]).toEqual([
        3,
        expect.stringContaining('there is no response: it responded with 502'),
      ]);
      const direct = await run(line, await environmentOf({ NO_PROXY: 'example.com,.invalid' }));
      expect([direct.code, asked]).toEqual([3, []]);
    }, 120_000);

    test('TLS goes through it unread, and what it does not reach is not judged', async () => {
      const { key, cert } = selfSigned('shop.invalid');
      const server = createSecureServer({ key, cert }, ({ url = '' }, outgoing) => {
        const [status, all, body] = site({})({ path: url } as Ask) ?? [404, {}];
        outgoing.writeHead(status, all).end(body);
      });
      const { port } = new URL(await listen(server, 'localhost'));
      const line = `product-passport-contracts verify link https://shop.invalid:${port}${link}`;
      const environment = await environmentOf({ NODE_EXTRA_CA_CERTS: fileWith(cert, 'ca.pem') });
      expect((await run(line, environment)).code).toBe(0);
      expect(new Set(asked)).toEqual(new Set([`CONNECT shop.invalid:${port}`]));
      const down = await run(line.replace('shop', 'down'), environment);
      expect([down.code, down.stdout]).toEqual([3, expect.stringContaining('it responded with 502 to CONNECT')]);
      const suite = `product-passport-contracts verify --only AUTH-1 --generated 0 --base-url https://down.invalid/api/v1`;
      const judged = await run(suite, { ...environment, PRODUCT_PASSPORT_KEY: 'nothing-secret' });
      expect(judged.code).not.toBe(1);
      expect(judged.stderr + judged.stdout).toContain('through the proxy');
    }, 120_000);

    test.each<[url: string, environment: Record<string, string>, proxy: string | undefined]>([
      ['http://a.example', { HTTP_PROXY: 'http://p' }, undefined],
      ['http://a.example', { HTTP_PROXY: 'p:3128', NODE_USE_ENV_PROXY: '1' }, 'http://p:3128/'],
      ['https://a.example', { HTTP_PROXY: 'http://p', NODE_USE_ENV_PROXY: '1' }, undefined],
      ...(
        [
          ['http://a.example', 'A.example', false],
          ['http://b.a.example', '.a.example', false],
          ['http://b.a.example', '*.a.example', false],
          ['http://ba.example', 'a.example', true],
          ['http://a.example', 'a.example:8080 b.example', true],
          ['http://a.example:8080', 'x, a.example:8080', false],
          ['http://[::1]:80', '::1', false],
          ['http://a.example', '*', false],
        ] as const
      ).map(([url, NO_PROXY, isUsed]): [string, Record<string, string>, string | undefined] => [
        url,
        { http_proxy: 'http://p', NO_PROXY, NODE_USE_ENV_PROXY: '1' },
        isUsed ? 'http://p/' : undefined,
      ]),
    ])('%s with %j: %s', (url, environment, expected) => {
      expect(proxyFor(new URL(url), environment)?.href).toBe(expected);
    });

    test('an address of another scheme is refused', () => {
      const environment = { HTTP_PROXY: 'socks5://p', NODE_USE_ENV_PROXY: '1' };
      expect(() => proxyFor(new URL('http://a.example'), environment)).toThrow('http_proxy is not an http address.');
    });
  });

  test('--allow-private follows a redirect to a host inside', async () => {
    await verified(
      root + link,
      (ask) => (ask.path.startsWith(link) ? leadsTo(inside + passport)(ask) : site({})(ask)),
      {
        isPrivateAllowed: true,
      },
    );
    expect(received.map(({ url }) => url)).toContain(inside + passport);
  });

  test('a host that later gets a private address is requested at its first one', async () => {
    const { port } = new URL(inside);
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      if (host !== 'rebinding.example') return [{ address: host, family: 4 }];
      // The first one is public, and no machine has it.
      return [asked.filter((one) => one === host).length === 1 ? unreachable : { address: '127.0.0.2', family: 4 }];
    };
    const { verdict } = await verified(root + link, leadsTo(`http://rebinding.example:${port}${passport}`), { lookup });
    expect(verdict).toBe('incomplete');
    expect(asked.filter((host) => host === 'rebinding.example')).toHaveLength(1);
    expect(received.filter(({ url }) => url.includes('rebinding'))).toEqual([]);
  }, 30_000);

  test.each<[string, string, LinkService['answer'], RegExp, notes: string[]]>([
    [
      'a redirect drops the token',
      '?zugang=secret',
      leadsTo(passport),
      /zugang, /,
      ['A redirect drops zugang, so the link opens the public page only.'],
    ],
    ['a relative @id is that of the address', '', doc({ '@id': link, about: { '@id': '#passport' } }), /@id/, []],
  ])('what is no finding may be a note: %s', async (_what, query, given, about, expected) => {
    const { verdict, cases } = await verified(root + link + query, given);
    expect(verdict).toBe('conformant');
    const notes = cases.flatMap(({ warnings }) => warnings);
    expect(notes.filter((note) => about.test(note))).toEqual(expected);
  });

  test('no other host gets the token, a key or a cookie', async () => {
    const query = '?lang=en&zugang=token-of-a-recycler';
    const report = await verified(
      `${root}${link}${query}`,
      ({ path }) =>
        path.startsWith(link)
          ? [302, { location: `${other}${passport}${query}`, 'set-cookie': 'a=1' }]
          : site({})({ path } as Ask),
      { isPrivateAllowed: true },
    );
    expect(received[0]?.url).toContain('zugang');
    expect(JSON.stringify(report)).not.toContain('token-of-a-recycler');
    const elsewhere = received.filter(({ url }) => url.startsWith(other));
    expect(elsewhere.map(({ url }) => url)).toEqual([`${other}${passport}?lang=en`, `${other}${document}`]);
    for (const { headers } of received) expect(headers).not.toHaveProperty('cookie');
  });

  test('a response without an end, or with a pause, is waited for for ten seconds', async () => {
    const server = createServer((request, outgoing) => {
      if (request.url === '/01/00000000000017') return;
      outgoing.writeHead(200, html);
      const timer = setInterval(() => outgoing.write('a'), 100);
      outgoing.on('close', () => clearInterval(timer));
    });
    const url = await listen(server);
    const runs = ['/01/00000000000017', passport].map((path) => verified(url + path, site({})));
    for (const { cases } of await Promise.all(runs)) {
      expect(JSON.stringify(cases)).toContain('no complete response within 10 seconds');
    }
  }, 30_000);
});

describe('the command', () => {
  test('the links of the demo conform, alone and in a table', async () => {
    const demo = await start('product-passport serve --demo --json --port 0 --database :memory:', /\}\n/);
    ending.defer(async () => void (await demo.stop()));
    const { base_url, site_url, tenants } = announcement(demo.said());
    const found: string[] = [];
    for (const { api_key, slug: tenant } of tenants) {
      const headers = { authorization: `Bearer ${api_key}` };
      const { items } = await (await fetch(`${base_url}/products?status=active`, { headers })).json();
      for (const { slug, gtin } of items) found.push(`${site_url}${gtin ? `/01/${gtin}` : `/p/${tenant}/${slug}`}`);
    }
    const table = await typeSuite('verify', 'link', '--file', fileWith(found.map((one) => `${one} \tCup`).join('\n')));
    expect({ code: table.code, stderr: table.stderr }).toEqual({ code: 0, stderr: '' });
    expect(table.stdout.match(/^conformant {13}0/gm)).toHaveLength(found.length);
    expect(table.stdout).not.toContain('Cup');
    const folder = newFolder();
    const { code, stdout, stderr } = await typeSuite('verify', 'link', found[0] ?? '', '--report', folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^conformant: /m);
    expect(readdirSync(folder)).toContain('report.html');
  }, 60_000);

  test('a response that is not HTTP, and redirects without an end, in words', async () => {
    const server = createTcpServer((socket) => void socket.end('HTTP/1.1 abc\r\n\r\n'));
    const { stdout } = await typeSuite('verify', 'link', `${await listen(server)}${link}`);
    expect(stdout).toContain('→ the response is not HTTP.');
    answerWith(leadsTo(link));
    const { stdout: endless } = await typeSuite('verify', 'link', root + link);
    expect(endless).toContain('Expected:  The redirects end, after at most five.');
  });

  test('a reason that is too long for a title stands in place of it, and once', async () => {
    answerWith((ask) => leadsTo(next(ask) ?? passport)(ask));
    const { stdout } = await typeSuite('verify', 'link', root + link);
    expect(stdout).toMatch(/^1\. GET \S+ → 302 leads to the address in its query\.$/m);
    expect(stdout).not.toContain('Reason:');
  });

  test('a table names the first finding of each link, and its exit code is that of the worst', async () => {
    answerWith(leadsTo(passport, 301));
    const file = fileWith(`# printed in May\n${root}${link}\n\n${root}${passport}\n`);
    const { code, stdout } = await typeSuite('verify', 'link', '--file', file);
    expect(code).toBe(1);
    expect(stdout.replaceAll(root, 'ROOT')).toMatchSnapshot();
  });

  test.each([[[]], [['http://a.example/01/1', '--file', 'links.txt']]])('%j is a usage error', async (words) => {
    const { code, stderr } = await typeSuite('verify', 'link', ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Name a link, or a file of links') });
  });
});

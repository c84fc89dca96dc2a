import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ArgumentError, parseDigitalLink } from '../../../sdk/src/gs1.ts';
import type { Client, Reply } from '../../support/client.ts';
import { databaseKinds, startService, useService } from '../../support/service.ts';
import { exchange, type RawAnswer, sharedHeaders } from '../../support/wire.ts';

const siteUrl = 'https://passport.example.com';
const gtin = '9520001000010';
const page = `${siteUrl}/p/mandant-1/tasse`;
const anchor = `${siteUrl}/01/09520001000010`;
const linksetLink = `<${anchor}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`;

/** The response to a request for this path: the redirect's target, or the status with the error code. */
const outcomeOf = ({ outcome, headers }: Reply) => headers.location ?? outcome;

describe.each(databaseKinds)('on %s', (kind) => {
  const service = useService(kind, { siteUrl });
  let client: Client;
  const resolve = (path: string, headers = {}, operationId = 'resolveGtin') =>
    client.call({ path, headers, key: null, operationId });

  beforeAll(async () => {
    client = await service.newTenant();
    await client.create({ name: 'Tasse "Förde" <b>', slug: 'tasse', gtin });
    await service.activate(client, 'tasse');
    for (const [slug, digits] of Object.entries({ acht: '96385074', zwoelf: '614141000036' })) {
      await client.create({ name: slug, slug, gtin: digits });
      await service.activate(client, slug);
    }
    await client.create({ name: 'Entwurf', gtin: '9520001000027' });
    await client.create({ name: 'Alt', gtin: '9520001000034' });
    await service.activate(client, 'alt');
    await service.archive(client, 'alt');
  });

  test.each([
    ['/01/9520001000010', 'tasse'],
    ['/01/09520001000010', 'tasse'],
    ['/01/96385074', 'acht'],
    ['/01/000096385074', 'acht'],
    ['/01/0000096385074', 'acht'],
    ['/01/00000096385074', 'acht'],
    ['/01/614141000036', 'zwoelf'],
    ['/01/0614141000036', 'zwoelf'],
    ['/01/00614141000036', 'zwoelf'],
  ])('GS1-1 %s redirects to %s', async (path, slug) => {
    const reply = await resolve(path);
    expect([reply.status, reply.headers.location]).toEqual([307, `${siteUrl}/p/mandant-1/${slug}`]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
      vary: 'Accept',
    });
    expect(reply.headers.link).toMatch(
      /^<https:\/\/passport\.example\.com\/01\/[0-9]{14}\?linkType=linkset>; rel="linkset"/,
    );
  });

  test('GS1-1 the status is 302 if it is configured', async () => {
    const other = await startService(kind, { on: service.database, siteUrl, redirectStatus: 302 });
    for (const path of [`/01/${gtin}`, `/01/${gtin}/10/A`, `/01/${gtin}?linkType=gs1:dpp`])
      expect((await other.clientOf(client).call({ path, operationId: 'resolveGtin' })).status).toBe(302);
  });

  test('GS1-2 an unknown GTIN, a draft and an archived product give the same 404 to every request', async () => {
    const { text, status, headers } = await resolve('/01/9520001000041');
    expect(status).toBe(404);
    for (const digits of ['9520001000041', '9520001000027', '9520001000034'])
      for (const end of ['', '/10/A', '/22/V/21/S', '?linkType=linkset', '?linkType=gs1:nosuch', '?zugang=x']) {
        const reply = await resolve(`/01/${digits}${end}`);
        expect([reply.status, reply.text, reply.headers.link]).toEqual([404, text, undefined]);
        expect({ ...sharedHeaders(reply.headers), 'referrer-policy': '' }).toEqual({
          ...sharedHeaders(headers),
          'referrer-policy': '',
        });
      }
  });

  test('a linkset has the members that GS1 requires, and no others', async () => {
    const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
    addFormats.default(ajv);
    const validate = ajv.compile(linksetSchema);
    const document = `${page}/jsonld`;
    for (const [path, levels] of [
      [`/01/${gtin}`, [['', '']]],
      [
        `/01/${gtin}/22/V`,
        [
          ['/22/V', '?cpv=V'],
          ['', ''],
        ],
      ],
      [
        `/01/0${gtin}/22/V/10/B/21/S%2f1`,
        [
          ['/22/V/10/B/21/S%2F1', '?cpv=V&batch=B&serial=S%2F1'],
          ['/22/V/10/B', '?cpv=V&batch=B'],
          ['/22/V', '?cpv=V'],
          ['', ''],
        ],
      ],
    ] as const) {
      const { status, headers, text } = await resolve(`${path}?linkType=linkset&zugang=geheim`);
      const linkset = JSON.parse(text);
      expect([status, headers['content-type']]).toEqual([200, 'application/linkset+json; charset=utf-8']);
      expect(validate(linkset) ? [] : validate.errors).toEqual([]);
      expect(linkset).toEqual({
        linkset: levels.map(([end, query]) => ({
          anchor: anchor + end,
          itemDescription: 'Tasse "Förde" <b>',
          'https://ref.gs1.org/voc/defaultLink': [{ href: page + query, title: 'Product passport' }],
          'https://ref.gs1.org/voc/pip': [{ href: page + query, title: 'Product passport', type: 'text/html' }],
          'https://ref.gs1.org/voc/dpp': [
            { href: document, title: 'Product passport for machines', type: 'application/ld+json' },
          ],
        })),
      });
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
      expect(headers.vary?.toLowerCase().split(/, ?/)).toContain('accept');
    }
  });

  test('the links of a linkset have the targets that they name', async () => {
    const local = await startService(kind, { on: service.database });
    const at = local.clientOf(client);
    const { text, headers } = await at.call({ path: `/01/${gtin}?linkType=linkset`, operationId: 'resolveGtin' });
    const [{ anchor: own, itemDescription: _, ...links }] = JSON.parse(text).linkset;
    expect(Object.keys(links)).toHaveLength(3);
    for (const [link] of Object.values(links) as { href: string; type?: string }[][]) {
      const { status, headers: found } = await at.call({ path: new URL(link?.href ?? '').pathname });
      expect([status, found['content-type']]).toEqual([200, `${link?.type ?? 'text/html'}; charset=utf-8`]);
    }
    const [, linkset = ''] = /^<([^>]+)>; rel="linkset"/.exec(headers.link?.toString() ?? '') ?? [];
    expect(linkset).toBe(`${own}?linkType=linkset`);
    const { pathname, search } = new URL(linkset);
    expect((await at.call({ path: pathname + search, operationId: 'resolveGtin' })).text).toBe(text);
  });

  test('a resolution counts no scan', async () => {
    const before = await client.scans();
    for (const end of ['', '/21/S', '?linkType=gs1:dpp', '?linkType=linkset']) await resolve(`/01/${gtin}${end}`);
    expect(await client.scans()).toEqual(before);
  });
});

describe('over one service', () => {
  const service = useService('SQLite', { siteUrl });
  let client: Client;
  const resolve = (path: string, headers = {}) => client.call({ path, headers, key: null, operationId: 'resolveGtin' });
  const asked = async (path: string, headers = {}) => outcomeOf(await resolve(path, headers));

  beforeAll(async () => {
    client = await service.newTenant();
    await client.create({ name: 'Tasse', gtin });
    await service.activate(client, 'tasse');
  });

  describe('key qualifiers', () => {
    const set82 = '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
    const escaped = (text: string) =>
      [...text].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

    test.each([
      ['/22/V', '?cpv=V'],
      ['/10/B', '?batch=B'],
      ['/21/S', '?serial=S'],
      ['/22/V/10/B', '?cpv=V&batch=B'],
      ['/22/V/21/S', '?cpv=V&serial=S'],
      ['/10/B/21/S', '?batch=B&serial=S'],
      ['/22/V/10/B/21/S', '?cpv=V&batch=B&serial=S'],
      ['/235/T', '?tpx=T'],
    ])(
      '%s redirects to the passport of the GTIN, with the key qualifiers in its query',
      async (qualifiers, scanned) => {
        const link = linksetLink.replace('?', `${qualifiers}?`);
        for (const start of [`/01/${gtin}`, `/01/0${gtin}`])
          for (const end of ['', '/']) {
            expect(() => parseDigitalLink(siteUrl + start + qualifiers + end)).not.toThrow();
            const { status, headers } = await resolve(start + qualifiers + end);
            expect([status, headers.location, headers.link]).toEqual([307, page + scanned, link]);
          }
        const { linkset } = JSON.parse((await resolve(`/01/${gtin}${qualifiers}?linkType=linkset`)).text);
        expect(linkset[0]['https://ref.gs1.org/voc/defaultLink'][0].href).toBe(page + scanned);
        for (const { anchor: level, ...links } of linkset) {
          const { pathname } = new URL(level);
          expect(await asked(pathname)).toBe(links['https://ref.gs1.org/voc/defaultLink'][0].href);
        }
      },
    );

    test('values have up to 20 characters of set 82 (28 for 235), escaped or not', async () => {
      expect(set82).toHaveLength(82);
      for (const character of set82)
        expect(await asked(`/01/${gtin}/21/${escaped(character)}`)).toBe(
          `${page}?serial=${encodeURIComponent(character)}`,
        );
      for (const key of ['22', '10', '21', '235']) {
        const most = key === '235' ? 28 : 20;
        const name = { 22: 'cpv', 10: 'batch', 21: 'serial', 235: 'tpx' }[key];
        const scanned = (text: string) => `${page}?${name}=${text}`;
        for (const write of [escaped, (text: string) => text]) {
          expect(await asked(`/01/${gtin}/${key}/${write('x'.repeat(most))}`)).toBe(scanned('x'.repeat(most)));
          expect(await asked(`/01/${gtin}/${key}/${write('x'.repeat(most + 1))}`)).toBe('400 invalid_request');
        }
        expect(await asked(`/01/${gtin}/${key}/${'%2F'.repeat(most)}`)).toBe(scanned('%2F'.repeat(most)));
        expect(await asked(`/01/${gtin}/${key}/${'%2F'.repeat(most + 1)}`)).toBe('400 invalid_request');
      }
    });

    test('an escaped slash is part of the value, a plain slash is not', async () => {
      for (const [path, scanned] of [
        ['/21/SN%2F001', '?serial=SN%2F001'],
        ['/21/SN%2f001', '?serial=SN%2F001'],
        ['/10/%2F21%2F/21/S', '?batch=%2F21%2F&serial=S'],
        ['/235/a%2Fb%2Fc', '?tpx=a%2Fb%2Fc'],
        ['/10/50%25', '?batch=50%25'],
      ])
        expect(await asked(`/01/${gtin}${path}`)).toBe(page + scanned);
      for (const path of ['/21/SN/001', '/21%2FS', '/10/A%2F21/S/', '%2F21%2FS'])
        expect(await asked(`/01/${gtin}${path}`)).toMatch(/^400 /);
    });

    test.each([
      ['in the wrong order', '/10/B/22/V'],
      ['in the wrong order', '/21/S/10/B'],
      ['in the wrong order', '/21/S/22/V/10/B'],
      ['twice', '/10/A/10/B'],
      ['twice', '/22/V/10/A/10/B/21/S'],
      ['235 beside another', '/235/T/21/S'],
      ['235 beside another', '/22/V/235/T'],
      ['unknown', '/99/X'],
      ['unknown', '/3103/000195'],
      ['unknown', '/ser/S'],
      ['unknown', '/022/V'],
      ['unknown', '/x'],
      ['without a value', '/10'],
      ['without a value', '/10/'],
      ['without a value', '/10/B/21'],
      ['without a value', '/10//21/S'],
      ['after two slashes', '//10/B'],
      ['with two slashes at the end', '//'],
      ['more than there are', '/22/V/10/B/21/S/235/T'],
      ['a % that is not escaped', '/10/abc%'],
      ['a % that is not escaped', '/10/a%zb/21/S'],
      ['a % that is not escaped', '/21/%25%2'],
      ['a space', '/21/a%20b'],
      ['a #', '/21/a%23b'],
      ['a $', '/21/a%24b'],
      ['an @', '/21/a@b'],
      ['a backslash', '/21/a%5Cb'],
      ['a control character', '/21/a%0D%0Ab'],
      ['NUL', '/21/%00'],
      ['DEL', '/21/%7F'],
      ['a letter beyond ASCII', '/21/%C3%A4'],
      ['a full-width digit', '/21/%EF%BC%91'],
      ['no UTF-8', '/21/%FF'],
      ['a path that leaves', '/21/../../../api/v1/me'],
      ['a path that leaves', '/../../api/v1/me'],
    ])('GS1-2 %s: %s is 400, and the SDK refuses it', async (_what, qualifiers) => {
      for (const start of [`/01/${gtin}`, '/01/9520001000041', '/01/09999999999994'])
        expect(await asked(start + qualifiers)).toBe('400 invalid_request');
      expect(() => parseDigitalLink(`${siteUrl}/01/${gtin}${qualifiers}`)).toThrow(ArgumentError);
    });

    test.each(['1', '95200010000', '095200010000101', '952000100001X', '９５２０００１０００', '%20', '..', '%2e%2e'])(
      'GS1-2 the GTIN %s does not have 8, 12, 13 or 14 digits',
      async (digits) => {
        const path = `/01/${encodeURI(digits).replaceAll('%25', '%')}`;
        for (const end of ['', '/', '/10/B', '/22/V/10/B/21/S', '/235/T', '/10/%20', '?linkType=linkset'])
          expect(await asked(path + end)).toBe('400 invalid_gtin');
      },
    );

    test.each(['/01', '/01/', '/01//', '/01//21/S'])('GS1-2 %s has no GTIN', async (path) => {
      expect(await asked(path)).toBe('400 invalid_request');
    });

    test('the error names the required form', async () => {
      const { json } = await resolve(`/01/${gtin}/10/a%20b`);
      expect(json).toEqual({
        error: {
          code: 'invalid_request',
          message: "batch: at most 20 characters. Characters from GS1's character set 82, percent-encoded.",
        },
      });
    });
  });

  describe('link types', () => {
    test.each([
      ['gs1:pip', page],
      ['gs1:defaultLink', page],
      ['gs1:dpp', `${page}/jsonld`],
      ['https://ref.gs1.org/voc/dpp', `${page}/jsonld`],
      ['https%3A%2F%2Fref.gs1.org%2Fvoc%2Fdpp', `${page}/jsonld`],
      ['https://gs1.org/voc/pip', page],
      ['https://www.gs1.org/voc/dpp', `${page}/jsonld`],
      ['http://gs1.org/voc/defaultLink', page],
      ['linkset', '200'],
      ['all', '200'],
    ])('%s redirects to %s, whatever the case of the parameter’s name', async (linkType, leads) => {
      for (const name of ['linkType', 'linktype', 'LINKTYPE', 'link%54ype'])
        for (const [path, scanned] of [
          ['', ''],
          ['/22/B', '?cpv=B'],
          ['/', ''],
        ])
          expect(await asked(`/01/${gtin}${path}?${name}=${linkType}`)).toBe(leads === page ? page + scanned : leads);
    });

    test.each([
      'gs1:nosuchlt',
      'gs1:productSustainabilityInfo',
      'gs1:linkset',
      'gs1:',
      'dpp',
      'DPP',
      '__proto__',
      'gs1:__proto__',
      'https://evil.example/voc/dpp',
      'https://ref.gs1.org.evil.example/voc/dpp',
      'https://ref.gs1.org/voc/dpp/',
      '',
      'gs1:pip&linkType=gs1:pip',
      'gs1:pip&linktype=gs1:dpp',
    ])('“%s” is 404 with a link to the linkset', async (linkType) => {
      const reply = await resolve(`/01/${gtin}?linkType=${linkType}`);
      expect(reply.outcome).toBe('404 not_found');
      expect(reply.headers.link).toBe(linksetLink);
      expect(reply.text).toContain('linkType=linkset');
    });

    test('take precedence over Accept', async () => {
      const headers = { accept: 'application/linkset+json' };
      expect(await asked(`/01/${gtin}?linkType=gs1:pip`, headers)).toBe(page);
      expect(await asked(`/01/${gtin}?linkType=gs1:nosuch`, headers)).toBe('404 not_found');
    });
  });

  test.each([
    ['application/linkset+json', '200'],
    ['application/linkset+json, */*;q=0.1', '200'],
    ['Application/Linkset+JSON', '200'],
    ['text/html;q=0.5, application/linkset+json;q=0.9', '200'],
    ['application/ld+json', `${page}/jsonld`],
    ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', `${page}/jsonld`],
    ['text/html;q=0.2, application/ld+json;q=0.3', `${page}/jsonld`],
    ['text/html;q=0.3, application/ld+json;q=0.2', page],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', page],
    ['*/*', page],
    ['text/*', page],
    ['application/json', page],
    ['application/linkset+json;q=0', page],
    ['application/pdf', page],
    ['', page],
    ['nonsense', page],
    ['a/b;c', page],
    ['a/b;q=', page],
  ])('for Accept “%s” the response is %s', async (accept, answer) => {
    expect(await asked(`/01/${gtin}`, { accept })).toBe(answer);
    expect(await asked(`/01/${gtin}/22/V`, { accept })).toBe(answer === page ? `${page}?cpv=V` : answer);
  });

  test('every response for a product links to its linkset, and the linkset to its context', async () => {
    const context =
      '<https://ref.gs1.org/standards/resolver/linkset-context>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"';
    for (const end of ['', '?linkType=gs1:dpp', '?linkType=gs1:nosuch', '?zugang=geheim'])
      expect((await resolve(`/01/${gtin}${end}`)).headers.link).toBe(linksetLink);
    for (const end of ['?linkType=linkset', '?linkType=all&zugang=geheim'])
      expect((await resolve(`/01/${gtin}${end}`)).headers.link).toBe(`${linksetLink}, ${context}`);
    for (const level of ['/22/V', '/10/B/21/S']) {
      const own = linksetLink.replace('?', `${level}?`);
      for (const end of ['', '?linkType=gs1:nosuch'])
        expect((await resolve(`/01/${gtin}${level}${end}`)).headers.link).toBe(own);
      expect((await resolve(`/01/${gtin}${level}?linkType=linkset`)).headers.link).toBe(`${own}, ${context}`);
    }
  });

  describe('the redirect keeps the query', () => {
    test.each([
      ['?zugang=t', '?zugang=t'],
      ['?b=2&a=1&b=1', '?b=2&a=1&b=1'],
      ['?a=%20+%2B&%41=%c3%a4&c=%C3%A4', '?a=%20+%2B&%41=%c3%a4&c=%C3%A4'],
      ['?17=261231&3103=000195', '?17=261231&3103=000195'],
      ['?a&&=&b=', '?a&&=&b='],
      ["?a=b?c=/d:@!$'()*,;", "?a=b?c=/d:@!$'()*,;"],
      ['?', ''],
      ['?linkType=gs1:pip', ''],
      ['?a=1&linkType=gs1:pip&b=2', '?a=1&b=2'],
      ['?LinkType=gs1:pip&zugang=t', '?zugang=t'],
      ['?a=linkType=gs1:dpp', '?a=linkType=gs1:dpp'],
      ['??linkType=x', '??linkType=x'],
      ['?xlinkType=gs1:dpp', '?xlinkType=gs1:dpp'],
      ['?a=%zz&b=%', '?a=%25zz&b=%25'],
      ['?a="<>\\^`{|}', '?a=%22%3C%3E%5C%5E%60%7B%7C%7D'],
    ])('%s as %s', async (query, passedOn) => {
      for (const path of [`/01/${gtin}`, `/01/${gtin}/`]) expect(await asked(path + query)).toBe(page + passedOn);
      const rest = passedOn === '' ? '' : `&${passedOn.slice(1)}`;
      expect(await asked(`/01/${gtin}/21/S%2F1${query}`)).toBe(`${page}?serial=S%2F1${rest}`);
    });

    test('for the JSON-LD document too', async () => {
      expect(await asked(`/01/${gtin}?b=%20&linkType=gs1:dpp&zugang=t&a=1`)).toBe(`${page}/jsonld?b=%20&zugang=t&a=1`);
      expect(await asked(`/01/${gtin}?zugang=t`, { accept: 'application/ld+json' })).toBe(`${page}/jsonld?zugang=t`);
    });

    test('but not bytes beyond ASCII, which HTTP does not allow', async () => {
      const { status, headers } = await raw(`/01/${gtin}?a=ä`);
      expect([status, headers.location]).toEqual([400, undefined]);
    });

    test('and a token makes the response private', async () => {
      const { headers } = await resolve(`/01/${gtin}?zugang=t`);
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' });
    });
  });

  describe('GS1-2 the target never comes from the request:', () => {
    test.each([
      ['another Host', `/01/${gtin}`, page, 'Host: evil.example'],
      [
        'X-Forwarded-Host',
        `/01/${gtin}`,
        page,
        'Host: x\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example',
      ],
      ['an absolute address', `http://evil.example/01/${gtin}`, page, 'Host: evil.example'],
      ['an absolute address with a query', `http://evil.example/01/${gtin}?a=1`, `${page}?a=1`, 'Host: evil.example'],
      ['a user in the address', `http://evil@x/01/${gtin}`, page, 'Host: x'],
      ['an address in the query', `/01/${gtin}?url=//evil.example`, `${page}?url=//evil.example`, 'Host: x'],
      ['a query that looks like a path', `/01/${gtin}?/../../evil`, `${page}?/../../evil`, 'Host: x'],
      ['an escaped line end', `/01/${gtin}?a=%0d%0aSet-Cookie:%20a=b`, `${page}?a=%0d%0aSet-Cookie:%20a=b`, 'Host: x'],
      ['a fragment', `/01/${gtin}?a=1#//evil.example`, `${page}?a=1`, 'Host: x'],
    ])('%s', async (_what, target, location, head) => {
      const answer = await raw(target, head);
      expect([answer.status, answer.headers.location]).toEqual([307, location]);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.headers.link).toBe(linksetLink);
      expect((await raw(`${target.split(/[?#]/)[0]}?linkType=linkset`, head)).text).not.toContain('evil');
    });

    test.each([
      `//evil.example/01/${gtin}`,
      `/01//evil.example`,
      `/01/https://evil.example`,
      `/01/%2F%2Fevil.example`,
      `/01/${gtin}/../../p`,
      `/01/${gtin}%0d%0aLocation:%20//evil.example`,
      `/01/..//evil.example`,
    ])('%s is not redirected', async (target) => {
      const { status, headers, text } = await raw(target);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.location).toBeUndefined();
      expect(text).not.toContain('evil');
    });
  });

  describe('methods', () => {
    const paths = ['', '/10/B', '/22/V/10/B/21/S', '/235/T'].map((end) => `/01/${gtin}${end}`);

    test.each([...paths, '/.well-known/gs1resolver'])('%s has GET, HEAD and OPTIONS', async (path) => {
      const options = await client.call({ method: 'OPTIONS', path, key: null });
      expect(options.outcome).toBe('204');
      expect(options.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      });
      for (const end of path.startsWith('/01/') ? ['', '?linkType=linkset', '?linkType=gs1:nosuch'] : ['']) {
        const get = await client.call({ path: path + end, key: null });
        const head = await client.call({ method: 'HEAD', path: path + end, key: null });
        expect(head).toMatchObject({ status: get.status, text: '' });
        expect(sharedHeaders(head.headers)).toEqual(sharedHeaders(get.headers));
      }
      expect((await client.call({ method: 'POST', path, key: null })).outcome).toBe('405 method_not_allowed');
    });
  });

  test('a compressed link is not supported, and gets an error', async () => {
    expect((await raw('/ARFKk4XB0CDKWcnpq')).status).toBe(404);
    expect(await asked(`/01/${gtin}/BBg7w3XYjRk`)).toBe('400 invalid_request');
  });

  test('the resolver describes itself', async () => {
    const { outcome, headers, json } = await client.call({ path: '/.well-known/gs1resolver', key: null });
    expect(outcome).toBe('200');
    expect(json).toEqual({
      name: 'Product Passport Service',
      resolverRoot: siteUrl,
      supportedPrimaryKeys: ['01'],
      supportedLinkType: [{ namespace: 'https://ref.gs1.org/voc/', prefix: 'gs1:' }],
      linkTypeDefaultCanBeLinkset: false,
    });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-cache' });
  });

  /** Sends the bytes unchanged. */
  function raw(target: string, head = 'Host: x'): Promise<RawAnswer> {
    return exchange(service.port, `GET ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
  }
});

/**
 * A linkset by GS1's standard for resolvers, written from its public rules and not from our contract: RFC 9264 as JSON,
 * link types as IRIs of the vocabulary, `anchor` and `itemDescription` of the item, `href` and `title` of every link.
 * The only other members are `type`, `hreflang`, `context`, `fwqs` and `public`.
 */
const link = {
  type: 'object',
  required: ['href', 'title'],
  properties: {
    href: { type: 'string', format: 'uri' },
    title: { type: 'string', minLength: 1 },
    type: { type: 'string', pattern: '^[a-z]+/[a-z0-9.+-]+$' },
    hreflang: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', pattern: '^[a-zA-Z-]{2,}$' } },
    context: { type: 'array', minItems: 1, items: { type: 'string' } },
    fwqs: { type: 'boolean' },
    public: { type: 'boolean' },
  },
  additionalProperties: false,
};

const linksetSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['anchor', 'itemDescription', 'https://ref.gs1.org/voc/defaultLink'],
        properties: {
          anchor: { type: 'string', format: 'uri', pattern: '/01/[0-9]{14}(?:/|$)' },
          itemDescription: { type: 'string', minLength: 1 },
          // One default link, without members that would limit it to some requests.
          'https://ref.gs1.org/voc/defaultLink': {
            type: 'array',
            minItems: 1,
            maxItems: 1,
            items: {
              type: 'object',
              required: ['href', 'title'],
              properties: { href: link.properties.href, title: link.properties.title },
              additionalProperties: false,
            },
          },
        },
        patternProperties: {
          '^https://ref\\.gs1\\.org/voc/(?!defaultLink$)[a-z][A-Za-z]*$': { type: 'array', minItems: 1, items: link },
        },
        additionalProperties: false,
      },
    },
  },
};

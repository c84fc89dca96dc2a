import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenRole } from '@product-passport/openapi';
import { verifyPassport } from '../../../sdk/src/verify.ts';
import { createToken } from '../../../server/src/access/token.ts';
import { errorPage } from '../../../server/src/site/rendering.ts';
import type { Client } from '../../support/client.ts';
import { greys } from '../../support/pictures.ts';
import { useService } from '../../support/service.ts';

const siteUrl = 'https://passport.example.com';
const service = useService('SQLite', { siteUrl });
let client: Client;
beforeAll(async () => {
  client = await service.newTenant();
});

/** An active product with these values, and its page's path. */
async function publish(values: readonly object[], product: object = {}): Promise<{ slug: string; path: string }> {
  const { slug } = await client.create({ name: 'Tasse', ...product });
  if (values.length > 0) await client.write(slug, values);
  await service.activate(client, slug);
  return { slug, path: `/p/${client.tenant.slug}/${slug}` };
}

async function html(path: string, query = 'lang=en'): Promise<string> {
  const { status, text } = await client.call({ path, query, key: null });
  expect(status).toBe(200);
  return text;
}

/** The page's data block, and the page without it. */
function parts(page: string): { block: string; document: { [key: string]: unknown }; rest: string } {
  const [whole = '', block = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(page) ?? [];
  return { block, document: JSON.parse(block), rest: page.replace(whole, '') };
}

async function tokenOf(role: TokenRole): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const grant = { product_id: null, role, expiresAt };
  return (await createToken(service.database, client.tenant.id, grant, new Date())).token;
}

describe('PUB-4 hostile values are inert', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</script><script>alert(2)</script>',
    '<!-- comment --><svg onload=alert(3)>',
    '&lt;b&gt; &amp; \u2028 \u2029',
    '<% throw 1 %><%~ it %>',
  ];
  const unsafe = [
    'javascript:alert(1)',
    'JavaScript://example.com/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://trusted.example@evil.example/',
    'https://example.com/ onclick=alert(1)',
    ' https://example.com/',
    'vbscript:x',
  ];

  test('as name, model, key, value, unit, member, list and table', async () => {
    const { path } = await publish(
      [
        ...hostile.map((text, index) => ({
          field_key: `${index} ${text}`.slice(0, 100),
          value: text,
          unit: text.slice(0, 50),
        })),
        { field_key: 'list', value: hostile },
        { field_key: 'object', value: Object.fromEntries(hostile.map((text) => [text, { [text]: [text] }])) },
        { field_key: 'table', value: hostile.map((text) => ({ [`${hostile[1]}`]: text })) },
        { field_key: 'repair_instructions', value: hostile[1] },
        { field_key: 'manufacturer_name', value: hostile[0] },
      ],
      { name: hostile[1], model: hostile[2], product_group: 'textile' },
    );
    const page = await html(path);
    const { block, document, rest } = parts(page);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(rest).not.toMatch(/<(?:script|img|b)\b|<!--|onload=alert\(3\)>/);
    // The description quotes the name. A quote inside it would end the attribute, and what follows would be found.
    const quoted = rest.replaceAll(/(<meta [a-z]+="[\w:-]+" content=)"[^"<>]*">/g, '$1"">');
    for (const [tag] of quoted.matchAll(/<[a-z][^>]*>/g)) expect(tag).not.toMatch(/\son\w+\s*=|javascript:/i);
    expect(rest).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(rest).toContain('&lt;% throw 1 %&gt;');
    expect(block).not.toMatch(/[<>&\u2028\u2029]/);
    expect(document.name).toBe(hostile[1]);
    expect(JSON.stringify(document)).toContain(JSON.stringify(hostile[5]).slice(1, -1));
  });

  test('only a plain web address becomes a link', async () => {
    const safe = ['https://docs.example.com/a?b=c&d="e"', 'http://example.com', 'HTTPS://EXAMPLE.COM/x'];
    const { path } = await publish([
      { field_key: 'repair_instructions', value: 'javascript:alert(1)' },
      { field_key: 'list', value: [...unsafe, ...safe] },
    ]);
    const { rest } = parts(await html(path));
    const links = [...rest.matchAll(/<a href="([^"]*)" rel="([^"]*)"/g)];
    expect(links.map(([, href]) => href)).toEqual([
      'https://docs.example.com/a?b=c&amp;d=%22e%22',
      'http://example.com/',
      'https://example.com/x',
    ]);
    for (const [, , rel] of links) expect(rel).toBe('noopener noreferrer nofollow ugc');
    expect(rest).not.toMatch(/<a href="(?:javascript|data|vbscript)/i);
  });
});

describe('PUB-2, PUB-3 roles', () => {
  const secrets = [
    { field_key: 'disassembly_instructions', value: 'unscrew the seven bolts', access_level: 'restricted' },
    { field_key: 'test_reports', value: ['report Quokka'], unit: 'folio', access_level: 'authority' },
  ];
  const open = { field_key: 'care_instructions', value: 'wash by hand' };
  const traces = ['isassembly', 'bolts', 'est_report', 'Quokka', 'folio', 'Not public', 'authorit', 'Test report'];
  const more = 'Recyclers and inspectors may see more with an access link.';

  test('a page shows no trace of a hidden value, and equals the page of a passport without it', async () => {
    const product = { name: 'Pullover', product_group: 'textile' };
    const with_ = await publish([open, ...secrets], product);
    const page = await html(with_.path);
    const without = await publish([open], product);
    const other = await html(without.path);
    for (const trace of traces) expect(page).not.toContain(trace);
    expect(page).toContain(more);
    // Removes what differs between the products: slug, hashes, QR code and times.
    const plain = (text: string): string =>
      text.replaceAll(/pullover-2/g, 'pullover').replaceAll(/[0-9a-f]{64}|M[0-9HMVz ]+|T?\d\d:\d\d[^<"]*/g, '');
    expect(plain(page)).toBe(plain(other));
  });

  test('each role sees its values, its name and the level of each restricted value', async () => {
    const { path } = await publish([open, ...secrets], { product_group: 'textile' });
    const recycler = await html(path, `lang=en&zugang=${await tokenOf('recycler')}`);
    expect(recycler).toContain('View for recyclers');
    expect(recycler).toContain('unscrew the seven bolts');
    expect(recycler).toContain('<span class="level">Not public</span>');
    expect(recycler).not.toContain('Quokka');
    expect(recycler).toMatch(/class="ways"><a href="#dismantling/);
    const inspector = await html(path, `lang=en&zugang=${await tokenOf('inspector')}`);
    expect(inspector).toContain('View for inspectors');
    expect(inspector).toContain('report Quokka');
    expect(inspector).toContain('<span class="level">For authorities</span>');
    // An inspector reads the page from its start.
    expect(inspector).not.toMatch(/class="ways"><a href="#dismantling/);
    for (const page of [recycler, inspector]) expect(page).not.toContain(more);
    expect(await html(path)).toContain(more);
  });

  test('an invalid token gives the public view and a notice in the language of the reader', async () => {
    const { path } = await publish([open, ...secrets], { product_group: 'textile' });
    for (const [lang, notice] of [
      ['en', 'This access link is invalid'],
      ['de', 'Dieser Zugangslink ist ungültig'],
    ]) {
      const page = await html(path, `lang=${lang}&zugang=%22%3E%3Cb%3E`);
      expect(page).toContain(notice);
      expect(page).toContain('href="?lang=de&amp;zugang=%22%3E%3Cb%3E"');
      for (const trace of traces) expect(page).not.toContain(trace);
      expect(await html(path, `lang=${lang}`)).not.toContain(notice);
    }
  });
});

describe('the content of a page', () => {
  test('has the product, its sections in order, the version and both hashes', async () => {
    const { slug, path } = await publish(
      [
        { field_key: 'own_field', value: 'of ours' },
        { field_key: 'manufacturer_name', value: 'Südwind AG' },
        { field_key: 'fibre_composition', value: [{ fibre: 'wool', share: 85.5 }] },
        { field_key: 'model_identifier', value: 'X-1' },
      ],
      { name: 'Pulli', model: 'Fjord', gtin: '9520001000010', product_group: 'textile' },
    );
    const { rest: page, document } = parts(await html(path));
    const { latest_version } = await client.passport(slug);
    for (const text of [
      'Pulli',
      'Fjord',
      '9520001000010',
      'Südwind AG',
      'Textiles',
      'Mandant GmbH',
      latest_version.content_hash,
    ])
      expect(page).toContain(text);
    const passport = document.hasDigitalProductPassport as Record<string, unknown>;
    expect(page).toContain(String(passport['dpp:publicContentHash']));
    const titles = [...page.matchAll(/<h2 id="(\w+)">/g)].map(([, id]) => id);
    expect(titles).toEqual(['composition', 'identification', 'own', 'operators', 'qr', 'facts', 'proof']);
    expect(page).toContain('<h1 dir="auto" lang="de">Pulli</h1>');
    expect(page).toContain('<th scope="col" dir="auto">Fibre</th>');
    expect(page).toContain('<p>Completeness: 40% of the required information is available</p>');
    // Long addresses and identifiers break after a slash or a colon, not inside a word.
    expect(page).toContain('>urn:<wbr>dpp:<wbr>mandant-1:<wbr>pulli</dd>');
    expect(page).toContain(`>${siteUrl}/<wbr>01/<wbr>09520001000010</p>`);
    expect(page.replaceAll('<wbr>', '')).toContain(`<p class="code" dir="ltr">${siteUrl}/01/09520001000010</p>`);
  });

  test('search engines and messengers find a description and the page in each language', async () => {
    const { path } = await publish([], { name: 'Tasse "A" <b>', product_group: 'other' });
    const page = await html(path);
    const description = /<meta name="description" content="([^"]*)">/.exec(page)?.[1];
    expect(description).toContain('Tasse &quot;A&quot; &lt;b&gt;');
    expect(page).toContain(`<meta property="og:description" content="${description}">`);
    expect(page).toContain('<meta property="og:locale" content="en_GB">');
    expect(await html(path, 'lang=de')).toContain('<meta property="og:locale" content="de_DE">');
    expect(page).toContain(`<meta property="og:url" content="${siteUrl}${path}">`);
    for (const [language, query] of [
      ['en', '?lang=en'],
      ['de', '?lang=de'],
      ['x-default', ''],
    ])
      expect(page).toContain(`<link rel="alternate" hreflang="${language}" href="${siteUrl}${path}${query}">`);
  });

  test('the data block is the JSON-LD document', async () => {
    const { path } = await publish([{ field_key: 'a', value: '</script>&\u2028' }]);
    const { document } = parts(await html(path));
    expect(document).toEqual((await client.call({ path: `${path}/jsonld`, key: null })).json);
  });

  test('leaves out the null of a field that the template does not have; the data block, the API and the hash keep it', async () => {
    const { slug, path } = await publish(
      [
        { field_key: 'care_instructions', value: null },
        { field_key: 'colur', value: null },
        { field_key: 'colur_of_seams', value: null, access_level: 'restricted', needs_review: true },
        { field_key: 'weave', value: null, is_unknown: true },
      ],
      { product_group: 'textile' },
    );
    for (const role of ['consumer', 'recycler', 'inspector'] as const) {
      const zugang = role === 'consumer' ? '' : `&zugang=${await tokenOf(role)}`;
      const { document, rest } = parts(await html(path, `lang=en${zugang}`));
      expect(rest).not.toMatch(/colur/i);
      expect(rest).not.toContain('of this view is not public');
      expect(rest).toContain('Weave');
      expect(rest).toContain('Care instructions');
      const keys = (document.additionalProperty as { propertyID: string }[]).map(({ propertyID }) => propertyID);
      const all = ['care_instructions', 'colur', 'colur_of_seams', 'weave'];
      expect(keys).toEqual(role === 'consumer' ? all.filter((key) => key !== 'colur_of_seams') : all);
      expect((await verifyPassport(document as never)).ok).toBe(true);
    }
    expect((await client.passport(slug)).values).toHaveLength(4);
  });

  test('the code of a product without a GTIN holds the link to its page', async () => {
    const { path } = await publish([]);
    const page = await html(path);
    expect(page.replaceAll('<wbr>', '')).toContain(`<p class="code" dir="ltr">${siteUrl}${path}</p>`);
    expect(page).toContain('No information has been added yet.');
  });

  test('the language comes from lang, then Accept-Language, and is that of the tenant otherwise', async () => {
    const { path } = await publish([{ field_key: 'carbon_footprint', value: 1234.5, unit: 'kg' }], {
      product_group: 'textile',
    });
    const language = async (query: string, accepted?: string): Promise<string> => {
      const headers = { 'accept-language': accepted };
      const { text, headers: answered } = await client.call({ path, query, headers, key: null });
      const [, lang = ''] = /<html lang="(\w+)">/.exec(text) ?? [];
      expect(answered['content-language']).toBe(lang);
      expect(text).toContain(lang === 'de' ? '1234,5' : '1234.5');
      expect(text).toContain(lang === 'de' ? 'CO2-Fußabdruck' : 'Carbon footprint');
      return lang;
    };
    expect(await language('')).toBe('de');
    expect(await language('', 'de')).toBe('de');
    expect(await language('', 'ja, de-AT;q=0.8, en;q=0.5')).toBe('de');
    expect(await language('', 'de;q=0, ja')).toBe('de');
    expect(await language('', ';;;=')).toBe('de');
    expect(await language('lang=en', 'de')).toBe('en');
    expect(await language('lang=de', 'en')).toBe('de');
    expect(await language('lang=ja', 'de')).toBe('de');
    expect(await language('lang=', 'de')).toBe('de');
  });
});

describe('hazards', () => {
  const pictograms = Array.from({ length: 9 }, (_, index) => `GHS0${index + 1}`);
  const statements = 'H200 H225 H271 H280 H301 H304 H314 H317 H334 H350 H400 H410'.split(' ');
  const dangerous = [
    { field_key: 'signal_word', value: 'danger' },
    { field_key: 'hazard_pictograms', value: pictograms },
    { field_key: 'hazard_statements', value: statements },
  ];

  const size = 400;

  /** The pixels inside the diamond: how far each is from the middle along both axes, in widths, and its red channel. */
  function pixelsOf(svg: string): { distance: number; red: number }[] {
    const pixels = greys(svg, size).flatMap((row, y) =>
      row.map((red, x) => ({ red, distance: (Math.abs(x + 0.5 - size / 2) + Math.abs(y + 0.5 - size / 2)) / size })),
    );
    return pixels.filter(({ distance }) => distance < 0.5 - 1 / size);
  }

  test('are counted and never shortened on the first screen of each role', async () => {
    const { path } = await publish(dangerous, { product_group: 'chemical' });
    for (const zugang of ['', await tokenOf('recycler'), await tokenOf('inspector')]) {
      const page = await html(path, zugang === '' ? 'lang=en' : `lang=en&zugang=${zugang}`);
      const [first = ''] = /<div class="hazards">[\s\S]*?<\/div>/.exec(page) ?? [];
      expect(first).toContain('<a href="#safety">Danger · 9 pictograms · 12 hazard statements</a>');
      expect([...first.matchAll(/href="#(GHS\d\d)"/g)].map(([, code]) => code)).toEqual(pictograms);
      expect(first.match(/H\d{3}: /g)).toEqual(statements.map((code) => `${code}: `));
    }
  });

  test('have the symbols of the law, which stay inside the frame, and each page has each of them once', async () => {
    const { path } = await publish(dangerous, { product_group: 'chemical' });
    const page = await html(path);
    const symbols = [...page.matchAll(/<symbol id="(GHS\d\d)" viewBox="0 0 1000 1000">(.*?)<\/symbol>/g)];
    expect(symbols.map(([, code]) => code)).toEqual(pictograms);
    for (const [, code, shapes] of symbols) {
      const pixels = pixelsOf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">${shapes}</svg>`);
      // The inner diamond reaches 0.42 from the middle. A pixel on each side of its edge is a mixture.
      const black = pixels.filter(({ red }) => red < 128);
      expect([code, black.length > 1000]).toEqual([code, true]);
      expect([code, black.filter(({ distance }) => distance > 0.42 - 2 / size)]).toEqual([code, []]);
      const frame = pixels.filter(({ distance }) => distance > 0.42 + 2 / size && distance < 0.5 - 2 / size);
      expect([code, frame.filter(({ red }) => red < 200 || red > 240)]).toEqual([code, []]);
    }
  });

  test('of a battery have the crossed-out wheeled bin only if it is collected separately', async () => {
    for (const [value, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const { path } = await publish([{ field_key: 'separate_collection_symbol', value }], {
        product_group: 'battery',
      });
      expect((await html(path)).split('<symbol id="separate_collection"')).toHaveLength(1 + count);
    }
  });
});

describe('a large passport', () => {
  test('with 1,000 fields of every type, a word of 10,000 characters and 32 levels is shown', async () => {
    const deepList = (depth: number): unknown =>
      depth === 0 ? 'bottom' : depth % 2 ? [deepList(depth - 1)] : { in: deepList(depth - 1) };
    const kinds: unknown[] = [
      null,
      true,
      false,
      0,
      -1.5,
      1e21,
      1e-9,
      '',
      'text',
      'שלום',
      [],
      {},
      [1, 'a', null],
      { a: { b: [] } },
    ];
    const { slug, path } = await publish([]);
    await client.write(
      slug,
      Array.from({ length: 1000 }, (_, index) => ({ field_key: `field ${index}`, value: kinds[index % kinds.length] })),
    );
    await client.write(slug, [
      { field_key: 'long', value: 'x'.repeat(10_000) },
      { field_key: 'deep', value: deepList(32) },
    ]);
    const { rest } = parts(await html(path));
    expect(rest.match(/<dt dir="auto">/g)?.length).toBeGreaterThan(1001);
    expect(rest).toContain('x'.repeat(10_000));
    expect(rest).toContain('bottom');
    expect(rest).toContain('<span dir="auto">שלום</span>');
  });
});

describe('the version on a page', () => {
  test.each([
    ['en', 'Version 2 of 5 March 2026 at 07:09 UTC'],
    ['de', 'Version 2 vom 5. März 2026 um 07:09 UTC'],
  ])('is the latest, with its date, in %s', async (lang, text) => {
    const { slug, path } = await publish([{ field_key: 'a', value: 1 }]);
    await service
      .database('passport_versions')
      .where({ product_id: (await client.product(slug)).id, version: 2 })
      .update({ created_at: '2026-03-05T07:09:59.999Z' });
    expect(await html(path, `lang=${lang}`)).toContain(`<p>${text}</p>`);
  });
});

test('the error page of a busy service does not mention other visitors', () => {
  expect(errorPage(503, 'en')).toMatchObject({
    title: 'One moment, please',
    message: 'The passport is not available right now. Please reload the page in a moment.',
  });
  expect(errorPage(503, 'de')).toMatchObject({
    title: 'Einen Moment bitte',
    message: 'Der Pass ist gerade nicht verfügbar. Bitte laden Sie die Seite gleich noch einmal.',
  });
});

/** The image of a product and the look of a tenant: set by the command line, shown while the server runs. */
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Outcome, runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase, onStatement } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { halves } from '../../support/pictures.ts';
import { type Client, Service } from '../../support/service.ts';

const siteUrl = 'https://passport.example';
const folder = newFolder();

beforeAll(async () => {
  await writeFile(join(folder, 'wide.png'), await halves(1920, 1080).png().toBuffer());
  await writeFile(join(folder, 'small.jpg'), await halves(300, 400).jpeg().toBuffer());
});

describe.each(databaseKinds)('on %s', (kind) => {
  const service = new Service(kind);
  let address = '';
  let client: Client;
  let path = '';

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    await service.start({ on: address, siteUrl });
    client = await service.newTenant({ slug: 'shop', name: 'Shop & Söhne' });
    path = await client.publish('Tasse blau');
  });

  function command(line: string): Promise<Outcome> {
    return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
  }

  function setImage(file: string, more = ''): Promise<Outcome> {
    return command(`product image set tasse-blau ${join(folder, file)} --tenant shop ${more}`);
  }

  async function get(at: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(`http://127.0.0.1:${service.port}${at}`, { headers: { accept: 'text/html', ...headers }, method });
  }

  const page = async (): Promise<string> => (await get(`${path}?lang=en`)).text();

  /** The path of the image on a page. */
  const imageOn = (html: string): string | undefined => /<img src="([^"]+)"/.exec(html)?.[1];

  test('set shows the image at once: on the page, in the document and in messages', async () => {
    const before = await get(`${path}?lang=en`);
    expect(await before.text()).not.toMatch(/<img|og:image|"image"|hero-inner pictured"|class="tone/);
    expect(await setImage('wide.png')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Set the image of tasse-blau: 640 × 360 pixels, \d+ kB\.\n$/),
      stderr: '',
    });
    const after = await get(`${path}?lang=en`, { 'if-none-match': before.headers.get('etag') ?? '' });
    expect(after.status).toBe(200);
    const html = await after.text();
    const image = imageOn(html) ?? '';
    expect(image).toMatch(/^\/p\/shop\/tasse-blau\/image\/[0-9a-f]{16}\.webp$/);
    expect(html).toContain(`<img src="${image}" width="640" height="360" alt="Tasse blau" lang="de">`);
    expect(html).toContain(`<meta property="og:image" content="${siteUrl}${image}">`);
    const document = await (await get(`${path}/jsonld`)).json();
    expect(document).toMatchObject({ image: siteUrl + image });
    expect(html).toContain(`"image":"${siteUrl}${image}"`);
  });

  test('the image has a long life, a fixed type and a strong ETag', async () => {
    const image = imageOn(await page()) ?? '';
    const response = await get(image);
    const { etag = '', ...headers } = Object.fromEntries(response.headers);
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
    const about = ({ status, headers: sent }: Response) => [
      status,
      ...['cache-control', 'etag', 'content-length'].map((name) => sent.get(name)),
    ];
    const [cached, length] = [headers['cache-control'], String(bytes.length)];
    expect(about(await get(image, { 'if-none-match': etag }))).toEqual([304, cached, etag, null]);
    expect(about(await get(image, {}, 'HEAD'))).toEqual([200, cached, etag, length]);
    const withToken = await get(`${image}?zugang=x`, { 'if-none-match': etag });
    expect(about(withToken)).toEqual([200, 'private, no-store', null, length]);
    expect((await get(image, {}, 'POST')).status).toBe(405);
  });

  test('many requests for an image read it once', async () => {
    await setImage('small.jpg');
    const image = imageOn(await page()) ?? '';
    const statements: string[] = [];
    const stop = onStatement(service.database, ({ sql }) => statements.push(sql));
    for (let count = 0; count < 5; count += 1) expect((await get(image)).status).toBe(200);
    stop();
    expect(statements.filter((sql) => /select ["`]bytes["`]/.test(sql))).toHaveLength(1);
    await setImage('wide.png');
  });

  test('another image has another address, and the first one is gone', async () => {
    const first = imageOn(await page()) ?? '';
    await setImage('small.jpg', '--alt \'Eine <Tasse> & "mehr"\'');
    const html = await page();
    const second = imageOn(html) ?? '';
    expect(second).not.toBe(first);
    expect(html).toContain('alt="Eine &lt;Tasse&gt; &amp; &quot;mehr&quot;" lang="de">');
    expect([(await get(first)).status, (await get(second)).status]).toEqual([404, 200]);
    const shown = JSON.parse((await command('product show tasse-blau --tenant shop --json')).stdout);
    expect(shown.image).toMatchObject({
      width: 300,
      height: 400,
      alt: 'Eine <Tasse> & "mehr"',
      media_type: 'image/webp',
    });
  });

  test('an item without an image shows that of its active model: on its page, in its document and in the list', async () => {
    const gtin = '4006381333931';
    const model = await client.publish({ name: 'Model', gtin });
    const item = await client.publish({ name: 'Item', gtin }, [{ field_key: 'serial_number', value: 'A1' }]);
    const set = (slug: string, file: string) =>
      command(`product image set ${slug} ${join(folder, file)} --tenant shop --alt ${slug}`);
    const read = async () => {
      const response = await get(`${item}?lang=en`);
      const document = JSON.parse(await (await get(`${item}/jsonld`)).text());
      return { tag: response.headers.get('etag'), shown: imageOn(await response.text()), document: document.image };
    };
    const before = await read();
    expect(before.shown).toBeUndefined();
    await set('model', 'wide.png');
    const ofModel = await read();
    const hash = imageOn(await (await get(model)).text())
      ?.split('/')
      .at(-1);
    expect(ofModel.shown).toBe(`${item}/image/${hash}`);
    expect(ofModel.document).toBe(`${siteUrl}${item}/image/${hash}`);
    expect(ofModel.tag).not.toBe(before.tag);
    const picture = await get(ofModel.shown ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
    await command('tenant open-list shop');
    expect(await (await get('/p/shop?lang=en&search=A1')).text()).toContain(ofModel.shown);
    await set('item', 'small.jpg');
    const own = await read();
    expect([own.shown, own.tag]).not.toEqual([ofModel.shown, ofModel.tag]);
    expect((await get(ofModel.shown ?? '')).status).toBe(404);
    await command('product image remove item --tenant shop');
    expect((await read()).shown).toBe(ofModel.shown);
    await command('product archive model --tenant shop');
    expect((await read()).shown).toBeUndefined();
    await command('tenant close-list shop');
  });

  test('an image is seen where its page is', async () => {
    const image = imageOn(await page()) ?? '';
    await client.create('Entwurf');
    await command(`product image set entwurf ${join(folder, 'small.jpg')} --tenant shop`);
    const draft = image.replace('tasse-blau', 'entwurf');
    const other = await service.newTenant({ slug: 'other' });
    await other.publish('Tasse blau');
    await service.archive(client, 'tasse-blau');
    const places = [image, draft, image.replace('/shop/', '/other/'), image.replace('/shop/', '/nobody/')];
    for (const at of [...places, `${path}/image/x.webp`, '/p/%00/x/image/x.webp', '/p/A/b/image/%ff']) {
      const { status, headers } = await get(at, { accept: 'image/*' });
      expect([at, status === 400 || status === 404]).toEqual([at, true]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const inBrowser = await get(image, { accept: 'text/html' });
    expect([inBrowser.status, inBrowser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    await service.activate(client, 'tasse-blau');
    expect((await get(image)).status).toBe(200);
    await service.activate(client, 'entwurf');
    expect((await get(draft)).status).toBe(200);
  });

  test('remove shows the page without an image at once', async () => {
    expect(await command('product image remove tasse-blau --tenant shop')).toMatchObject({ code: 0, stderr: '' });
    expect(imageOn(await page())).toBeUndefined();
  });

  test('brand changes the name, the logo and the colour of every page at once', async () => {
    await page();
    const line = `tenant brand shop --name ' Söhne <3 ' --color plum --logo ${join(folder, 'wide.png')}`;
    expect(await command(line)).toMatchObject({
      code: 0,
      stdout: 'The pages of shop show the name Söhne <3, a logo, and #6d2259.\n',
    });
    const branded = await get(`${path}?lang=en`);
    const html = await branded.text();
    expect(html).toContain('<body class="tone">');
    expect(html).toContain('<b dir="auto">Söhne &lt;3</b>');
    expect(html).toContain('<meta name="theme-color" content="#6d2259">');
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(html) ?? [];
    expect(style).toMatch(/\.tone\{--d:#6d2259;--l:#[0-9a-f]{6}\}$/);
    const allowed = `style-src 'self' 'sha256-${hash('sha256', style, 'base64')}';`;
    expect(branded.headers.get('content-security-policy')).toContain(allowed);
    const [, logo = ''] =
      /<img src="(\/logos\/shop\/[0-9a-f]{16}\.webp)" width="640" height="360" alt="">/.exec(html) ?? [];
    const picture = await get(logo);
    expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'public, max-age=31536000, immutable',
    ]);
    expect((await get(logo.replace('shop', 'shops'))).status).toBe(404);
    await command('tenant brand shop --color none --logo none');
    expect(await page()).toContain('<body>');
    expect((await get(logo)).status).toBe(404);
  });

  test('legal adds links to every page, the list too, and show says what is not set', async () => {
    expect(await page()).not.toContain('<footer');
    const imprint = 'https://shop.example/a?b=1&c=%3Cscript%3E';
    const line = `tenant legal shop --imprint '${imprint}' --privacy https://shop.example/privacy`;
    expect(await command(line)).toMatchObject({ code: 0, stdout: 'The pages of shop link to: imprint, privacy.\n' });
    const links = (html: string) =>
      [...(/<footer[\s\S]*<\/footer>/.exec(html)?.[0].matchAll(/<a .*<\/a>/g) ?? [])].map(String);
    const foreign = [
      '<a href="https://shop.example/a?b=1&amp;c=%3Cscript%3E" rel="noopener noreferrer">Legal notice</a>',
      '<a href="https://shop.example/privacy" rel="noopener noreferrer">Privacy</a>',
    ];
    expect(links(await page())).toEqual(foreign);
    await command('tenant open-list shop');
    expect(links(await page())).toEqual(['<a href="/p/shop?lang=en">All passports of this business</a>', ...foreign]);
    expect(links(await (await get('/p/shop?lang=en')).text())).toEqual(foreign);
    await command('tenant close-list shop');
    await command('tenant legal shop --imprint none --privacy none');
    expect(await page()).not.toContain('<footer');
  });
});

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { setImage } from '../../../server/src/images/store.ts';
import { closePublicList, openPublicList, updatePages } from '../../../server/src/tenants/store.ts';
import { databaseKinds, onStatement } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  let token = '';
  beforeAll(async () => {
    client = await service.newTenant();
    for (const name of ['Entwurf', 'Archiv', 'Aktiv']) {
      const { slug } = await client.create(name);
      await client.write(slug, [{ field_key: 'secret', value: 'geheim', access_level: 'authority' }]);
    }
    await service.activate(client, 'aktiv');
    await service.activate(client, 'archiv');
    await service.archive(client, 'archiv');
    token = await client.token('inspector');
  });

  /** The status of a GET, and the SQL statements that it runs. */
  async function statementsOf(
    path: string,
    query = '',
    get = (): Promise<{ status: number }> => client.call({ path, query, key: null }),
  ): Promise<{ status: number; statements: string[] }> {
    const statements: string[] = [];
    const stop = onStatement(service.database, ({ sql }) => statements.push(sql));
    const { status } = await get();
    stop();
    return { status, statements };
  }

  test.each([
    ['the page', '', ''],
    ['the page with a token', '', 'zugang'],
    ['the document', '/jsonld', ''],
    ['the document with a token', '/jsonld', 'zugang'],
  ])('a 404 of %s runs the same statements whether the product exists or not', async (_, end, parameter) => {
    const query = parameter && `zugang=${token}`;
    const tenant = client.tenant.slug;
    const unknown = await statementsOf(`/p/${tenant}/none${end}`, query);
    expect(unknown.status).toBe(404);
    expect(unknown.statements.join()).not.toMatch(/passport_values|access_tokens|secrets/);
    for (const path of [`${tenant}/entwurf`, `${tenant}/archiv`, 'nobody/entwurf'])
      expect(await statementsOf(`/p/${path}${end}`, query)).toEqual(unknown);
    const active = await statementsOf(`/p/${tenant}/aktiv${end}`, query);
    expect([active.status, active.statements.join().includes('passport_values')]).toEqual([200, true]);
  });

  test('a 404 below a tenant has its look and links only if its list is open, and is the same for each product', async () => {
    const { id, slug } = client.tenant;
    await updatePages(service.database, id, { color: '#78350f', contact_url: 'https://maker.example/contact' });
    const pageOf = async (path: string) => {
      const { status, text, headers } = await client.call({ path, key: null });
      return { status, text, policy: headers['content-security-policy'] };
    };
    const hidden = await pageOf('/p/nobody/none');
    const products = ['none', 'entwurf', 'archiv', 'none/at/all'];
    for (const product of products.slice(0, 3)) expect(await pageOf(`/p/${slug}/${product}`)).toEqual(hidden);
    await openPublicList(service.database, id, new Date());
    const [first, ...others] = await Promise.all(
      products.slice(0, 3).map((product) => pageOf(`/p/${slug}/${product}`)),
    );
    expect(others).toEqual([first, first]);
    expect(first?.status).toBe(404);
    for (const part of ['class="tone"', `href="/p/${slug}?lang=de"`, 'href="https://maker.example/contact"'])
      expect([part, first?.text.includes(part), hidden.text.includes(part)]).toEqual([part, true, false]);
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(first?.text ?? '') ?? [];
    expect(first?.policy).toContain(createHash('sha256').update(style).digest('base64'));
    for (const path of ['/p/nobody/none', `/p/${slug.toUpperCase()}/none`]) expect(await pageOf(path)).toEqual(hidden);
    await closePublicList(service.database, id);
    expect(await pageOf(`/p/${slug}/none`)).toEqual(hidden);
  });

  test('a 404 of an image runs the same statements whether the product exists or not', async () => {
    const { id } = await service.database('products').where({ slug: 'entwurf' }).first('id');
    const image = { bytes: Buffer.from('x'), width: 1, height: 1, alt: null };
    await setImage(service.database, { tenantId: client.tenant.id, productId: id }, image, new Date());
    const name = `${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}.webp`;
    const seen: Awaited<ReturnType<typeof statementsOf>>[] = [];
    for (const product of ['none', 'entwurf', 'aktiv']) {
      const path = `/p/${client.tenant.slug}/${product}/image/${name}`;
      // The contract does not have this path.
      seen.push(await statementsOf(path, '', () => fetch(`http://127.0.0.1:${service.port}${path}`)));
    }
    expect(seen).toEqual([seen[0], seen[0], seen[0]]);
    expect(seen[0]?.status).toBe(404);
    expect(seen.map(({ statements }) => statements.join()).join()).not.toContain('bytes');
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { revokeToken } from '../../../server/src/access/token.ts';
import { type DatabaseKind, databaseKinds, newMigratedDatabase, onStatement } from '../../support/database.ts';
import { type Client, type Reply, type Service, startService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';

const siteUrl = 'https://passport.example.com';

/** Counts the statements that read the values of passports. */
function countReads({ database }: Service): () => number {
  let reads = 0;
  const read = /from ["`]passport_values["`]/i;
  onStatement(database, ({ sql }) => {
    if (read.test(sql)) reads += 1;
  });
  return () => reads;
}

describe.each(databaseKinds)('on %s', (kind: DatabaseKind) => {
  let service: Service;
  let other: Service;
  let client: Client;

  beforeAll(async () => {
    const address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address, siteUrl });
    other = await startService(kind, { on: address, siteUrl });
    client = await service.newTenant();
  });

  /** An active product with a value of each access level, and its page's path. */
  async function publish(name: string): Promise<{ slug: string; path: string }> {
    const path = await client.publish({ name, gtin: '9520001000010' }, [
      { field_key: 'open', value: `open ${name}` },
      { field_key: 'secret', value: `secret ${name}`, access_level: 'restricted' },
    ]);
    return { slug: path.split('/')[3] ?? '', path };
  }

  function view(path: string, query = 'lang=en', headers: Record<string, string> = {}): Promise<Reply> {
    return client.call({ path, query, headers, key: null });
  }

  async function tokenFor(role: 'recycler' | 'inspector'): Promise<{ id: string; token: string }> {
    return newToken(service.database, client.tenant, role);
  }

  test('the values of a version are read once for each form and language', async () => {
    const { slug, path } = await publish('Tasse');
    const reads = countReads(service);
    const pages = await Promise.all(Array.from({ length: 50 }, () => view(path)));
    expect(reads()).toBe(1);
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    for (let count = 0; count < 3; count += 1) {
      await view(path, 'lang=de');
      await view(`${path}/jsonld`);
      await view(path, 'lang=en', { accept: 'application/ld+json' });
      await client.passport(slug);
    }
    expect(reads()).toBe(4);
  });

  test('a 304 reads no values, on an instance that has never rendered the page too', async () => {
    const { path } = await publish('Teller');
    const { headers } = await view(path);
    const reads = countReads(other);
    const outgoing = { method: 'GET', path: `${path}?lang=en`, headers: { 'if-none-match': headers.etag ?? '' } };
    expect((await other.send(outgoing)).status).toBe(304);
    expect(reads()).toBe(0);
  });

  test('a status that changes during a read is not kept under the status before', async () => {
    const { slug } = await publish('Kanne');
    const archiveAfter = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await service.archive(client, slug);
    };
    for (let round = 0; round < 21; round += 1) {
      await client.write(slug, [{ field_key: 'open', value: round }]);
      await Promise.all([client.passport(slug), archiveAfter(round % 7)]);
      await service.activate(client, slug);
      expect((await client.passport(slug)).product.status).toBe('active');
    }
  });

  test('the next request sees a new version, an archived and an activated product, of another instance too', async () => {
    const { slug, path } = await publish('Schale');
    const owner = other.clientOf(client);
    for (const at of [path, `${path}/jsonld`]) expect((await view(at)).text).toContain('open Schale');
    expect(JSON.stringify(await client.passport(slug))).toContain('open Schale');
    await owner.write(slug, [{ field_key: 'open', value: 'closed' }]);
    for (const at of [path, `${path}/jsonld`]) {
      // The list of versions names the old value.
      const text = (await view(at)).text.replace(/<details class="history">[\s\S]*?<\/details>/, '');
      expect(text).toContain('closed');
      expect(text).not.toContain('open Schale');
    }
    expect(JSON.stringify((await client.passport(slug)).values)).toContain('closed');
    await other.archive(owner, slug);
    for (const at of [path, `${path}/jsonld`]) expect((await view(at)).status).toBe(404);
    expect((await client.passport(slug)).product.status).toBe('archived');
    await other.activate(owner, slug);
    expect((await view(path)).text).toContain('closed');
  });

  test('each role has its own page, which links only to the token of its own request', async () => {
    const { path } = await publish('Kanne');
    const { id, token } = await tokenFor('recycler');
    const second = await tokenFor('recycler');
    const reads = countReads(service);
    const seen = async (zugang: string): Promise<string> =>
      (await view(path, new URLSearchParams({ zugang }).toString())).text;
    const pages = [await seen(token), await seen(second.token)];
    expect(reads()).toBe(1);
    for (const [page, own, foreign] of [
      [pages[0], token, second.token],
      [pages[1], second.token, token],
    ] as const) {
      expect(page).toContain('secret Kanne');
      expect(page).toContain(own);
      expect(page).not.toContain(foreign);
    }
    const hostile = `"><script>'&`;
    const refused = await seen(hostile);
    expect(refused).not.toContain('secret Kanne');
    expect(refused).toContain(`zugang=${encodeURIComponent(hostile).replaceAll("'", '&#39;')}`);
    expect(await view(path)).toMatchObject({ status: 200, text: expect.not.stringContaining('secret Kanne') });
    await revokeToken(other.database, client.tenant.id, id, new Date());
    expect(await seen(token)).not.toContain('secret Kanne');
    expect(await seen(second.token)).toContain('secret Kanne');
  });
});

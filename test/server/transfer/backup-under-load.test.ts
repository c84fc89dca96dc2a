import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { announcement, start } from '../../support/program.ts';

/** Programs that write at the same time. */
const writers = 8;

/** The members that this test reads, of products and passports. */
interface Reply {
  slug: string;
  latest_version: { content_hash: string };
}

interface Written {
  slug: string;
  /** The content hash that the server acknowledged. */
  hash: string;
}

test.each(databaseKinds)(
  'a backup of %s under load, restored under a second name, has every acknowledged write',
  async (kind) => {
    const folder = newFolder();
    const address = await newDatabase(kind);
    const server = await start(`product-passport serve --demo --json --port 0 --database '${address}'`, /\}\n/);
    ending.defer(async () => void (await server.stop()));
    const provider = announcement(server.said());
    const [{ api_key }] = provider.tenants;
    const request = async (path: string, method = 'GET', body?: unknown): Promise<Reply> => {
      const response = await fetch(`${provider.base_url}${path}`, {
        method,
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json() as Promise<Reply>;
    };

    let isWriting = true;
    const written: Written[] = [];
    const work = Array.from({ length: writers }, async (_, writer) => {
      for (let count = 0; isWriting; count += 1) {
        const { slug } = await request('/products', 'POST', { name: `Load ${writer} ${count}` });
        await request(`/products/${slug}/passport`, 'PUT', [{ field_key: 'note', value: [writer, count, 'ß'] }]);
        const { latest_version } = await request(`/products/${slug}/passport`);
        written.push({ slug, hash: latest_version.content_hash });
      }
    });
    while (written.length < 50) await setTimeout(20);
    // A quick machine may copy the database between two writes. The backup that is tested has some during it.
    let before: Written[] = [];
    let file = '';
    do {
      before = [...written];
      file = join(folder, `backup-${before.length}`);
      const copied = await runHere(`product-passport backup ${file} --database '${address}'`);
      expect(copied).toMatchObject({ code: 0, stderr: '' });
    } while (written.length === before.length);
    isWriting = false;
    await Promise.all(work);

    const second = await newDatabase(kind);
    expect(await runHere(`product-passport restore ${file} --database '${second}'`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    const checked = await runHere(`product-passport check-hashes --json --database '${second}'`);
    const { problems, products } = JSON.parse(checked.stdout);
    expect(problems).toEqual([]);
    expect(products).toBeGreaterThanOrEqual(17 + before.length);

    const copy = await openDatabase(second);
    ending.defer(() => copy.destroy());
    const restored = await copy('passport_versions')
      .join('products', 'products.id', 'passport_versions.product_id')
      .where('version', 2)
      .select('slug', 'content_hash as hash');
    const hashes = new Map(restored.map(({ slug, hash }) => [slug, hash]));
    for (const { slug, hash } of before) expect([slug, hashes.get(slug)]).toEqual([slug, hash]);
  },
);

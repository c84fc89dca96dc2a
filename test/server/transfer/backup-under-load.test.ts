import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { verify } from '../../../contracts/conformance/index.ts';
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
  'a backup of %s under load, restored under a second name, conforms to the contract and every hash',
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
    const hashes = await runHere(`product-passport check-hashes --json --database '${second}'`);
    const { problems, products } = JSON.parse(hashes.stdout);
    expect(problems).toEqual([]);
    expect(products).toBeGreaterThanOrEqual(17 + before.length);

    const copy = await start(`product-passport serve --json --port 0 --database '${second}'`, /\}\n/);
    ending.defer(async () => void (await copy.stop()));
    const addresses = announcement(copy.said());
    const { base_url, site_url } = addresses;
    for (const { slug, hash } of before) {
      const response = await fetch(`${base_url}/products/${slug}/passport`, {
        headers: { authorization: `Bearer ${api_key}` },
      });
      expect([
        slug,
        ((await response.json()) as { latest_version: { content_hash: string } }).latest_version.content_hash,
      ]).toEqual([slug, hash]);
    }

    // The keys and tokens of the original work on the copy.
    const verified = await verify({
      provider: { ...provider, base_url, site_url } as never,
      only: ['AUTH', 'PUB', 'TEN'],
    });
    expect(
      verified.results
        .filter(({ status }) => ['failed', 'error'].includes(status))
        .map(({ id, reasons }) => [id, reasons]),
    ).toEqual([]);
    expect(verified.verdict).toBe('incomplete');
    expect(verified.results.filter(({ status }) => status === 'passed').length).toBeGreaterThan(20);
  },
);

import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import type { Client, Passport } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

/** The hash as anyone with the passport can compute it. */
function recomputedHash({ template_version, values, latest_version: { salt } }: Passport): string {
  const hashed = values.map(({ updated_at: _, ...members }) => members);
  const text = canonicalize({ salt, template_version, values: hashed });
  return createHash('sha256').update(String(text)).digest('hex');
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  /** Creates a product with some values and returns its slug. */
  async function productWith(values: object[] = [], group: string | null = null): Promise<string> {
    const { slug } = await client.create({ name: 'Ware', product_group: group });
    if (values.length > 0) await client.write(slug, values);
    return slug;
  }

  test.each(['active', 'archived'] as const)('PASS-1 the passport of an %s product can be written', async (status) => {
    const slug = await productWith();
    await (status === 'active' ? service.activate(client, slug) : service.archive(client, slug));
    await client.write(slug, [{ field_key: 'a', value: status }]);
    expect(await client.passport(slug)).toMatchObject({ product: { status }, values: [{ value: status }] });
  });

  test('a newer template adds no version: writing the stored values changes nothing', async () => {
    const slug = await productWith([{ field_key: 'a', value: 1 }]);
    const { id } = await client.product(slug);
    const versions = () => service.database('passport_versions').where({ product_id: id });
    await versions().update({ template_version: 0 });
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await versions()).toHaveLength(2);
    await client.write(slug, [{ field_key: 'a', value: 2 }]);
    expect((await versions()).map(({ template_version }) => template_version)).toEqual([0, 0, 2]);
  });

  test('PASS-6 values are sorted by UTF-16 code units', async () => {
    const ordered = ['0', 'A', 'B', '_', 'a', 'a b', 'a.b', 'aa', 'ab', 'z', 'ä', '日', '\ud834\udd1e', '～', '\uffff'];
    const slug = await productWith(ordered.toReversed().map((field_key) => ({ field_key, value: 1 })));
    const passport = await client.passport(slug);
    expect(passport.values.map(({ field_key }) => field_key)).toEqual(ordered);
    expect(ordered.toSorted()).toEqual(ordered);
    expect(passport.latest_version.content_hash).toBe(recomputedHash(passport));
  });
});

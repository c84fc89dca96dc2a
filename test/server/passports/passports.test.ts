import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client.ts';
import { databaseKinds } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

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
});

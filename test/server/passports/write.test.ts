import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import { databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';

const limit = 2 * 2 ** 20;

/** The size that the contract counts: the RFC 8785 form of the values without their times. */
function sizeOf(values: readonly PassportValue[]): number {
  return Buffer.byteLength(canonicalize(values.map(({ updated_at: _, ...content }) => content)) ?? '');
}

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  test('the passport of an archived product can be written', async () => {
    const { slug } = await client.create('Alt');
    await service.archive(client, slug);
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await client.passport(slug)).toMatchObject({ product: { status: 'archived' }, values: [{ value: 1 }] });
  });

  test('a newer template adds no version: writing the stored values changes nothing', async () => {
    const { id, slug } = await client.create('Ware');
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    const versions = () => service.database('passport_versions').where({ product_id: id });
    await versions().update({ template_version: 0 });
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await versions()).toHaveLength(2);
    await client.write(slug, [{ field_key: 'a', value: 2 }]);
    expect((await versions()).map(({ template_version }) => template_version)).toEqual([0, 0, 2]);
  });

  test('a passport of 2 MiB is accepted, one more byte is rejected and changes nothing', async () => {
    const { slug } = await client.create('Voll');
    const texts = ['ü'.repeat(450_000), '€'.repeat(300_000), ''];
    for (const [index, value] of texts.entries()) await client.write(slug, [{ field_key: `f${index}`, value }]);
    const rest = 'x'.repeat(limit - sizeOf((await client.passport(slug)).values));
    await client.write(slug, [{ field_key: 'f2', value: rest }]);
    const full = await client.passport(slug);
    expect(sizeOf(full.values)).toBe(limit);
    const longer = { field_key: 'f2', value: `${rest}x` };
    const put = { method: 'PUT', path: `/api/v1/products/${slug}/passport` };
    const message = `The values of a passport can have at most ${limit} bytes as RFC 8785 JSON. After this write they would have ${limit + 1} bytes.`;
    expect((await client.call({ ...put, body: [longer] })).json).toEqual({
      error: { code: 'invalid_request', message },
    });
    const more = { ...put, body: [{ field_key: 'new', value: null }, longer] };
    expect((await client.call(more)).outcome).toBe('400 invalid_request');
    expect(await client.passport(slug)).toEqual(full);
    await client.write(slug, [{ field_key: 'f2', value: rest.toUpperCase() }]);
  });
});

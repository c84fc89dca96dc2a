import { beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '@product-passport/openapi';
import { drawPicture } from '../../../server/src/carriers/image.ts';
import { type CarrierType, carrierTypes, tagUid } from '../../../server/src/carriers/rules.ts';
import { addCarrier, moveCarrier } from '../../../server/src/carriers/store.ts';
import { lockProduct } from '../../../server/src/products/store.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';

const gtin = '9520001000010';

describe('rules', () => {
  test('CAR-1 the carrier types are those of the contract', () => {
    const { responses } = readContract().operations.find(({ operationId }) => operationId === 'listCarriers') ?? {};
    const list = responses?.['200']?.content?.['application/json']?.schema;
    expect(carrierTypes).toEqual(list?.properties?.items?.items?.properties?.type?.['x-extensible-enum']);
  });

  test.each([
    ['04a224b1c36f80', '04A224B1C36F80'],
    ['04:A2:24:b1:c3:6f:80', '04A224B1C36F80'],
    ['04 a2 24 b1', '04A224B1'],
    ['E0-04-01-50-12-34-56-78', 'E004015012345678'],
    ['00112233445566778899', '00112233445566778899'],
  ])('CAR-3 the UID %s is stored as %s', (text, uid) => {
    expect(tagUid(text)).toBe(uid);
  });

  test.each([
    '',
    '04A224B1C36F8',
    '04A224B1C36F8G',
    ':04A224B1',
    '0:4A:22:4B:1',
    '0x04A224B1',
    '04A224B1\n',
    '٠٤A224B1',
    '00112233445566778899AA',
  ])('CAR-3 %j is not a UID', (text) => {
    expect(tagUid(text)).toBeUndefined();
  });

  test('CAR-5 a PNG needs at least one pixel for each module; the error names a sufficient size', async () => {
    const draw = (sizeMm: number) =>
      drawPicture('https://a.example/01/09520001000010', { type: 'qr', format: 'png', sizeMm, dpi: 300 });
    const refusal: unknown = await draw(2).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'OperatorError' });
    const least = Number(/Use at least ([0-9.]+) mm/.exec(String(refusal))?.[1]);
    const picture = await draw(least);
    expect(picture.pixels).toBe(picture.modules);
    await expect(draw(least - 0.02)).rejects.toThrow(/too few pixels/);
  });

  test('CAR-5 requesting the real size of a picture gives the same picture', async () => {
    for (const type of ['qr', 'datamatrix'] as const) {
      for (const dpi of [72, 96, 203, 300, 360, 600, 1200, 2400]) {
        const draw = (sizeMm: number) => drawPicture('https://a.example/01/1', { type, format: 'png', sizeMm, dpi });
        const picture = await draw(25);
        expect(picture.size_mm).toBeLessThanOrEqual(25);
        expect(await draw(picture.size_mm)).toEqual(picture);
      }
    }
  });
});

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind, { siteUrl: 'https://passport.example.com' });
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  const uid = '04A224B1C36F80';

  const add = (slug: string, type: CarrierType) =>
    service.database.transaction(async (transaction) => {
      const product = await lockProduct(transaction, client.tenant.id, slug);
      if (!product) throw new Error(`The product ${slug} does not exist.`);
      const given = { type, nfc_tag_uid: type === 'nfc' ? uid : null };
      return (await addCarrier(transaction, client.tenant.id, product, given, new Date())).carrier;
    });
  const move = (id: string, status: 'deprecated' | 'withdrawn') =>
    service.database.transaction((transaction) => moveCarrier(transaction, client.tenant.id, id, status));
  const product = async () => (await client.create({ name: 'Tasse', gtin })).slug;

  test('CAR-6 the API lists the added carriers, oldest first', async () => {
    const slug = await product();
    const carriers = [];
    for (const type of carrierTypes) {
      carriers.push(await add(slug, type));
    }
    const { items } = await client.carriers(slug);
    const gs1_digital_link = 'https://passport.example.com/01/09520001000010';
    expect(items).toEqual(carriers.map((carrier) => ({ ...carrier, gs1_digital_link })));
    expect(items.map(({ type, nfc_tag_uid, status }) => [type, nfc_tag_uid, status])).toEqual(
      carrierTypes.map((type) => [type, type === 'nfc' ? uid : null, 'active']),
    );
  });

  test('CAR-6 activating a product that already has a carrier adds no second one', async () => {
    const slug = await product();
    await add(slug, 'datamatrix');
    await service.activate(client, slug);
    expect((await client.carriers(slug)).items).toMatchObject([{ type: 'datamatrix' }]);
  });

  test('CAR-8 the UID of a tag is unique on a product until the carrier is withdrawn', async () => {
    const slug = await product();
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => add(slug, 'nfc')));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    const [{ id } = { id: '' }, ...others] = (await client.carriers(slug)).items;
    expect(others).toEqual([]);
    await move(id, 'deprecated');
    await expect(add(slug, 'nfc')).rejects.toThrow(`already has a carrier with the tag UID ${uid}: ${id}.`);
    await move(id, 'withdrawn');
    await add(slug, 'nfc');
    expect((await client.carriers(slug)).items).toHaveLength(2);
  });

  test('CAR-9 a status change affects one carrier only, and the passport stays reachable', async () => {
    const slug = await product();
    await service.activate(client, slug);
    const { id } = await add(slug, 'rfid');
    const [first, second] = (await client.carriers(slug)).items;
    const before = await client.product(slug);
    expect(await move(id, 'deprecated')).toMatchObject({ gtin, carrier: { id, status: 'deprecated' } });
    await move(id, 'withdrawn');
    expect((await client.carriers(slug)).items).toEqual([first, { ...second, status: 'withdrawn' }]);
    expect(await client.product(slug)).toEqual(before);
    const { status } = await client.call({ path: `/01/${gtin}`, key: null });
    expect(status).toBe(307);
  });

  test('CAR-9 of several concurrent requests to deprecate a carrier, one succeeds', async () => {
    const { id } = await add(await product(), 'qr');
    const moves = await Promise.allSettled(Array.from({ length: 4 }, () => move(id, 'deprecated')));
    expect(moves.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  });
});

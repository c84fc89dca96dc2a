import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './command.ts';
import { ending } from './ending.ts';
import { halves } from './pictures.ts';
import { type DatabaseKind, newMigratedDatabase, startService } from './service.ts';

/** A database with a tenant that has a row in every table. */
export async function filledDatabase(kind: DatabaseKind): Promise<{ address: string; key: string }> {
  const address = await newMigratedDatabase(kind);
  await runHere(
    `product-passport demo fill --database ${address} --tenant shop --products 12 --values 3 --scan-counts 40`,
  );
  const service = await startService(kind, { on: address });
  const [tenant] = await service.database('tenants').where({ slug: 'shop' });
  const { key } = await service.newKey(tenant);
  const client = service.clientOf({ ...(await service.newTenant()), tenant, key } as never);
  await client.create('Wollmütze rot 1');
  const lamp = await client.create({
    name: 'Lampe ß 9',
    gtin: '4006381333931',
    product_group: 'lighting',
    model: 'L 1',
  });
  await client.write(lamp.slug, [{ field_key: 'colour', value: { a: [1, null, 'x'] }, access_level: 'authority' }]);
  await client.write(lamp.slug, [{ field_key: 'note', value: 'Ω', unit: 'kg', needs_review: true }]);
  await service.activate(client, lamp.slug);
  await runHere(`product-passport version withhold ${lamp.slug} 2 --yes --tenant shop --database ${address}`);
  const folder = await mkdtemp(join(tmpdir(), 'filled-'));
  ending.defer(() => rm(folder, { recursive: true }));
  const picture = join(folder, 'lamp.png');
  await writeFile(picture, await halves(600, 400).png().toBuffer());
  for (const line of [
    `product image set ${lamp.slug} ${picture} --tenant shop --alt 'Lampe aus Glas'`,
    `tenant brand shop --color olive --logo ${picture}`,
    'tenant legal shop --imprint https://shop.example/imprint --contact https://shop.example/contact',
    'tenant open-list shop',
  ]) {
    await runHere(`product-passport ${line} --database ${address}`);
  }
  await client.call({ path: `/p/shop/${lamp.slug}`, key: null });
  // Stores when keys were last used, so that the rows stay as they are.
  await service.stop();
  return { address, key };
}

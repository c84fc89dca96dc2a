import { beforeAll, describe, expect, test } from '@jest/globals';
import type { PassportValue } from '@product-passport/openapi';
import { verifyContentHash } from '../../sdk/src/verify.ts';
import { contentHash } from '../../server/src/passports/rules.ts';
import { templateOf } from '../../server/src/templates/catalogue.ts';
import type { Client } from '../support/client.ts';
import { databaseKinds, useService } from '../support/service.ts';

interface Document {
  hasDigitalProductPassport: Record<string, unknown>;
  additionalProperty: { propertyID: string; name: string; value: unknown }[];
}

describe.each(databaseKinds)('%s: a passport of an older template', (kind) => {
  const service = useService(kind, { siteUrl: 'https://passport.example.com' });
  let client: Client;
  const newest = templateOf('battery').version;

  beforeAll(async () => {
    client = await service.newTenant();
  });

  /** A battery whose versions were written when its template was one version older. */
  async function olderBattery(): Promise<{ slug: string; rows: () => Promise<object[]> }> {
    const { slug, id } = await client.create({ name: 'Akku', product_group: 'battery' });
    await client.write(slug, [
      { field_key: 'battery_category', value: 'lmt' },
      { field_key: 'carbon_footprint_total', value: 71.2, unit: 'kg CO2e/kWh' },
      { field_key: 'manufacturer_contact', value: 'a@example.com' },
    ]);
    const versions = () => service.database('passport_versions').where({ product_id: id }).orderBy('version');
    const { values } = await client.passport(slug);
    for (const [index, { version, salt }] of (await versions()).entries()) {
      const template_version = newest - 1;
      const content_hash = contentHash(salt, template_version, index === 0 ? [] : (values as PassportValue[]));
      await versions().where({ version }).update({ template_version, content_hash });
    }
    await service.activate(client, slug);
    return { slug, rows: async () => versions() };
  }

  const documentOf = async (slug: string): Promise<Document> =>
    JSON.parse(
      (await service.send({ method: 'GET', path: `/p/${client.tenant.slug}/${slug}/jsonld`, headers: {} })).text,
    );

  test('keeps its hashes and its version, and JSON-LD keeps the codes', async () => {
    const { slug, rows } = await olderBattery();
    const before = await rows();
    const passport = await client.passport(slug);
    expect(passport.template_version).toBe(newest - 1);
    expect(await verifyContentHash(passport)).toMatchObject({ ok: true });
    const { hasDigitalProductPassport, additionalProperty } = await documentOf(slug);
    expect(hasDigitalProductPassport['dpp:templateVersion']).toBe(newest - 1);
    expect(additionalProperty.map(({ propertyID, name, value }) => [propertyID, name, value])).toEqual([
      ['battery_category', 'Batteriekategorie', 'lmt'],
      ['carbon_footprint_total', 'CO2-Fußabdruck', 71.2],
      // Its template does not have this field yet.
      ['manufacturer_contact', 'manufacturer_contact', 'a@example.com'],
    ]);
    expect(await rows()).toEqual(before);
  });

  test('follows the newest one from its next write on, and stays as complete', async () => {
    const { slug, rows } = await olderBattery();
    const before = await rows();
    const { completeness } = await client.product(slug);
    await client.write(slug, [{ field_key: 'importer_name', value: 'Import GmbH' }]);
    const after = await rows();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ template_version: newest });
    expect((await client.product(slug)).completeness).toBe(completeness);
    expect(await verifyContentHash(await client.passport(slug))).toMatchObject({ ok: true });
    const names = (await documentOf(slug)).additionalProperty.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['E-Mail oder Website des Herstellers', 'Name des Importeurs']));
  });
});

/** Values that cannot be: counted by the server and the fake alike, and named by commands and on the inspector's page. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type PassportValueInput } from '../../../sdk/src/index.ts';
import { createFakeService } from '../../../sdk/src/testing.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';

/** Two values that contradict each other, one that is no value, and one that is a note. */
const values: PassportValueInput[] = [
  { field_key: 'minimum_voltage', value: 42, unit: 'V' },
  { field_key: 'maximum_voltage', value: 36, unit: 'V' },
  { field_key: 'manufacturer_name', value: 'tbd' },
  { field_key: 'separate_collection_symbol', value: false },
];

test('the fake service counts three values that block', async () => {
  const service = createFakeService({ sample: false });
  const { base_url: baseUrl, tenants } = service.provider;
  const { products, passports } = createClient({ baseUrl, apiKey: tenants[0]?.api_key ?? '', fetch: service.fetch });
  await products.create({ name: 'Akku', slug: 'akku', product_group: 'battery' });
  expect(await passports.put('akku', values)).toMatchObject({ findings: 3 });
});

describe.each(databaseKinds)('the server on %s', (kind) => {
  let address = '';
  let service: Service;
  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
  });

  test('counts them, a command names them, and the inspector sees them and the note', async () => {
    const client = await service.newTenant({ slug: 'shop', language: 'en' });
    const path = await client.publish({ name: 'Akku', slug: 'akku', product_group: 'battery' });
    const written = await client.call({ method: 'PUT', path: '/api/v1/products/akku/passport', body: values });
    expect(written.headers['passport-findings']).toBe('3');

    const shown = await runHere(`product-passport product show akku --json --tenant shop --database ${address}`);
    const { findings }: { findings: { field_key: string; code: string }[] } = JSON.parse(shown.stdout);
    expect(findings.map(({ field_key, code }) => `${code} ${field_key}`).sort()).toEqual([
      'impossible manufacturer_name',
      'impossible maximum_voltage',
      'impossible minimum_voltage',
      'unlikely separate_collection_symbol',
    ]);
    const token = await client.token('inspector');
    const { text } = await client.call({ path, query: `lang=en&zugang=${token}`, key: null });
    expect(text).toContain('Deviates from the template (4)');
  });
});

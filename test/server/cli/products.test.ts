/** Products by the hundred, and files that only a process or a large disk has. `sessions.test.ts` shows what each command prints. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { createProduct } from '../../../server/src/lifecycle/create.ts';
import { writePassport } from '../../../server/src/passports/write.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import type { Tenant } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { newTenant, storeProducts } from '../../support/tenant.ts';

describe.each(databaseKinds)('products on %s', (kind) => {
  let address = '';
  let database: Database;
  let tenant: Tenant;

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    database = await openDatabase(address);
    ending.defer(() => database.destroy());
    tenant = await newTenant(database, { slug: 'shop', name: 'Shop', plan: 'starter' });
  });

  function command(line: string): Promise<Outcome> {
    return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
  }

  const services = () => ({ database, now: () => new Date(), urnNamespace: 'dpp' });

  function newProduct(name: string, more = {}): Promise<unknown> {
    return createProduct(services(), tenant, { name, ...more });
  }

  /** Answers all required fields, or all but the first ones. */
  function answer(slug: string, group: string, but = 0): Promise<unknown> {
    const required = templateOf(group).fields.filter((field) => field.required);
    const values = required.slice(but).map(({ key }) => ({ field_key: key, value: 'x' }));
    return writePassport(services(), tenant, slug, values);
  }

  test('activate --all-complete leaves out incomplete drafts, and walks past those that fail', async () => {
    // More than one page of drafts.
    const drafts = Array.from({ length: 510 }, (_, index) => ({
      ...{ name: 'Entwurf', slug: `entwurf-${index}`, status: 'draft' as const },
    }));
    await storeProducts(database, tenant, drafts);
    await newProduct('Fertig', { product_group: 'cable' });
    await newProduct('Fast', { product_group: 'cable' });
    await answer('fertig', 'cable');
    await answer('fast', 'cable', 1);
    for (const stdout of [
      'fertig is now active.\n',
      expect.stringMatching(/^The tenant shop has no complete drafts on /),
    ]) {
      expect(await command('product activate --all-complete --tenant shop')).toMatchObject({ code: 0, stdout });
    }
  });
});

test('a file that is too large to be read at once is refused', async () => {
  const folder = newFolder();
  const file = join(folder, 'values.json');
  await writeFile(file, '[]');
  await truncate(file, 3 * 2 ** 30); // needs no space on the disk
  expect(await runHere(`product-passport passport set cup ${file}`)).toMatchObject({
    code: 2,
    stderr: `product-passport: ${file} is too large to be read at once.\n`,
  });
});

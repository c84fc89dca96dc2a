/** Builds the databases of the bench. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fillDemo } from '../../server/src/demo/fill.ts';
import { openDatabase } from '../../server/src/index.ts';
import { createProduct } from '../../server/src/lifecycle/lifecycle.ts';
import type { Tenant } from '../../server/src/tenants/store.ts';
import { root } from '../../test/support/program.ts';
import { newKey } from '../../test/support/tenant.ts';

const now = (): Date => new Date();

/** What the requests of the throughput need. */
export interface Shop {
  slug: string;
  key: string;
  /** An active product with a GTIN and with values of every access level. */
  product: string;
  gtin: string;
  /** The GTIN of an active product that is no item. */
  model: string;
  /** Drafts, for writes. */
  drafts: string[];
}

/** Fills an empty database with the demo and 200 drafts. */
export async function buildShop(address: string): Promise<Shop> {
  const database = await openDatabase(address);
  try {
    const keys = await fillDemo({ database, urnNamespace: 'dpp', now });
    if (!keys) throw new Error(`The database ${address} is not empty.`);
    const { tenant: slug, slug: product } = keys.active_product;
    const tenant: Tenant = await database('tenants').where({ slug }).first();
    const drafts = await database.transaction(async (transaction) => {
      const slugs: string[] = [];
      for (let number = 1; number <= 200; number += 1) {
        const services = { database: transaction, urnNamespace: 'dpp', now };
        slugs.push((await createProduct(services, tenant, { name: `Bench ${number}` })).slug);
      }
      return slugs;
    });
    const { gtin } = await database('products').where({ tenant_id: tenant.id, slug: product }).first('gtin');
    const models = database('products').where({ tenant_id: tenant.id, status: 'active', is_item: false });
    const { gtin: model } = await models.whereNotNull('gtin').orderBy('position').first('gtin');
    const { key } = await newKey(database, tenant);
    return { slug, key, product, gtin, model, drafts };
  } finally {
    await database.destroy();
  }
}

/** Fills an empty database with one tenant. @returns its key */
export async function buildCatalogue(address: string, products: number, scanCounts: number): Promise<string> {
  const productPassport = (...words: string[]) =>
    promisify(execFile)(process.execPath, ['server/src/cli/main.ts', ...words, '--database', address], { cwd: root });
  // A command migrates only files that it creates.
  if (address.startsWith('postgres:')) await productPassport('migrate');
  const amounts = ['--products', String(products), '--scan-counts', String(scanCounts)];
  await productPassport('demo', 'fill', '--tenant', 'large', ...amounts);
  const database = await openDatabase(address);
  try {
    return (await newKey(database, await database('tenants').where({ slug: 'large' }).first())).key;
  } finally {
    await database.destroy();
  }
}

import { randomInt } from 'node:crypto';
import { ContractError, gtin14, hasValidCheckDigit, type PassportValueInput } from '@product-passport/openapi';
import { bodyReaderOf } from '@product-passport/openapi/body';
import Joi from 'joi';
import type { Knex } from 'knex';
import type { Contract } from '../contract/document.ts';
import { createProduct } from '../lifecycle/create.ts';
import { writePassport } from '../passports/write.ts';
import type { ProductStatus } from '../products/counts.ts';
import type { CreateProduct, Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/store.ts';
import { moveTo, requireProduct } from './control.ts';

interface SeedForm {
  products: { status: ProductStatus; values?: unknown }[];
  keep_gtins: boolean;
}

export const seedForm = Joi.object<SeedForm>({
  products: Joi.array()
    .items(Joi.object({ status: Joi.valid('draft', 'active', 'archived').default('draft') }).unknown())
    .min(1)
    .max(1000)
    .required(),
  keep_gtins: Joi.boolean().default(false),
});

/**
 * Makes the function that creates products in the order of the list, all or none. It checks products as `createProduct`
 * does, and their values as `putPassport` does.
 */
export function seeder(
  { database, ...services }: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  contract: Contract,
) {
  const products = bodyReaderOf(Joi, contract, 'createProduct');
  const passports = bodyReaderOf(Joi, contract, 'putPassport');
  return (tenant: Tenant, { products: given, keep_gtins }: SeedForm): Promise<Product[]> =>
    database.transaction(async (transaction) => {
      const inside = { ...services, database: transaction };
      const gtinFor = keep_gtins ? async (gtin: string) => gtin : replacements(transaction);
      const seeded: Product[] = [];
      for (const [index, { status, values = [], ...product }] of given.entries()) {
        const at = `products[${index}]`;
        const input = await placed(at, async () => (await products.ofValue(product)) as CreateProduct);
        const gtin = input.gtin && (await gtinFor(input.gtin));
        const { slug } = await createProduct(inside, tenant, { ...input, gtin });
        await placed(`${at}.values`, async () => {
          await writePassport(inside, tenant, slug, (await passports.ofValue(values)) as PassportValueInput[]);
        });
        if (status !== 'draft') await moveTo(inside, tenant, slug, status);
        seeded.push(await requireProduct(inside, tenant, slug));
      }
      return seeded;
    });
}

/** Gives each GTIN of a list another one of the same length, and equal ones the same one. */
function replacements(transaction: Knex.Transaction): (gtin: string) => Promise<string> {
  const made = new Map<string, string>();
  return async (gtin) => {
    const full = gtin14(gtin);
    const replacement = made.get(full) ?? (await freeGtin(transaction, full.startsWith('000000') ? 8 : 12));
    made.set(full, replacement);
    return replacement.padStart(gtin.length, '0');
  };
}

/** Adds the place to an error of the contract. */
async function placed<Result>(at: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new ContractError(error.code, `${at}: ${error.detail ?? error.code}`);
  }
}

/** Prefixes of new GTINs by their length. GS1 keeps them for use inside a company, so that no real product has them. */
const prefixes = { 8: '2', 12: '4' };

/** A GTIN with a valid check digit that no product of the sandbox has. */
async function freeGtin(transaction: Knex.Transaction, length: keyof typeof prefixes): Promise<string> {
  const digits = Array.from({ length: length - 2 }, () => randomInt(10)).join('');
  const candidates = Array.from({ length: 10 }, (_, digit) => `${prefixes[length]}${digits}${digit}`);
  const gtin = candidates.find(hasValidCheckDigit) ?? '';
  const taken = await transaction('products')
    .where({ gtin14: gtin14(gtin) })
    .first('id');
  return taken ? freeGtin(transaction, length) : gtin;
}

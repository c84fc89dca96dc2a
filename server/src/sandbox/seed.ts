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
import { moveTo, requireProduct } from './move.ts';

interface Seed {
  product: CreateProduct;
  values: PassportValueInput[];
  status: ProductStatus;
}

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

/** Makes the function that checks products as `createProduct` does, and their values as `putPassport` does. */
export function seedReader(contract: Contract): (form: SeedForm) => Promise<Seed[]> {
  const products = bodyReaderOf(Joi, contract, 'createProduct');
  const passports = bodyReaderOf(Joi, contract, 'putPassport');
  return async ({ products: given }) => {
    const seeds: Seed[] = [];
    for (const [index, { status, values = [], ...product }] of given.entries()) {
      const at = `products[${index}]`;
      seeds.push({
        product: await placed(at, async () => (await products.ofValue(product)) as CreateProduct),
        values: await placed(`${at}.values`, async () => (await passports.ofValue(values)) as PassportValueInput[]),
        status,
      });
    }
    return seeds;
  };
}

/** Creates products in the order of the list, all or none. */
export function seedProducts(
  services: Pick<Services, 'database' | 'urnNamespace' | 'now'>,
  tenant: Tenant,
  seeds: Seed[],
  keepsGtins: boolean,
): Promise<Product[]> {
  return services.database.transaction(async (transaction) => {
    const inside = { ...services, database: transaction };
    const gtinFor = keepsGtins ? undefined : replacements(transaction);
    const products: Product[] = [];
    for (const [index, { product, values, status }] of seeds.entries()) {
      const gtin = product.gtin && gtinFor ? await gtinFor(product.gtin) : product.gtin;
      const { slug } = await createProduct(inside, tenant, { ...product, gtin });
      await placed(`products[${index}].values`, () => writePassport(inside, tenant, slug, values));
      if (status !== 'draft') await moveTo(inside, tenant, slug, status);
      products.push(await requireProduct(inside, tenant, slug));
    }
    return products;
  });
}

/** Gives each GTIN of a list another one of the same length, and equal ones the same one. */
function replacements(transaction: Knex.Transaction): (gtin: string) => Promise<string> {
  const made = new Map<string, string>();
  return async (gtin) => {
    const full = gtin14(gtin);
    const replacement = made.get(full) ?? (await freeGtin(transaction, shortestLength(full)));
    made.set(full, replacement);
    return replacement.padStart(gtin.length, '0');
  };
}

/** The length of a GTIN without the zeros that pad it. */
function shortestLength(full: string): number {
  const zeros = /^0*/.exec(full)?.[0].length ?? 0;
  if (zeros >= 6) return 8;
  return 14 - Math.min(zeros, 2);
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

/**
 * Prefixes of new GTINs by their length. GS1 keeps 952 for demonstrations, and the others for use inside a company, so
 * that no real product has them.
 */
const prefixes: Record<number, string> = { 8: '2', 12: '4', 13: '952', 14: '1952' };

/** A GTIN with a valid check digit that no product of the sandbox has. */
async function freeGtin(transaction: Knex.Transaction, length: number): Promise<string> {
  const gtin = randomGtin(length);
  const taken = await transaction('products')
    .where({ gtin14: gtin14(gtin) })
    .first('id');
  return taken ? freeGtin(transaction, length) : gtin;
}

function randomGtin(length: number): string {
  const prefix = prefixes[length] ?? '';
  const digits = Array.from({ length: length - 1 - prefix.length }, () => randomInt(10)).join('');
  const candidates = Array.from({ length: 10 }, (_, digit) => `${prefix}${digits}${digit}`);
  return candidates.find(hasValidCheckDigit) ?? '';
}

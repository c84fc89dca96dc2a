/** Control requests: their bodies, and what they do with a tenant. */
import { randomBytes, randomInt } from 'node:crypto';
import { conflict } from '@hapi/boom';
import {
  type Contract,
  ContractError,
  type EconomicOperator,
  gtin14,
  hasValidCheckDigit,
  type PassportValueInput,
  type TokenRole,
  tokenRoles,
  type ViewRole,
} from '@product-passport/openapi';
import { bodyReaderOf } from '@product-passport/openapi/body';
import Joi from 'joi';
import type { Knex } from 'knex';
import { createToken, revokeToken } from '../access/token.ts';
import { secret } from '../database/installation.ts';
import { europe } from '../languages/languages.ts';
import { createProduct, GtinInUse, LifecycleError, moveProduct } from '../lifecycle/lifecycle.ts';
import { writePassport } from '../passports/write.ts';
import { type CreateProduct, findProduct, type Product, type ProductStatus } from '../products/store.ts';
import { isCounted, visitorHash } from '../scans/recorder.ts';
import { insertScans } from '../scans/store.ts';
import type { Services } from '../services.ts';
import { createKey } from '../tenants/keys.ts';
import { isFacilityId, isOperatorId } from '../tenants/operator.ts';
import {
  findPageSettings,
  findTenant,
  insertTenant,
  type NewTenant,
  slugForm,
  type Tenant,
  updatePages,
} from '../tenants/store.ts';

/**
 * Checks the body of a control request.
 *
 * @throws ContractError `invalid_request`
 */
export function checked<Input>(schema: Joi.ObjectSchema<Input>, body: unknown): Input {
  const { value, error } = schema
    .label('The body')
    .validate(body, { convert: false, errors: { wrap: { label: false } } });
  if (error) throw new ContractError('invalid_request', `${error.message}.`);
  return value;
}

/** A whole number in a range. */
export function wholeNumber(minimum: number, maximum: number): Joi.NumberSchema {
  return Joi.number().integer().min(minimum).max(maximum);
}

/** A text of a certain form. Not Joi's `pattern`, which refuses an expression from another realm, as in Jest. */
function textOf(form: RegExp, demand: string): Joi.StringSchema {
  return Joi.string().custom((given: string, helpers) =>
    form.test(given) ? given : helpers.message({ custom: `{{#label}} must be ${demand}` }),
  );
}

/** An identifier in one of its schemes. */
function checkedBy(isValid: (text: string) => boolean): Joi.CustomValidator<string> {
  return (given, helpers) =>
    isValid(given)
      ? given
      : helpers.message({ custom: '{{#label}} must have one of the schemes of `tenant operator`' });
}

const tenantForm = Joi.object<Partial<NewTenant & EconomicOperator> & { publish: boolean }>({
  slug: textOf(slugForm, 'a to z, 0 to 9 and single hyphens between them').max(100),
  name: Joi.string().trim().max(500),
  country: textOf(/^[A-Z]{2}$/, 'two capital letters'),
  language: Joi.valid(...europe),
  plan: Joi.valid('starter', 'business', 'enterprise'),
  economic_operator_id: Joi.string().custom(checkedBy(isOperatorId)),
  facility_id: Joi.string().custom(checkedBy(isFacilityId)),
  publish: Joi.boolean(),
});

/** Creates a tenant and its API key. */
export async function newTenant(
  { database, now }: { database: Knex; now: () => Date },
  body: unknown,
): Promise<Tenant & { api_key: string }> {
  const {
    slug = `tenant-${randomBytes(6).toString('hex')}`,
    name = slug,
    country = 'DE',
    language,
    plan = 'business',
    publish = false,
    ...operator
  } = checked(tenantForm, body);
  return database.transaction(async (transaction) => {
    const tenant = await insertTenant(transaction, { slug, name, country, language, plan }, now());
    if (!tenant) {
      throw conflict(`The slug ${slug} is taken. Leave it out, and the sandbox makes a free one.`);
    }
    const { key } = await createKey(transaction, tenant.id, 'sandbox', now(), publish ? 'publish' : 'edit');
    if (Object.keys(operator).length > 0) await updatePages(transaction, tenant.id, operator);
    return { ...tenant, api_key: key };
  });
}

/** @throws ContractError `not_found` */
export async function requireTenant(database: Knex, slug: string): Promise<Tenant> {
  const tenant = await findTenant(database, slug);
  if (!tenant)
    throw new ContractError('not_found', 'There is no tenant with this slug. Create it with POST /_sandbox/tenants.');
  return tenant;
}

export const activateForm = Joi.object<{ share_gtin: boolean }>({ share_gtin: Joi.boolean().default(false) });

/**
 * Activates or archives a product, as the command line does.
 *
 * @throws ContractError `not_found`, or Boom for a conflict
 */
export async function moveTo(
  services: Pick<Services, 'database' | 'now'>,
  tenant: Tenant,
  slug: string,
  status: 'active' | 'archived',
  shareGtin = false,
): Promise<Product> {
  try {
    const moved = await moveProduct(services, tenant.id, slug, status, { shareGtin });
    return moved ?? noProduct();
  } catch (error) {
    if (!(error instanceof LifecycleError)) throw error;
    const hint = error instanceof GtinInUse ? ' Activate it with share_gtin, or seed it without keep_gtins.' : '';
    throw conflict(error.message + hint);
  }
}

/** @throws ContractError `not_found` */
export async function requireProduct(
  { database }: Pick<Services, 'database'>,
  tenant: Tenant,
  slug: string,
): Promise<Product> {
  return (await findProduct(database, tenant.id, slug)) ?? noProduct();
}

function noProduct(): never {
  throw new ContractError('not_found', 'The tenant has no product with this slug. Create it with POST …/products.');
}

const tenYears = 10 * 365 * 86_400;

interface NewToken {
  role: TokenRole;
  /** The slug of the only product. */
  product?: string;
  expires_in_seconds: number;
  revoked: boolean;
}

export const tokenForm = Joi.object<NewToken>({
  role: Joi.valid(...tokenRoles).required(),
  product: Joi.string(),
  expires_in_seconds: wholeNumber(-tenYears, tenYears).default(365 * 86_400),
  revoked: Joi.boolean().default(false),
});

/** Creates an access token, also one that is expired or revoked. */
export async function newToken(
  { database, now }: Pick<Services, 'database' | 'now'>,
  tenant: Tenant,
  { role, product: slug, expires_in_seconds, revoked }: NewToken,
) {
  const product = slug === undefined ? null : await requireProduct({ database }, tenant, slug);
  const expiresAt = new Date(now().getTime() + expires_in_seconds * 1000);
  const grant = { product_id: product?.id ?? null, role, expiresAt };
  const { id, token, expires_at } = await createToken(database, tenant.id, grant, now());
  if (revoked) await revokeToken(database, tenant.id, id, now());
  return { id, token, role, product: product?.slug ?? null, expires_at, revoked };
}

const day = 86_400_000;

/** Page views of a product on one day. */
export interface ScansOfDay {
  days_ago: number;
  role: ViewRole;
  count: number;
}

export const scansForm = Joi.object<{ scans: ScansOfDay[] }>({
  scans: Joi.array()
    .items(
      Joi.object({
        days_ago: wholeNumber(0, 3650).required(),
        role: Joi.valid('consumer', 'recycler', 'inspector').default('consumer'),
        count: wholeNumber(1, 10_000).default(1),
      }),
    )
    .min(1)
    .max(1000)
    .required(),
});

/** Adds scans of one day, all from one visitor. */
export async function addScans(
  { database, now, countScans }: Pick<Services, 'database' | 'now' | 'countScans'>,
  tenant: Tenant,
  slug: string,
  { days_ago, role, count }: ScansOfDay,
): Promise<void> {
  const { id: productId, product_group } = await requireProduct({ database }, tenant, slug);
  const { scans_off_at } = await findPageSettings(database, tenant.id);
  if (!isCounted({ countScans }, { scans_off_at, product_group })) {
    throw conflict(
      `Views of ${slug} are not counted: its product group, the tenant or the server has scans off. Use another product.`,
    );
  }
  const at = new Date(now().getTime() - days_ago * day);
  // An address from the block reserved for documentation (RFC 5737).
  const hash = visitorHash(await secret(database, 'scan_secret'), at, '192.0.2.1');
  await insertScans(database, Array(count).fill({ tenantId: tenant.id, productId, at, role, visitorHash: hash }));
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

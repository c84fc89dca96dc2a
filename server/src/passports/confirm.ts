/** What commands do about levels that are too open. The API stores what it receives. */
import {
  type BlockingFinding,
  type Confirmed,
  countFields,
  dayOf,
  isMisspelt,
  isTooOpen,
  isTooPublic,
  type PassportValue,
  type PassportValueInput,
  union,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import { blockingIn, templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { confirmedText, listConfirmed, listValues } from './store.ts';
import { valueKey, writePassport } from './write.ts';

type Judged = Pick<Product, 'id' | 'slug' | 'product_group'>;

/** A command would show values to more readers than the template, and nobody confirmed it. */
export class TooOpen extends OperatorError {
  override readonly name = 'TooOpen';

  /** @param what did not happen, as a sentence without its full stop */
  constructor(what: string, findings: readonly BlockingFinding[]) {
    const reasons = findings.map(({ field_key, at, why }) => `${at} of ${field_key} ${why}`);
    const options = findings.map(({ field_key }) => `--open ${field_key}`);
    super(`${what}: ${reasons.join('; ')}. Write that level, or confirm the present one with ${options.join(' ')}.`);
  }
}

/**
 * Confirms fields of a passport: those of `open` that are more open than the template, and those of `own` whose keys are
 * close to one of its fields. No version, time or hash changes.
 *
 * @param product locked until the transaction ends
 * @param day today in UTC
 * @returns the values, what blocks nevertheless, and the fields that were confirmed
 */
export async function confirmFields(
  transaction: Knex.Transaction,
  { id: tenantId }: Pick<Tenant, 'id'>,
  { id, product_group }: Judged,
  { open = [], own = [] }: Confirmed,
  day: string,
): Promise<{ values: PassportValue[]; blocking: BlockingFinding[]; used: string[] }> {
  const { values, confirmed } = await listConfirmed(transaction, tenantId, id);
  const template = templateOf(product_group);
  const findings = blockingIn(template, values, day);
  const among = (found: readonly BlockingFinding[], fields: readonly string[]): string[] =>
    fields.filter((field) => found.some(({ field_key }) => field_key === field));
  const wanted = { open: among(findings.filter(isTooOpen), open), own: among(findings.filter(isMisspelt), own) };
  const all = union(confirmed, wanted);
  const used = [...wanted.open, ...wanted.own];
  if (used.length > 0) {
    await transaction('products')
      .where({ tenant_id: tenantId, id })
      .update({ confirmed: confirmedText(all) });
  }
  return { values, blocking: blockingIn(template, values, day, all), used };
}

/**
 * Writes values for a command, and confirms fields. Every command that writes values of its user does it here.
 *
 * @returns also what blocks in the written fields
 * @param product locked until the transaction ends
 * @throws TooOpen if the product is active, and a value becomes more open than it was and than the template
 */
export async function writeForCommand(
  services: Pick<Services, 'now'> & { database: Knex.Transaction },
  tenant: Pick<Tenant, 'id'>,
  product: Judged & Pick<Product, 'status'>,
  inputs: PassportValueInput[],
  asked: Confirmed,
): Promise<{ result: Awaited<ReturnType<typeof writePassport>>; used: string[]; blocking: BlockingFinding[] }> {
  const { database } = services;
  const before = new Map(
    (await listValues(database, tenant.id, product.id)).map((value) => [valueKey(value), value.access_level]),
  );
  const result = await writePassport(services, tenant, product.slug, inputs);
  const { values, blocking, used } = await confirmFields(database, tenant, product, asked, dayOf(services.now()));
  const opened = new Set(
    values
      .filter((value) => isTooPublic(value.access_level, before.get(valueKey(value)) ?? 'authority'))
      .map(({ field_key }) => field_key),
  );
  const refused = blocking.filter((finding) => isTooOpen(finding) && opened.has(finding.field_key));
  if (product.status === 'active' && refused.length > 0) {
    throw new TooOpen(`nothing was written, because ${product.slug} is public`, refused);
  }
  const named = new Set(inputs.map(({ field_key }) => field_key));
  const written = blocking.filter(({ field_key }) => named.has(field_key));
  return { result: { ...result, findings: countFields(written) }, used, blocking: written };
}

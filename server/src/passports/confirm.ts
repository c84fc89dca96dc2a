/** What commands do about levels that are too open. The API stores what it receives. */
import {
  type BlockingFinding,
  type Confirmed,
  countFields,
  dayOf,
  isMisspelt,
  isTooOpen,
  isTooPublic,
  type PassportValueInput,
  union,
} from '@product-passport/openapi';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';
import type { Services } from '../services.ts';
import { blockingIn, type Template, templateOf } from '../templates/catalogue.ts';
import type { Tenant } from '../tenants/store.ts';
import { type ConfirmedValues, confirmedText, listConfirmed, listValues } from './store.ts';
import { valueKey, writePassport } from './write.ts';

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

/** What blocks, for a sentence. */
export type Blocking = Pick<BlockingFinding, 'field_key' | 'at' | 'why'>;

/** What blocks in a passport, and what was confirmed. */
export interface Judgement {
  /** What blocks nevertheless. */
  blocking: BlockingFinding[];
  /** The fields that are confirmed now. */
  confirmed: Confirmed;
  /** Of these, the fields that the request or the command confirms. */
  used: string[];
}

/**
 * Judges a passport, and confirms fields: those of `open` that are more open than the template, and those of `own` whose keys
 * are close to one of its fields.
 *
 * @param day today in UTC
 */
export function judge(
  template: Template,
  { values, confirmed }: ConfirmedValues,
  { open = [], own = [] }: Confirmed,
  day: string,
): Judgement {
  const findings = blockingIn(template, values, day);
  const among = (found: readonly BlockingFinding[], fields: readonly string[]): string[] =>
    fields.filter((field) => found.some(({ field_key }) => field_key === field));
  const wanted = { open: among(findings.filter(isTooOpen), open), own: among(findings.filter(isMisspelt), own) };
  const all = union(confirmed, wanted);
  return { blocking: blockingIn(template, values, day, all), confirmed: all, used: [...wanted.open, ...wanted.own] };
}

/**
 * Stores the confirmed fields. No version, time or hash changes.
 *
 * @param product locked until the transaction ends
 */
export async function storeConfirmed(
  transaction: Knex.Transaction,
  { id: tenantId }: Pick<Tenant, 'id'>,
  { id }: Pick<Product, 'id'>,
  { confirmed, used }: Pick<Judgement, 'confirmed' | 'used'>,
): Promise<void> {
  if (used.length === 0) return;
  await transaction('products')
    .where({ tenant_id: tenantId, id })
    .update({ confirmed: confirmedText(confirmed) });
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
  product: Pick<Product, 'id' | 'slug' | 'product_group' | 'status'>,
  inputs: PassportValueInput[],
  asked: Confirmed,
): Promise<{ result: Awaited<ReturnType<typeof writePassport>>; used: string[]; blocking: Blocking[] }> {
  const { database } = services;
  const before = new Map(
    (await listValues(database, tenant.id, product.id)).map((value) => [valueKey(value), value.access_level]),
  );
  const result = await writePassport(services, tenant, product.slug, inputs);
  const stored = await listConfirmed(database, tenant.id, product.id);
  const judgement = judge(templateOf(product.product_group), stored, asked, dayOf(services.now()));
  await storeConfirmed(database, tenant, product, judgement);
  const { blocking, used } = judgement;
  const opened = new Set(
    stored.values
      .filter((value) => isTooPublic(value.access_level, before.get(valueKey(value)) ?? 'authority'))
      .map(({ field_key }) => field_key),
  );
  const refused = blocking.filter((finding) => isTooOpen(finding) && opened.has(finding.field_key));
  if (product.status === 'active' && refused.length > 0) {
    throw new TooOpen(`nothing was written, because ${product.slug} is public`, refused);
  }
  const named = new Set(inputs.map(({ field_key }) => field_key));
  const written = [
    ...blocking.filter(({ field_key }) => named.has(field_key)),
    ...result.values_in_use.map(({ field_key, slug }) => {
      return { field_key, at: 'value', why: `is also that of the active product ${slug}` };
    }),
  ];
  return { result: { ...result, findings: countFields(written) }, used, blocking: written };
}

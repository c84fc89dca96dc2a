import { ContractError, completeness, dayOf, didYouMean, itemSerial, timeOfChange } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import { lockProduct, updateOfPassport } from '../products/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { deleteValues, findWritable, insertVersions, listValues } from './store.ts';
import { newVersion } from './version.ts';

export interface Unset {
  /** How many were removed. */
  values: number;
  /** The version without them. */
  version: number;
  completeness: number;
}

/** Fields that a message names. */
const maxNamed = 20;

/** Why fields cannot be removed. */
export class FieldError extends OperatorError {}

/**
 * Removes fields from a passport, in every language: all of them or none, as one version. No older version shows them any
 * more. What the version replaced keeps the values, so that the hashes of older versions can be checked.
 *
 * @throws ContractError `not_found`
 * @throws FieldError if the passport lacks one of the fields
 */
export async function unsetFields(
  transaction: Knex.Transaction,
  tenant: { id: string },
  slug: string,
  fields: readonly string[],
): Promise<Unset> {
  const named = { tenantId: tenant.id, slug };
  const row = (await lockProduct(transaction, tenant.id, slug)) && (await findWritable(transaction, named));
  if (!row) throw new ContractError('not_found');
  const stored = await listValues(transaction, tenant.id, row.id);
  const known = [...new Set(stored.map(({ field_key }) => field_key))];
  const wanted = new Set(fields);
  const unknown = [...wanted].filter((field) => !known.includes(field));
  if (unknown.length > 0) {
    const problems = unknown.map(
      (field) => `the passport of ${slug} has no field ${field}.${didYouMean(field, known)}`,
    );
    const more = known.length - maxNamed;
    const all = `It has ${known.slice(0, maxNamed).join(', ') || 'no values'}${more > 0 ? ` and ${more} more` : ''}.`;
    throw new FieldError([...problems, ...(problems.some((each) => each.endsWith('?')) ? [] : [all])].join(' '));
  }
  const removed = stored.filter(({ field_key }) => wanted.has(field_key));
  const values = stored.filter(({ field_key }) => !wanted.has(field_key));
  const template = templateOf(row.product_group);
  const created_at = timeOfChange(new Date(), row.updated_at);
  const version = newVersion({ version: row.version + 1, template_version: template.version, created_at, values });
  const complete = completeness(template, values, dayOf(version.created_at));
  const ofPassport = { completeness: complete, serial_number: itemSerial(values) };
  await updateOfPassport(transaction, tenant.id, row, ofPassport, created_at);
  await deleteValues(transaction, tenant.id, row.id, [...wanted]);
  const replaced = removed.map((value) => ({ field_key: value.field_key, locale: value.locale, value }));
  const was = { was_active: row.status === 'active', values: replaced };
  await insertVersions(transaction, tenant.id, [{ ...version, product_id: row.id, replaced: was }]);
  return { values: removed.length, version: version.version, completeness: complete };
}

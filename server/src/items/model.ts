/** What a product must be to have items, and the change of a model that has not reached all of them. */
import { type PassportValue, serialsOf } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { OperatorError } from '../operator-error.ts';
import type { Product } from '../products/store.ts';

/** @throws OperatorError if a product cannot have items */
export function requireModel({ slug, gtin }: Product, values: readonly PassportValue[]): void {
  if (gtin === null) throw new OperatorError(`${slug} has no GTIN, so it cannot have items.`);
  if (serialsOf(values).serial_number !== null) {
    throw new OperatorError(`${slug} is an item itself: its passport has a serial number. Name its model.`);
  }
}

/** The change of a model whose items are being written. It is stored before the first one, and removed with the write of the model. */
export interface UnfinishedChange {
  /** The values of the model before, of the fields that had one. */
  old: PassportValue[];
  new: PassportValue[];
  /** The fields that were confirmed with `--open`. */
  open: readonly string[];
}

/** @throws OperatorError if the model has an unfinished change */
export function refuseUnfinished({ slug }: Pick<Product, 'slug'>, unfinished: string | null): void {
  if (unfinished === null) return;
  const fields = changeIn(unfinished).new.map(({ field_key }) => field_key);
  throw new OperatorError(
    `${slug} has an unfinished change of ${fields.join(', ')}. Finish it with \`item set ${slug} --continue\`, or give it up ` +
      `with \`item set ${slug} --abandon\`.`,
  );
}

/** The stored change, as JSON. */
export async function unfinishedOf(database: Knex, tenantId: string, id: string): Promise<string | null> {
  const row = await database('products').where({ tenant_id: tenantId, id }).first('unfinished');
  return row?.unfinished ?? null;
}

export function changeIn(unfinished: string): UnfinishedChange {
  return JSON.parse(unfinished);
}

/** Who changed the status of products, and when. */
import type { Knex } from 'knex';
import { v7 as uuid } from 'uuid';
import type { Product, ProductStatus } from '../products/store.ts';
import type { ApiKey } from '../tenants/keys.ts';

/** Who changes a status: an API key, or a command. */
export type Author = 'command' | Pick<ApiKey, 'id' | 'label'>;

export interface StatusChange {
  id: string;
  from_status: ProductStatus;
  to_status: ProductStatus;
  changed_at: string;
  /** `null`: a command. */
  key_id: string | null;
  /** The label of the key, which may not be there any more, or `command`. */
  changed_by: string;
}

/** @param change.product the product with its new status */
export async function insertStatusChange(
  transaction: Knex.Transaction,
  tenantId: string,
  { product, from, by }: { product: Product; from: ProductStatus; by: Author },
): Promise<void> {
  await transaction('status_changes').insert({
    tenant_id: tenantId,
    product_id: product.id,
    id: uuid(),
    from_status: from,
    to_status: product.status,
    changed_at: product.updated_at,
    key_id: by === 'command' ? null : by.id,
    changed_by: by === 'command' ? by : by.label,
  });
}

const columns = ['from_status', 'to_status', 'changed_at', 'key_id', 'changed_by'].map(
  (name) => `status_changes.${name}`,
);

/** The last changes of a product, newest first. */
export function listStatusChanges(
  database: Knex,
  tenantId: string,
  productId: string,
  limit: number,
): Promise<Omit<StatusChange, 'id'>[]> {
  return (
    database('status_changes')
      .where({ tenant_id: tenantId, product_id: productId })
      // The clocks of servers differ, and their ids with them. A product's own times only grow.
      .orderBy([
        { column: 'changed_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .select(columns)
  );
}

/** A change, with the slug of its product. */
export type TenantChange = StatusChange & { product: string };

/** The changes of a tenant, newest first. Their ids are in the order of time. */
export async function listTenantChanges(
  database: Knex,
  tenantId: string,
  { since, before, limit }: { since?: string | undefined; before?: string | undefined; limit: number },
): Promise<TenantChange[]> {
  const query = database('status_changes')
    .join('products', (join) =>
      join.on('products.tenant_id', 'status_changes.tenant_id').andOn('products.id', 'status_changes.product_id'),
    )
    .where('status_changes.tenant_id', tenantId)
    .orderBy('status_changes.id', 'desc')
    .limit(limit)
    .select(['status_changes.id', { product: 'products.slug' }, ...columns]);
  if (since !== undefined) void query.where('changed_at', '>=', since);
  if (before !== undefined) void query.where('status_changes.id', '<', before);
  return query;
}

/** Who made a change, for people. */
export function authorOf({ key_id, changed_by }: Pick<StatusChange, 'key_id' | 'changed_by'>): string {
  return key_id === null ? 'a command' : `the key ${changed_by === '' ? key_id : `${changed_by} (${key_id})`}`;
}

import { visibleValues } from '../access/rules.ts';
import { type View, viewOf } from '../access/token.ts';
import { ContractError } from '../contract/errors.ts';
import { readWithValues } from '../passports/read.ts';
import { type PassportValue, publicContentHash } from '../passports/rules.ts';
import { findPublished, type PublishedHead } from '../passports/store.ts';
import type { Services } from '../services.ts';

/** A published passport as a role sees it. It has only the values that the role may see, so no renderer can leak another. */
export interface PublicPassport extends Published {
  values: PassportValue[];
  publicContentHash: string;
}

/** A published passport and the view of a request, without the values. */
export interface Published {
  /** The slugs of the address. */
  path: PassportPath;
  /** Always salted: from a hash without a salt, hidden values could be guessed. */
  head: PublishedHead & { salt: string };
  view: View;
}

export interface PassportPath {
  tenant: string;
  product: string;
}

/**
 * Finds the passport of an active product, and the view that the token opens. One statement finds it or not, so that
 * each 404 takes the same time.
 *
 * @throws ContractError `not_found`
 */
export async function findPublicPassport(
  services: Services,
  path: PassportPath,
  zugang: string | undefined,
): Promise<Published> {
  const head = salted(await findPublished(services.database, path));
  return { path, head, view: await viewOf(services, { tenantId: head.tenant_id, productId: head.id }, zugang) };
}

/**
 * Reads the values that the view may see. Takes no turn of the tenant: the gate of the renderings limits it.
 *
 * @throws ContractError `not_found` if the product is no longer active
 */
export async function readPublicPassport(
  { database }: Services,
  { path, head: first, view }: Published,
): Promise<PublicPassport> {
  const found = await readWithValues(database, (transaction) => findPublished(transaction, path));
  const last = salted(found?.head);
  // The rendering is kept under the first head. Only a new version makes that one old for ever.
  const head = last.version === first.version ? first : last;
  const all = found?.values ?? [];
  const values = visibleValues(all, view.role);
  return { path, head, view, values, publicContentHash: head.public_hash ?? publicContentHash(all) };
}

/**
 * A migration gave every product a salted version before this server started. Only an older server that still writes to
 * the same database could make one without a salt, and its hash must not be published.
 */
function salted(head: PublishedHead | undefined): PublishedHead & { salt: string } {
  if (!head) throw new ContractError('not_found');
  const { salt } = head;
  if (salt === null) throw new Error('The latest version has no salt: an older server writes to this database.');
  return { ...head, salt };
}

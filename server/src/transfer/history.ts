/** What an import or a restore takes from the history of passports: a version is public only if its hashes prove it. */
import type { Knex } from 'knex';
import { PastValues } from '../passports/published-versions.ts';
import { type Replaced, walkValues } from '../passports/store.ts';
import { hashProblems, textsBefore, versionRows } from './hashes.ts';

/** Products whose versions are checked between two transactions. */
const productsAtOnce = 50;

/** Characters of text that are stored in one transaction. */
const charactersAtOnce = 4 * 1024 * 1024;

/** A version that must not be public: what the next one replaced, as it is to be stored. */
interface Hidden {
  product_id: string;
  version: number;
  replaced: string;
}

/**
 * Makes each older version of a stored tenant not public whose hashes do not fit its values, or of which the file does not
 * show that the product was active. What is not known was never public.
 *
 * @returns how many versions are not public for these reasons
 */
export async function hideUnproven(database: Knex, tenantId: string): Promise<number> {
  let count = 0;
  let hidden: Hidden[] = [];
  let characters = 0;
  // Reading takes long, and nobody changes a tenant that is not complete.
  async function store(): Promise<void> {
    await database.transaction(async (transaction) => {
      for (const { replaced, ...key } of hidden) {
        await transaction('passport_versions')
          .where({ tenant_id: tenantId, ...key })
          .update({ replaced });
      }
    });
    hidden = [];
    characters = 0;
  }
  async function hide(version: Hidden): Promise<void> {
    hidden.push(version);
    characters += version.replaced.length;
    if (characters > charactersAtOnce) await store();
  }
  const ofProducts = (table: string) =>
    database(table).where({ tenant_id: tenantId }).whereRaw('product_id = products.id');
  for (let after = 0; ; ) {
    const products: Activated[] = await database('products')
      .where({ tenant_id: tenantId })
      .where('position', '>', after)
      .whereExists(ofProducts('passport_versions').where('version', 2))
      .orderBy('position')
      .limit(productsAtOnce)
      .select('id', 'position', 'activated_at', {
        changed_at: ofProducts('status_changes').where('to_status', 'active').min('changed_at'),
      });
    for await (const { row, values } of walkValues(database, tenantId, products)) {
      const product = { id: row.id, activeFrom: firstActivation(row) };
      count += await hideOf(database, tenantId, product, new PastValues(values), hide);
    }
    await store();
    const last = products.at(-1);
    if (!last || products.length < productsAtOnce) return count;
    after = last.position;
  }
}

interface Activated {
  id: string;
  position: number;
  activated_at: string | null;
  /** The first change to active. `null`: none is known. */
  changed_at: string | null;
}

/** When the product was first active, or `undefined` if it never was. */
function firstActivation({ activated_at, changed_at }: Activated): string | undefined {
  if (activated_at === null) return undefined;
  // An export from a database where the GTIN was active under another tenant has the time of the import there.
  return changed_at !== null && changed_at < activated_at ? changed_at : activated_at;
}

/** @param state the values of the latest version */
async function hideOf(
  database: Knex,
  tenantId: string,
  { id, activeFrom }: { id: string; activeFrom: string | undefined },
  state: PastValues,
  hide: (version: Hidden) => Promise<void>,
): Promise<number> {
  let count = 0;
  let newer: { version: number; created_at: string; replaced: string | null } | undefined;
  for await (const row of versionRows(database, tenantId, id)) {
    const next = newer;
    newer = row;
    if (!next) continue;
    const texts = textsBefore(state, next.replaced);
    // Without what this version replaced, no older one has values.
    if (!texts) return count + row.version;
    const replaced: Partial<Replaced> = JSON.parse(next.replaced ?? '');
    const isKnown = replaced.was_active !== undefined;
    const isContradicted = replaced.was_active && (activeFrom === undefined || next.created_at < activeFrom);
    if (isKnown && !isContradicted && hashProblems(row, texts).length === 0) continue;
    count += 1;
    await hide({ product_id: id, version: next.version, replaced: JSON.stringify({ ...replaced, was_active: false }) });
  }
  return count;
}

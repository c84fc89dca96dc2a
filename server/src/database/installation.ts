import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * What the installation keeps for itself, by its name: a secret, a time, or its public address. A backup carries it, so
 * `server/data/export.schema.json` has the form of each value.
 */
export type InstallationName = 'scan_secret' | 'scans_deleted_at' | 'site_url';

/**
 * A secret of this installation, 256 bits. It is made on first use and stored in the database, so that every instance
 * uses the same one.
 */
export async function secret(database: Knex, name: Extract<InstallationName, `${string}_secret`>): Promise<KeyObject> {
  const value = await storedValue(database, name, async () => randomBytes(32).toString('base64url'));
  return createSecretKey(value, 'base64url');
}

/** A value of this installation. Of several that are made at once, the first is stored. */
export async function storedValue(
  database: Knex,
  name: InstallationName,
  first: () => Promise<string>,
): Promise<string> {
  const found = await findValue(database, name);
  if (found !== undefined) return found;
  const value = await first();
  return database.transaction(async (transaction) => {
    await transaction('installation').insert({ name, value }).onConflict('name').ignore();
    return (await findValue(transaction, name)) ?? value;
  });
}

export async function findValue(database: Knex, name: InstallationName): Promise<string | undefined> {
  const row: { value: string } | undefined = await database('installation').where({ name }).first('value');
  return row?.value;
}

/** Stores a value in place of an earlier one. */
export async function setValue(transaction: Knex.Transaction, name: InstallationName, value: string): Promise<void> {
  await transaction('installation').insert({ name, value }).onConflict('name').merge();
}

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
  let found = await findValue(database, name);
  if (found === undefined) {
    const value = await first();
    // Outside of a transaction, a wait for SQLite's write lock would block the connection that others read on.
    await database.transaction((transaction) =>
      transaction('installation').insert({ name, value }).onConflict('name').ignore(),
    );
    found = await findValue(database, name);
  }
  if (found === undefined) throw new Error(`The value ${name} could not be stored.`);
  return found;
}

export async function findValue(database: Knex, name: InstallationName): Promise<string | undefined> {
  const row: { value: string } | undefined = await database('installation').where({ name }).first('value');
  return row?.value;
}

/** Stores a value in place of an earlier one. */
export async function setValue(transaction: Knex.Transaction, name: InstallationName, value: string): Promise<void> {
  await transaction('installation').insert({ name, value }).onConflict('name').merge();
}

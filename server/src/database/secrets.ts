import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';

/**
 * A secret of this installation, 256 bits. It is made on first use and stored in the database, so that every instance
 * uses the same one.
 */
export async function secret(database: Knex, name: 'scans'): Promise<KeyObject> {
  const stored = (): Promise<{ value: string } | undefined> => database('secrets').where({ name }).first('value');
  let row = await stored();
  if (!row) {
    const value = randomBytes(32).toString('base64url');
    // Outside of a transaction, a wait for SQLite's write lock would block the connection that others read on.
    await database.transaction((transaction) =>
      transaction('secrets').insert({ name, value }).onConflict('name').ignore(),
    );
    row = await stored();
  }
  if (!row) throw new Error(`The secret ${name} could not be stored.`);
  return createSecretKey(row.value, 'base64url');
}

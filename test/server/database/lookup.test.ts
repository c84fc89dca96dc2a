/** Look-ups, which share their executions on SQLite. */

import { describe, expect, test } from '@jest/globals';
import { columnsOf, lookup, readerOf } from '../../../server/src/database/statement.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { newTenant } from '../../support/tenant.ts';
import { rejection } from '../../support/thrown.ts';

interface Row {
  slug: string;
  name: string;
  country: string | null;
}

const columns = columnsOf('tenants', ['slug', 'name', 'country']);

const bySlug = lookup<Row, { slug: string }>(columns, (database, { slug }) =>
  database('tenants').where({ plan: 'starter', slug }).whereIn('country', ['DE', 'FR']),
);

const byBoth = lookup<{ found: string }, { name: string; slug: string }>(
  { found: 'tenants.slug' },
  (database, { name, slug }) => database('tenants').where({ slug, name }).where('name', name).orderBy('slug').limit(1),
);

describe.each([...databaseKinds, 'memory'] as const)('a look-up on %s', (kind) => {
  async function open(): Promise<Database> {
    const database = await openDatabase(kind === 'memory' ? ':memory:' : await newMigratedDatabase(kind));
    ending.defer(() => database.destroy());
    return database;
  }
  const addTenant = (database: Database, slug: string, name = slug): Promise<unknown> =>
    newTenant(database, { slug, name, plan: 'starter' });

  test('concurrent look-ups each find their own row, or none', async () => {
    const database = await open();
    const names = ['Müller & Söhne "GmbH"', "O'Neill\\", '{"a":[1]}', '100 % 🧶 \u2028', 'x'.repeat(500), 'null', ''];
    const slugs = names.map((_, index) => `t-${index}`);
    for (const [index, name] of names.entries()) await addTenant(database, `t-${index}`, name);
    const asked = Array.from({ length: 500 }, (_, index) => slugs[index % 9] ?? 'none');
    const found = await Promise.all(asked.map((slug) => bySlug(database, { slug })));
    expect(found).toEqual(
      asked.map((slug) => (slug === 'none' ? undefined : { slug, name: names[slugs.indexOf(slug)], country: 'DE' })),
    );
    const both = await Promise.all(names.map((name, index) => byBoth(database, { slug: `t-${index}`, name })));
    expect(both).toEqual(slugs.map((found) => ({ found })));
    expect(await byBoth(database, { slug: 't-0', name: 't-1' })).toBeUndefined();
  });

  test('of one turn share their executions on SQLite', async () => {
    const database = await open();
    let executions = 0;
    readerOf(database).on('query', () => {
      executions += 1;
    });
    await Promise.all(Array.from({ length: 100 }, () => bySlug(database, { slug: 'none' })));
    // An execution takes half of those that wait, at least 16: 50, 25, 16, 9.
    expect(executions).toBe(kind === 'PostgreSQL' ? 100 : 4);
  });

  test('sees a write that was committed before it began, also while others run', async () => {
    const database = await open();
    let isDone = false;
    const others = (async () => {
      while (!isDone) await Promise.all([1, 2, 3].map(() => bySlug(database, { slug: 'none' })));
    })();
    for (let number = 0; number < 30; number += 1) {
      await addTenant(database, `t-${number}`);
      expect(await bySlug(database, { slug: `t-${number}` })).toMatchObject({ slug: `t-${number}` });
    }
    isDone = true;
    await others;
  });

  test('runs in the transaction that it is given', async () => {
    const database = await open();
    await database.transaction(async (transaction) => {
      await addTenant(transaction, 'new');
      expect(await bySlug(transaction, { slug: 'new' })).toMatchObject({ slug: 'new' });
      if (kind !== 'memory') expect(await bySlug(database, { slug: 'new' })).toBeUndefined();
    });
    expect(await bySlug(database, { slug: 'new' })).toMatchObject({ slug: 'new' });
  });

  test('a failure rejects each look-up, and the next ones work', async () => {
    const database = await open();
    await database.schema.renameTable('tenants', 'elsewhere');
    const failures = await Promise.all(['a', 'b'].map((slug) => rejection(() => bySlug(database, { slug }))));
    for (const failure of failures) expect(failure).toMatchObject({ message: expect.stringContaining('tenants') });
    await database.schema.renameTable('elsewhere', 'tenants');
    expect(await bySlug(database, { slug: 'a' })).toBeUndefined();
  });
});

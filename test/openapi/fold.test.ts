/** Case folding against Unicode's own, which PostgreSQL has. */
import { beforeAll, expect, test } from '@jest/globals';
import { fold } from '@product-passport/openapi';
import { connect } from '../../server/src/database/connection.ts';
import { newDatabase } from '../support/database.ts';

interface Row {
  character: string;
  folded: string;
}

/** Each character that Unicode has assigned, except private ones. */
let assigned: readonly Row[] = [];

beforeAll(async () => {
  const database = connect(await newDatabase('PostgreSQL'));
  ({ rows: assigned } = await database.raw(`
    SELECT chr(code) AS character, casefold(normalize(chr(code), NFC) COLLATE pg_unicode_fast) AS folded
    FROM generate_series(1, 983039) AS code
    WHERE code NOT BETWEEN 55296 AND 63743 AND unicode_assigned(chr(code))`));
  await database.destroy();
});

test('a character and its Unicode folding fold to the same text', () => {
  expect(assigned.filter(({ character, folded }) => character !== folded).length).toBeGreaterThan(1500);
  const different = assigned.filter(({ character, folded }) => fold(character) !== fold(folded));
  expect(different).toEqual([]);
});

test('two characters with different Unicode foldings fold to different texts', () => {
  const seen = new Map<string, string>();
  const alike = assigned.filter(({ character, folded }) => {
    const expected = folded.normalize('NFC');
    const other = seen.get(fold(character));
    seen.set(fold(character), other ?? expected);
    return other !== undefined && other !== expected;
  });
  expect(alike).toEqual([]);
});

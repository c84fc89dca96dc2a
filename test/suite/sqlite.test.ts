/** Each conformance case against the reference server on SQLite. */
import { testEachCase } from './cases.ts';
import { startReference } from './reference.ts';

testEachCase(() => startReference('SQLite'));

/** Each conformance case against the reference server on PostgreSQL. */
import { testEachCase } from './cases.ts';
import { startReference } from './reference.ts';

testEachCase(() => startReference('PostgreSQL'));

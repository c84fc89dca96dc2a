/**
 * Adds the cases that contracts/requirements/1.json lacks. A listed case keeps its claim and clause, because providers
 * rely on their meaning. Run it once when a contract version is released.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readContract } from '@product-passport/openapi';
import { suiteOf } from '../contracts/conformance/cases/index.ts';

const file = new URL('../contracts/requirements/1.json', import.meta.url);
const frozen = JSON.parse(readFileSync(file, 'utf8'));
const { cases, wholeRunCases } = suiteOf(readContract());
const known = new Set(frozen.cases.map(({ id }: { id: string }) => id));
const added = [...cases, ...wholeRunCases]
  .filter(({ id }) => !known.has(id))
  .map(({ id, claim, clause, title }) => ({ id, claim, clause, title }));
writeFileSync(file, `${JSON.stringify({ ...frozen, cases: [...frozen.cases, ...added] }, null, 2)}\n`);
process.stdout.write(`${added.length} cases added.\n`);

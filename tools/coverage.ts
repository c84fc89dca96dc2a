/**
 * Writes contracts/coverage.md: which documented response each tool and each test produces. With `--check`
 * it only compares. It fails if an empty cell has no reason, or a reason is no longer needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { readContract } from '@product-passport/openapi';
import { faultsOf, filledBy, pageOf, readReasons, recordedRun, rowsOf } from '../contracts/coverage/matrix.ts';
import { createJudge } from '../contracts/judge/judge.ts';

const file = new URL('../contracts/coverage.md', import.meta.url);
const contract = readContract();
const { operations } = createJudge(contract);
const rows = rowsOf(operations);
const filled = filledBy({ contract, operations, exchanges: await recordedRun() });
const reasons = readReasons();
const page = pageOf(rows, filled, reasons);
const faults = faultsOf(rows, filled, reasons);

if (!process.argv.includes('--check')) writeFileSync(file, page);
else if (readFileSync(file, 'utf8') !== page) {
  faults.push('contracts/coverage.md is not up to date. Run `npm run coverage:contract` and commit the result.');
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

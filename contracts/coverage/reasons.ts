/** Why a cell of the coverage matrix is empty. Strict both ways: no empty cell without a reason, no reason in vain. */
import { readFileSync } from 'node:fs';
import { type Column, columns, type Filled } from './columns.ts';
import { nameOf, type Row } from './rows.ts';

interface Reason {
  readonly column: Column;
  readonly status: number;
  /** Default: all codes of the status. */
  readonly codes?: readonly string[];
  /** Default: all operations. */
  readonly operations?: readonly string[];
  readonly reason: string;
}

export function readReasons(): readonly Reason[] {
  return JSON.parse(readFileSync(new URL('../coverage-reasons.json', import.meta.url), 'utf8')).reasons;
}

/** What is wrong, a sentence for each fault. */
export function faultsOf(rows: readonly Row[], filled: Filled, reasons: readonly Reason[]): string[] {
  const cells = columns.flatMap((column) => rows.map((row) => ({ column, row, name: nameOf(row) })));
  const unexplained = cells
    .filter(({ column, row, name }) => !filled[column].has(name) && reasonsFor(column, row, reasons).length === 0)
    .map(
      ({ column, name }) => `${column} lacks ${name}. Fill it, or give the reason in contracts/coverage-reasons.json.`,
    );
  const explained = cells
    .filter(({ column, row, name }) => filled[column].has(name) && reasonsFor(column, row, reasons).length > 0)
    .map(({ column, name }) => `${column} has ${name}. Remove the reason for its absence.`);
  const twice = cells
    .filter(({ column, row }) => reasonsFor(column, row, reasons).length > 1)
    .map(({ column, name }) => `${column} has several reasons for ${name}. Keep one.`);
  const idle = reasons
    .filter((reason) => !rows.some((row) => reasonsFor(reason.column, row, [reason]).length > 0))
    .map(({ column, status, reason }) => `No response matches this reason, remove it: ${column} ${status}: ${reason}`);
  return [...unexplained, ...explained, ...twice, ...idle];
}

export function reasonsFor(column: Column, row: Row, reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(
    (reason) =>
      reason.column === column &&
      reason.status === row.status &&
      (reason.codes ?? [row.code]).includes(row.code) &&
      (reason.operations ?? [row.operationId]).includes(row.operationId),
  );
}

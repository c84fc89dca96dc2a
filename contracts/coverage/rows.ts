/** The rows of the coverage matrix: every documented response of every operation. */
import type { JudgedOperation } from '../judge/judge.ts';

export interface Row {
  readonly operationId: string;
  readonly status: number;
  /** The error code, or an empty text for a response without one. */
  readonly code: string;
}

/** In the order of openapi.yaml. */
export function rowsOf(operations: readonly JudgedOperation[]): Row[] {
  return operations.flatMap(({ operationId, statuses, codes }) =>
    statuses.flatMap((status) => {
      // The errors of the passport page are HTML pages without a code.
      const known = operationId === 'getPassportPage' ? [] : (codes[status] ?? []);
      return (known.length === 0 ? [''] : known).map((code) => ({ operationId, status, code }));
    }),
  );
}

/** The name of a row: `createProduct 400 name_required`. */
export function nameOf({ operationId, status, code }: Row): string {
  return `${operationId} ${status} ${code}`.trim();
}

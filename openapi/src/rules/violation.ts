import { ContractError, type ErrorCode } from './errors.ts';

/** One violation of the contract by a request. */
export interface Violation {
  code: ErrorCode;
  /** The place and the rule. */
  message: string;
  /** Whether it concerns the body itself, and not one of its parts. */
  isWhole: boolean;
}

/** A place in a body. */
export type Path = readonly (string | number)[];

/** Names a place, as in `[3].unit`, with names from the contract and numbers from 0. It never repeats the input. */
export function place(path: Path): string {
  if (path.length === 0) return 'The body';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step)).join('');
}

/** Throws the violation to report: one of the whole body first, then by the contract's order of codes. */
export function throwFirst(violations: readonly Violation[], order: readonly string[]): void {
  const rank = ({ isWhole, code }: Violation): number => (isWhole ? -1 : order.indexOf(code));
  const [first] = [...violations].sort((one, other) => rank(one) - rank(other));
  if (first) throw new ContractError(first.code, first.message);
}

import type { Operation, PassportError } from './errors.ts';

/** The outcome of a call, for programs that branch instead of catching. */
export type Result<Value, Name extends Operation = Operation> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: PassportError<Name> };

/** The promise of a call. */
export interface Reply<Value, Name extends Operation = Operation> extends Promise<Value> {
  /** The same call as a result; never rejects: `{ ok: true, value }` or `{ ok: false, error }`. */
  result(): Promise<Result<Value, Name>>;
}

/** A promise with its twin. */
export function replied<Value, Name extends Operation>(promise: Promise<Value>): Reply<Value, Name> {
  return Object.assign(promise, { result: () => resultOf<Value, Name>(promise) });
}

/** The twin of a promise that never rejects. */
export function resultOf<Value, Name extends Operation>(promise: Promise<Value>): Promise<Result<Value, Name>> {
  return promise.then(
    (value) => ({ ok: true, value }),
    (error: PassportError<Name>) => ({ ok: false, error }),
  );
}

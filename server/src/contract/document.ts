import {
  type Contract as AnyContract,
  type Operation as AnyOperation,
  type Operations,
  readContract as read,
} from '@product-passport/openapi';

export type OperationId = keyof Operations;

/** An operation with a name from the generated types and a method that Hapi routes. */
export type Operation = AnyOperation & {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
};

export interface Contract extends AnyContract {
  readonly operations: Operation[];
}

/** Reads openapi.yaml. The cast holds because the types are generated from the same file. */
export function readContract(): Contract {
  return read() as Contract;
}

import { bodyValidation, codesOf, readJson, throwFirst, type Work } from '@product-passport/openapi';
import type { Contract, Operation, OperationId } from './document.ts';

/**
 * Reads the bodies of an operation. Both functions throw a `ContractError` for the violation that the contract puts
 * first.
 */
export interface BodyReader {
  /** Reads JSON in UTF-8. */
  ofBytes(bytes: Uint8Array, headers: Parameters<typeof readJson>[1]): Work<unknown>;
  /** Reads a parsed value. Messages begin with its place in a larger body, if it has one. */
  ofValue(given: unknown, at?: string): Work<unknown>;
}

/** `undefined` for an operation without a body. */
export function bodyReader({ body, responses }: Operation): BodyReader | undefined {
  if (!body) return undefined;
  const validation = bodyValidation(body);
  const order = codesOf(responses['400']);
  return {
    *ofBytes(bytes, headers) {
      const { body: parsed, violations } = yield* readJson(bytes, headers, validation.shape);
      const judged = yield* validation.judge(parsed);
      throwFirst([...judged.violations, ...violations], order);
      return judged.body;
    },
    *ofValue(given, at) {
      const { body, violations } = yield* validation.judge(given);
      const placed = violations.map((one) => (at === undefined ? one : { ...one, message: `${at}: ${one.message}` }));
      throwFirst(placed, order);
      return body;
    },
  };
}

export function bodyReaderOf(contract: Contract, id: OperationId): BodyReader {
  const operation = contract.operations.find(({ operationId }) => operationId === id);
  const reader = operation && bodyReader(operation);
  if (!reader) throw new Error(`openapi.yaml has no body of ${id}.`);
  return reader;
}

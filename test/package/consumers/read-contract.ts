/** Compiles against the types of the package. The compiler expects the errors. */
import { codesOf, type Operation, readContract } from '@product-passport/openapi';

const create: Operation | undefined = readContract().operations.find(
  ({ operationId }) => operationId === 'createProduct',
);
export const codes: readonly string[] = codesOf(create?.responses['400']);

// @ts-expect-error A response has no such member.
create?.responses['400']?.colour;

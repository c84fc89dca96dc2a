/** The operations of openapi.yaml that the SDK has. */
import { readContract } from '../../openapi/src/index.ts';

/** Other GS1 resolvers and their tools read it. The SDK has no method for it. */
const withoutMethod = ['getResolverDescription'];

/** The operations that have a method. */
export function operationsOfContract() {
  return readContract().operations.filter(
    ({ operationId, variantOf }) => variantOf === undefined && !withoutMethod.includes(operationId),
  );
}

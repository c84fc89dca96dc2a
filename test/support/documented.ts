/** Operations, error codes and examples that openapi.yaml documents. */
import { codesOf, readContract } from '../../openapi/src/index.ts';

const { operations, besideOperations } = readContract();

/** Other GS1 resolvers and their tools read it. The SDK has no method for it. */
const withoutMethod = ['getResolverDescription'];

/** The operations that have a method. */
export function operationsOfContract() {
  return operations.filter(
    ({ operationId, variantOf }) => variantOf === undefined && !withoutMethod.includes(operationId),
  );
}

/** Every error code, sorted. */
export function codesOfContract(): string[] {
  const all = [besideOperations, ...operations.map(({ responses }) => responses)];
  const codes = all.flatMap((responses) => Object.values(responses)).flatMap(codesOf);
  return [...new Set(codes)].sort();
}

/** The statuses of the passport page. */
export function statusesOfPage(): string[] {
  const page = operations.find(({ operationId }) => operationId === 'getPassportPage');
  return Object.keys(page?.responses ?? {});
}

/** The first example of the operation's 200, as a copy. */
export function exampleOf(operationId: string): unknown {
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const [media] = Object.values(operation?.responses['200']?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  if (example === undefined) throw new Error(`openapi.yaml has no example of ${operationId}.`);
  return structuredClone(example.value);
}

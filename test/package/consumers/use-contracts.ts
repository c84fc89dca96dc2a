/** Compiles against the types of the packages. The compiler expects the errors. */
import { type Run, UsageError, type VerifyOptions, verify } from '@product-passport/contracts';
import { codesOf, type Operation, readContract } from '@product-passport/openapi';

const create: Operation | undefined = readContract().operations.find(
  ({ operationId }) => operationId === 'createProduct',
);
export const codes: readonly string[] = codesOf(create?.responses['400']);

// @ts-expect-error A response has no such member.
create?.responses['400']?.colour;

const options: VerifyOptions = { provider: { base_url: 'https://passport.example.com/api/v1' }, claims: ['core'] };

export async function failed(): Promise<readonly string[]> {
  const run: Run = await verify({ ...options, onResult: ({ id }, done, total) => `${id} ${done}/${total}` });
  return run.results.filter(({ status }) => status === 'failed').map(({ id, clause }) => `${id} ${clause}`);
}
export const isUsage = (error: unknown): boolean => error instanceof UsageError;

// @ts-expect-error There is no such claim.
verify({ ...options, claims: ['everything'] });

/** Compiles against the types of the package. The compiler expects the error. */
import { type Run, UsageError, type VerifyOptions, verify } from '@product-passport/contracts';

const options: VerifyOptions = { provider: { base_url: 'https://passport.example.com/api/v1' }, claims: ['core'] };

export async function failed(): Promise<readonly string[]> {
  const run: Run = await verify({ ...options, onResult: ({ id }, done, total) => `${id} ${done}/${total}` });
  return run.results.filter(({ status }) => status === 'failed').map(({ id, clause }) => `${id} ${clause}`);
}
export const isUsage = (error: unknown): boolean => error instanceof UsageError;

// @ts-expect-error There is no such claim.
verify({ ...options, claims: ['everything'] });

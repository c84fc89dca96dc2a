import type { Api, RequestOptions } from './api.ts';
import type { PassportValueInput, PassportWriteResult } from './contract.ts';
import type { PutError } from './errors.ts';
import { type Part, partsOf } from './parts.ts';
import type { Received } from './result.ts';

/**
 * Writes the values in as many requests as the service's limits require, one after the other.
 *
 * @param endOf returns the end of a call with these options
 */
export async function put(
  { send, prepare }: Api,
  slug: string,
  values: readonly PassportValueInput[],
  options: RequestOptions | undefined,
  endOf: (options?: RequestOptions) => number,
): Promise<Received<PassportWriteResult>> {
  let applied = 0;
  try {
    const until = endOf(options);
    const [first, ...others] = prepare('putPassport', () => partsOf(values));
    const write = ({ body }: Part) => send('putPassport', { path: { slug }, body }, options, { until });
    let received = await write(first);
    let { updated } = received.value;
    applied = first.count;
    for (const part of others) {
      received = await write(part);
      updated += received.value.updated;
      applied += part.count;
    }
    return others.length === 0 ? received : { ...received, value: { ...received.value, updated } };
  } catch (error) {
    throw Object.assign(error as PutError, { applied });
  }
}

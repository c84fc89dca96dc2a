import type { Api, RequestOptions } from './api.ts';
import type { PassportValueInput, PassportWriteResult } from './contract.ts';
import type { PutError } from './errors.ts';
import { type Part, partsOf } from './parts.ts';
import type { Received } from './result.ts';

/**
 * Writes the values in as many requests as the service's limits require, one after the other.
 */
export async function put(
  { send, prepare, deadlineOf }: Api,
  slug: string,
  values: readonly PassportValueInput[],
  options: RequestOptions | undefined,
): Promise<Received<PassportWriteResult>> {
  let applied = 0;
  try {
    const deadline = deadlineOf(options);
    const [first, ...others] = prepare('putPassport', () => partsOf(values));
    const write = ({ body }: Part) => send('putPassport', { path: { slug }, body }, options, { deadline });
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

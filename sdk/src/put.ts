import type { Api, RequestOptions } from './api.ts';
import type { ApiResponse } from './api-promise.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import type { PassportValueInput, PassportWriteResult } from './contract.ts';
import type { PutError } from './errors.ts';

/**
 * Writes the values in as many requests as the service's limits require, one after the other.
 */
export async function put(
  { send, prepare, deadlineOf }: Api,
  slug: string,
  values: readonly PassportValueInput[],
  options: RequestOptions | undefined,
): Promise<ApiResponse<PassportWriteResult>> {
  let applied = 0;
  try {
    const deadline = deadlineOf(options);
    const [first, ...others] = prepare('putPassport', () => chunksOf(values));
    const write = ({ body }: Chunk) => send('putPassport', { path: { slug }, body }, options, { deadline });
    let last = await write(first);
    let { updated } = last.value;
    applied = first.count;
    for (const chunk of others) {
      last = await write(chunk);
      updated += last.value.updated;
      applied += chunk.count;
    }
    return others.length === 0 ? last : { ...last, value: { ...last.value, updated } };
  } catch (error) {
    throw Object.assign(error as PutError, { applied });
  }
}

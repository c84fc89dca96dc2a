import type { Api, RequestOptions } from './api.ts';
import type { ApiResponse } from './api-promise.ts';
import type { PassportValueInput, PassportWriteResult } from './contract.ts';
import { ArgumentError, type PutError } from './errors.ts';
import { JsonText, toJson } from './json.ts';

/** Options of `passports.put`. */
export interface PutOptions extends RequestOptions {
  /**
   * Compares the values with a template before anything is sent: `checkFor(cable)` of `@product-passport/sdk/templates`.
   * What it finds is the message of an `ArgumentError`. Default: no check.
   */
  readonly check?: ((values: readonly PassportValueInput[]) => readonly { readonly message: string }[]) | undefined;
}

/**
 * Writes the values in as many requests as the service's limits require, one after the other.
 */
export async function put(
  { send, prepare, deadlineOf }: Api,
  slug: string,
  values: readonly PassportValueInput[],
  options: PutOptions | undefined,
): Promise<ApiResponse<PassportWriteResult>> {
  let applied = 0;
  try {
    const deadline = deadlineOf(options);
    const chunks = await prepare('putPassport', () => chunksOf(values, options?.check));
    let updated = 0;
    let last!: ApiResponse<PassportWriteResult>;
    for (const texts of chunks) {
      const body = new JsonText(`[${texts}]`);
      last = await send('putPassport', { path: { slug }, body }, options, { deadline });
      updated += last.value.updated;
      applied += texts.length;
    }
    return chunks.length > 1 ? { ...last, value: { ...last.value, updated } } : last;
  } catch (error) {
    throw Object.assign(error as PutError, { applied });
  }
}

// The contract's limits for one request: elements, and bytes and nodes of the body.
const maxValues = 1_000;
const maxBytes = 1_048_576;
const maxNodes = 20_000;

/**
 * Serializes values, and splits them into the fewest requests that the service accepts. A value that is too big is sent
 * alone.
 */
function chunksOf(values: readonly PassportValueInput[], check: PutOptions['check']): string[][] {
  if (!Array.isArray(values)) throw new ArgumentError('values', 'must be an array');
  const findings = check?.(values) ?? [];
  if (findings.length > 0) throw new ArgumentError('values', findings.map(({ message }) => message).join('; '));
  let group: string[] = [];
  const groups = [group];
  let bytes = 1;
  let nodes = 1;
  for (const [index, value] of values.entries()) {
    const text = toJson(value, `[${index}]`);
    // In UTF-8, with the bracket or comma before it. React Native and jsdom have no TextEncoder.
    const size = encodeURIComponent(text).replace(/%../g, ' ').length + 1;
    // Counts the arrays, objects and scalars.
    let inside = 0;
    JSON.parse(text, () => {
      inside += 1;
    });
    const isFull = group.length === maxValues || bytes + size > maxBytes || nodes + inside > maxNodes;
    if (group.length > 0 && isFull) {
      group = [];
      groups.push(group);
      bytes = 1;
      nodes = 1;
    }
    group.push(text);
    bytes += size;
    nodes += inside;
  }
  return groups;
}

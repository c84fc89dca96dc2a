import type { PassportValueInput } from './contract.ts';
import { ArgumentError } from './errors.ts';
import { toJson } from './json.ts';

// What the contract takes in one request: elements, and bytes of the body.
const mostValues = 1_000;
const mostBytes = 1_048_576;

/** The values in as many parts as the service's limits ask for, as they are now. One that is too big stands alone. */
export function partsOf(values: readonly PassportValueInput[]): PassportValueInput[][] {
  if (!Array.isArray(values)) throw new ArgumentError('values', 'must be an array');
  let part: PassportValueInput[] = [];
  const parts = [part];
  let bytes = 1;
  for (const value of JSON.parse(toJson(values)) as PassportValueInput[]) {
    const size = new TextEncoder().encode(JSON.stringify(value)).length + 1; // and what stands before it
    if (part.length === mostValues || (part.length > 0 && bytes + size > mostBytes)) {
      part = [];
      parts.push(part);
      bytes = 1;
    }
    part.push(value);
    bytes += size;
  }
  return parts;
}

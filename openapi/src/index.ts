/**
 * The only module that reads openapi.yaml. Most callers need `readContract`: the operations in the order of the file,
 * with every `$ref` resolved. Checks that report a line walk the document as it is written, with `rootOf` and `below`.
 */

export { isRecord, mapValues, member } from './json.ts';
export {
  type Contract,
  codesOf,
  contractOf,
  type Header,
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
  readContract,
  readDocument,
  readText,
  type Schema,
} from './operations.ts';
export { addressOf, allBelow, below, keyword, type Place, resolved, rootOf, targetOf } from './place.ts';

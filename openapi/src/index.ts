/**
 * The only module that reads openapi.yaml. Most callers need `readContract`: the operations in the order of the file,
 * with every `$ref` resolved. Checks that report a line walk the document as it is written, with `rootOf` and `below`.
 */

export type { Header, MediaType, Parameter, Response, Schema } from './elements.ts';
export { isRecord, mapValues, member } from './json.ts';
export { type Limit, limitsOf } from './limits.ts';
export { codesOf } from './marks.ts';
export {
  type Contract,
  contractOf,
  type Operation,
  readContract,
  readDocument,
  readText,
} from './operations.ts';
export { addressOf, allBelow, below, keyword, type Place, resolved, rootOf, targetOf } from './place.ts';
export { completeness, isAnswered, isTooPublic, missingFields } from './rules/completeness.ts';
export { Measures, typeset, typesetUnit, withFormulae, withUnit, wordsFor } from './rules/words.ts';

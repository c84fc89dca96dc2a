/**
 * The only module that reads openapi.yaml. Most callers need `readContract`: the operations in the order of the file,
 * with every `$ref` resolved. Checks that report a line walk the document as it is written, with `rootOf` and `below`.
 */

export type { Header, MediaType, Parameter, Response, Schema } from './elements.ts';
export { type Limit, limitsOf } from './limits.ts';
export { codesOf } from './marks.ts';
export * from './operations.ts';
export * from './place.ts';
export * from './rules/access.ts';
export {
  fieldTypes,
  hasGap,
  type Misfit,
  misfitsOf,
  rangeOf,
  statementOf,
  type TemplateField,
  type TemplatePart,
} from './rules/check.ts';
export * from './rules/client.ts';
export { allClose, closest, didYouMean } from './rules/closest.ts';
export * from './rules/completeness.ts';
export * from './rules/digital-link.ts';
export * from './rules/document.ts';
export * from './rules/errors.ts';
export * from './rules/faults.ts';
export * from './rules/headers.ts';
export * from './rules/parameters.ts';
export * from './rules/passport.ts';
export * from './rules/product.ts';
export { forbiddenIn, readJson, syntaxErrorPlace } from './rules/read-json.ts';
export { type Readiness, readinessOn } from './rules/readiness.ts';
export * from './rules/time.ts';
export type { Operations, Schemas } from './rules/types.ts';
export { Measures, typeset, typesetUnit, withFormulae, withUnit, wordsFor } from './rules/words.ts';
export { textOfFile, UnreadableText, utf8Of } from './text-file.ts';

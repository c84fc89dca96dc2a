/**
 * The only module that reads openapi.yaml. Most callers need `readContract`: the operations in the order of the file,
 * with every `$ref` resolved. Checks that report a line walk the document as it is written, with `rootOf` and `below`.
 * `rules/body.ts` is a separate entry, because its types are those of Joi.
 */

export * from './node.ts';
export * from './operations.ts';
export * from './rules/blocking.ts';
export * from './rules/check.ts';
export * from './rules/client.ts';
export * from './rules/closest.ts';
export * from './rules/completeness.ts';
export * from './rules/contract.ts';
export * from './rules/digital-link.ts';
export * from './rules/document.ts';
export * from './rules/dpp.ts';
export * from './rules/errors.ts';
export * from './rules/faults.ts';
export * from './rules/http.ts';
export * from './rules/impossible.ts';
export * from './rules/item.ts';
export * from './rules/passport.ts';
export * from './rules/product.ts';
export * from './rules/read-json.ts';
export * from './rules/side.ts';
export * from './rules/status.ts';
export * from './rules/view.ts';
export * from './rules/words.ts';
export * from './text-file.ts';

/**
 * The error codes of the service's own description. Only `/api/v1` has them: the description names no public errors.
 * In openapi.yaml every other code is marked `x-origin: reference`.
 */
export const describedCodes: readonly string[] = [
  'invalid_api_key',
  'not_found',
  'invalid_json',
  'name_required',
  'unknown_product_group',
  'values_must_be_array',
  'field_key_required',
  'internal_error',
];

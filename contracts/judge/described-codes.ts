/**
 * The error codes of the service's own description, each with its status. Only `/api/v1` has them: the description
 * names no public errors. In openapi.yaml every other code is marked `x-origin: reference`.
 */
export const describedStatus: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  not_found: 404,
  invalid_json: 400,
  name_required: 400,
  unknown_product_group: 400,
  values_must_be_array: 400,
  field_key_required: 400,
  internal_error: 500,
};

export const describedCodes: readonly string[] = Object.keys(describedStatus);

/** The kinds of errors, with the reference server's codes. The first eight codes are those of the description. */
export const statuses = {
  invalid_api_key: 401,
  not_found: 404,
  invalid_json: 400,
  name_required: 400,
  unknown_product_group: 400,
  values_must_be_array: 400,
  field_key_required: 400,
  internal_error: 500,
  invalid_gtin: 400,
  invalid_request: 400,
  method_not_allowed: 405,
  unsupported_media_type: 415,
} as const;

export type ServiceErrorCode = keyof typeof statuses;

/** Ends a request with an error response. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ServiceErrorCode, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.code = code;
    this.headers = headers;
  }
}

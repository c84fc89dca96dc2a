// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const requests = {
  "getMe": [
    "GET",
    "/api/v1/me"
  ],
  "listProducts": [
    "GET",
    "/api/v1/products"
  ],
  "createProduct": [
    "POST",
    "/api/v1/products"
  ],
  "getProduct": [
    "GET",
    "/api/v1/products/{slug}"
  ],
  "getPassport": [
    "GET",
    "/api/v1/products/{slug}/passport"
  ],
  "putPassport": [
    "PUT",
    "/api/v1/products/{slug}/passport"
  ],
  "listCarriers": [
    "GET",
    "/api/v1/products/{slug}/carriers"
  ],
  "getScanStatistics": [
    "GET",
    "/api/v1/analytics/scans"
  ]
} as const;

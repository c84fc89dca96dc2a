// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const apiRoot = '/api/v1';

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
  "setProductStatus": [
    "POST",
    "/api/v1/products/{slug}/status"
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

export const publicRequests = {
  "getPassportPage": [
    "GET",
    "/p/{tenant}/{product}"
  ],
  "getPassportJsonld": [
    "GET",
    "/p/{tenant}/{product}/jsonld"
  ],
  "resolveGtin": [
    "GET",
    "/01/{gtin}"
  ],
  "getResolverDescription": [
    "GET",
    "/.well-known/gs1resolver"
  ],
  "readDppById": [
    "GET",
    "/dpp/v1/dpps/{dppId}"
  ],
  "readDppByProductId": [
    "GET",
    "/dpp/v1/dppsByProductId/{productId}"
  ],
  "readDppIdsByProductIds": [
    "POST",
    "/dpp/v1/dppsByProductIds"
  ],
  "readDppVersionByIdAndDate": [
    "GET",
    "/dpp/v1/dppsByIdAndDate/{dppId}"
  ],
  "readDataElement": [
    "GET",
    "/dpp/v1/dpps/{dppId}/elements/{elementIdPath}"
  ]
} as const;

// Generated from openapi.yaml by `npm run generate`. Do not edit.

export const routes = {
  "getMe": {
    "method": "GET",
    "path": "/api/v1/me",
    "variantOf": "getMe",
    "integers": {},
    "codes": {
      "invalid_api_key": 401,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "listProducts": {
    "method": "GET",
    "path": "/api/v1/products",
    "variantOf": "listProducts",
    "integers": {
      "limit": {
        "default": 50,
        "minimum": 1,
        "maximum": 200
      },
      "offset": {
        "default": 0,
        "minimum": 0,
        "maximum": 9007199254740991
      }
    },
    "codes": {
      "invalid_request": 400,
      "invalid_api_key": 401,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "createProduct": {
    "method": "POST",
    "path": "/api/v1/products",
    "variantOf": "createProduct",
    "integers": {},
    "codes": {
      "invalid_json": 400,
      "name_required": 400,
      "unknown_product_group": 400,
      "invalid_gtin": 400,
      "invalid_request": 400,
      "invalid_api_key": 401,
      "payload_too_large": 413,
      "unsupported_media_type": 415,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getProduct": {
    "method": "GET",
    "path": "/api/v1/products/{slug}",
    "variantOf": "getProduct",
    "integers": {},
    "codes": {
      "invalid_api_key": 401,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getPassport": {
    "method": "GET",
    "path": "/api/v1/products/{slug}/passport",
    "variantOf": "getPassport",
    "integers": {},
    "codes": {
      "invalid_api_key": 401,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "putPassport": {
    "method": "PUT",
    "path": "/api/v1/products/{slug}/passport",
    "variantOf": "putPassport",
    "integers": {},
    "codes": {
      "invalid_json": 400,
      "values_must_be_array": 400,
      "field_key_required": 400,
      "invalid_request": 400,
      "invalid_api_key": 401,
      "not_found": 404,
      "payload_too_large": 413,
      "unsupported_media_type": 415,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "listCarriers": {
    "method": "GET",
    "path": "/api/v1/products/{slug}/carriers",
    "variantOf": "listCarriers",
    "integers": {},
    "codes": {
      "invalid_api_key": 401,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getScanStatistics": {
    "method": "GET",
    "path": "/api/v1/analytics/scans",
    "variantOf": "getScanStatistics",
    "integers": {
      "days": {
        "default": 30,
        "minimum": 1,
        "maximum": 365
      }
    },
    "codes": {
      "invalid_request": 400,
      "invalid_api_key": 401,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getPassportPage": {
    "method": "GET",
    "path": "/p/{tenant}/{product}",
    "variantOf": "getPassportPage",
    "integers": {},
    "codes": {
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getPassportJsonld": {
    "method": "GET",
    "path": "/p/{tenant}/{product}/jsonld",
    "variantOf": "getPassportJsonld",
    "integers": {},
    "codes": {
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtin": {
    "method": "GET",
    "path": "/01/{gtin}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinCpv": {
    "method": "GET",
    "path": "/01/{gtin}/22/{cpv}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinBatch": {
    "method": "GET",
    "path": "/01/{gtin}/10/{batch}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinSerial": {
    "method": "GET",
    "path": "/01/{gtin}/21/{serial}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinCpvBatch": {
    "method": "GET",
    "path": "/01/{gtin}/22/{cpv}/10/{batch}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinCpvSerial": {
    "method": "GET",
    "path": "/01/{gtin}/22/{cpv}/21/{serial}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinBatchSerial": {
    "method": "GET",
    "path": "/01/{gtin}/10/{batch}/21/{serial}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinCpvBatchSerial": {
    "method": "GET",
    "path": "/01/{gtin}/22/{cpv}/10/{batch}/21/{serial}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "resolveGtinTpx": {
    "method": "GET",
    "path": "/01/{gtin}/235/{tpx}",
    "variantOf": "resolveGtin",
    "integers": {},
    "codes": {
      "invalid_gtin": 400,
      "invalid_request": 400,
      "not_found": 404,
      "rate_limited": 429,
      "internal_error": 500,
      "service_unavailable": 503
    }
  },
  "getResolverDescription": {
    "method": "GET",
    "path": "/.well-known/gs1resolver",
    "variantOf": "getResolverDescription",
    "integers": {},
    "codes": {}
  }
} as const;

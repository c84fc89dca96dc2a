// Generated from openapi.yaml by `npm run generate`. Do not edit.

import type {
  Carrier,
  CarrierList,
  CreateProduct,
  Me,
  Passport,
  PassportDocument,
  PassportValue,
  PassportValueInput,
  PassportVersion,
  PassportWriteResult,
  Product,
  ProductList,
  ProductListItem,
  ScanStatistics,
  Tenant,
} from '../contract.ts';
import type { DocumentProperties } from '../../../openapi/src/rules/document.ts';
import type { Fallback, ServedOperation } from '../../../openapi/src/rules/side.ts';

/** The examples of the contract. */
export const examples = {
  me: {
    "tenant": {
      "id": "019b0a3c-5e00-7a10-8c11-3f6f5d1e0a01",
      "name": "Skellig Goods Ltd",
      "slug": "skellig",
      "country": "IE",
      "plan": "business"
    },
    "products_total": 9
  } satisfies Me as Me,
  tenant: {
    "id": "019b0a3c-5e00-7a10-8c11-3f6f5d1e0a01",
    "name": "Skellig Goods Ltd",
    "slug": "skellig",
    "country": "IE",
    "plan": "business"
  } satisfies Tenant as Tenant,
  list: {
    "items": [
      {
        "id": "019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01",
        "name": "Merino Jumper Inis",
        "slug": "merino-jumper-inis",
        "status": "active",
        "gtin": "9520001200014",
        "serial_number": null,
        "completeness": 100,
        "registry_status": "registered",
        "unique_product_identifier": "urn:dpp:skellig:merino-jumper-inis",
        "created_at": "2026-10-05T08:00:00.000Z",
        "updated_at": "2026-10-12T14:31:07.201Z"
      },
      {
        "id": "019b0a3c-5e11-7b20-9d21-aa0f5d1e0b02",
        "name": "Travel Mug Quay",
        "slug": "travel-mug-quay",
        "status": "active",
        "gtin": null,
        "serial_number": null,
        "completeness": 100,
        "registry_status": "none",
        "unique_product_identifier": "urn:dpp:skellig:travel-mug-quay",
        "created_at": "2026-10-05T08:00:01.000Z",
        "updated_at": "2026-10-05T08:10:00.000Z"
      },
      {
        "id": "019b0a3c-5e12-7b20-9d21-aa0f5d1e0b03",
        "name": "Laundry Liquid Sea Breeze",
        "slug": "laundry-liquid-sea-breeze",
        "status": "draft",
        "gtin": "9520001200083",
        "serial_number": null,
        "completeness": 55,
        "registry_status": "none",
        "unique_product_identifier": "urn:dpp:skellig:laundry-liquid-sea-breeze",
        "created_at": "2026-11-02T09:15:00.000Z",
        "updated_at": "2026-11-02T09:20:43.120Z"
      }
    ],
    "total": 3,
    "limit": 50,
    "offset": 0
  } satisfies ProductList as ProductList,
  listItem: {
    "id": "019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01",
    "name": "Merino Jumper Inis",
    "slug": "merino-jumper-inis",
    "status": "active",
    "gtin": "9520001200014",
    "serial_number": null,
    "completeness": 100,
    "registry_status": "registered",
    "unique_product_identifier": "urn:dpp:skellig:merino-jumper-inis",
    "created_at": "2026-10-05T08:00:00.000Z",
    "updated_at": "2026-10-12T14:31:07.201Z"
  } satisfies ProductListItem as ProductListItem,
  product: {
    "id": "019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01",
    "name": "Merino Jumper Inis",
    "slug": "merino-jumper-inis",
    "status": "active",
    "gtin": "9520001200014",
    "serial_number": null,
    "completeness": 100,
    "registry_status": "registered",
    "unique_product_identifier": "urn:dpp:skellig:merino-jumper-inis",
    "created_at": "2026-10-05T08:00:00.000Z",
    "updated_at": "2026-10-12T14:31:07.201Z",
    "product_group": "textile",
    "model": "Inis 2026 green",
    "registry_id": "EU-DPP-DEMO-000011"
  } satisfies Product as Product,
  newProduct: {
    "name": "USB-C Cable 240 W 2 m",
    "slug": "usb-c-cable-240-w-2-m",
    "product_group": "cable",
    "gtin": "9520001200045",
    "model": "SC240-2"
  } satisfies CreateProduct as CreateProduct,
  passport: {
    "product": {
      "id": "019b0a3c-5e20-7b20-9d21-aa0f5d1e0b04",
      "name": "USB-C Cable 240 W 2 m",
      "slug": "usb-c-cable-240-w-2-m",
      "status": "active",
      "completeness": 33
    },
    "template_version": 2,
    "values": [
      {
        "field_key": "cable_length",
        "value": 2,
        "unit": "m",
        "source": "import",
        "access_level": "public",
        "is_unknown": false,
        "needs_review": false,
        "locale": "en",
        "updated_at": "2026-11-20T09:32:00.000Z"
      },
      {
        "field_key": "halogen_free",
        "value": null,
        "unit": null,
        "source": "supplier",
        "access_level": "public",
        "is_unknown": true,
        "needs_review": true,
        "locale": "en",
        "updated_at": "2026-11-20T09:32:00.000Z"
      },
      {
        "field_key": "substances_of_concern",
        "value": [],
        "unit": null,
        "source": "supplier",
        "access_level": "restricted",
        "is_unknown": false,
        "needs_review": false,
        "locale": "en",
        "updated_at": "2026-11-20T09:32:00.000Z"
      }
    ],
    "latest_version": {
      "content_hash": "3276b9144d191db3a3f5a33cb29d8ade968a25f5264e53383fae6093efe58de8",
      "salt": "6f1c9d0a4b7e42c3a85d3e90f2b16c47",
      "created_at": "2026-11-20T09:32:00.000Z"
    }
  } satisfies Passport as Passport,
  value: {
    "field_key": "cable_length",
    "value": 2,
    "unit": "m",
    "source": "import",
    "access_level": "public",
    "is_unknown": false,
    "needs_review": false,
    "locale": "en",
    "updated_at": "2026-11-20T09:32:00.000Z"
  } satisfies PassportValue as PassportValue,
  version: {
    "content_hash": "3276b9144d191db3a3f5a33cb29d8ade968a25f5264e53383fae6093efe58de8",
    "salt": "6f1c9d0a4b7e42c3a85d3e90f2b16c47",
    "created_at": "2026-11-20T09:32:00.000Z"
  } satisfies PassportVersion as PassportVersion,
  newValue: {
    "field_key": "cable_length",
    "value": 2,
    "unit": "m"
  } satisfies PassportValueInput as PassportValueInput,
  writeResult: {
    "updated": 3,
    "completeness": 33
  } satisfies PassportWriteResult as PassportWriteResult,
  carriers: {
    "items": [
      {
        "id": "019b0a3c-5e30-7c30-8e31-bb0f5d1e0c01",
        "type": "qr",
        "gs1_digital_link": "https://passport.example.com/01/09520001200014",
        "nfc_tag_uid": null,
        "status": "active",
        "created_at": "2026-10-05T08:05:00.000Z"
      },
      {
        "id": "019b0a3c-5e31-7c30-8e31-bb0f5d1e0c02",
        "type": "nfc",
        "gs1_digital_link": "https://passport.example.com/01/09520001200014",
        "nfc_tag_uid": "04A224B1C36F80",
        "status": "active",
        "created_at": "2026-10-05T08:06:00.000Z"
      }
    ]
  } satisfies CarrierList as CarrierList,
  carrier: {
    "id": "019b0a3c-5e30-7c30-8e31-bb0f5d1e0c01",
    "type": "qr",
    "gs1_digital_link": "https://passport.example.com/01/09520001200014",
    "nfc_tag_uid": null,
    "status": "active",
    "created_at": "2026-10-05T08:05:00.000Z"
  } satisfies Carrier as Carrier,
  scans: {
    "days": 3,
    "total": 7,
    "per_day": [
      {
        "date": "2026-11-18",
        "count": 4
      },
      {
        "date": "2026-11-19",
        "count": 0
      },
      {
        "date": "2026-11-20",
        "count": 3
      }
    ],
    "by_view_role": {
      "consumer": 5,
      "inspector": 1,
      "recycler": 1
    },
    "top_products": [
      {
        "slug": "merino-jumper-inis",
        "name": "Merino Jumper Inis",
        "serial_number": null,
        "count": 5
      },
      {
        "slug": "travel-mug-quay",
        "name": "Travel Mug Quay",
        "serial_number": null,
        "count": 2
      }
    ]
  } satisfies ScanStatistics as ScanStatistics,
  document: {
    "@context": [
      "https://schema.org/",
      {
        "gs1": "https://ref.gs1.org/voc/",
        "dpp": "https://passport.example.com/ns/dpp#",
        "gs1:dpp": {
          "@type": "@id"
        }
      }
    ],
    "@type": [
      "Product",
      "gs1:Product"
    ],
    "@id": "https://passport.example.com/01/09520001200045",
    "identifier": "urn:dpp:skellig:usb-c-cable-240-w-2-m",
    "name": "USB-C Cable 240 W 2 m",
    "gtin14": "09520001200045",
    "gs1:gtin": "09520001200045",
    "gs1:productName": {
      "@value": "USB-C Cable 240 W 2 m",
      "@language": "en"
    },
    "category": "cable",
    "url": "https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m",
    "hasGS1DigitalLink": "https://passport.example.com/01/09520001200045",
    "gs1:dpp": "https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld",
    "hasDigitalProductPassport": {
      "@type": "DigitalProductPassport",
      "@id": "https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld",
      "identifier": {
        "@type": "PropertyValue",
        "propertyID": "sha-256",
        "name": "content_hash",
        "value": "3276b9144d191db3a3f5a33cb29d8ade968a25f5264e53383fae6093efe58de8"
      },
      "version": 2,
      "dateModified": "2026-11-20T09:32:00.000Z",
      "inLanguage": "en",
      "issuedBy": {
        "@type": "Organization",
        "name": "Skellig Goods Ltd"
      },
      "dpp:viewRole": "consumer",
      "dpp:templateVersion": 1,
      "dpp:completeness": 33,
      "dpp:publicContentHash": "35c2b0a0470716be4422c93d0cfac30049ce770d60bc479efad2c06adcd7d96e"
    },
    "additionalProperty": [
      {
        "@type": "PropertyValue",
        "propertyID": "cable_length",
        "name": "Cable length",
        "value": 2,
        "unitText": "m",
        "unitCode": "MTR",
        "dpp:accessLevel": "public",
        "dpp:locale": "en"
      },
      {
        "@type": "PropertyValue",
        "propertyID": "halogen_free",
        "name": "Halogen free",
        "description": "unknown",
        "dpp:accessLevel": "public",
        "dpp:locale": "en",
        "dpp:isUnknown": true
      }
    ]
  } satisfies PassportDocument as PassportDocument,
};

/** The values of fields that are not set: null if the contract allows it, and otherwise the default. */
export const defaults = {
  listItem: {
    "gtin": null,
    "serial_number": null
  },
  product: {
    "gtin": null,
    "serial_number": null,
    "product_group": null,
    "model": null,
    "registry_id": null
  },
  newProduct: {
    "slug": null,
    "product_group": null,
    "gtin": null,
    "model": null
  },
  value: {
    "unit": null
  },
  newValue: {
    "unit": null,
    "source": "import",
    "is_unknown": false,
    "needs_review": false
  },
  carrier: {
    "nfc_tag_uid": null
  },
};

/** The operations: what validates their requests, their error codes, and the media types of their 200. */
export const operations: readonly ServedOperation[] = [
  {"operationId":"getMe","variantOf":"getMe","method":"GET","path":"/api/v1/me","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[],"codes":["invalid_api_key","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"listProducts","variantOf":"listProducts","method":"GET","path":"/api/v1/products","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"status","in":"query","schema":{"type":"string","enum":["draft","active","archived"]}},{"name":"search","in":"query","schema":{"type":"string"}},{"name":"limit","in":"query","schema":{"type":"integer","default":50,"x-clamp":{"minimum":1,"maximum":200}}},{"name":"offset","in":"query","schema":{"type":"integer","default":0,"x-clamp":{"minimum":0,"maximum":9007199254740991}}},{"name":"gtin","in":"query","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"},"x-demands":{"pattern":"must have 8, 12, 13 or 14 digits"}}},{"name":"serial","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","invalid_api_key","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"createProduct","variantOf":"createProduct","method":"POST","path":"/api/v1/products","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[],"body":{"schema":{"type":"object","x-max-nodes":20000,"required":["name"],"properties":{"name":{"type":"string","maxLength":500,"pattern":"\\S","x-trim":true,"x-error-codes":{"absent":"name_required","null":"name_required","pattern":"name_required"},"x-demands":{"absent":"is required: give the product a name","null":"is required: give the product a name","pattern":"must not be blank"}},"slug":{"type":["string","null"],"maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-demands":{"pattern":"must be groups of a to z and digits, joined by single hyphens"}},"product_group":{"x-error-codes":{"x-extensible-enum":"unknown_product_group"},"oneOf":[{"type":"string","x-extensible-enum":["textile","battery","smartphone","computer","cable","motor","tyre","packaging","chemical","other","footwear","furniture","mattress","steel","aluminium","detergent","toy","construction","tablet","display","washing_machine","refrigerator","dishwasher","lighting","charger","server","paint","lubricant","jewellery","cosmetic","vehicle_part"]},{"type":"null"}]},"gtin":{"type":["string","null"],"pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"},"x-demands":{"pattern":"must have 8, 12, 13 or 14 digits"}},"model":{"type":["string","null"],"maxLength":500}}}},"codes":["invalid_json","name_required","unknown_product_group","invalid_gtin","invalid_request","invalid_api_key","payload_too_large","unsupported_media_type","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"getProduct","variantOf":"getProduct","method":"GET","path":"/api/v1/products/{slug}","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"slug","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}}],"codes":["invalid_api_key","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"setProductStatus","variantOf":"setProductStatus","method":"POST","path":"/api/v1/products/{slug}/status","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"slug","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}}],"body":{"schema":{"type":"object","x-max-nodes":20000,"required":["status"],"properties":{"status":{"type":"string","enum":["active","archived"]},"accept_findings":{"type":"boolean","default":false},"open":{"type":"array","maxItems":1000,"items":{"type":"string","maxLength":100}}}}},"codes":["invalid_json","invalid_request","invalid_api_key","key_cannot_publish","not_found","gtin_in_use","value_in_use","not_ready","payload_too_large","unsupported_media_type","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"getPassport","variantOf":"getPassport","method":"GET","path":"/api/v1/products/{slug}/passport","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"slug","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}}],"codes":["invalid_api_key","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"putPassport","variantOf":"putPassport","method":"PUT","path":"/api/v1/products/{slug}/passport","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"slug","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}}],"body":{"schema":{"type":"array","maxItems":1000,"x-max-nodes":20000,"x-error-codes":{"type":"values_must_be_array"},"x-demands":{"type":"must be an array of passport values"},"items":{"type":"object","required":["field_key","value"],"x-error-codes":{"type":"field_key_required"},"properties":{"field_key":{"type":"string","maxLength":100,"pattern":"\\S","x-error-codes":{"absent":"field_key_required","null":"field_key_required","pattern":"field_key_required"},"x-demands":{"absent":"is required: name the template field","null":"is required: name the template field","pattern":"must not be blank"}},"value":{"x-max-depth":32,"x-max-nodes":10000},"unit":{"type":["string","null"],"maxLength":50},"source":{"default":"import","allOf":[{"type":"string","enum":["manual","import","supplier"]}]},"access_level":{"allOf":[{"type":"string","enum":["public","restricted","authority"]}]},"is_unknown":{"type":"boolean","default":false},"needs_review":{"type":"boolean","default":false}}}}},"codes":["invalid_json","values_must_be_array","field_key_required","invalid_request","invalid_api_key","not_found","payload_too_large","unsupported_media_type","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"listCarriers","variantOf":"listCarriers","method":"GET","path":"/api/v1/products/{slug}/carriers","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"slug","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}}],"codes":["invalid_api_key","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"getScanStatistics","variantOf":"getScanStatistics","method":"GET","path":"/api/v1/analytics/scans","side":{"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"days","in":"query","schema":{"type":"integer","default":30,"x-clamp":{"minimum":1,"maximum":365}}}],"codes":["invalid_request","invalid_api_key","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"getPassportPage","variantOf":"getPassportPage","method":"GET","path":"/p/{tenant}/{product}","side":{"root":"/p","secured":false,"errors":"page","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"tenant","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}},{"name":"product","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}},{"name":"zugang","in":"query","schema":{"type":"string"}},{"name":"lang","in":"query","schema":{"type":"string"}}],"codes":["not_found","rate_limited","internal_error","service_unavailable"],"types":["text/html","application/ld+json"],"redirects":false},
  {"operationId":"getPassportJsonld","variantOf":"getPassportJsonld","method":"GET","path":"/p/{tenant}/{product}/jsonld","side":{"root":"/p","secured":false,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"tenant","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}},{"name":"product","in":"path","schema":{"type":"string","maxLength":100,"pattern":"^[a-z0-9]+(?:-[a-z0-9]+)*$","x-error-codes":{"type":"not_found","maxLength":"not_found","pattern":"not_found"},"description":"URL-safe key: groups of `a` to `z` and digits, joined by single hyphens."}},{"name":"zugang","in":"query","schema":{"type":"string"}},{"name":"version","in":"query","schema":{"type":"string"}},{"name":"lang","in":"query","schema":{"type":"string"}}],"codes":["not_found","rate_limited","internal_error","service_unavailable"],"types":["application/ld+json"],"redirects":false},
  {"operationId":"resolveGtin","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinCpv","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/22/{cpv}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"cpv","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinBatch","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/10/{batch}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"batch","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinSerial","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/21/{serial}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"serial","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinCpvBatch","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/22/{cpv}/10/{batch}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"cpv","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"batch","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinCpvSerial","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/22/{cpv}/21/{serial}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"cpv","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"serial","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinBatchSerial","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/10/{batch}/21/{serial}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"batch","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"serial","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinCpvBatchSerial","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/22/{cpv}/10/{batch}/21/{serial}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"cpv","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"batch","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"serial","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":20,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"resolveGtinTpx","variantOf":"resolveGtin","method":"GET","path":"/01/{gtin}/235/{tpx}","side":{"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}}},"parameters":[{"name":"gtin","in":"path","schema":{"type":"string","pattern":"^(?:[0-9]{8}|[0-9]{12,14})$","x-error-codes":{"pattern":"invalid_gtin"}}},{"name":"tpx","in":"path","schema":{"type":"string","pattern":"^[!\"%-?A-Z_a-z]+$","maxLength":28,"x-error-codes":{"pattern":"invalid_request","maxLength":"invalid_request"},"description":"Characters from GS1's character set 82, percent-encoded."}},{"name":"linkType","in":"query","schema":{"type":"string"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","invalid_gtin","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/linkset+json"],"redirects":true},
  {"operationId":"getResolverDescription","variantOf":"getResolverDescription","method":"GET","path":"/.well-known/gs1resolver","side":{"root":"/.well-known","secured":false,"errors":"json","errorBody":{"error":{"code":"","message":""}}},"parameters":[],"codes":[],"types":["application/json"],"redirects":false},
  {"operationId":"readDppById","variantOf":"readDppById","method":"GET","path":"/dpp/v1/dpps/{dppId}","side":{"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]}},"parameters":[{"name":"dppId","in":"path","schema":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000-\\u001f\\u007f\\ufffd]+$","x-error-codes":{"maxLength":"invalid_request","pattern":"invalid_request"},"description":"Characters without controls. `%2F` in the path is the character `/` of an identifier."}},{"name":"representation","in":"query","x-given-once":true,"schema":{"type":"string","enum":["compressed","full"],"default":"compressed"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":true},
  {"operationId":"readDppByProductId","variantOf":"readDppByProductId","method":"GET","path":"/dpp/v1/dppsByProductId/{productId}","side":{"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]}},"parameters":[{"name":"productId","in":"path","schema":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000-\\u001f\\u007f\\ufffd]+$","x-error-codes":{"maxLength":"invalid_request","pattern":"invalid_request"},"description":"Characters without controls. `%2F` in the path is the character `/` of an identifier."}},{"name":"representation","in":"query","x-given-once":true,"schema":{"type":"string","enum":["compressed","full"],"default":"compressed"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":true},
  {"operationId":"readDppIdsByProductIds","variantOf":"readDppIdsByProductIds","method":"POST","path":"/dpp/v1/dppsByProductIds","side":{"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]}},"parameters":[{"name":"limit","in":"query","x-given-once":true,"schema":{"type":"integer","minimum":1,"maximum":500,"default":100}},{"name":"cursor","in":"query","x-given-once":true,"schema":{"type":"string"}}],"body":{"schema":{"x-max-nodes":20000,"oneOf":[{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":2000}},{"type":"object","required":[],"x-demands":{"type":"must be an array of identifiers or an object with productIds"},"properties":{"productIds":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":2000}},"productId":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"string","maxLength":2000}}}}]}},"codes":["invalid_json","invalid_request","payload_too_large","unsupported_media_type","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"readDppVersionByIdAndDate","variantOf":"readDppVersionByIdAndDate","method":"GET","path":"/dpp/v1/dppsByIdAndDate/{dppId}","side":{"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]}},"parameters":[{"name":"dppId","in":"path","schema":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000-\\u001f\\u007f\\ufffd]+$","x-error-codes":{"maxLength":"invalid_request","pattern":"invalid_request"},"description":"Characters without controls. `%2F` in the path is the character `/` of an identifier."}},{"name":"date","in":"query","required":true,"x-given-once":true,"schema":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$","x-demands":{"pattern":"must be a time in RFC 3339, as in 2026-11-20T09:32:00Z. Write the + of an offset as %2B"}}},{"name":"representation","in":"query","x-given-once":true,"schema":{"type":"string","enum":["compressed","full"],"default":"compressed"}}],"codes":["invalid_request","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
  {"operationId":"readDataElement","variantOf":"readDataElement","method":"GET","path":"/dpp/v1/dpps/{dppId}/elements/{elementIdPath}","side":{"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]}},"parameters":[{"name":"dppId","in":"path","schema":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000-\\u001f\\u007f\\ufffd]+$","x-error-codes":{"maxLength":"invalid_request","pattern":"invalid_request"},"description":"Characters without controls. `%2F` in the path is the character `/` of an identifier."}},{"name":"elementIdPath","in":"path","schema":{"type":"string","maxLength":2000,"pattern":"^[^\\u0000-\\u001f\\u007f\\ufffd]+$","x-error-codes":{"maxLength":"invalid_request","pattern":"invalid_request"},"description":"Characters without controls. `%2F` in the path is the character `/` of an identifier."}},{"name":"representation","in":"query","x-given-once":true,"schema":{"type":"string","enum":["compressed","full"],"default":"compressed"}},{"name":"zugang","in":"query","schema":{"type":"string"}}],"codes":["invalid_request","not_found","rate_limited","internal_error","service_unavailable"],"types":["application/json"],"redirects":false},
];

/** How paths that no operation has are refused: below each root, and last elsewhere. */
export const fallbacks: readonly Fallback[] = [
  {"root":"/api/v1","secured":true,"errors":"json","errorBody":{"error":{"code":"","message":""}},"status":404,"code":"not_found","message":"This path does not exist. /docs lists the paths of the API."},
  {"root":"/dpp/v1","secured":false,"errors":"json","errorBody":{"message":[{"messageType":"Error","code":"","text":""}]},"status":404,"code":"not_found","message":"This path does not exist. /docs lists the paths of the API."},
  {"root":"/01","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}},"status":400,"code":"invalid_request","message":"This is not a GS1 Digital Link path. It begins with /01/ and a GTIN, as in /01/09520001200045. Then /22/, /10/ and /21/ may follow in this order, or /235/ alone."},
  {"root":"","secured":false,"errors":"preferred","errorBody":{"error":{"code":"","message":""}},"status":404,"code":"not_found","message":"This path does not exist. /docs lists the paths of the API."},
];

/** The status and the message of each error. */
export const errors: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  "invalid_request": {"status":400,"message":"The request is not valid HTTP. Check its first line and its Host header."},
  "not_found": {"status":404,"message":"The tenant of this key has no product with this slug. GET /api/v1/products lists its products."},
  "method_not_allowed": {"status":405,"message":"This path does not allow this method. The Allow header lists the methods it allows."},
  "request_timeout": {"status":408,"message":"The request did not arrive in time. Send it again."},
  "headers_too_large": {"status":431,"message":"The request headers are larger than 16 KiB. Send fewer or shorter ones."},
  "invalid_api_key": {"status":401,"message":"The API key is missing, unknown or revoked. Send the header Authorization: Bearer, with a space and your key."},
  "rate_limited": {"status":429,"message":"Too many requests. Wait for the number of seconds in the Retry-After header."},
  "internal_error": {"status":500,"message":"Something went wrong on our side. Please try again."},
  "service_unavailable": {"status":503,"message":"The service is busy. Please try again in a moment."},
  "invalid_gtin": {"status":400,"message":"gtin must have 8, 12, 13 or 14 digits."},
  "name_required": {"status":400,"message":"name is required: give the product a name."},
  "invalid_json": {"status":400,"message":"The request body is not valid JSON."},
  "unknown_product_group": {"status":400,"message":"product_group must be one of: textile, battery, smartphone, computer, cable, motor, tyre, packaging, chemical, other, footwear, furniture, mattress, steel, aluminium, detergent, toy, construction, tablet, display, washing_machine, refrigerator, dishwasher, lighting, charger, server, paint, lubricant, jewellery, cosmetic, vehicle_part."},
  "payload_too_large": {"status":413,"message":"The request body is larger than 1 MiB. Send less in one request."},
  "unsupported_media_type": {"status":415,"message":"Send the body as application/json in UTF-8, without Content-Encoding."},
  "key_cannot_publish": {"status":403,"message":"This API key cannot change the status of products. Use a key that was created with the right to publish."},
  "gtin_in_use": {"status":409,"message":"The GTIN belongs to an active product of another business. Ask the operator."},
  "value_in_use": {"status":409,"message":"The active product bosca-48-0001 has the same serial_number. Correct the value or archive that product."},
  "not_ready": {"status":409,"message":"The passport is not ready. Required and without a value: manufacturer_name, country_of_origin, product_description, recycling_instructions. Write these values, or publish it anyway with accept_findings."},
  "field_key_required": {"status":400,"message":"[0].field_key is required: name the template field."},
  "values_must_be_array": {"status":400,"message":"The body must be an array of passport values."},
};

/** The fields of each product group from which a document takes properties of schema.org. */
export const properties: Readonly<Record<string, DocumentProperties>> = {
  "textile": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"weight":["garment_weight"],"material":["fibre_composition.fibre"]},
  "battery": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"weight":["battery_weight"]},
  "smartphone": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"]},
  "computer": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"substanceOfConcern":["substances_of_concern.name"]},
  "cable": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"material":["conductor_material","sheath_material"]},
  "motor": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"],"weight":["motor_weight"]},
  "tyre": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"]},
  "packaging": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"],"weight":["packaging_weight"],"material":["material_composition.material"]},
  "chemical": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"]},
  "other": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"weight":["product_weight"],"material":["material_composition.material"]},
  "footwear": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"material":["upper_material","lining_material","outer_sole_material"]},
  "furniture": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"material":["material_composition.material"]},
  "mattress": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"material":["cover_material.fibre"]},
  "steel": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"]},
  "aluminium": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"]},
  "detergent": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"]},
  "toy": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"],"substanceOfConcern":["substances_of_concern.name"],"material":["primary_materials.material"]},
  "construction": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"]},
  "tablet": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "display": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "washing_machine": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "refrigerator": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "dishwasher": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "lighting": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"]},
  "charger": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "server": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"]},
  "paint": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "lubricant": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"substanceOfConcern":["substances_of_concern.name"]},
  "jewellery": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"]},
  "cosmetic": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"countryOfOrigin":["country_of_origin"]},
  "vehicle_part": {"manufacturer.name":["manufacturer_name"],"manufacturer.address":["manufacturer_address"],"importer.name":["importer_name"],"importer.address":["importer_address"],"recycledContentPercentage":["recycled_content_share"],"substanceOfConcern":["substances_of_concern.name"],"weight":["product_weight"],"material":["material_composition.material"]},
};

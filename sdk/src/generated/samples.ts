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

/** The examples of the contract. */
export const examples = {
  me: {
    "tenant": {
      "id": "019b0a3c-5e00-7a10-8c11-3f6f5d1e0a01",
      "name": "Nordlicht Demo GmbH",
      "slug": "nordlicht",
      "country": "DE",
      "plan": "business"
    },
    "products_total": 15
  } satisfies Me as Me,
  tenant: {
    "id": "019b0a3c-5e00-7a10-8c11-3f6f5d1e0a01",
    "name": "Nordlicht Demo GmbH",
    "slug": "nordlicht",
    "country": "DE",
    "plan": "business"
  } satisfies Tenant as Tenant,
  list: {
    "items": [
      {
        "id": "019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01",
        "name": "Merinopullover Fjord",
        "slug": "merinopullover-fjord",
        "status": "active",
        "gtin": "9520001000010",
        "completeness": 100,
        "registry_status": "registered",
        "unique_product_identifier": "urn:dpp:nordlicht:merinopullover-fjord",
        "created_at": "2026-10-05T08:00:00.000Z",
        "updated_at": "2026-10-12T14:31:07.201Z"
      },
      {
        "id": "019b0a3c-5e11-7b20-9d21-aa0f5d1e0b02",
        "name": "Thermobecher Kaje",
        "slug": "thermobecher-kaje",
        "status": "active",
        "gtin": null,
        "completeness": 100,
        "registry_status": "none",
        "unique_product_identifier": "urn:dpp:nordlicht:thermobecher-kaje",
        "created_at": "2026-10-05T08:00:01.000Z",
        "updated_at": "2026-10-05T08:10:00.000Z"
      },
      {
        "id": "019b0a3c-5e12-7b20-9d21-aa0f5d1e0b03",
        "name": "Waschmittel Meeresbrise",
        "slug": "waschmittel-meeresbrise",
        "status": "draft",
        "gtin": "9520001000133",
        "completeness": 55,
        "registry_status": "none",
        "unique_product_identifier": "urn:dpp:nordlicht:waschmittel-meeresbrise",
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
    "name": "Merinopullover Fjord",
    "slug": "merinopullover-fjord",
    "status": "active",
    "gtin": "9520001000010",
    "completeness": 100,
    "registry_status": "registered",
    "unique_product_identifier": "urn:dpp:nordlicht:merinopullover-fjord",
    "created_at": "2026-10-05T08:00:00.000Z",
    "updated_at": "2026-10-12T14:31:07.201Z"
  } satisfies ProductListItem as ProductListItem,
  product: {
    "id": "019b0a3c-5e10-7b20-9d21-aa0f5d1e0b01",
    "name": "Merinopullover Fjord",
    "slug": "merinopullover-fjord",
    "status": "active",
    "gtin": "9520001000010",
    "completeness": 100,
    "registry_status": "registered",
    "unique_product_identifier": "urn:dpp:nordlicht:merinopullover-fjord",
    "created_at": "2026-10-05T08:00:00.000Z",
    "updated_at": "2026-10-12T14:31:07.201Z",
    "product_group": "textile",
    "model": "Fjord 2026 navy",
    "registry_id": "EU-DPP-DEMO-000001"
  } satisfies Product as Product,
  newProduct: {
    "name": "USB-C-Kabel 240 W 2 m",
    "slug": "usb-c-kabel-240-w-2-m",
    "product_group": "cable",
    "gtin": "9520001000072",
    "model": "UC240-2"
  } satisfies CreateProduct as CreateProduct,
  passport: {
    "product": {
      "id": "019b0a3c-5e20-7b20-9d21-aa0f5d1e0b04",
      "name": "USB-C-Kabel 240 W 2 m",
      "slug": "usb-c-kabel-240-w-2-m",
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
        "locale": "de",
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
        "locale": "de",
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
        "locale": "de",
        "updated_at": "2026-11-20T09:32:00.000Z"
      }
    ],
    "latest_version": {
      "content_hash": "7f1b5824f8eb596612c15fc1adcc2e972a457d54c87a250dc408972eb27aaa62",
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
    "locale": "de",
    "updated_at": "2026-11-20T09:32:00.000Z"
  } satisfies PassportValue as PassportValue,
  version: {
    "content_hash": "7f1b5824f8eb596612c15fc1adcc2e972a457d54c87a250dc408972eb27aaa62",
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
        "gs1_digital_link": "https://passport.example.com/01/09520001000010",
        "nfc_tag_uid": null,
        "status": "active",
        "created_at": "2026-10-05T08:05:00.000Z"
      },
      {
        "id": "019b0a3c-5e31-7c30-8e31-bb0f5d1e0c02",
        "type": "nfc",
        "gs1_digital_link": "https://passport.example.com/01/09520001000010",
        "nfc_tag_uid": "04A224B1C36F80",
        "status": "active",
        "created_at": "2026-10-05T08:06:00.000Z"
      }
    ]
  } satisfies CarrierList as CarrierList,
  carrier: {
    "id": "019b0a3c-5e30-7c30-8e31-bb0f5d1e0c01",
    "type": "qr",
    "gs1_digital_link": "https://passport.example.com/01/09520001000010",
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
        "slug": "merinopullover-fjord",
        "name": "Merinopullover Fjord",
        "count": 5
      },
      {
        "slug": "thermobecher-kaje",
        "name": "Thermobecher Kaje",
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
    "@id": "https://passport.example.com/01/09520001000072",
    "identifier": "urn:dpp:nordlicht:usb-c-kabel-240-w-2-m",
    "name": "USB-C-Kabel 240 W 2 m",
    "gtin14": "09520001000072",
    "gs1:gtin": "09520001000072",
    "gs1:productName": {
      "@value": "USB-C-Kabel 240 W 2 m",
      "@language": "de"
    },
    "category": "cable",
    "url": "https://passport.example.com/p/nordlicht/usb-c-kabel-240-w-2-m",
    "hasGS1DigitalLink": "https://passport.example.com/01/09520001000072",
    "gs1:dpp": "https://passport.example.com/p/nordlicht/usb-c-kabel-240-w-2-m/jsonld",
    "hasDigitalProductPassport": {
      "@type": "DigitalProductPassport",
      "@id": "https://passport.example.com/p/nordlicht/usb-c-kabel-240-w-2-m/jsonld",
      "identifier": {
        "@type": "PropertyValue",
        "propertyID": "sha-256",
        "name": "content_hash",
        "value": "7f1b5824f8eb596612c15fc1adcc2e972a457d54c87a250dc408972eb27aaa62"
      },
      "version": 2,
      "dateModified": "2026-11-20T09:32:00.000Z",
      "inLanguage": "de",
      "issuedBy": {
        "@type": "Organization",
        "name": "Nordlicht Demo GmbH"
      },
      "dpp:viewRole": "consumer",
      "dpp:templateVersion": 1,
      "dpp:completeness": 33,
      "dpp:publicContentHash": "78f8caabf16cdd21babfefe9923e5cd21fd6094da870ebfa33a18fc67ac39892"
    },
    "additionalProperty": [
      {
        "@type": "PropertyValue",
        "propertyID": "cable_length",
        "name": "Kabellänge",
        "value": 2,
        "unitText": "m",
        "unitCode": "MTR",
        "dpp:accessLevel": "public",
        "dpp:locale": "de"
      },
      {
        "@type": "PropertyValue",
        "propertyID": "halogen_free",
        "name": "Halogenfrei",
        "description": "unknown",
        "dpp:accessLevel": "public",
        "dpp:locale": "de",
        "dpp:isUnknown": true
      }
    ]
  } satisfies PassportDocument as PassportDocument,
};

/** The values of fields that are not set: null if the contract allows it, and otherwise the default. */
export const defaults = {
  listItem: {
    "gtin": null
  },
  product: {
    "gtin": null,
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

/** The fields of a request: the JSON types and the values that the contract allows. */
export const inputs = {
  newProduct: {
    "name": {
      "isRequired": true,
      "types": [
        "string"
      ],
      "values": []
    },
    "slug": {
      "isRequired": false,
      "types": [
        "string",
        "null"
      ],
      "values": []
    },
    "product_group": {
      "isRequired": false,
      "types": [
        "string",
        "null"
      ],
      "values": []
    },
    "gtin": {
      "isRequired": false,
      "types": [
        "string",
        "null"
      ],
      "values": []
    },
    "model": {
      "isRequired": false,
      "types": [
        "string",
        "null"
      ],
      "values": []
    }
  },
  newValue: {
    "field_key": {
      "isRequired": true,
      "types": [
        "string"
      ],
      "values": []
    },
    "value": {
      "isRequired": true,
      "types": [],
      "values": []
    },
    "unit": {
      "isRequired": false,
      "types": [
        "string",
        "null"
      ],
      "values": []
    },
    "source": {
      "isRequired": false,
      "types": [
        "string"
      ],
      "values": [
        "manual",
        "import",
        "supplier"
      ]
    },
    "access_level": {
      "isRequired": false,
      "types": [
        "string"
      ],
      "values": [
        "public",
        "restricted",
        "authority"
      ]
    },
    "is_unknown": {
      "isRequired": false,
      "types": [
        "boolean"
      ],
      "values": []
    },
    "needs_review": {
      "isRequired": false,
      "types": [
        "boolean"
      ],
      "values": []
    }
  },
};

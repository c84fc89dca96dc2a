// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tenant of the key
         * @description Returns the tenant that the key belongs to, and how many products it has. Meant as a connection test.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page of products
         * @description Lists the tenant's products, oldest first. While products are added between two pages, no product that was
         *     there when paging began is left out; one may come twice. An `offset` past the end is an empty page with the
         *     true `total`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product
         * @description Creates a product as a draft and assigns its `unique_product_identifier`, which never changes. Without a
         *     `slug` one is made from the name. A slug that is taken, given or made, gets a free suffix such as `-2` or
         *     `-3`, not always the smallest: read the answer's `slug`. The answer is the same body as `getProduct` gives
         *     afterwards.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * One product
         * @description Returns the full master data of the product.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{slug}/passport": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * The passport of a product
         * @description Returns all values of the passport, whatever their `access_level`, ordered by `field_key` and `locale` (in
         *     UTF-16 code units), with the latest version.
         */
        get: operations["getPassport"];
        /**
         * Write values of a passport
         * @description Updates the fields that exist and creates the others; fields that are not named stay as they are. All or
         *     nothing: one invalid element, and nothing is stored. A change makes one new version; writing what is there
         *     already makes none. Possible in every status of the product.
         *
         *     A passport has at most 5,000 values, and their RFC 8785 (JCS) form, the array that `content_hash` covers, has
         *     at most 2 MiB (2,097,152 bytes of UTF-8). A write beyond either gives `invalid_request`, and nothing is stored.
         *     A passport that was larger before this limit existed stays readable, and accepts writes that make it smaller.
         *
         *     On a field that exists, an absent `access_level` or `unit` keeps the stored one, so that an update never
         *     publishes by omission; absent `source`, `is_unknown` and `needs_review` take their defaults. The same
         *     `field_key` twice: the last one wins and counts once, and keeps the `access_level` and `unit` of the one
         *     before it where it has none. `locale` and `updated_at` are ignored, so that what was read can be written back.
         */
        put: operations["putPassport"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/{slug}/carriers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * The data carriers of a product
         * @description Lists the product's data carriers, oldest first. A product without a GTIN has none.
         */
        get: operations["listCarriers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analytics/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scans of the public pages
         * @description Counts the scans of the tenant's passport pages in the last `days` days (in UTC, today included). A scan is
         *     one view of the HTML page; `getPassportPage` says which count, and when one is lost. No personal data is
         *     collected: a client address is kept only as a salted hash.
         */
        get: operations["getScanStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/p/{tenant}/{product}": {
        parameters: {
            query?: {
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug.
                 * @example nordlicht
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug.
                 * @example usb-c-kabel-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        /**
         * The passport page for people
         * @description Serves the passport of an activated product as a page. Without an access token only public values are on
         *     it. A draft, an archived and an unknown product give the same 404, in the same time. Nothing but `zugang`
         *     changes what may be seen. Version, modification date and completeness change with hidden values too. Of
         *     these values no key, label, value or number is sent.
         *
         *     A GET that is answered 200 is one scan, in the role of the view that was shown: that of the access token, and
         *     `consumer` without a valid one. It is stored before the page is sent. If it cannot be stored within a second
         *     (the disk is full, the database read-only or busy), the page is sent all the same, and the scan is lost: no
         *     statistics count it. No scan is: a HEAD, an answer of any other status (304 and 404 too), the passport for
         *     machines, the resolver, and a page that a browser fetches ahead, whether or not it is shown later. The latter
         *     is known by `prefetch` in one of the request's headers `Sec-Purpose`, `Purpose` and `X-Moz`.
         *
         *     The page is in English or German: by `lang`, else by `Accept-Language`, else English. Where `Accept` prefers
         *     `application/ld+json` to `text/html`, the passport for machines is answered as at `/jsonld`; that is no scan.
         *     The page holds that document too, as a data block. A client that has the answer already (`If-None-Match`)
         *     gets 304, but for a request with a `zugang`.
         *
         *     The page shows at most 10,000 characters and 500 rows of a value, and 500,000 characters and 20,000 rows of all
         *     values. An item of a list, a row of a table and a member of an object is a row. Where it shortens a value, it
         *     links to the passport for machines, which has all of it, and has no data block.
         */
        get: operations["getPassportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/p/{tenant}/{product}/jsonld": {
        parameters: {
            query?: {
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug.
                 * @example nordlicht
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug.
                 * @example usb-c-kabel-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        /**
         * The passport for machines
         * @description Serves the passport of an activated product as JSON-LD in the vocabularies of schema.org and GS1, with the
         *     content hash of its latest version. The same values as on the page, under the same rules, and never shortened.
         */
        get: operations["getPassportJsonld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
            };
            cookie?: never;
        };
        /**
         * GS1 Digital Link resolver
         * @description Redirects from the GTIN of an activated product to its passport: to the page, or to the link that `linkType` or
         *     `Accept` asks for. The target is of this site. The query is passed on as it was sent, `zugang` too, `linkType`
         *     not. If several active products share a GTIN, it leads to the one whose first activation is the oldest: to
         *     archive a product and to activate it again changes nothing. An unknown GTIN, and one whose products are all
         *     drafts or archived, give the same 404. GS1 Digital Link compatible.
         *
         *     Without a `linkType`, an `Accept` that prefers `application/linkset+json` gets the linkset, one that prefers
         *     `application/ld+json` is redirected to the passport for machines, and any other to the page.
         *
         *     The path may go on with GS1's key qualifiers: 22 (consumer product variant), 10 (batch or lot) and 21 (serial
         *     number), each at most once and in this order, or 235 (third-party controlled extension) alone. Each such path
         *     is an operation below. Passports are of a product, so an unknown batch or serial number leads to the passport of
         *     its GTIN. A value is percent-encoded in the path: `SN%2F001` is one serial number. Everything else below `/01/`
         *     is 400 `invalid_request`.
         */
        get: operations["resolveGtin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/22/{cpv}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a variant */
        get: operations["resolveGtinCpv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/10/{batch}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a batch */
        get: operations["resolveGtinBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/21/{serial}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a serial number */
        get: operations["resolveGtinSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/22/{cpv}/10/{batch}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a variant and a batch */
        get: operations["resolveGtinCpvBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/22/{cpv}/21/{serial}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a variant and a serial number */
        get: operations["resolveGtinCpvSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/10/{batch}/21/{serial}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a batch and a serial number */
        get: operations["resolveGtinBatchSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/22/{cpv}/10/{batch}/21/{serial}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a variant, a batch and a serial number */
        get: operations["resolveGtinCpvBatchSerial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/01/{gtin}/235/{tpx}": {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235).
                 * @example TPX-7
                 */
                tpx: components["parameters"]["Tpx"];
            };
            cookie?: never;
        };
        /** GS1 Digital Link resolver, with a third-party extension */
        get: operations["resolveGtinTpx"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/gs1resolver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the resolver can do
         * @description The resolver's description file, as GS1's standard for resolvers has it.
         */
        get: operations["getResolverDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The tenant of the key, and how many products it has. */
        Me: {
            /** @description A business that owns products. */
            tenant: components["schemas"]["Tenant"];
            /** @description How many products the tenant has, of every status. */
            products_total: number;
        };
        /** @description A business that owns products. */
        Tenant: {
            /** @description An opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description The name of the business. */
            name: string;
            /** @description URL-safe key of the tenant, also in public paths. Unique, never changed. */
            slug: string;
            /** @description Two letters, ISO 3166-1 alpha-2. */
            country: string;
            /** @description The name of the plan. */
            plan: "starter" | "business" | "enterprise" | (string & {});
        };
        /**
         * Format: uuid
         * @description An opaque identifier.
         */
        Id: string;
        /**
         * Format: date-time
         * @description RFC 3339 in UTC, in milliseconds, with `Z`.
         */
        Timestamp: string;
        /** @description Groups of `a` to `z` and digits, joined by single hyphens; at most 100 characters. */
        PathSlug: string;
        /**
         * @description `draft` is new and not public, `active` is served to the public, `archived` is not served any more.
         *     Moves: draft to active or archived, active to archived, archived to active; never back to draft. No
         *     operation of this API moves it.
         * @enum {string}
         */
        ProductStatus: "draft" | "active" | "archived";
        /**
         * @description How much of the passport is answered, in percent, rounded down: the required fields of the template that
         *     are answered, of all that are required. Answered: a value is there, is not marked unknown, and is not null,
         *     blank text or `{}`; `[]` counts as "checked, none".
         */
        Completeness: number;
        /** @description A product as it stands in lists. */
        ProductListItem: {
            /** @description An opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description The product's name. */
            name: string;
            /** @description URL slug, unique within the tenant. */
            slug: string;
            /**
             * @description `draft` is new and not public, `active` is served to the public, `archived` is not served any more.
             *     Moves: draft to active or archived, active to archived, archived to active; never back to draft. No
             *     operation of this API moves it.
             */
            status: components["schemas"]["ProductStatus"];
            /** @description The GTIN of 8, 12, 13 or 14 digits, as it was given. */
            gtin: string | null;
            /**
             * @description How much of the passport is answered, in percent, rounded down: the required fields of the template that
             *     are answered, of all that are required. Answered: a value is there, is not marked unknown, and is not null,
             *     blank text or `{}`; `[]` counts as "checked, none".
             */
            completeness: components["schemas"]["Completeness"];
            /** @description Where the product stands with the registry. */
            registry_status: "none" | "ready" | "submitted" | "registered" | "rejected" | "deactivated" | (string & {});
            /** @description `urn:<namespace>:<tenant slug>:<product slug>`, made once and never changed. */
            unique_product_identifier: string;
            /** @description RFC 3339 in UTC, in milliseconds, with `Z`. */
            created_at: components["schemas"]["Timestamp"];
            /** @description When the status, a value or the registry status last changed. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The full master data of a product. */
        Product: components["schemas"]["ProductListItem"] & {
            /** @description Key of the product's template. `null` is none; then the template `other` applies. */
            product_group: components["schemas"]["ProductGroup"] | null;
            /** @description Model or variant. */
            model: string | null;
            /** @description The registry's identifier, once the product is registered. */
            registry_id: string | null;
        };
        /** @description Key of a template. `textile` to `other` are in every service; the catalogue may be larger. */
        ProductGroup: "textile" | "battery" | "smartphone" | "computer" | "cable" | "motor" | "tyre" | "packaging" | "chemical" | "other" | "footwear" | "furniture" | "mattress" | "steel" | "aluminium" | "detergent" | "toy" | "construction" | "tablet" | "display" | "washing_machine" | "refrigerator" | "dishwasher" | "lighting" | "charger" | "server" | "paint" | "lubricant" | "jewellery" | "cosmetic" | "vehicle_part" | (string & {});
        /** @description One page of products. */
        ProductList: {
            /** @description The products of this page, oldest first. */
            items: components["schemas"]["ProductListItem"][];
            /** @description How many products match the filter, on all pages. */
            total: number;
            /** @description The page size used. */
            limit: number;
            /** @description The offset used. */
            offset: number;
        };
        /** @description A new product. */
        CreateProduct: {
            /** @description The product's name, 1 to 500 characters. */
            name: string;
            /**
             * @description The product's slug. Absent: made from the name. Taken: a suffix is appended. Groups of `a` to `z` and
             *     digits, joined by single hyphens.
             */
            slug?: (string | null) | undefined;
            /** @description Key of the template that the passport follows. */
            product_group?: (components["schemas"]["ProductGroup"] | null) | undefined;
            /** @description A GTIN of 8, 12, 13 or 14 digits. Kept as it is given. The check digit is not verified here. */
            gtin?: (string | null) | undefined;
            /** @description Model or variant. */
            model?: (string | null) | undefined;
        };
        /** @description One value of a passport. */
        PassportValue: {
            /** @description Key of a template field. Keys that the template does not have are kept and do not count. */
            field_key: string;
            /** @description Any JSON value, as it was written. */
            value: unknown;
            /** @description Unit of the value. */
            unit: string | null;
            /** @description Where a value came from. */
            source: components["schemas"]["ValueSource"];
            /**
             * @description Who sees the value on the public side: everybody, recyclers and inspectors (`restricted`), or inspectors
             *     alone (`authority`).
             */
            access_level: components["schemas"]["AccessLevel"];
            /** @description The value is not known. */
            is_unknown: boolean;
            /** @description Somebody should look at the value. */
            needs_review: boolean;
            /** @description Language of the value, as a language code. */
            locale: string;
            /** @description RFC 3339 in UTC, in milliseconds, with `Z`. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Where a value came from.
         * @enum {string}
         */
        ValueSource: "manual" | "import" | "supplier";
        /**
         * @description Who sees the value on the public side: everybody, recyclers and inspectors (`restricted`), or inspectors
         *     alone (`authority`).
         * @enum {string}
         */
        AccessLevel: "public" | "restricted" | "authority";
        /** @description The values to write. */
        PassportValueInputs: components["schemas"]["PassportValueInput"][];
        /** @description A value to write. */
        PassportValueInput: {
            /** @description Key of a template field, 1 to 100 characters. */
            field_key: string;
            /**
             * @description Any JSON value, `null` too; text is recommended. At most 32 levels of arrays and objects, and at most
             *     10,000 nodes: every array, object and scalar is one.
             */
            value: unknown;
            /** @description Unit of the value. `null` is none. Absent keeps the stored one. */
            unit?: (string | null) | undefined;
            /**
             * @description Where the value came from. Absent is `import`.
             * @default import
             */
            source?: components["schemas"]["ValueSource"] | undefined;
            /** @description Who sees the value. Absent is `public` for a new field and keeps the stored one for another. */
            access_level?: components["schemas"]["AccessLevel"] | undefined;
            /**
             * @description The value is not known.
             * @default false
             */
            is_unknown?: boolean | undefined;
            /**
             * @description Somebody should look at the value.
             * @default false
             */
            needs_review?: boolean | undefined;
        };
        /** @description A version of the passport's values. */
        PassportVersion: {
            /**
             * @description Proof of integrity: lower-case hexadecimal SHA-256 of the RFC 8785 (JCS) form of
             *     `{"salt", "template_version", "values"}`, each value with the members `access_level`, `field_key`,
             *     `is_unknown`, `locale`, `needs_review`, `source`, `unit` (`null` where there is none) and `value`, in the
             *     order of `getPassport`. The hash is public and covers values that are not; the salt keeps them from being
             *     guessed. Each version has a salt of its own, so the same values have another hash in another version.
             */
            content_hash: string;
            /**
             * @description The random salt that `content_hash` covers: 128 bits as 32 lower-case hexadecimal digits, new with each
             *     version. Keep it to yourself: whoever has it can guess hidden values. Of the public responses only an
             *     inspector's document carries it, as `dpp:contentSalt`. `null` if the version was made before hashes had a
             *     salt: the hash of such a version covers `{"template_version", "values"}`, and no public response shows it.
             */
            salt: string | null;
            /** @description RFC 3339 in UTC, in milliseconds, with `Z`. */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description A product's passport, for its owner. */
        Passport: {
            /** @description The product that the passport belongs to. */
            product: {
                /** @description An opaque identifier. */
                id: components["schemas"]["Id"];
                /** @description The product's name. */
                name: string;
                /** @description The product's slug. */
                slug: string;
                /**
                 * @description `draft` is new and not public, `active` is served to the public, `archived` is not served any more.
                 *     Moves: draft to active or archived, active to archived, archived to active; never back to draft. No
                 *     operation of this API moves it.
                 */
                status: components["schemas"]["ProductStatus"];
                /**
                 * @description How much of the passport is answered, in percent, rounded down: the required fields of the template that
                 *     are answered, of all that are required. Answered: a value is there, is not marked unknown, and is not null,
                 *     blank text or `{}`; `[]` counts as "checked, none".
                 */
                completeness: components["schemas"]["Completeness"];
            };
            /**
             * @description Version of the template that the latest version of the passport was written under. A newer template shows
             *     from the next write that changes a value.
             */
            template_version: number;
            /** @description All values, of every access level, by `field_key` and `locale`. */
            values: components["schemas"]["PassportValue"][];
            /** @description A version of the passport's values. */
            latest_version: components["schemas"]["PassportVersion"];
        };
        /** @description What a write did. */
        PassportWriteResult: {
            /** @description How many fields the request named, each once. */
            updated: number;
            /**
             * @description How much of the passport is answered, in percent, rounded down: the required fields of the template that
             *     are answered, of all that are required. Answered: a value is there, is not marked unknown, and is not null,
             *     blank text or `{}`; `[]` counts as "checked, none".
             */
            completeness: components["schemas"]["Completeness"];
        };
        /** @description A data carrier, which leads from the thing to its passport. */
        Carrier: {
            /** @description An opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description What kind of carrier it is. */
            type: "qr" | "datamatrix" | "nfc" | "rfid" | "other" | (string & {});
            /**
             * Format: uri
             * @description The link that the carrier holds. It ends in `/01/` and the GTIN, in its 14-digit form.
             */
            gs1_digital_link: string;
            /** @description UID of the tag, in hexadecimal, where the carrier has one. */
            nfc_tag_uid: string | null;
            /** @description `active`, then `deprecated`, then `withdrawn`. Without effect on the resolver. */
            status: "active" | "deprecated" | "withdrawn" | (string & {});
            /** @description RFC 3339 in UTC, in milliseconds, with `Z`. */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description The data carriers of a product. */
        CarrierList: {
            /** @description The carriers, oldest first. */
            items: components["schemas"]["Carrier"][];
        };
        /** @description Scans in a period. */
        ScanStatistics: {
            /** @description The period used, in days. */
            days: number;
            /** @description All scans in the period. */
            total: number;
            /** @description Every day of the period in UTC, oldest first, today last; days without a scan too. */
            per_day: {
                /**
                 * Format: date
                 * @description The day in UTC.
                 */
                date: string;
                /** @description Scans of that day. */
                count: number;
            }[];
            /** @description Scans by the role of the viewer. All three are always there. */
            by_view_role: {
                /** @description Views without a valid access token. */
                consumer: number;
                /** @description Views with an inspector's token. */
                inspector: number;
                /** @description Views with a recycler's token. */
                recycler: number;
            };
            /** @description At most ten products, the most scanned first, then by slug. None without a scan. */
            top_products: {
                /** @description The product's slug. */
                slug: string;
                /** @description The product's name. */
                name: string;
                /** @description Its scans in the period. */
                count: number;
            }[];
        };
        /** @description 1 to 20 characters of GS1's character set 82, percent-encoded. */
        KeyQualifier: string;
        /** @description 1 to 28 characters of GS1's character set 82, percent-encoded. */
        LongKeyQualifier: string;
        /** @description The links of one product. */
        Linkset: {
            /** @description The product, under its GTIN. */
            linkset: {
                /**
                 * Format: uri
                 * @description The product's Digital Link, with its GTIN in 14 digits and without qualifiers.
                 */
                anchor: string;
                /** @description The product's name. */
                itemDescription: string;
                /** @description Where the resolver leads by itself. One link, the same as `pip`. */
                "https://ref.gs1.org/voc/defaultLink": {
                    /**
                     * Format: uri
                     * @description The passport page.
                     */
                    href: string;
                    /** @description For people. */
                    title: string;
                }[];
                /** @description Product information for people. */
                "https://ref.gs1.org/voc/pip": {
                    /**
                     * Format: uri
                     * @description The passport page.
                     */
                    href: string;
                    /** @description For people. */
                    title: string;
                    /**
                     * @description Its media type.
                     * @constant
                     */
                    type: "text/html";
                }[];
                /** @description The digital product passport for machines. */
                "https://ref.gs1.org/voc/dpp": {
                    /**
                     * Format: uri
                     * @description The passport as JSON-LD.
                     */
                    href: string;
                    /** @description For people. */
                    title: string;
                    /**
                     * @description Its media type.
                     * @constant
                     */
                    type: "application/ld+json";
                }[];
            }[];
        };
        /** @description What the resolver can do, in the terms of GS1's description file. */
        ResolverDescription: {
            /** @description The service's name. */
            name: string;
            /**
             * Format: uri
             * @description What a Digital Link of this resolver begins with.
             */
            resolverRoot: string;
            /** @description GS1's primary keys that are resolved. 01 is the GTIN. */
            supportedPrimaryKeys: "01"[];
            /** @description The vocabularies of the link types. */
            supportedLinkType: {
                /**
                 * @description The vocabulary.
                 * @constant
                 */
                namespace: "https://ref.gs1.org/voc/";
                /**
                 * @description How it is written for short.
                 * @constant
                 */
                prefix: "gs1:";
            }[];
            /**
             * @description Whether the resolver may lead to the linkset by itself.
             * @constant
             */
            linkTypeDefaultCanBeLinkset: false;
        };
        /** @description An HTML document. */
        HtmlDocument: string;
        /**
         * @description A passport in the vocabularies of schema.org and GS1. Of a value that the viewer's role may not see nothing is
         *     in it. With `dpp:publicContentHash` anyone can check the public values from this document alone.
         */
        PassportDocument: {
            /** @description schema.org, then the terms of GS1 and of the passport itself. */
            "@context": ("https://schema.org/" | {
                /**
                 * @description The GS1 Web Vocabulary.
                 * @constant
                 */
                gs1: "https://ref.gs1.org/voc/";
                /**
                 * Format: uri
                 * @description The passport's own terms.
                 */
                dpp: string;
                /** @description Its value is an address. */
                "gs1:dpp": {
                    /**
                     * @description An address.
                     * @constant
                     */
                    "@type": "@id";
                };
            })[];
            /** @description What it describes. */
            "@type": ("Product" | "gs1:Product")[];
            /**
             * Format: uri
             * @description The product's Digital Link, or its URN where it has no GTIN.
             */
            "@id": string;
            /** @description The product's URN. */
            identifier: string;
            /** @description The product's name. */
            name: string;
            /** @description The GTIN in its 14-digit form, where there is one. */
            gtin14?: string | undefined;
            /** @description The same in GS1's vocabulary. */
            "gs1:gtin"?: string | undefined;
            /** @description The product's name with its language. */
            "gs1:productName": {
                /** @description The name. */
                "@value": string;
                /** @description The language. */
                "@language": string;
            };
            /** @description Model or variant, where there is one. */
            model?: string | undefined;
            /** @description Key of the product's template, where there is one. */
            category?: string | undefined;
            /** @description The maker, where the passport names one. */
            manufacturer?: components["schemas"]["OrganizationNode"] | undefined;
            /** @description The importer, where the passport names one. */
            importer?: components["schemas"]["OrganizationNode"] | undefined;
            /** @description The country of manufacture, where the passport names one. */
            countryOfOrigin?: {
                /**
                 * @description What it describes.
                 * @constant
                 */
                "@type": "Country";
                /** @description Two letters, ISO 3166-1 alpha-2. */
                identifier: string;
            } | undefined;
            /** @description Recycled content in percent, where the passport has it. */
            recycledContentPercentage?: number | undefined;
            /** @description Names of substances of concern, where there are some that the viewer may see. */
            substanceOfConcern?: string[] | undefined;
            /**
             * Format: uri
             * @description The passport page.
             */
            url: string;
            /**
             * Format: uri
             * @description The Digital Link, where there is a GTIN.
             */
            hasGS1DigitalLink?: string | undefined;
            /**
             * Format: uri
             * @description Address of this document, without a token.
             */
            "gs1:dpp": string;
            /** @description The passport itself. */
            hasDigitalProductPassport: {
                /**
                 * @description What it describes.
                 * @constant
                 */
                "@type": "DigitalProductPassport";
                /**
                 * Format: uri
                 * @description Address of this document, without a token.
                 */
                "@id": string;
                /**
                 * @description The content hash of the latest version, over a random salt and the values of every access level. It
                 *     cannot be recomputed without the salt, which the passport's owner and inspectors have.
                 */
                identifier: {
                    /**
                     * @description What it describes.
                     * @constant
                     */
                    "@type": "PropertyValue";
                    /**
                     * @description The hash function.
                     * @constant
                     */
                    propertyID: "sha-256";
                    /**
                     * @description The name of the hash.
                     * @constant
                     */
                    name: "content_hash";
                    /** @description The content hash. */
                    value: string;
                };
                /** @description The number of the latest version, counted from 1. */
                version: number;
                /** @description When the latest version was made. */
                dateModified: components["schemas"]["Timestamp"];
                /** @description Language of the values. */
                inLanguage: string;
                /** @description The business that keeps the passport. */
                issuedBy: components["schemas"]["OrganizationNode"];
                /**
                 * @description In which role the document was read.
                 * @enum {unknown}
                 */
                "dpp:viewRole": "consumer" | "recycler" | "inspector";
                /**
                 * @description There where a `zugang` was given that opens nothing here.
                 * @constant
                 */
                "dpp:notice"?: "The access link is not valid. This is the public view." | undefined;
                /** @description Version of the template that the latest version was written under. */
                "dpp:templateVersion": number;
                /** @description How much of the passport is answered, in percent. */
                "dpp:completeness": components["schemas"]["Completeness"];
                /**
                 * @description The salt that the content hash covers, 32 lower-case hexadecimal digits. Only in the document of an
                 *     inspector, who sees every value.
                 */
                "dpp:contentSalt"?: string | undefined;
                /**
                 * @description Lower-case hexadecimal SHA-256 of the RFC 8785 (JCS) form of the array of the public values, each with
                 *     the members `field_key`, `is_unknown`, `locale`, `unit` and `value`, by `field_key` and `locale`. They
                 *     stand in `additionalProperty`, those whose `dpp:accessLevel` is `public`: `propertyID`,
                 *     `dpp:isUnknown`, `dpp:locale`, `unitText`, `value`; what is absent is `null`, an absent
                 *     `dpp:isUnknown` is `false`, and a JSON literal is its `@value`.
                 */
                "dpp:publicContentHash": string;
            };
            /** @description The values that the viewer may see, by `field_key`. */
            additionalProperty: {
                /**
                 * @description What it describes.
                 * @constant
                 */
                "@type": "PropertyValue";
                /** @description The `field_key`. */
                propertyID: string;
                /** @description The template's label in the language of the value, or the `field_key`. */
                name: string;
                /** @description Text, number or truth value as such; a list or an object as a JSON literal (`@json`). Absent where unknown or `null`. */
                value?: unknown | undefined;
                /** @description The unit, where there is one. */
                unitText?: string | undefined;
                /** @description The unit's code by UN/CEFACT Recommendation 20, where it is sure. */
                unitCode?: string | undefined;
                /**
                 * @description `unknown` where the value is marked so.
                 * @constant
                 */
                description?: "unknown" | undefined;
                /** @description Who may see the value. */
                "dpp:accessLevel": components["schemas"]["AccessLevel"];
                /** @description Language of the value. */
                "dpp:locale": string;
                /**
                 * @description There where the value is marked unknown.
                 * @constant
                 */
                "dpp:isUnknown"?: true | undefined;
            }[];
        };
        /** @description A business in JSON-LD. */
        OrganizationNode: {
            /**
             * @description What it describes.
             * @constant
             */
            "@type": "Organization";
            /** @description Its name. */
            name: string;
        };
        /** @description For people. It names the place and what to do; it never echoes the input. */
        ErrorMessage: string;
        /** @description The key is missing, unknown or revoked. */
        InvalidApiKeyError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "invalid_api_key";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description There is no such resource in the tenant, or no such path. */
        NotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "not_found";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description The request breaks the contract, and no other code fits. */
        InvalidRequestError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "invalid_request";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description What `createProduct` refuses, in the order of its checks. */
        CreateProductError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @enum {string}
                 */
                code: "invalid_json" | "name_required" | "unknown_product_group" | "invalid_gtin" | "invalid_request";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /**
         * @description What `putPassport` refuses, in the order of its checks. Too many elements are `invalid_request` before any
         *     element is looked at.
         */
        PutPassportError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @enum {string}
                 */
                code: "invalid_json" | "values_must_be_array" | "field_key_required" | "invalid_request";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description What the resolver refuses. */
        ResolveGtinError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @enum {string}
                 */
                code: "invalid_gtin" | "invalid_request";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description The body has more than 1 MiB. */
        PayloadTooLargeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "payload_too_large";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description The body is not JSON in UTF-8. */
        UnsupportedMediaTypeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "unsupported_media_type";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description Too many requests. */
        RateLimitedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "rate_limited";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description An unexpected failure; retrying is advised. */
        InternalErrorBody: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "internal_error";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
        /** @description The service is busy or stopping. */
        ServiceUnavailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description Decide by this.
                 * @constant
                 */
                code: "service_unavailable";
                /** @description For people. It names the place and what to do; it never echoes the input. */
                message: components["schemas"]["ErrorMessage"];
            };
        };
    };
    responses: {
        /** @description The key is missing, unknown or revoked. */
        InvalidApiKey: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Bearer"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidApiKeyError"];
            };
        };
        /** @description The tenant has no such product. */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description A query parameter breaks the contract. */
        InvalidQuery: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestError"];
            };
        };
        /** @description The body has more than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** @description The body is of another type than `application/json` in UTF-8, or encoded. */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description Too many requests with this key. Off unless the operator sets a limit. */
        RateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description An unexpected failure. Try again. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorBody"];
            };
        };
        /** @description The service is busy or stopping. Try again as `Retry-After` says. */
        ServiceUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description No activated passport is here. */
        PublicNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description An unexpected failure. Try again. */
        PublicInternalError: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalErrorBody"];
            };
        };
        /** @description The service is busy or stopping. Try again as `Retry-After` says. */
        PublicUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description The client has this answer already. */
        NotModified: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description No activated passport is here, as a page. The same for a draft, an archived and an unknown product. */
        PageNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Vary: components["headers"]["VaryPage"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["HtmlDocument"];
            };
        };
        /** @description An unexpected failure, as a page. */
        PageFailed: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Vary: components["headers"]["VaryPage"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["HtmlDocument"];
            };
        };
        /** @description The service is busy or stopping, as a page. */
        PageUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Vary: components["headers"]["VaryPage"];
                "Content-Language": components["headers"]["ContentLanguage"];
                "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "text/html": components["schemas"]["HtmlDocument"];
            };
        };
        /** @description No product with this GTIN is activated, or it has no link of this type. */
        LinkNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Link: components["headers"]["LinksetLinkOfFound"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description The path is no GTIN of 8, 12, 13 or 14 digits, or no Digital Link path at all. */
        NoDigitalLink: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ResolveGtinError"];
            };
        };
        /** @description All links of the product (RFC 9264), for those who asked for them. */
        Linkset: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Link: components["headers"]["LinksetLink"];
                [name: string]: unknown;
            };
            content: {
                "application/linkset+json": components["schemas"]["Linkset"];
            };
        };
        /** @description The passport is elsewhere. The reference server answers 307, or 302 where it is configured so. */
        Redirect: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Location: components["headers"]["Location"];
                Link: components["headers"]["LinksetLink"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /**
         * @description The product's slug. One of another form or case is simply not found.
         * @example usb-c-kabel-240-w-2-m
         */
        Slug: components["schemas"]["PathSlug"];
        /**
         * @description The tenant's slug.
         * @example nordlicht
         */
        TenantSlug: components["schemas"]["PathSlug"];
        /**
         * @description The product's slug.
         * @example usb-c-kabel-240-w-2-m
         */
        ProductSlug: components["schemas"]["PathSlug"];
        /**
         * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
         * @example 09520001000072
         */
        Gtin: string;
        /**
         * @description Consumer product variant (GS1 key qualifier 22).
         * @example 2A
         */
        Cpv: components["schemas"]["KeyQualifier"];
        /**
         * @description Batch or lot number (GS1 key qualifier 10).
         * @example LOT-42
         */
        Batch: components["schemas"]["KeyQualifier"];
        /**
         * @description Serial number (GS1 key qualifier 21).
         * @example SN001
         */
        Serial: components["schemas"]["KeyQualifier"];
        /**
         * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235).
         * @example TPX-7
         */
        Tpx: components["schemas"]["LongKeyQualifier"];
        /**
         * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
         *
         *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
         *     - `gs1:dpp`: the passport for machines.
         *     - `linkset`: no redirect, but the list of all these links.
         *     - `all`: the same as `linkset`. Deprecated by GS1.
         *
         *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
         *     twice, is 404.
         */
        LinkType: string;
        /**
         * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
         *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
         *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
         *     which token it is. An answer to a request with this parameter is never cached.
         */
        Zugang: string;
        /** @description The language of the page, `en` or `de`. Any other value counts as none. */
        Lang: string;
    };
    requestBodies: never;
    headers: {
        /** @description Answers under `/api/v1`, and all errors, are not to be stored. */
        NoStore: "no-store";
        /** @description `no-cache`, or `private, no-store` where the request had a `zugang`. */
        PublicCache: "no-cache" | "private, no-store";
        /** @description The content type is the one that is said. */
        NoSniff: "nosniff";
        /**
         * @description The request's own `X-Request-Id` if it has 1 to 128 of `A-Z a-z 0-9 . _ -`, otherwise a new UUID. Name it to the
         *     operator when you report an error: the log of the service has it.
         */
        RequestId: string;
        /** @description What is public may be read from every site, without credentials. */
        AnyOrigin: "*";
        /** @description Sent with every page, and where the request had a `zugang`, so that the token does not travel on. */
        ReferrerPolicy: "no-referrer";
        /**
         * @description Names these bytes, for `If-None-Match`. Another content, status, language, template or role gives another one.
         *     Not sent where the request had a `zugang`.
         */
        ETag: string;
        /** @description What of the request decides on the form of the answer. */
        VaryPage: string;
        /** @description What of the request decides on the form of the answer. */
        Vary: string;
        /**
         * @description From the page to the passport for machines (`alternate`, `dpp`) and from there to the page (`alternate`). A
         *     `zugang` is not in it.
         */
        Link: string;
        /** @description The language of the page. Not sent with the passport for machines, which says its own. */
        ContentLanguage: string;
        /** @description Sent with every page. Nothing runs on it, and it loads nothing but its own stylesheet. */
        ContentSecurityPolicy: string;
        /** @description The scheme to use. */
        Bearer: "Bearer";
        /** @description How many seconds to wait before the next try. */
        RetryAfter: number;
        /** @description Where the linkset of the product is. With a linkset also where its JSON-LD context is. */
        LinksetLink: string;
        /** @description Where the linkset of the product is. Not sent where there is no product. */
        LinksetLinkOfFound: string;
        /** @description The passport page, or the passport for machines, with the query of the request. */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant of the key. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description Only products of this status.
                 * @example active
                 */
                status?: components["schemas"]["ProductStatus"] | undefined;
                /**
                 * @description Only products whose name contains this text. Upper and lower case are the same under full Unicode case
                 *     folding (`ß` is `ss`, `ς` is `σ`), composed and decomposed characters are the same; every character
                 *     stands for itself. Not trimmed. Empty is no filter; more than 1,000 characters find nothing.
                 * @example kabel
                 */
                search?: string | undefined;
                /**
                 * @description How many products a page has at most.
                 * @example 50
                 */
                limit?: number | undefined;
                /**
                 * @description How many products to leave out before the page begins.
                 * @example 0
                 */
                offset?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. `limit` and `offset` are the values used. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["InvalidApiKey"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProduct"];
            };
        };
        responses: {
            /** @description The created product. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description The body breaks a rule. The codes are checked in the order listed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateProductError"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPassport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passport. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passport"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putPassport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PassportValueInputs"];
            };
        };
        responses: {
            /** @description The values are stored. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassportWriteResult"];
                };
            };
            /** @description The body breaks a rule, and nothing is stored. The codes are checked in the order listed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutPassportError"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCarriers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. One of another form or case is simply not found.
                 * @example usb-c-kabel-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data carriers. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CarrierList"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getScanStatistics: {
        parameters: {
            query?: {
                /**
                 * @description The period in days, today included.
                 * @example 30
                 */
                days?: number | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. `days` is the value used. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanStatistics"];
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["InvalidApiKey"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPassportPage: {
        parameters: {
            query?: {
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
                /** @description The language of the page, `en` or `de`. Any other value counts as none. */
                lang?: components["parameters"]["Lang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug.
                 * @example nordlicht
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug.
                 * @example usb-c-kabel-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page; for those who prefer it, the passport for machines. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["VaryPage"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["ContentLanguage"];
                    "Content-Security-Policy": components["headers"]["ContentSecurityPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": components["schemas"]["HtmlDocument"];
                    "application/ld+json": components["schemas"]["PassportDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            404: components["responses"]["PageNotFound"];
            500: components["responses"]["PageFailed"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    getPassportJsonld: {
        parameters: {
            query?: {
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug.
                 * @example nordlicht
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug.
                 * @example usb-c-kabel-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passport. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/ld+json": components["schemas"]["PassportDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            404: components["responses"]["PublicNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtin: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpv: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinBatch: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinSerial: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvBatch: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvSerial: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinBatchSerial: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvBatchSerial: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22).
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10).
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21).
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinTpx: {
        parameters: {
            query?: {
                /**
                 * @description Which link is wanted. Upper and lower case of the parameter's name are the same.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the passport for machines.
                 *     - `linkset`: no redirect, but the list of all these links.
                 *     - `all`: the same as `linkset`. Deprecated by GS1.
                 *
                 *     A link type may be written as an IRI too, `https://ref.gs1.org/voc/dpp`. Any other, and a `linkType` given
                 *     twice, is 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token ("Zugang", German for access), which opens the extended view of its role: `recycler` sees
                 *     restricted values, `inspector` those for authorities too. An invalid, expired or revoked one gives the
                 *     public view with 200. The service stores the role, product and expiry of each token; the signature proves only
                 *     which token it is. An answer to a request with this parameter is never cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, in any of its lengths. It is looked up in its 14-digit form.
                 * @example 09520001000072
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235).
                 * @example TPX-7
                 */
                tpx: components["parameters"]["Tpx"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Linkset"];
            302: components["responses"]["Redirect"];
            307: components["responses"]["Redirect"];
            400: components["responses"]["NoDigitalLink"];
            404: components["responses"]["LinkNotFound"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    getResolverDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The description. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolverDescription"];
                };
            };
        };
    };
}

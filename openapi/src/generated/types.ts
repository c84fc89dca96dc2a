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
         * Get the tenant of the key
         * @description Returns the tenant that the API key belongs to, and the number of its products. Use it to test a connection.
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
         * List products
         * @description Lists the tenant's products, oldest first. Paging does not miss a product that existed when it began, even if
         *     products are added meanwhile, but it may list a product twice. An `offset` past the end gives an empty page with
         *     the true `total`.
         *
         *     A search finds a part of the name, in upper or lower case. Other forms of a letter are equal, too: `ß` equals
         *     `ss`, `ς` equals `σ`, `İ` equals `i`, a no-break space equals a space, and `Ａ` equals `a`. `％` is `%`, which
         *     stands for itself. The service compares both texts in NFKC, with full Unicode case folding, and without default
         *     ignorable code points, such as a soft hyphen. The text is not trimmed. A text that is empty, also after folding,
         *     does not filter. A text of more than 1,000 characters finds nothing.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product
         * @description Creates a product as a draft. The service assigns its `unique_product_identifier`, which never changes. If the
         *     request has no `slug`, the service makes one from the name. If a slug is taken, the service appends a free
         *     suffix such as `-2` or `-3`, not always the smallest one, so read the `slug` in the response. The service does
         *     not verify the check digit of a GTIN. The response has the same body as a later `getProduct`.
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * Get a product
         * @description Returns the full master data of a product.
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
    "/api/v1/products/{slug}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish or archive a product
         * @description Changes the status of a product. The API key needs the right to publish, which it gets when it is created.
         *     A product that has the status already stays as it is, so the request can be repeated.
         *
         *     The service publishes a passport that is not ready only if the request accepts it. A passport is not ready if a
         *     required field has no value, or if `putPassport` counts a value in `Passport-Findings`. Of these, a value with a
         *     more open `access_level` than the template's is published only if `open` names its field. The service keeps
         *     this confirmation. What counts as required is that of the present day, in UTC.
         *
         *     Of a tenant's active products with the same GTIN, each has its own known `serial_number`, and each active product
         *     has its own values of the fields that its template calls unique, such as `battery_passport_id`. The service compares
         *     values of every `access_level`, character by character. It refuses the second product with `value_in_use`.
         *
         *     An archived product has no public pages any more. Keep sold products active: their passports must stay readable.
         */
        post: operations["setProductStatus"];
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * Get a passport
         * @description Returns all values of a product's passport with its latest version. The values have every `access_level`. They
         *     are ordered by `field_key` and `locale`, in UTF-16 code units.
         */
        get: operations["getPassport"];
        /**
         * Update a passport
         * @description Writes values of a product's passport. Fields that exist are updated, new fields are created, and fields that
         *     the request does not name stay as they are. If one element is invalid, the service stores nothing. A write that
         *     changes something makes one new version. A write that repeats the stored values makes none. The product may have
         *     any status.
         *
         *     A passport has at most 5,000 values. The RFC 8785 (JCS) form of its values, the array that `content_hash`
         *     covers, has at most 2 MiB (2,097,152 bytes of UTF-8). A write beyond either limit gets `invalid_request`, and
         *     the service stores nothing.
         *
         *     If an element for an existing field has no `access_level` or `unit`, the field keeps the stored one, so an
         *     update never publishes a value by omission. An absent `source`, `is_unknown` or `needs_review` takes its
         *     default. If the request names a `field_key` twice, the last element wins and the field counts once. If the last
         *     element has no `access_level` or `unit`, it takes that of the element before it. The service ignores `locale`
         *     and `updated_at`, so a client can write back what it has read.
         *
         *     The service stores a value that does not fit the template of the product group. The response header
         *     `Passport-Findings` is the number of named fields whose values keep the passport from being ready. These are values
         *     of another type, unit, option or range, or with other members; values with a more open `access_level` than the
         *     template's, unless the operator confirmed it; values that cannot be by a rule of the template, such as a minimum above
         *     the maximum or the text `tbd`; and values whose key looks like a misspelt one, such as
         *     `battery_catgory`: it is close to a field of the template that has no value, and no template has it. The service
         *     also counts a value that another active product has and that `setProductStatus` refuses with `value_in_use`. It
         *     judges the values after the write, also if the write changes nothing.
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        /**
         * List a product's data carriers
         * @description Lists a product's data carriers, oldest first. A product without a GTIN has none.
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
         * Get scan statistics
         * @description Counts the scans of the tenant's passport pages in the last `days` days (in UTC, including today). A scan is one
         *     view of the HTML page. `getPassportPage` says which views count and when a scan is lost. The service collects no
         *     personal data: it stores a client address only as a salted hash. It counts no scans of detergents and toys,
         *     because the law forbids to track the use of their passports. A tenant or the operator can switch off all others.
         *     Scans that were counted before stay in the statistics.
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
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example skellig
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        /**
         * Get the passport page
         * @description Serves the passport of an active product as an HTML page. Without an access token the page shows only public
         *     values. Drafts, archived products and unknown products get the same 404 in the same time. Only `zugang` changes
         *     which values a viewer may see. Version, modification date and completeness also change with hidden values. The
         *     service sends no key, label, value or number of hidden values.
         *
         *     A GET with a 200 response is one scan, unless the product's scans are off (see `getScanStatistics`). Its role is that of the access token, or `consumer` without a valid
         *     token. The service stores the scan before it sends the page. If it cannot store the scan within a second (the
         *     disk is full, or the database is read-only or busy), it sends the page anyway, and the scan is lost: the
         *     statistics do not count it. These are not scans: HEAD, a response with any other status (304 and 404 included),
         *     the JSON-LD document, the resolver, a request with `Range`, and a page that a browser prefetches, whether or not
         *     it shows the page later. A prefetch has the word `prefetch` in the request header `Sec-Purpose`, `Purpose` or
         *     `X-Moz`. Nor is the request of a robot whose `User-Agent` names it, such as a search engine, a messenger that shows a
         *     preview, or a monitor. Requests of other programs, of browsers in apps, and without a `User-Agent` are scans.
         *
         *     The language of the page comes from `lang`, else from `Accept-Language`, else it is that of the tenant. If
         *     `Accept` prefers `application/ld+json` to `text/html`, the response is the JSON-LD document, as at `/jsonld`, and does not count
         *     as a scan. The page also contains that document as a data block. A client that already has the response
         *     (`If-None-Match`) gets 304, except with a `zugang`.
         *
         *     With `cpv`, `batch`, `serial` or `tpx` in the query, which the resolver adds, the page says above everything which
         *     variant, batch or number was scanned, and that the passport is for the model. The service neither stores nor logs them,
         *     and the response has `private, no-store` and no ETag. A text that is not a GS1 key qualifier is ignored. If the tenant
         *     has an active item of the GTIN, or if each item of the product's category needs a passport, the page of a model says
         *     of any other `serial` that no public passport is registered for it. The page of an item says that it is that of this item.
         *
         *     If an active item of the tenant has the GTIN, and the `serial` as its public `serial_number`, the response is the
         *     passport of that item, also at the address of the model or of another item.
         *
         *     If the product is an item and no active item has the `serial`, nobody gets the passport: the response is a page with
         *     that notice, the names of product and tenant, and a link to the item, in every role. It is HTML whatever `Accept`
         *     says, has no `Link` to the document, and does not count as a scan.
         *
         *     The page shows at most 10,000 characters and 500 rows of one value, and 500,000 characters and 20,000 rows of
         *     all values. An item of a list, a row of a table and a member of an object each count as a row. If the page
         *     shortens a value, it links to the complete JSON-LD document and contains no data block.
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
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example skellig
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        /**
         * Get the passport as JSON-LD
         * @description Serves the passport of an active product as JSON-LD in the vocabularies of schema.org and GS1. It contains the
         *     content hash of the latest version. It shows the same values as the page, by the same rules, and never shortens
         *     them. With `download` in the query, the latest version is a file with one member on each line. The language of
         *     the labels comes from `lang`, else from `Accept-Language`, else it is that of the tenant. The hashes depend
         *     neither on it nor on the form of the JSON.
         *
         *     With `version` it is the passport as that version showed it to everybody. A value is in it only if it was public
         *     then and is public now, and the publisher has not removed it since. `dpp:publicContentHash` covers these values,
         *     and the content hash is that of the version. The name and the other facts of the product are those of today. A `zugang` opens no further values of
         *     an older version. Only versions that were public can be requested: versions of a draft or an archived product,
         *     versions that the publisher withholds, and versions whose values are no longer known get the same 404 as an
         *     unknown product. The service goes back until
         *     the public values have changed 50 times, or less if large values changed.
         *
         *     If the product is an item, a `serial` in the query that is not its public `serial_number` gets the same 404, with every
         *     `zugang` and `version`.
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
            };
            cookie?: never;
        };
        /**
         * Resolve a GS1 Digital Link
         * @description Redirects from the GTIN of an active product to its passport. The GTIN may have any of its lengths: the service
         *     looks it up in its 14-digit form. The target is the passport page, or the link that `linkType` or `Accept`
         *     selects. The target is always on this site. The redirect keeps the query as sent, including `zugang`, but
         *     without `linkType`. The query of the page also gets the key qualifiers of the path, as `cpv`, `batch`, `serial`
         *     and `tpx`. A GTIN alone opens the model: of its active products that are not items, the one that was activated first.
         *     A product is an item if its passport has a known `serial_number` of any access level. Without a model, a GTIN alone
         *     opens the item that was activated first. Archiving a product and activating it again does not change this. A GTIN that is unknown and a GTIN with only
         *     drafts or archived products get the same 404. The resolver follows GS1-Conformant Resolver 1.2.0 (January 2026) and
         *     GS1 Digital Link: URI Syntax 1.6.0 (March 2025), but does not decompress: a compressed link gets 404, or 400 below
         *     `/01/`. By these editions, it is therefore not GS1-conformant. It was not compared with the editions of August 2026.
         *
         *     With a serial number (21), it opens the passport of that item: of the active product that has the same GTIN and
         *     whose passport has this serial number as its public `serial_number`. If there are several, it opens the one that
         *     was activated first; if there is none, what the GTIN alone opens. Without a model, that is another item: the redirect
         *     then opens its page, `linkType=gs1:dpp` gets 404, and the linkset has no `dpp` for the number. A number that is not
         *     public, or that only a draft or an archived product has, gets the same response as an unknown one. Only products of
         *     the tenant whose product was activated first count, so that no other tenant takes over the links of items.
         *
         *     If `Accept` prefers `application/linkset+json` and there is no `linkType`, the response is the linkset. If it
         *     prefers `application/ld+json`, the redirect opens the JSON-LD document, otherwise the page.
         *
         *     The path may continue with GS1's key qualifiers: 22 (consumer product variant), 10 (batch or lot) and 21 (serial
         *     number), each at most once and in this order, or 235 (third-party controlled extension) alone. Each of these
         *     paths is an operation below. A batch, a variant and a third-party number open what the GTIN alone opens. Values are percent-encoded in the path: `SN%2F001` is one serial number, and `%25` is the
         *     character `%`. Every other path below `/01/` gets 400 `invalid_request`. If `Accept` prefers `text/html` to `application/json`, the errors 400, 404
         *     and 405 are HTML pages for people.
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a variant
         * @description Works as `/01/{gtin}` does, with a variant (22) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a batch
         * @description Works as `/01/{gtin}` does, with a batch (10) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a serial number
         * @description Works as `/01/{gtin}` does, with a serial number (21) in the path. It opens the passport of this item, if there is one.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a variant and a batch
         * @description Works as `/01/{gtin}` does, with a variant (22) and a batch (10) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a variant and a serial number
         * @description Works as `/01/{gtin}` does, with a variant (22) and a serial number (21) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a batch and a serial number
         * @description Works as `/01/{gtin}` does, with a batch (10) and a serial number (21) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example SN001
                 */
                serial: components["parameters"]["Serial"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a variant, a batch and a serial number
         * @description Works as `/01/{gtin}` does, with a variant (22), a batch (10) and a serial number (21) in the path.
         */
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
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235). At most 28 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example TPX-7
                 */
                tpx: components["parameters"]["Tpx"];
            };
            cookie?: never;
        };
        /**
         * Resolve a Digital Link with a third-party extension
         * @description Works as `/01/{gtin}` does, with a third-party extension (235) in the path.
         */
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
         * Describe the resolver
         * @description Returns the resolver description file that GS1's standard for resolvers defines.
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
    "/dpp/v1/dpps/{dppId}": {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
            };
            cookie?: never;
        };
        /**
         * Read a passport by its id
         * @description Reads the passport of an active product in the data model of EN 18223. The id is the `digitalProductPassportId`: the
         *     address of the JSON-LD document (`gs1:dpp`). The address of the passport page is the same passport. Drafts, archived
         *     and unknown products get the same 404, and so do products whose tenant has no economic operator, without whom a
         *     passport has no valid header. The operator of the service sets it with `tenant operator`.
         *
         *     The values are those that the page shows, by the same rules. A value with a unit is a collection of `value` and `unit`. A
         *     value that is unknown is absent. The read does not count as a scan. If `Accept` prefers `text/html` to
         *     `application/json`, the response redirects to the passport page and keeps the query. Errors are JSON whatever `Accept` says.
         */
        get: operations["readDppById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dpp/v1/dppsByProductId/{productId}": {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description An identifier of the product, percent-encoded once into one segment. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example 09520001200045
                 */
                productId: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        /**
         * Read a passport by an identifier of its product
         * @description Reads the passport of the product with this identifier, as `readDppById` does. The identifier is a GTIN of 8, 12, 13 or
         *     14 digits, a GS1 Digital Link of this site with or without a serial number (21), the product's URN, or the address of
         *     its passport page.
         *
         *     A GTIN and a Digital Link find the product that the resolver opens, and only if its own `uniqueProductIdentifier` is the
         *     one that was asked for. So a GTIN that only items have, a serial number that no item has as its public one, a batch, a
         *     variant, and a link of another site get 404. There is never more than one passport.
         */
        get: operations["readDppByProductId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dpp/v1/dppsByProductIds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the ids of the passports of many products
         * @description Finds for each product identifier the passport that `readDppByProductId` gives. The response is an array of
         *     `digitalProductPassportId` in the order of the identifiers, without repeats. An identifier without a passport is left
         *     out.
         *
         *     `limit` and `cursor` page over the identifiers of the body, so a page may have fewer ids than `limit`, or none. `Link`
         *     with `rel="next"` has the address of the next page: send the same body to it. A cursor is valid for its body alone.
         */
        post: operations["readDppIdsByProductIds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dpp/v1/dppsByIdAndDate/{dppId}": {
        parameters: {
            query: {
                /**
                 * @description The time (RFC 3339), with `Z` or an offset. Fractions of a second may have any number of digits. Write the `+` of an offset
                 *     as `%2B`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$`.
                 * @example 2026-11-20T09:32:00Z
                 */
                date: components["parameters"]["DppDate"];
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
            };
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
            };
            cookie?: never;
        };
        /**
         * Read a passport as it was at a time
         * @description Reads the version of the passport that everybody could read at this time. A value is in it only if it was public then
         *     and is public now, and the publisher has not removed it since. At the very time of a change it is the new version. A time
         *     in the future gives the latest version. The identifiers and the operator are those of today. A `zugang` opens nothing
         *     here.
         *
         *     A time at which the product was not active gets 404, before its first activation or while it was archived, and so does
         *     one before the oldest version that the service still has, and one in which the version was not public or is withheld. The service goes back until the public values have
         *     changed 50 times, or less if large values changed.
         */
        get: operations["readDppVersionByIdAndDate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dpp/v1/dpps/{dppId}/elements/{elementIdPath}": {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
                /**
                 * @description The path of the element (RFC 9535), percent-encoded once into one segment: `$['cable_length']['unit']`, with the position
                 *     in a list as a number, `$['material_composition'][0]`. The form `$.cable_length.unit` is for names of letters, digits and
                 *     `_`. Every other selector gets 400. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example $['cable_length']
                 */
                elementIdPath: components["parameters"]["ElementIdPath"];
            };
            cookie?: never;
        };
        /**
         * Read one element of a passport
         * @description Reads the element at a path. With `representation=full` it is a data element, otherwise its bare JSON value. An element
         *     that the request may not see gets the same 404 as one that does not exist.
         */
        get: operations["readDataElement"];
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
        /** @description The tenant of the API key and the number of its products. */
        Me: {
            /** @description A business that owns products. */
            tenant: components["schemas"]["Tenant"];
            /** @description The number of the tenant's products, of every status. */
            products_total: number;
        };
        /** @description A business that owns products. */
        Tenant: {
            /** @description Opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description The name of the business. Not empty. */
            name: string;
            /** @description URL-safe key of the tenant, also used in public paths. It is unique and never changes. Not empty. */
            slug: string;
            /** @description ISO 3166-1 alpha-2 country code. Matches `^[A-Za-z]{2}$`; matches `^[A-Z]{2}$`. */
            country: string;
            /** @description The name of the plan. */
            plan: "starter" | "business" | "enterprise" | (string & {});
        };
        /**
         * Format: uuid
         * @description Opaque identifier.
         */
        Id: string;
        /**
         * Format: date-time
         * @description Time in RFC 3339 form: UTC, in milliseconds, with `Z`.
         */
        Timestamp: string;
        /** @description URL-safe key: groups of `a` to `z` and digits, joined by single hyphens. */
        PathSlug: string;
        /**
         * @description Status of a product. A `draft` is new and not public. An `active` product is public. An `archived` product is no
         *     longer public. A product moves from draft to active or archived, from active to archived, and from archived to
         *     active, never back to draft. `setProductStatus` changes the status.
         * @enum {string}
         */
        ProductStatus: "draft" | "active" | "archived";
        /**
         * @description Share of the template's required fields that are filled in, in percent, rounded down. A field is filled in if it
         *     has a value that is not marked unknown and is not null, blank text or `{}`. `[]` counts as filled in: it means
         *     "checked, none". A value counts also if it does not fit the template, such as the text "tbd": a write counts these
         *     values in its header `Passport-Findings`.
         *
         *     Which fields are required can depend on a value and on a day. A battery needs what its `battery_category` needs.
         *     If the category is absent, unknown or needs no passport (`portable`, `sli`), what every category needs counts. A
         *     category that the template does not have counts as not filled in. The day is that of the latest version of the
         *     passport, in UTC, so only a write changes the number.
         */
        Completeness: number;
        /** @description A product as lists show it. */
        ProductListItem: {
            /** @description Opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description The product's name. Not empty. */
            name: string;
            /** @description URL-safe key of the product, unique within the tenant. Not empty. */
            slug: string;
            /**
             * @description Status of a product. A `draft` is new and not public. An `active` product is public. An `archived` product is no
             *     longer public. A product moves from draft to active or archived, from active to archived, and from archived to
             *     active, never back to draft. `setProductStatus` changes the status.
             */
            status: components["schemas"]["ProductStatus"];
            /** @description GTIN of 8, 12, 13 or 14 digits, exactly as the client sent it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`. */
            gtin: string | null;
            /**
             * @description The passport's `serial_number`, of any access level: the product is this one item. Only its first 200 UTF-16
             *     code units; a value that is not a text is shown as JSON. `null` if the passport has no known serial number: the
             *     product is a model, or has one passport for all its items.
             */
            serial_number: string | null;
            /**
             * @description Share of the template's required fields that are filled in, in percent, rounded down. A field is filled in if it
             *     has a value that is not marked unknown and is not null, blank text or `{}`. `[]` counts as filled in: it means
             *     "checked, none". A value counts also if it does not fit the template, such as the text "tbd": a write counts these
             *     values in its header `Passport-Findings`.
             *
             *     Which fields are required can depend on a value and on a day. A battery needs what its `battery_category` needs.
             *     If the category is absent, unknown or needs no passport (`portable`, `sli`), what every category needs counts. A
             *     category that the template does not have counts as not filled in. The day is that of the latest version of the
             *     passport, in UTC, so only a write changes the number. 0 to 100.
             */
            completeness: components["schemas"]["Completeness"];
            /** @description Status of the product's registration with the product registry. */
            registry_status: "none" | "ready" | "submitted" | "registered" | "rejected" | "deactivated" | (string & {});
            /** @description Identifier of the product, `urn:<namespace>:<tenant slug>:<product slug>`. It never changes. Matches `^urn:[^:]+:[^:]+:[^:]+$`. */
            unique_product_identifier: string;
            /** @description Time in RFC 3339 form: UTC, in milliseconds, with `Z`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            created_at: components["schemas"]["Timestamp"];
            /** @description Time of the last change of the status, a value or the registry status. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /** @description The full master data of a product. */
        Product: components["schemas"]["ProductListItem"] & {
            /** @description Key of the product's template. If it is `null`, the template `other` applies. */
            product_group: components["schemas"]["ProductGroup"] | null;
            /** @description Model or variant. */
            model: string | null;
            /** @description Identifier in the registry. It is `null` until the product is registered. */
            registry_id: string | null;
        };
        /** @description Key of a template. Every service has `textile` to `other`; the catalogue may have more. */
        ProductGroup: "textile" | "battery" | "smartphone" | "computer" | "cable" | "motor" | "tyre" | "packaging" | "chemical" | "other" | "footwear" | "furniture" | "mattress" | "steel" | "aluminium" | "detergent" | "toy" | "construction" | "tablet" | "display" | "washing_machine" | "refrigerator" | "dishwasher" | "lighting" | "charger" | "server" | "paint" | "lubricant" | "jewellery" | "cosmetic" | "vehicle_part" | (string & {});
        /** @description One page of products. */
        ProductList: {
            /** @description The products of this page, oldest first. At most 200 elements. */
            items: components["schemas"]["ProductListItem"][];
            /** @description Number of products that match the filter, on all pages. */
            total: number;
            /** @description The page size used. 1 to 200. */
            limit: number;
            /** @description The offset used. */
            offset: number;
        };
        /** @description A new product. An optional field that is `null` means the same as an absent one. */
        CreateProduct: {
            /** @description The product's name. At most 500 characters; not blank; the service removes white space at both ends. */
            name: string;
            /**
             * @description The product's slug: groups of `a` to `z` and digits, joined by single hyphens. If it is absent, the service
             *     makes one from the name. If it is taken, the service appends a suffix. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
             */
            slug?: (string | null) | undefined;
            /** @description Key of the template that the passport follows. */
            product_group?: (components["schemas"]["ProductGroup"] | null) | undefined;
            /** @description A GTIN of 8, 12, 13 or 14 digits. The service stores it as sent. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`. */
            gtin?: (string | null) | undefined;
            /** @description Model or variant. At most 500 characters. */
            model?: (string | null) | undefined;
        };
        /** @description A change of the status of a product. */
        ProductStatusChange: {
            /**
             * @description The new status. A product never becomes a draft again.
             * @enum {string}
             */
            status: "active" | "archived";
            /**
             * @description `true` publishes a passport that is not ready.
             * @default false
             */
            accept_findings?: boolean | undefined;
            /**
             * @description Keys of fields that may have a more open `access_level` than the template's. The service ignores a field
             *     whose value is not more open. At most 1,000 elements.
             */
            open?: string[] | undefined;
        };
        /** @description One value of a passport. */
        PassportValue: {
            /** @description Key of a template field. Keys that the template does not have are stored but do not count for completeness. Not empty. */
            field_key: string;
            /** @description Any JSON value, exactly as the client wrote it. */
            value: unknown;
            /** @description Unit of the value. */
            unit: string | null;
            /** @description Source of a value. */
            source: components["schemas"]["ValueSource"];
            /**
             * @description Who may see the value on the public side: everyone (`public`), recyclers and inspectors (`restricted`), or only
             *     inspectors (`authority`).
             */
            access_level: components["schemas"]["AccessLevel"];
            /** @description `true` if the value is unknown. */
            is_unknown: boolean;
            /** @description `true` if a person should check the value. */
            needs_review: boolean;
            /** @description Language of the value, as a language code. At least 2 characters. */
            locale: string;
            /** @description Time in RFC 3339 form: UTC, in milliseconds, with `Z`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            updated_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Source of a value.
         * @enum {string}
         */
        ValueSource: "manual" | "import" | "supplier";
        /**
         * @description Who may see the value on the public side: everyone (`public`), recyclers and inspectors (`restricted`), or only
         *     inspectors (`authority`).
         * @enum {string}
         */
        AccessLevel: "public" | "restricted" | "authority";
        /** @description The values to write. */
        PassportValueInputs: components["schemas"]["PassportValueInput"][];
        /** @description A value to write. */
        PassportValueInput: {
            /** @description Key of a template field. The service also stores keys that the template does not have. At most 100 characters; not blank. */
            field_key: string;
            /**
             * @description Any JSON value, including `null`. Text is recommended. Arrays and objects are levels, and every array, object
             *     and scalar is a node. At most 32 levels; at most 10,000 nodes.
             */
            value: unknown;
            /** @description Unit of the value. `null` means no unit. If it is absent, the field keeps the stored unit. At most 50 characters. */
            unit?: (string | null) | undefined;
            /**
             * @description Source of the value.
             * @default import
             */
            source?: components["schemas"]["ValueSource"] | undefined;
            /**
             * @description Who may see the value. If it is absent, a new field is `public` and an existing field keeps the stored
             *     level.
             */
            access_level?: components["schemas"]["AccessLevel"] | undefined;
            /**
             * @description `true` if the value is unknown.
             * @default false
             */
            is_unknown?: boolean | undefined;
            /**
             * @description `true` if a person should check the value.
             * @default false
             */
            needs_review?: boolean | undefined;
        };
        /** @description A version of the passport's values. */
        PassportVersion: {
            /**
             * @description Proof of integrity: the lower-case hexadecimal SHA-256 of the RFC 8785 (JCS) form of `{"salt",
             *     "template_version", "values"}`. The values are in the order of `getPassport`. Each has the members
             *     `access_level`, `field_key`, `is_unknown`, `locale`, `needs_review`, `source`, `unit` and `value`. `unit` is
             *     `null` for a value without a unit. The hash is public and also covers hidden values; the salt prevents
             *     guessing them. Each version has its own salt, so the same values have another hash in another version. Not empty; matches `^[0-9a-f]{64}$`.
             */
            content_hash: string;
            /**
             * @description The random salt that `content_hash` covers: 128 bits as 32 lower-case hexadecimal digits, new with each
             *     version. Keep it private: with the salt, anyone can guess hidden values. Of the public responses, only an
             *     inspector's document contains it, as `dpp:contentSalt`. Matches `^[0-9a-f]{32}$`.
             */
            salt: string;
            /** @description Time in RFC 3339 form: UTC, in milliseconds, with `Z`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description A product's passport as its owner sees it. A product without values has a first version too. */
        Passport: {
            /** @description The product that the passport belongs to. */
            product: {
                /** @description Opaque identifier. */
                id: components["schemas"]["Id"];
                /** @description The product's name. Not empty. */
                name: string;
                /** @description The product's slug. Not empty. */
                slug: string;
                /**
                 * @description Status of a product. A `draft` is new and not public. An `active` product is public. An `archived` product is no
                 *     longer public. A product moves from draft to active or archived, from active to archived, and from archived to
                 *     active, never back to draft. `setProductStatus` changes the status.
                 */
                status: components["schemas"]["ProductStatus"];
                /**
                 * @description Share of the template's required fields that are filled in, in percent, rounded down. A field is filled in if it
                 *     has a value that is not marked unknown and is not null, blank text or `{}`. `[]` counts as filled in: it means
                 *     "checked, none". A value counts also if it does not fit the template, such as the text "tbd": a write counts these
                 *     values in its header `Passport-Findings`.
                 *
                 *     Which fields are required can depend on a value and on a day. A battery needs what its `battery_category` needs.
                 *     If the category is absent, unknown or needs no passport (`portable`, `sli`), what every category needs counts. A
                 *     category that the template does not have counts as not filled in. The day is that of the latest version of the
                 *     passport, in UTC, so only a write changes the number. 0 to 100.
                 */
                completeness: components["schemas"]["Completeness"];
            };
            /**
             * @description Version of the template at the latest version of the passport. A newer template takes effect with the next
             *     write that changes a value. At least 1.
             */
            template_version: number;
            /** @description All values, of every access level, ordered by `field_key` and `locale`. At most 5,000 elements. */
            values: components["schemas"]["PassportValue"][];
            /** @description A version of the passport's values. */
            latest_version: components["schemas"]["PassportVersion"];
        };
        /** @description The result of a write. */
        PassportWriteResult: {
            /** @description Number of fields that the request named. A field named twice counts once. */
            updated: number;
            /**
             * @description Share of the template's required fields that are filled in, in percent, rounded down. A field is filled in if it
             *     has a value that is not marked unknown and is not null, blank text or `{}`. `[]` counts as filled in: it means
             *     "checked, none". A value counts also if it does not fit the template, such as the text "tbd": a write counts these
             *     values in its header `Passport-Findings`.
             *
             *     Which fields are required can depend on a value and on a day. A battery needs what its `battery_category` needs.
             *     If the category is absent, unknown or needs no passport (`portable`, `sli`), what every category needs counts. A
             *     category that the template does not have counts as not filled in. The day is that of the latest version of the
             *     passport, in UTC, so only a write changes the number. 0 to 100.
             */
            completeness: components["schemas"]["Completeness"];
        };
        /** @description A data carrier: a code or tag on the product. While the product is active, the carrier opens its passport. */
        Carrier: {
            /** @description Opaque identifier. */
            id: components["schemas"]["Id"];
            /** @description Kind of carrier. */
            type: "qr" | "datamatrix" | "nfc" | "rfid" | "other" | (string & {});
            /**
             * Format: uri
             * @description Link that the carrier holds. It ends in `/01/` and the GTIN in its 14-digit form. Matches `/01/(?:[0-9]{8}|[0-9]{12,14})$`.
             */
            gs1_digital_link: string;
            /** @description Hexadecimal UID of the tag, or `null` if the carrier has none. */
            nfc_tag_uid: string | null;
            /** @description Status of the carrier: first `active`, then `deprecated`, then `withdrawn`. The resolver ignores it. */
            status: "active" | "deprecated" | "withdrawn" | (string & {});
            /** @description Time in RFC 3339 form: UTC, in milliseconds, with `Z`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            created_at: components["schemas"]["Timestamp"];
        };
        /** @description The data carriers of a product. */
        CarrierList: {
            /** @description The carriers, oldest first. */
            items: components["schemas"]["Carrier"][];
        };
        /** @description Scans in a period. */
        ScanStatistics: {
            /** @description Length of the period in days, as used. 1 to 365. */
            days: number;
            /** @description Number of scans in the period. */
            total: number;
            /** @description Every day of the period in UTC, oldest first and today last, including days without a scan. At most 365 elements. */
            per_day: {
                /**
                 * Format: date
                 * @description The day in UTC.
                 */
                date: string;
                /** @description Number of scans on that day. */
                count: number;
            }[];
            /** @description Scans by the viewer's role. All three roles are always present. */
            by_view_role: {
                /** @description Number of views without a valid access token. */
                consumer: number;
                /** @description Number of views with an inspector's token. */
                inspector: number;
                /** @description Number of views with a recycler's token. */
                recycler: number;
            };
            /** @description At most ten products, most scanned first, then by slug. Products without a scan are not listed. At most 10 elements. */
            top_products: {
                /** @description The product's slug. Not empty. */
                slug: string;
                /** @description The product's name. Not empty. */
                name: string;
                /**
                 * @description The passport's `serial_number`, of any access level: the product is this one item. Only its first 200 UTF-16
                 *     code units; a value that is not a text is shown as JSON. `null` if the passport has no known serial number: the
                 *     product is a model, or has one passport for all its items.
                 */
                serial_number: string | null;
                /** @description Number of its scans in the period. At least 1. */
                count: number;
            }[];
        };
        /** @description Characters from GS1's character set 82, percent-encoded. */
        KeyQualifier: string;
        /** @description Characters from GS1's character set 82, percent-encoded. */
        LongKeyQualifier: string;
        /** @description The links of one product, or of its scanned variant, batch or item. */
        Linkset: {
            /** @description The links of the scanned item, of its batch, its variant and its product, as far as the path names them. 1 to 4 elements. */
            linkset: {
                /**
                 * Format: uri
                 * @description Their Digital Link, with the GTIN in 14-digit form.
                 */
                anchor: string;
                /** @description The product's name. Not empty. */
                itemDescription: string;
                /** @description Where the anchor leads by default. It is one link, the same as `pip`. Exactly 1 element. */
                "https://ref.gs1.org/voc/defaultLink": {
                    /**
                     * Format: uri
                     * @description The passport page, with the key qualifiers.
                     */
                    href: string;
                    /** @description Title of the link for people. Not empty. */
                    title: string;
                }[];
                /** @description The page with product information for people. Exactly 1 element. */
                "https://ref.gs1.org/voc/pip": {
                    /**
                     * Format: uri
                     * @description The passport page, with the key qualifiers.
                     */
                    href: string;
                    /** @description Title of the link for people. Not empty. */
                    title: string;
                    /**
                     * @description Media type of the linked resource.
                     * @constant
                     */
                    type: "text/html";
                }[];
                /**
                 * @description The digital product passport as a document for machines. Absent if the anchor is an item without a public
                 *     passport, and its GTIN has no passport of the model. The second link is the read below `/dpp/v1`, if the tenant has
                 *     an economic operator. 1 to 2 elements.
                 */
                "https://ref.gs1.org/voc/dpp"?: {
                    /**
                     * Format: uri
                     * @description The passport as JSON-LD, or as EN 18222 has it.
                     */
                    href: string;
                    /** @description Title of the link for people. Not empty. */
                    title: string;
                    /**
                     * @description Media type of the linked resource.
                     * @enum {string}
                     */
                    type: "application/ld+json" | "application/json";
                }[] | undefined;
            }[];
        };
        /** @description The resolver's abilities, in the form of GS1's resolver description file. */
        ResolverDescription: {
            /** @description Name of the service. Not empty. */
            name: string;
            /**
             * Format: uri
             * @description The start of every Digital Link of this resolver.
             */
            resolverRoot: string;
            /** @description GS1 primary keys that the service resolves. 01 is the GTIN. Exactly 1 element. */
            supportedPrimaryKeys: "01"[];
            /** @description Vocabularies of the link types. Exactly 1 element. */
            supportedLinkType: {
                /**
                 * @description Address of the vocabulary.
                 * @constant
                 */
                namespace: "https://ref.gs1.org/voc/";
                /**
                 * @description Prefix of the vocabulary.
                 * @constant
                 */
                prefix: "gs1:";
            }[];
            /**
             * @description Whether the resolver may redirect to the linkset by default.
             * @constant
             */
            linkTypeDefaultCanBeLinkset: false;
        };
        /** @description An HTML document. */
        HtmlDocument: string;
        /**
         * @description A passport in the vocabularies of schema.org and GS1. It contains nothing of values that the viewer's role may
         *     not see. With `dpp:publicContentHash` anyone can check the public values from this document alone.
         */
        PassportDocument: {
            /** @description schema.org, then the terms of GS1 and of the passport itself. Exactly 2 elements. */
            "@context": ("https://schema.org/" | {
                /**
                 * @description The GS1 Web Vocabulary.
                 * @constant
                 */
                gs1: "https://ref.gs1.org/voc/";
                /**
                 * Format: uri
                 * @description The terms of the passport itself.
                 */
                dpp: string;
                /** @description The value of this term is an address. */
                "gs1:dpp": {
                    /**
                     * @description An address.
                     * @constant
                     */
                    "@type": "@id";
                };
            })[];
            /** @description JSON-LD type. Exactly 2 elements. */
            "@type": ("Product" | "gs1:Product")[];
            /**
             * Format: uri
             * @description The product's Digital Link, or its URN if it has no GTIN. That of an item ends in `/21/` and its public
             *     `serial_number`. An item whose serial number is not public, or fits no link, has its URN.
             */
            "@id": string;
            /** @description The product's URN. */
            identifier: string;
            /** @description The product's name. */
            name: string;
            /** @description The GTIN in its 14-digit form, if the product has one. Matches `^[0-9]{14}$`. */
            gtin14?: string | undefined;
            /** @description The same GTIN in GS1's vocabulary. Matches `^[0-9]{14}$`. */
            "gs1:gtin"?: string | undefined;
            /** @description The product's name and its language. */
            "gs1:productName": {
                /** @description The name. */
                "@value": string;
                /** @description The language. */
                "@language": string;
            };
            /**
             * Format: uri
             * @description Address of the product's image, if it has one.
             */
            image?: string | undefined;
            /** @description Model or variant, if known. */
            model?: string | undefined;
            /** @description Key of the product's template, if it has one. */
            category?: string | undefined;
            /** @description The manufacturer, if the passport names one. */
            manufacturer?: components["schemas"]["OrganizationNode"] | undefined;
            /** @description The importer, if the passport names one. */
            importer?: components["schemas"]["OrganizationNode"] | undefined;
            /** @description The country of manufacture, if the passport names one. */
            countryOfOrigin?: {
                /**
                 * @description JSON-LD type.
                 * @constant
                 */
                "@type": "Country";
                /** @description ISO 3166-1 alpha-2 country code. Matches `^[A-Z]{2}$`. */
                identifier: string;
            } | undefined;
            /** @description Recycled content in percent, if the passport has it. */
            recycledContentPercentage?: number | undefined;
            /** @description The weight of the product, if the passport has it with a unit. */
            weight?: {
                /**
                 * @description JSON-LD type.
                 * @constant
                 */
                "@type": "QuantitativeValue";
                /** @description The weight. */
                value: number;
                /** @description Unit of the weight. */
                unitText: string;
                /** @description Code of the unit in UN/CEFACT Recommendation 20, if the code is certain. */
                unitCode?: string | undefined;
            } | undefined;
            /**
             * @description Materials or fibres as the passport names them, each once. They are texts, and not values with a language,
             *     because search engines read only texts here. At least 1 element.
             */
            material?: string[] | undefined;
            /** @description Names of substances of concern, if the viewer may see any. At least 1 element. */
            substanceOfConcern?: string[] | undefined;
            /**
             * Format: uri
             * @description The passport page.
             */
            url: string;
            /**
             * Format: uri
             * @description The Digital Link of `@id`, if that is one.
             */
            hasGS1DigitalLink?: string | undefined;
            /**
             * @description The Digital Link of the GTIN, if the passport is that of one item. That a product is an item is public; its
             *     serial number is public only if the value is.
             */
            "dpp:itemOf"?: {
                /**
                 * Format: uri
                 * @description It ends in `/01/` and the GTIN with 14 digits.
                 */
                "@id": string;
            } | undefined;
            /**
             * Format: uri
             * @description Address of this document, without an access token.
             */
            "gs1:dpp": string;
            /**
             * @description The values of fields that are measured again and again, such as the state of health of a battery, by field and
             *     the oldest first; the present ones too. The viewer sees what their role could see then and can see now, in the
             *     versions that were public and are not withheld. A field with a single measurement is left out, and so is what
             *     was removed or is not a number. No hash covers them. Absent in older versions, and if there are none. At least 2 elements.
             */
            "dpp:measurement"?: {
                /**
                 * @description JSON-LD type.
                 * @constant
                 */
                "@type": "Observation";
                /** @description The `field_key` of the value. */
                variableMeasured: string;
                /** @description The template's label in the language of the reader, or the `field_key`. */
                name: string;
                /** @description The day or the month of the measurement if the viewer may see it, otherwise the time of the version. Matches `^[0-9]{4}-[0-9]{2}`. */
                observationDate: string;
                /** @description The value. */
                value: number;
                /** @description Unit of the value, if it has one. */
                unitText?: string | undefined;
                /** @description Code of the unit in UN/CEFACT Recommendation 20, if the code is certain. */
                unitCode?: string | undefined;
            }[] | undefined;
            /** @description The passport itself. */
            hasDigitalProductPassport: {
                /**
                 * @description JSON-LD type.
                 * @constant
                 */
                "@type": "DigitalProductPassport";
                /**
                 * Format: uri
                 * @description Address of this document, without an access token.
                 */
                "@id": string;
                /**
                 * @description The content hash of the latest version. It covers a random salt and the values of every access level.
                 *     Only the passport's owner and inspectors have the salt and can recompute it.
                 */
                identifier: {
                    /**
                     * @description JSON-LD type.
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
                    /** @description The content hash. Matches `^[0-9a-f]{64}$`. */
                    value: string;
                };
                /** @description Number of the latest version, counted from 1. At least 1. */
                version: number;
                /** @description Time of the latest version. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
                dateModified: components["schemas"]["Timestamp"];
                /** @description Language of the values. */
                inLanguage: string;
                /** @description The business that maintains the passport. */
                issuedBy: components["schemas"]["OrganizationNode"];
                /**
                 * @description Role of the viewer.
                 * @enum {unknown}
                 */
                "dpp:viewRole": "consumer" | "recycler" | "inspector";
                /**
                 * @description A notice that the `zugang` of the request is not valid here. It is absent otherwise.
                 * @constant
                 */
                "dpp:notice"?: "The access link is not valid. This is the public view." | undefined;
                /** @description Version of the template at the latest version of the passport. At least 1. */
                "dpp:templateVersion": number;
                /** @description Completeness of the passport, in percent. 0 to 100. */
                "dpp:completeness": components["schemas"]["Completeness"];
                /**
                 * @description The salt that the content hash covers, 32 lower-case hexadecimal digits. Only an inspector's document
                 *     contains it, because inspectors see every value. Matches `^[0-9a-f]{32}$`.
                 */
                "dpp:contentSalt"?: string | undefined;
                /**
                 * @description Lower-case hexadecimal SHA-256 of the RFC 8785 (JCS) form of the array of public values, ordered by
                 *     `field_key` and `locale`. Each has the members `field_key`, `is_unknown`, `locale`, `unit` and `value`.
                 *     The public values are the elements of `additionalProperty` whose `dpp:accessLevel` is `public`. Their
                 *     members are called `propertyID`, `dpp:isUnknown`, `dpp:locale`, `unitText` and `value` there. Read an
                 *     absent member as `null`, an absent `dpp:isUnknown` as `false`, and a JSON literal as its `@value`. Matches `^[0-9a-f]{64}$`.
                 */
                "dpp:publicContentHash": string;
            };
            /** @description The values that the viewer may see, ordered by `field_key`. */
            additionalProperty: {
                /**
                 * @description JSON-LD type.
                 * @constant
                 */
                "@type": "PropertyValue";
                /** @description The `field_key` of the value. */
                propertyID: string;
                /** @description The template's label in the language of the reader, or the `field_key`. */
                name: string;
                /** @description The value. A list or an object is a JSON literal (`@json`). Absent if the value is unknown or `null`. */
                value?: unknown | undefined;
                /** @description Unit of the value, if it has one. */
                unitText?: string | undefined;
                /** @description Code of the unit in UN/CEFACT Recommendation 20, if the code is certain. */
                unitCode?: string | undefined;
                /**
                 * @description `unknown` if the value is marked unknown.
                 * @constant
                 */
                description?: "unknown" | undefined;
                /** @description Who may see the value. */
                "dpp:accessLevel": components["schemas"]["AccessLevel"];
                /** @description Language of the value. */
                "dpp:locale": string;
                /**
                 * @description `true` if the value is marked unknown, otherwise absent.
                 * @constant
                 */
                "dpp:isUnknown"?: true | undefined;
                /** @description Where the value comes from. Only an inspector's document contains it. */
                "dpp:source"?: components["schemas"]["ValueSource"] | undefined;
                /** @description Whether somebody should review the value. Only an inspector's document contains it. */
                "dpp:needsReview"?: boolean | undefined;
                /** @description Time of the last change of the value. Only an inspector's document contains it. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
                "dpp:updatedAt"?: components["schemas"]["Timestamp"] | undefined;
            }[];
        };
        /** @description A business in JSON-LD. */
        OrganizationNode: {
            /**
             * @description JSON-LD type.
             * @constant
             */
            "@type": "Organization";
            /** @description Name of the business. */
            name: string;
            /** @description Postal address, if the passport has one. */
            address?: components["schemas"]["PostalAddressNode"] | undefined;
        };
        /** @description A postal address in JSON-LD. */
        PostalAddressNode: {
            /**
             * @description JSON-LD type.
             * @constant
             */
            "@type": "PostalAddress";
            /** @description Street and number. It is the whole address if its parts are not certain. */
            streetAddress: string;
            /** @description Postal code. */
            postalCode?: string | undefined;
            /** @description Town. */
            addressLocality?: string | undefined;
            /** @description Name of the country as the passport has it. */
            addressCountry?: string | undefined;
        };
        /**
         * @description The body of every error below `/dpp/v1`. The codes are those of `Error`. A response narrows it to its codes, in the order
         *     of the checks.
         */
        DppError: {
            /** @description What is wrong. There is one message. At least 1 element. */
            message: {
                /**
                 * @description The kind of the message.
                 * @constant
                 */
                messageType: "Error";
                /** @description The error code. Branch on it. */
                code: string;
                /** @description What is wrong, where, and what to do. The text is for people and never repeats the input. Not empty. */
                text: string;
            }[];
        };
        /** @description Characters without controls. `%2F` in the path is the character `/` of an identifier. */
        DppIdentifier: string;
        /** @description Identifiers of products, as an object or as a bare array. With an object, give one of its two members. */
        DppProductIds: components["schemas"]["DppProductId"][] | {
            /** @description Identifiers of products. 1 to 100 elements. */
            productIds?: components["schemas"]["DppProductId"][] | undefined;
            /** @description The same under the name that others read in the standard. 1 to 100 elements. */
            productId?: components["schemas"]["DppProductId"][] | undefined;
        };
        /**
         * @description A GTIN, a GS1 Digital Link of this site, the URN of a product, or the address of its passport page. Any other text finds
         *     nothing.
         */
        DppProductId: string;
        /** @description Ids of passports. */
        DppIds: string[];
        /**
         * @description A passport in the data model of EN 18223: the header and, with `representation=full`, `elements`. Otherwise each other
         *     member is an element: its name is the `elementId`, its value the element without metadata.
         */
        Dpp: {
            /**
             * Format: uri
             * @description The id of the passport: the address of its JSON-LD document.
             */
            digitalProductPassportId: string;
            /**
             * Format: uri
             * @description The GS1 Digital Link of the product, with the serial number of an item if that is public. Without a GTIN, and of an item
             *     without a public serial number, the address of the passport page.
             */
            uniqueProductIdentifier: string;
            /**
             * @description `item` if the passport has a known `serial_number`, otherwise `model`. This service has no `batch`.
             * @enum {string}
             */
            granularity: "model" | "batch" | "item";
            /** @description The edition of the data model. Not empty. */
            dppSchemaVersion: string;
            /** @description Only active passports can be read. */
            dppStatus: "active" | (string & {});
            /** @description The time of the version. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`. */
            lastUpdated: components["schemas"]["Timestamp"];
            /**
             * @description The identifier of the economic operator, in one of these schemes: `0088:` with a GLN, `0199:` with an LEI, `0223:` with a
             *     VAT number (ICD of ISO 6523), a GS1 Digital Link with a party GLN (417), a DID, or a DOI. Not empty.
             */
            economicOperatorId: string;
            /** @description The identifier of the facility. Absent if there is none. Not empty. */
            facilityId?: string | undefined;
            /** @description The vocabulary of the product group. */
            contentSpecificationIds?: string[] | undefined;
            /** @description The elements, only with `representation=full`. */
            elements?: components["schemas"]["DataElement"][] | undefined;
        } & {
            [key: string]: unknown;
        };
        /** @description The value of an element as JSON, or a data element. */
        DataElementValue: unknown;
        /**
         * @description An element with its metadata. `elementId` is unique where the element stands, and that of an element of a list is its
         *     position.
         */
        DataElement: components["schemas"]["SingleValuedDataElement"] | components["schemas"]["MultiValuedDataElement"] | components["schemas"]["DataElementCollection"] | components["schemas"]["MultiLanguageDataElement"] | components["schemas"]["RelatedResource"];
        /** @description One value. */
        SingleValuedDataElement: {
            /** @description The key of the value. */
            elementId: string;
            /**
             * Format: uri
             * @description The meaning of the field. Absent if the vocabulary does not have it.
             */
            dictionaryReference?: string | undefined;
            /**
             * @description The kind of element.
             * @constant
             */
            objectType: "SingleValuedDataElement";
            /**
             * @description The type in XML Schema.
             * @enum {string}
             */
            valueDataType: "xsd:string" | "xsd:decimal" | "xsd:integer" | "xsd:boolean" | "xsd:date" | "xsd:gYearMonth" | "xsd:anyURI";
            /** @description The value. */
            value: string | number | boolean;
        };
        /** @description A list. */
        MultiValuedDataElement: {
            /** @description The key of the value. */
            elementId: string;
            /**
             * Format: uri
             * @description The meaning of the field. Absent if the vocabulary does not have it.
             */
            dictionaryReference?: string | undefined;
            /**
             * @description The kind of element.
             * @constant
             */
            objectType: "MultiValuedDataElement";
            /** @description Data elements. */
            elements: {
                [key: string]: unknown;
            }[];
        };
        /** @description Elements with names, or a value and its unit. */
        DataElementCollection: {
            /** @description The key of the value. */
            elementId: string;
            /**
             * Format: uri
             * @description The meaning of the field. Absent if the vocabulary does not have it.
             */
            dictionaryReference?: string | undefined;
            /**
             * @description The kind of element.
             * @constant
             */
            objectType: "DataElementCollection";
            /** @description Data elements. */
            elements: {
                [key: string]: unknown;
            }[];
        };
        /** @description A text in its languages. */
        MultiLanguageDataElement: {
            /** @description The key of the value. */
            elementId: string;
            /**
             * Format: uri
             * @description The meaning of the field. Absent if the vocabulary does not have it.
             */
            dictionaryReference?: string | undefined;
            /**
             * @description The kind of element.
             * @constant
             */
            objectType: "MultiLanguageDataElement";
            /** @description The text in each language. */
            value: {
                /** @description The text. */
                value: string;
                /** @description The language. Matches `^[a-z]{2,3}(?:-[A-Z]{2})?$`. */
                language: string;
            }[];
        };
        /** @description A file. The reference server sends none, because no type of content is stored with an address. */
        RelatedResource: {
            /** @description The key of the value. */
            elementId: string;
            /**
             * Format: uri
             * @description The meaning of the field. Absent if the vocabulary does not have it.
             */
            dictionaryReference?: string | undefined;
            /**
             * @description The kind of element.
             * @constant
             */
            objectType: "RelatedResource";
            /** @description The media type. */
            contentType: string;
            /**
             * Format: uri
             * @description The address of the file.
             */
            url: string;
            /** @description The language of the file. */
            language?: string | undefined;
            /** @description The title. */
            resourceTitle?: string | undefined;
        };
        /** @description The body of every error but those below `/dpp/v1`. A response narrows it to its codes, in the order of the checks. */
        Error: {
            /** @description The error. */
            error: {
                /** @description The error code. Branch on it. */
                code: "invalid_json" | "invalid_request" | "name_required" | "unknown_product_group" | "invalid_gtin" | "values_must_be_array" | "field_key_required" | "invalid_api_key" | "not_found" | "method_not_allowed" | "request_timeout" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable" | "key_cannot_publish" | "gtin_in_use" | "value_in_use" | "not_ready" | (string & {});
                /** @description What is wrong, where, and what to do. The message is for people and never repeats the input. Not empty. */
                message: string;
            };
        };
    };
    responses: {
        /** @description The API key is missing, unknown or revoked. */
        InvalidApiKey: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Bearer"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "invalid_api_key" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The tenant does not have this product. */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "not_found" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description A query parameter breaks the contract. A known parameter that appears twice does too. */
        InvalidQuery: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "invalid_request" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "payload_too_large" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json` in UTF-8, or has a `Content-Encoding`. */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "unsupported_media_type" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The tenant has made too many requests. There is no limit unless the operator sets one. */
        RateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "rate_limited" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
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
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "internal_error" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /**
         * @description An unexpected failure. The product may exist: look for it before you send the request again, or there may be
         *     two.
         */
        CreationFailed: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "internal_error" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /**
         * @description The service is busy or stopping, or cannot use its database now: it is locked, read-only, full, or does not
         *     respond in time. Try again after `Retry-After`.
         */
        ServiceUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "service_unavailable" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description This address does not have a published passport. */
        PublicNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "not_found" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description An unexpected failure. Try again. */
        PublicInternalError: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "internal_error" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description Too many requests came from the client's address. There is no limit unless the operator sets one. */
        PublicRateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "rate_limited" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The service is busy or stopping. Try again after `Retry-After`. */
        PublicUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "service_unavailable" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The client already has this response. */
        NotModified: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                ETag: components["headers"]["ETag"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description This address does not have a published passport. Drafts, archived products and unknown products get the same
         *     page.
         */
        PageNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
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
        /** @description An unexpected failure, as an HTML page. */
        PageFailed: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
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
        /** @description The service is busy or stopping. This is an HTML page. */
        PageUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
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
        /**
         * @description Too many requests came from the client's address. There is no limit unless the operator sets one. This is an
         *     HTML page.
         */
        PageRateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
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
        /** @description No active product has this GTIN, or the product has no link of this type. */
        LinkNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Link: components["headers"]["LinksetLinkOfFound"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @constant */
                        code?: "not_found" | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description The path is not a valid Digital Link, or its GTIN does not have 8, 12, 13 or 14 digits. */
        NoDigitalLink: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error?: {
                        /** @enum {unknown} */
                        code?: ("invalid_request" | "invalid_gtin") | undefined;
                    } | undefined;
                } & components["schemas"]["Error"];
            };
        };
        /** @description All links of the product (RFC 9264). The request asked for the linkset. */
        Linkset: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Link: components["headers"]["LinksetLink"];
                [name: string]: unknown;
            };
            content: {
                "application/linkset+json": components["schemas"]["Linkset"];
            };
        };
        /** @description The address of the passport is in `Location`. The reference server sends 307, or 302 if it is configured so. */
        Redirect: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Location: components["headers"]["Location"];
                Link: components["headers"]["LinksetLink"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The client prefers HTML. The passport page is in `Location`. */
        RedirectToPage: {
            headers: {
                "Cache-Control": components["headers"]["PublicCache"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                Location: components["headers"]["PageLocation"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description An identifier, a path or a query parameter breaks the contract. */
        DppInvalidRequest: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description There is no published passport with this id, or not at this time. */
        DppNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description There is no published passport with this id, or it has no such element for this request. */
        DppElementNotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        DppPayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description The body is not `application/json` in UTF-8, or has a `Content-Encoding`. */
        DppUnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description Too many requests came from the client's address. There is no limit unless the operator sets one. */
        DppRateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description An unexpected failure. Try again. */
        DppInternalError: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
        /** @description The service is busy or stopping. Try again after `Retry-After`. */
        DppUnavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    message?: unknown | undefined;
                } & components["schemas"]["DppError"];
            };
        };
    };
    parameters: {
        /**
         * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
         * @example usb-c-cable-240-w-2-m
         */
        Slug: components["schemas"]["PathSlug"];
        /**
         * @description The tenant's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
         * @example skellig
         */
        TenantSlug: components["schemas"]["PathSlug"];
        /**
         * @description The product's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
         * @example usb-c-cable-240-w-2-m
         */
        ProductSlug: components["schemas"]["PathSlug"];
        /**
         * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
         * @example 09520001200045
         */
        Gtin: string;
        /**
         * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
         * @example 2A
         */
        Cpv: components["schemas"]["KeyQualifier"];
        /**
         * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
         * @example LOT-42
         */
        Batch: components["schemas"]["KeyQualifier"];
        /**
         * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
         * @example SN001
         */
        Serial: components["schemas"]["KeyQualifier"];
        /**
         * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235). At most 28 characters; matches `^[!"%-?A-Z_a-z]+$`.
         * @example TPX-7
         */
        Tpx: components["schemas"]["LongKeyQualifier"];
        /**
         * @description The type of link to resolve. The name of this parameter is not case-sensitive.
         *
         *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
         *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
         *     - `linkset`: the list of all these links, without a redirect.
         *     - `all`: the same as `linkset`. GS1 has deprecated it.
         *
         *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
         *     twice, get 404.
         */
        LinkType: string;
        /**
         * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
         *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
         *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
         *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
         *     requests with this parameter must not be cached.
         */
        Zugang: string;
        /**
         * @description Number of a version, counted from 1. The response is the public view of that version. Any text that is not the
         *     number of a public version gets 404.
         */
        PassportVersion: string;
        /** @description The language of the page, or of the labels in the document, such as `de`. The service ignores one that it lacks. */
        Lang: string;
        /**
         * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
         *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
         * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
         */
        DppId: components["schemas"]["DppIdentifier"];
        /**
         * @description An identifier of the product, percent-encoded once into one segment. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
         * @example 09520001200045
         */
        ProductId: components["schemas"]["DppIdentifier"];
        /**
         * @description The path of the element (RFC 9535), percent-encoded once into one segment: `$['cable_length']['unit']`, with the position
         *     in a list as a number, `$['material_composition'][0]`. The form `$.cable_length.unit` is for names of letters, digits and
         *     `_`. Every other selector gets 400. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
         * @example $['cable_length']
         */
        ElementIdPath: components["schemas"]["DppIdentifier"];
        /**
         * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
         *     lists the elements.
         * @example compressed
         */
        Representation: "compressed" | "full";
        /**
         * @description The time (RFC 3339), with `Z` or an offset. Fractions of a second may have any number of digits. Write the `+` of an offset
         *     as `%2B`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$`.
         * @example 2026-11-20T09:32:00Z
         */
        DppDate: string;
        /** @description The number of identifiers of the body for a page. 1 to 500. */
        DppLimit: number;
        /** @description Where the page begins, from the `Link` of the page before. Any other text gets 400, an empty one too. */
        DppCursor: string;
    };
    requestBodies: never;
    headers: {
        /** @description Caches must not store responses under `/api/v1` or errors. */
        NoStore: "no-store";
        /** @description `no-cache`, or `private, no-store` if the request has a `zugang`, or is about a scanned variant, batch or item. */
        PublicCache: "no-cache" | "private, no-store";
        /** @description Browsers must not guess another content type than the one sent. */
        NoSniff: "nosniff";
        /**
         * @description The ID of this request. It is the request's own `X-Request-Id` if that has 1 to 128 characters and consists of ASCII
         *     letters, digits, `.`, `_` and `-`, otherwise a new UUID. Name it when you report an error to the operator: the
         *     service's log contains it.
         */
        RequestId: string;
        /** @description Every site may read public responses, without credentials. */
        AnyOrigin: "*";
        /** @description Headers that scripts of other sites may read. */
        ExposedHeaders: string;
        /** @description Keeps the address, and a token in it, from other sites. Sent with every page, and if the request has a `zugang`. */
        ReferrerPolicy: "no-referrer";
        /**
         * @description Identifies the content of this response for `If-None-Match`. It differs by content, status, language, template
         *     and role. Not sent if the request has a `zugang`, or is about a scanned variant, batch or item.
         */
        ETag: string;
        /** @description The request headers that the response depends on. */
        VaryPage: string;
        /** @description The request headers that the response depends on. */
        Vary: string;
        /**
         * @description Links the page to the JSON-LD document (`alternate`, `dpp`), and the document to the page (`alternate`), and both to
         *     the read below `/dpp/v1` if the tenant has an economic operator (`alternate`, `application/json`). The
         *     links never contain a `zugang`. Absent on the page of an item that is requested with the serial number of another one.
         */
        PageLink: string;
        /**
         * @description Links the document to the page (`alternate`), and to the read below `/dpp/v1` if the tenant has an economic operator
         *     (`alternate`, `application/json`). The links never contain a `zugang`.
         */
        DocumentLink: string;
        /** @description The name of the file. Only sent with `download` in the query. */
        Download: string;
        /** @description The language of the page. Not sent with the JSON-LD document, which states its own. */
        ContentLanguage: string;
        /** @description Sent with every page. It forbids scripts and allows only the page's own stylesheet. */
        ContentSecurityPolicy: string;
        /** @description The authentication scheme to use. */
        Bearer: "Bearer";
        /**
         * @description The number of fields that the request names and whose values keep the passport from being ready. `putPassport` lists
         *     the reasons. `0` if there is none, `1` if for example the key of one field looks misspelt.
         */
        PassportFindings: number;
        /** @description The number of seconds to wait before the next attempt. */
        RetryAfter: number;
        /** @description Links to the linkset of the Digital Link. With a linkset, it also links to the JSON-LD context. */
        LinksetLink: string;
        /** @description Links to the linkset of the Digital Link. Not sent if no product was found. */
        LinksetLinkOfFound: string;
        /**
         * @description The passport page, with the key qualifiers of the path, or the JSON-LD document. Both have the query of the
         *     request.
         */
        Location: string;
        /** @description The address of the next page (`rel="next"`). Absent on the last page. */
        NextPage: string;
        /** @description The passport page, with the query of the request. */
        PageLocation: string;
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
            /** @description The tenant that the key belongs to. */
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
                 * @description Lists only products with this status.
                 * @example active
                 */
                status?: components["schemas"]["ProductStatus"] | undefined;
                /**
                 * @description Lists only products whose name contains this text. Case does not matter. There are no wildcards: every
                 *     character, `%` and `_` too, stands for itself.
                 * @example cable
                 */
                search?: string | undefined;
                /**
                 * @description The maximum number of products on a page. 1 to 200, default 50; the service moves other numbers to the nearest bound.
                 * @example 50
                 */
                limit?: number | undefined;
                /**
                 * @description The number of products to skip before the page begins. 0 to 9,007,199,254,740,991, default 0; the service moves other numbers to the nearest bound.
                 * @example 0
                 */
                offset?: number | undefined;
                /**
                 * @description Lists only products with this GTIN. GTINs are compared in their form of 14 digits, so this one may have any of its
                 *     lengths. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 9520001200045
                 */
                gtin?: string | undefined;
                /**
                 * @description Lists only products whose `serial_number` is this text, compared character by character. An empty text lists the
                 *     products whose `serial_number` is `null`. Items of different GTINs may have the same serial number: add `gtin`.
                 * @example SN001
                 */
                serial?: string | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of products. `limit` and `offset` are the values used. */
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
            /**
             * @description A query parameter breaks the contract. A known parameter that appears twice does too. The service checks the codes
             *     in the order listed.
             */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code?: ("invalid_request" | "invalid_gtin") | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
                };
            };
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
            /** @description The body breaks a rule. The service checks the codes in the order listed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code?: ("invalid_json" | "name_required" | "unknown_product_group" | "invalid_gtin" | "invalid_request") | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["CreationFailed"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
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
    setProductStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                slug: components["parameters"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductStatusChange"];
            };
        };
        responses: {
            /** @description The product with the status. */
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
            /** @description The body breaks a rule. The service checks the codes in the order listed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code?: ("invalid_json" | "invalid_request") | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
                };
            };
            401: components["responses"]["InvalidApiKey"];
            /** @description The API key does not have the right to publish. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @constant */
                            code?: "key_cannot_publish" | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            /**
             * @description The product cannot have this status now, and nothing has changed. The service checks the codes in the order
             *     listed. `value_in_use` names the field and the active product. `not_ready` names at most 20 fields.
             */
            409: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code?: ("gtin_in_use" | "value_in_use" | "not_ready") | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
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
            /** @description The service has stored the values. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Passport-Findings": components["headers"]["PassportFindings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PassportWriteResult"];
                };
            };
            /**
             * @description The body breaks a rule, and the service has stored nothing. The service checks the codes in the order
             *     listed. It counts the elements before it checks them: too many are `invalid_request`.
             */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error?: {
                            /** @enum {unknown} */
                            code?: ("invalid_json" | "values_must_be_array" | "field_key_required" | "invalid_request") | undefined;
                        } | undefined;
                    } & components["schemas"]["Error"];
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
                 * @description The product's slug. A slug in another form or case gets the 404 of an unknown product. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
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
                 * @description The length of the period in days, including today. 1 to 365, default 30; the service moves other numbers to the nearest bound.
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
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
                /** @description The language of the page, or of the labels in the document, such as `de`. The service ignores one that it lacks. */
                lang?: components["parameters"]["Lang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example skellig
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
                 */
                product: components["parameters"]["ProductSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passport page. If `Accept` prefers JSON-LD, the JSON-LD document. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["VaryPage"];
                    Link: components["headers"]["PageLink"];
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
            429: components["responses"]["PageRateLimited"];
            500: components["responses"]["PageFailed"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    getPassportJsonld: {
        parameters: {
            query?: {
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
                /**
                 * @description Number of a version, counted from 1. The response is the public view of that version. Any text that is not the
                 *     number of a public version gets 404.
                 */
                version?: components["parameters"]["PassportVersion"] | undefined;
                /** @description The language of the page, or of the labels in the document, such as `de`. The service ignores one that it lacks. */
                lang?: components["parameters"]["Lang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The tenant's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example skellig
                 */
                tenant: components["parameters"]["TenantSlug"];
                /**
                 * @description The product's slug. At most 100 characters; matches `^[a-z0-9]+(?:-[a-z0-9]+)*$`.
                 * @example usb-c-cable-240-w-2-m
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
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    /** @description The request headers that the response depends on. */
                    Vary?: string | undefined;
                    Link: components["headers"]["DocumentLink"];
                    "Content-Disposition": components["headers"]["Download"];
                    [name: string]: unknown;
                };
                content: {
                    "application/ld+json": components["schemas"]["PassportDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            404: components["responses"]["PublicNotFound"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtin: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpv: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinBatch: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinSerial: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvBatch: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvSerial: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinBatchSerial: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinCpvBatchSerial: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Consumer product variant (GS1 key qualifier 22). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example 2A
                 */
                cpv: components["parameters"]["Cpv"];
                /**
                 * @description Batch or lot number (GS1 key qualifier 10). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
                 * @example LOT-42
                 */
                batch: components["parameters"]["Batch"];
                /**
                 * @description Serial number (GS1 key qualifier 21). At most 20 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolveGtinTpx: {
        parameters: {
            query?: {
                /**
                 * @description The type of link to resolve. The name of this parameter is not case-sensitive.
                 *
                 *     - `gs1:defaultLink` and `gs1:pip`: the passport page.
                 *     - `gs1:dpp`: the JSON-LD document. There is none if the link opens another item than the one that it names.
                 *     - `linkset`: the list of all these links, without a redirect.
                 *     - `all`: the same as `linkset`. GS1 has deprecated it.
                 *
                 *     A link type can also be an IRI: `https://ref.gs1.org/voc/dpp`. Any other value, and a `linkType` that appears
                 *     twice, get 404.
                 */
                linkType?: components["parameters"]["LinkType"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The GTIN, as the link of a data carrier contains it. Matches `^(?:[0-9]{8}|[0-9]{12,14})$`.
                 * @example 09520001200045
                 */
                gtin: components["parameters"]["Gtin"];
                /**
                 * @description Third-party controlled, serialised extension of the GTIN (GS1 key qualifier 235). At most 28 characters; matches `^[!"%-?A-Z_a-z]+$`.
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
            429: components["responses"]["PublicRateLimited"];
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
            /** @description The resolver description file. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolverDescription"];
                };
            };
        };
    };
    readDppById: {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
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
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dpp"];
                };
            };
            304: components["responses"]["NotModified"];
            307: components["responses"]["RedirectToPage"];
            400: components["responses"]["DppInvalidRequest"];
            404: components["responses"]["DppNotFound"];
            429: components["responses"]["DppRateLimited"];
            500: components["responses"]["DppInternalError"];
            503: components["responses"]["DppUnavailable"];
        };
    };
    readDppByProductId: {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description An identifier of the product, percent-encoded once into one segment. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example 09520001200045
                 */
                productId: components["parameters"]["ProductId"];
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
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dpp"];
                };
            };
            304: components["responses"]["NotModified"];
            307: components["responses"]["RedirectToPage"];
            400: components["responses"]["DppInvalidRequest"];
            404: components["responses"]["DppNotFound"];
            429: components["responses"]["DppRateLimited"];
            500: components["responses"]["DppInternalError"];
            503: components["responses"]["DppUnavailable"];
        };
    };
    readDppIdsByProductIds: {
        parameters: {
            query?: {
                /** @description The number of identifiers of the body for a page. 1 to 500. */
                limit?: components["parameters"]["DppLimit"] | undefined;
                /** @description Where the page begins, from the `Link` of the page before. Any other text gets 400, an empty one too. */
                cursor?: components["parameters"]["DppCursor"] | undefined;
            } | undefined;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DppProductIds"];
            };
        };
        responses: {
            /** @description The ids of the passports that were found. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DppIds"];
                };
            };
            /** @description The body or a parameter breaks the contract, or the cursor is not that of the body. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message?: unknown | undefined;
                    } & components["schemas"]["DppError"];
                };
            };
            413: components["responses"]["DppPayloadTooLarge"];
            415: components["responses"]["DppUnsupportedMediaType"];
            429: components["responses"]["DppRateLimited"];
            500: components["responses"]["DppInternalError"];
            503: components["responses"]["DppUnavailable"];
        };
    };
    readDppVersionByIdAndDate: {
        parameters: {
            query: {
                /**
                 * @description The time (RFC 3339), with `Z` or an offset. Fractions of a second may have any number of digits. Write the `+` of an offset
                 *     as `%2B`. Matches `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$`.
                 * @example 2026-11-20T09:32:00Z
                 */
                date: components["parameters"]["DppDate"];
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
            };
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passport at that time. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dpp"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["DppInvalidRequest"];
            404: components["responses"]["DppNotFound"];
            429: components["responses"]["DppRateLimited"];
            500: components["responses"]["DppInternalError"];
            503: components["responses"]["DppUnavailable"];
        };
    };
    readDataElement: {
        parameters: {
            query?: {
                /**
                 * @description `compressed`: the id of each element is the name of a member, and the metadata of elements is left out. `full`: `elements`
                 *     lists the elements.
                 * @example compressed
                 */
                representation?: components["parameters"]["Representation"] | undefined;
                /**
                 * @description An access token, which opens the extended view of its role (*Zugang* is German for access). A `recycler` also
                 *     sees restricted values. An `inspector` also sees restricted values and those for authorities. An invalid,
                 *     expired or revoked token gets the public view with 200, and so does a `zugang` that appears twice. The service
                 *     stores the role, product and expiry of each token; the signature only proves which token it is. Responses to
                 *     requests with this parameter must not be cached.
                 */
                zugang?: components["parameters"]["Zugang"] | undefined;
            } | undefined;
            header?: never;
            path: {
                /**
                 * @description The `digitalProductPassportId`, percent-encoded once into one segment. The address of the passport page is the same
                 *     passport. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example https://passport.example.com/p/skellig/usb-c-cable-240-w-2-m/jsonld
                 */
                dppId: components["parameters"]["DppId"];
                /**
                 * @description The path of the element (RFC 9535), percent-encoded once into one segment: `$['cable_length']['unit']`, with the position
                 *     in a list as a number, `$['material_composition'][0]`. The form `$.cable_length.unit` is for names of letters, digits and
                 *     `_`. Every other selector gets 400. At most 2,000 characters; matches `^[^\u0000-\u001f\u007f\ufffd]+$`.
                 * @example $['cable_length']
                 */
                elementIdPath: components["parameters"]["ElementIdPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The element. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["PublicCache"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AnyOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposedHeaders"];
                    "Referrer-Policy": components["headers"]["ReferrerPolicy"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataElementValue"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["DppInvalidRequest"];
            404: components["responses"]["DppElementNotFound"];
            429: components["responses"]["DppRateLimited"];
            500: components["responses"]["DppInternalError"];
            503: components["responses"]["DppUnavailable"];
        };
    };
}
/** Error codes of the server rather than an operation: any request may get them. */
export type ServerErrorCode = 'method_not_allowed' | 'request_timeout' | 'headers_too_large';

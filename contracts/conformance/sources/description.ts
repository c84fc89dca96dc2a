/**
 * What the API's own description says, in our words. `npm run generate` writes docs/reference/description.md from it. A number
 * keeps its meaning: a sentence that goes leaves a gap, and a new one gets the next number of its section.
 */

export const sections = [
  'Requests and keys',
  'Tenants',
  'Products',
  'Lists of products',
  'New products',
  'Passports',
  'Data carriers',
  'Scan statistics',
  'Public pages',
  'Access tokens',
  'Resolver',
  'Errors',
  'What it leaves open',
] as const;

/** By section and sentence: 4.2 is the second sentence of the fourth section. */
export const description: Readonly<Record<string, string>> = {
  '1.1': 'Responses of the API are JSON in UTF-8.',
  '1.2': 'A request that has a body has the type `application/json`.',
  '1.3': 'Paths of the API begin with `/api/v1`.',
  '1.4': 'A request to the API sends its key in the header `Authorization: Bearer KEY`.',
  '1.5': 'A request without a key, or with one that is wrong or revoked, gets 401 `invalid_api_key`.',
  '1.6': 'Revoking a key takes effect at once.',
  '1.7': 'The service shows a key once, after its creation, and keeps nothing but its SHA-256.',
  '1.8': 'A key opens the data of its own tenant, hidden values included.',
  '1.9': 'A key must be kept out of frontends and repositories.',

  '2.1': 'A key reads and changes nothing that belongs to another tenant.',
  '2.2': 'Something of another tenant looks as if it did not exist: 404 `not_found`.',
  '2.3':
    '`GET /me` returns `tenant`, the tenant of the key, with `id`, `name`, `slug`, `country` and `plan`, and the number `products_total`.',
  '2.4': 'A slug belongs to one product of a tenant. Other tenants may use it, too.',

  '3.1':
    'A product has `id`, `name`, `slug`, `status`, `gtin`, `completeness`, `registry_status`, `unique_product_identifier`, `created_at` and `updated_at`.',
  '3.2': 'A product is `draft`, `active` or `archived`.',
  '3.3': 'A GTIN has 8, 12, 13 or 14 digits. A product may have none.',
  '3.4': 'The service keeps `completeness` up to date, as a whole number.',
  '3.5':
    '`unique_product_identifier` is a URN that ends in the slugs of the tenant and of the product, and never changes.',
  '3.6': '`created_at` and `updated_at` are times.',
  '3.7': '`GET /products/{slug}` returns the product with `registry_id` and its group.',
  '3.8': 'A product that the tenant does not have gets 404 `not_found`.',

  '4.1': '`GET /products` returns a page of `items`, and `total`, `limit` and `offset`.',
  '4.2': 'A page has at most `limit` products: 50 without the parameter, and never more than 200.',
  '4.3': 'A page begins at `offset`: 0 without the parameter.',
  '4.4': '`status` keeps the products that have this status.',
  '4.5': '`search` keeps the products whose name contains the text, in capitals or small letters.',

  '5.1': '`POST /products` takes `name`, and may take `slug`, `product_group`, `gtin` and `model`.',
  '5.2': '`POST /products` responds with 200 and the product, in the form of `GET /products/{slug}`.',
  '5.3': 'A new product is a draft, and has its identifier from then on.',
  '5.4': 'The service makes a slug from the name if the request has none, and adds a suffix to one that is taken.',
  '5.5': '`POST /products` without `name` gets 400 `name_required`.',
  '5.6':
    'The groups are `textile`, `battery`, `smartphone`, `computer`, `cable`, `motor`, `tyre`, `packaging`, `chemical`, `other`, and more that are not named.',
  '5.7': 'A group that no template has gets 400 `unknown_product_group`.',

  '6.1':
    '`GET …/passport` returns `product` (`id`, `name`, `slug`, `status`, `completeness`), `template_version`, `values` and `latest_version`.',
  '6.2': 'The owner reads the values of every access level.',
  '6.3':
    'A value has `field_key`, `value`, `unit`, `source`, `access_level`, `is_unknown`, `needs_review`, `locale` and `updated_at`. All but the last two can be written.',
  '6.4': '`value` is any JSON value.',
  '6.5': '`source` is `manual`, `import` or `supplier`: `import` if it is not sent.',
  '6.6': '`access_level` is `public`, `restricted` or `authority`: `public` if it is not sent.',
  '6.7': '`PUT …/passport` takes an array of values. It updates the fields that exist and creates the others.',
  '6.8': '`PUT …/passport` returns the whole numbers `updated` and `completeness`.',
  '6.9': 'A write brings the completeness of the product up to date.',
  '6.10': 'Each change of values makes a version with its own `content_hash` and the time `created_at`.',
  '6.11': '`template_version` is a whole number.',
  '6.12': '`PUT …/passport` without an array gets 400 `values_must_be_array`.',
  '6.13': '`PUT …/passport` with an element without `field_key` gets 400 `field_key_required`.',

  '7.1':
    '`GET …/carriers` returns `items`, each with `id`, `type`, `gs1_digital_link`, `nfc_tag_uid`, `status` and `created_at`.',
  '7.2': 'The link of a data carrier ends in `/01/` and the GTIN.',
  '7.3': 'The link of a data carrier stays valid.',

  '8.1': '`GET /analytics/scans` returns `days`, `total`, `per_day`, `by_view_role` and `top_products`.',
  '8.2': 'The period is `days`: 30 without the parameter, and at most 365.',
  '8.3': '`total` is the number of scans in the period.',
  '8.4': '`per_day` has the number of scans of a date.',
  '8.5': '`by_view_role` has the numbers of `consumer`, `inspector` and `recycler`.',
  '8.6': '`top_products` has the number of scans of a product, with its slug and name.',
  '8.7': 'Statistics have no personal data. Client addresses are stored as salted hashes alone.',

  '9.1': 'The public paths `/p/…` and `/01/…` are at the root of the host, and need no key.',
  '9.2': 'Public paths serve the passports of activated products.',
  '9.3': '`GET /p/{tenant}/{product}` responds with HTML, the page of the passport.',
  '9.4': '`GET /p/{tenant}/{product}/jsonld` responds with `application/ld+json` in terms of schema.org and GS1.',
  '9.5': 'The JSON-LD document has the content hash.',
  '9.6': 'Without a token, public paths show the values with the access level `public`, and no others.',

  '10.1': 'A valid token in the query parameter `zugang` opens restricted values.',
  '10.2': 'A token has a role, such as `inspector` or `recycler`. The query parameter `view` gives none.',
  '10.3': 'The business creates tokens in the app and can revoke them. No operation of the API does.',

  '11.1': '`GET /01/{gtin}` redirects to the page of the passport, with 302 or 307.',

  '12.1': 'An error of the API is `{"error": {"code": …, "message": …}}`. The message is a text for people.',
  '12.2': 'A body that is not JSON gets 400 `invalid_json`.',
  '12.3': 'An unexpected failure gets 500 `internal_error`. The client may try again.',

  '13.1':
    'Open: what happens to a `limit` above 200, to `days` above 365, to a negative number and to an unknown `status`.',
  '13.2': 'Open: whether a write with one wrong element stores the others.',
  '13.3': 'Open: the range of `completeness`, and how it is calculated.',
  '13.4': 'Open: the fields of a response that have the group and the model of a product.',
  '13.5': 'Open: the field keys of a template.',
  '13.6':
    'Open: the values of `plan`, the other values of `registry_status`, and of `type` and `status` of a data carrier, and when they change.',
  '13.7': 'Open: how a product becomes active or archived.',
  '13.8': 'Open: statuses and bodies of errors on public paths, for example for a GTIN without a passport.',
  '13.9': 'Open: when the resolver uses 302, and when 307.',
  '13.10': 'Open: the order of lists, and the length of `per_day` and `top_products`.',
  '13.11': 'Open: the longest text, the largest body and passport, and the rate of requests.',
  '13.12': 'Open: how the API may change within version 1.',
  '13.13': 'Open: whether a token expires, and whether it may be limited to one product.',
  '13.14': 'Open: when `updated_at` changes, and what `updated` counts.',
};

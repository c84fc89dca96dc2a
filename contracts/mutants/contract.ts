/** Mistakes in openapi.yaml that lint, the comparison with the pact, or the generated files must show. */
import type { Edit } from './matrix.ts';

const mistake = (id: string, what: string) => ({
  replaces: (from: string, to: string): Edit => ({ id, mistake: what, from, to }),
});

export const contractEdits: readonly Edit[] = [
  mistake('operation-without-key', 'An operation under /api/v1 needs no key.').replaces(
    'operationId: getMe\n',
    'operationId: getMe\n      security: []\n',
  ),
  mistake('another-path', 'An operation has another path.').replaces('  /api/v1/me:\n', '  /api/v1/tenant:\n'),
  mistake('another-method', 'An operation has another method.').replaces(
    '    put:\n      operationId: putPassport',
    '    patch:\n      operationId: putPassport',
  ),
  mistake('another-operation-id', 'An operation has another name.').replaces(
    'operationId: listCarriers',
    'operationId: getCarriers',
  ),
  mistake('another-parameter', 'A query parameter has another name.').replaces('- name: search\n', '- name: query\n'),
  mistake('another-default', 'The default of limit is 20.').replaces('default: 50\n', 'default: 20\n'),
  mistake('another-bound', 'The maximum of limit is 100.').replaces(
    'x-clamp: { minimum: 1, maximum: 200 }',
    'x-clamp: { minimum: 1, maximum: 100 }',
  ),
  mistake('missing-status-value', 'A product cannot be archived.').replaces(
    'enum: [draft, active, archived]',
    'enum: [draft, active]',
  ),
  mistake('missing-401', 'A secured operation does not document 401.').replaces(
    "                    products_total: 9\n        '401': { $ref: '#/components/responses/InvalidApiKey' }\n",
    '                    products_total: 9\n',
  ),
  mistake('wrong-example', 'An example does not fit its schema.').replaces(
    'products_total: 9\n',
    'products_total: nine\n',
  ),
  mistake('wrong-pattern', 'A country has three letters.').replaces('pattern: ^[A-Za-z]{2}$', 'pattern: ^[A-Za-z]{3}$'),
  mistake('another-error-code', 'An error code has another name.').replaces(
    'enum: [invalid_json, name_required,',
    'enum: [invalid_json, name_missing,',
  ),
  mistake('undescribed-field', 'A field has no description.').replaces(
    'total: { description: Number of scans in the period., type',
    'total: { type',
  ),
  mistake('another-type', 'The days of a period are text.').replaces(
    'in days, as used.\n          type: integer',
    'in days, as used.\n          type: string',
  ),
  mistake('missing-known-value', 'A carrier cannot be an NFC tag.').replaces(
    'x-extensible-enum: [qr, datamatrix, nfc, rfid, other]\n          x-origin: { datamatrix: reference, nfc: reference,',
    'x-extensible-enum: [qr, datamatrix, rfid, other]\n          x-origin: { datamatrix: reference,',
  ),
  mistake('optional-field', 'A field that every carrier has is optional.').replaces(
    'gs1_digital_link, nfc_tag_uid, status',
    'gs1_digital_link, status',
  ),
  mistake('another-required-field', 'A carrier needs a field that no provider sends.').replaces(
    'required: [id, type, gs1_digital_link',
    'required: [id, owner, type, gs1_digital_link',
  ),
  mistake('another-link', 'The Digital Link of a carrier has another path.').replaces(
    'pattern: /01/(?:[0-9]{8}|[0-9]{12,14})$',
    'pattern: /gtin/[0-9]{14}$',
  ),
  mistake('another-minimum', 'A period has at least one scan.').replaces(
    'scans in the period., type: integer, minimum: 0',
    'scans in the period., type: integer, minimum: 1',
  ),
  mistake('unknown-origin', 'x-origin marks a value that does not exist.').replaces(
    'x-origin: { datamatrix: reference, nfc:',
    'x-origin: { pdf417: reference, nfc:',
  ),
  mistake('origin-of-nobody', 'x-origin has an unknown value.').replaces(
    'x-origin: { latest_version: reference }',
    'x-origin: description',
  ),
  mistake('any-error-code', 'The code of an error is any text.').replaces(
    'error: { properties: { code: { const: not_found } }',
    'error: { properties: { code: { description: Any., type: string } }',
  ),
  mistake('any-code-of-408', 'The code of an error of the server is anything.').replaces(
    '{ code: { const: request_timeout } }',
    '{ code: {} }',
  ),
  mistake('misnamed-error-example', 'The example of an error has another name than its code.').replaces(
    'not_found:\n              value: { error: { code: not_found, message: The tenant',
    'missing:\n              value: { error: { code: not_found, message: The tenant',
  ),
  mistake('page-without-example', 'A page has no example.').replaces(
    'examples:\n            not_found:\n              value: <!doctype',
    'x-none:\n            not_found:\n              value: <!doctype',
  ),
  mistake('undeclared-field-in-example', 'An example has a field that the open schema does not name.').replaces(
    'products_total: 9\n',
    'products_total: 9\n                    stack: at\n',
  ),
  mistake('wrong-request-example', 'The example of a request has an unknown product group.').replaces(
    'product_group: cable\n                  gtin:',
    'product_group: spaceship\n                  gtin:',
  ),
  mistake('public-path-without-500', 'The resolver does not document 500.').replaces(
    `'500': { $ref: '#/components/responses/PublicInternalError' }
        '503': { $ref: '#/components/responses/PublicUnavailable' }

  /01/{gtin}/22/{cpv}:`,
    `'503': { $ref: '#/components/responses/PublicUnavailable' }

  /01/{gtin}/22/{cpv}:`,
  ),
  mistake('operation-with-405', 'An operation documents an error that its handler cannot cause.').replaces(
    "products_total: 9\n        '401'",
    "products_total: 9\n        '405': { $ref: '#/components/responses/NotFound' }\n        '401'",
  ),
  mistake('undescribed-parameter', 'A parameter has no description.').replaces(" description: The tenant's slug.,", ''),
  mistake('undescribed-header', 'A header has no description.').replaces(
    'description: The number of seconds to wait before the next attempt.\n      required',
    'required',
  ),
  mistake('limit-with-maximum', 'The limit of a list has a maximum, beyond which a mock server refuses it.').replaces(
    'x-clamp: { minimum: 1, maximum: 200 }',
    'x-clamp: { minimum: 1, maximum: 200 }\n            maximum: 200',
  ),
  mistake('days-without-bounds', 'The length of a period has no bounds.').replaces(
    '            x-clamp: { minimum: 1, maximum: 365 }\n',
    '',
  ),
  mistake('unsupported-keyword', 'A field of a request has a keyword that validation lacks.').replaces(
    "description: Model or variant., type: [string, 'null'], maxLength",
    "description: Model or variant., type: [string, 'null'], minLength: 1, maxLength",
  ),
  mistake('undescribed-form', 'A 400 quotes a description that a value of the path does not have.').replaces(
    "    KeyQualifier:\n      description: Characters from GS1's character set 82, percent-encoded.\n",
    '    KeyQualifier:\n',
  ),
  mistake('carrier-without-required', 'No field of a carrier is required.').replaces(
    'type: object\n      required: [id, type, gs1_digital_link, nfc_tag_uid, status, created_at]',
    'type: object',
  ),
];

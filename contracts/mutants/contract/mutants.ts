/** Mistakes in openapi.yaml that lint, the comparison with the pact, or the generated files must show. */
import type { Edit } from '../matrix.ts';

export type ContractSuite = 'lint' | 'comparison' | 'freshness';

/** An edit with the suites that notice it. The others do not. */
export interface ContractMutant extends Edit {
  readonly killedBy: readonly ContractSuite[];
}

const mistake = (id: string, what: string) => ({
  replaces: (from: string, to: string) => ({
    noticedBy: (...killedBy: readonly ContractSuite[]): ContractMutant => ({ id, mistake: what, from, to, killedBy }),
  }),
});

export const contractMutants: readonly ContractMutant[] = [
  mistake('operation-without-key', 'An operation under /api/v1 needs no key.')
    .replaces('operationId: getMe\n', 'operationId: getMe\n      security: []\n')
    .noticedBy('lint'),
  mistake('another-path', 'An operation has another path.')
    .replaces('  /api/v1/me:\n', '  /api/v1/tenant:\n')
    .noticedBy('comparison', 'freshness'),
  mistake('another-method', 'An operation has another method.')
    .replaces('    put:\n      operationId: putPassport', '    patch:\n      operationId: putPassport')
    .noticedBy('comparison', 'freshness'),
  mistake('another-operation-id', 'An operation has another name.')
    .replaces('operationId: listCarriers', 'operationId: getCarriers')
    .noticedBy('freshness'),
  mistake('another-parameter', 'A query parameter has another name.')
    .replaces('- name: search\n', '- name: query\n')
    .noticedBy('comparison', 'freshness'),
  mistake('another-default', 'The default of limit is 20.')
    .replaces('default: 50\n', 'default: 20\n')
    .noticedBy('freshness'),
  mistake('another-bound', 'The maximum of limit is 100.')
    .replaces('x-clamp: { minimum: 1, maximum: 200 }', 'x-clamp: { minimum: 1, maximum: 100 }')
    .noticedBy('freshness'),
  mistake('missing-status-value', 'A product cannot be archived.')
    .replaces('enum: [draft, active, archived]', 'enum: [draft, active]')
    .noticedBy('comparison', 'freshness'),
  mistake('missing-401', 'A secured operation does not document 401.')
    .replaces(
      "                    products_total: 9\n        '401': { $ref: '#/components/responses/InvalidApiKey' }\n",
      '                    products_total: 9\n',
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('wrong-example', 'An example does not fit its schema.')
    .replaces('products_total: 9\n', 'products_total: nine\n')
    .noticedBy('lint', 'freshness'),
  mistake('wrong-pattern', 'A country has three letters.')
    .replaces('pattern: ^[A-Za-z]{2}$', 'pattern: ^[A-Za-z]{3}$')
    .noticedBy('lint', 'freshness'),
  mistake('another-error-code', 'An error code has another name.')
    .replaces('enum: [invalid_json, name_required,', 'enum: [invalid_json, name_missing,')
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('undescribed-field', 'A field has no description.')
    .replaces('total: { description: Number of scans in the period., type', 'total: { type')
    .noticedBy('lint', 'freshness'),
  mistake('another-type', 'The days of a period are text.')
    .replaces('in days, as used.\n          type: integer', 'in days, as used.\n          type: string')
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('missing-known-value', 'A carrier cannot be an NFC tag.')
    .replaces(
      'x-extensible-enum: [qr, datamatrix, nfc, rfid, other]\n          x-origin: { datamatrix: reference, nfc: reference,',
      'x-extensible-enum: [qr, datamatrix, rfid, other]\n          x-origin: { datamatrix: reference,',
    )
    .noticedBy('lint', 'freshness'),
  mistake('optional-field', 'A field that every carrier has is optional.')
    .replaces('gs1_digital_link, nfc_tag_uid, status', 'gs1_digital_link, status')
    .noticedBy('freshness'),
  mistake('another-required-field', 'A carrier needs a field that no provider sends.')
    .replaces('required: [id, type, gs1_digital_link', 'required: [id, owner, type, gs1_digital_link')
    .noticedBy('lint'),
  mistake('another-link', 'The Digital Link of a carrier has another path.')
    .replaces('pattern: /01/(?:[0-9]{8}|[0-9]{12,14})$', 'pattern: /gtin/[0-9]{14}$')
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('another-minimum', 'A period has at least one scan.')
    .replaces('scans in the period., type: integer, minimum: 0', 'scans in the period., type: integer, minimum: 1')
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('unknown-origin', 'x-origin marks a value that does not exist.')
    .replaces('x-origin: { datamatrix: reference, nfc:', 'x-origin: { pdf417: reference, nfc:')
    .noticedBy('lint'),
  mistake('origin-of-nobody', 'x-origin has an unknown value.')
    .replaces('x-origin: { latest_version: reference }', 'x-origin: description')
    .noticedBy('lint'),
  mistake('any-error-code', 'The code of an error is any text.')
    .replaces('{ code: { const: not_found } }', '{ code: { description: Any., type: string } }')
    .noticedBy('lint', 'freshness'),
  mistake('any-code-of-408', 'The code of an error of the server is anything.')
    .replaces('{ code: { const: request_timeout } }', '{ code: {} }')
    .noticedBy('lint', 'freshness'),
  mistake('misnamed-error-example', 'The example of an error has another name than its code.')
    .replaces(
      'not_found:\n              value: { error: { code: not_found, message: The tenant',
      'missing:\n              value: { error: { code: not_found, message: The tenant',
    )
    .noticedBy('lint'),
  mistake('page-without-example', 'A page has no example.')
    .replaces(
      'examples:\n            not_found:\n              value: <!doctype',
      'x-none:\n            not_found:\n              value: <!doctype',
    )
    .noticedBy('lint'),
  mistake('undeclared-field-in-example', 'An example has a field that the open schema does not name.')
    .replaces('products_total: 9\n', 'products_total: 9\n                    stack: at\n')
    .noticedBy('lint', 'freshness'),
  mistake('wrong-request-example', 'The example of a request has an unknown product group.')
    .replaces('product_group: cable\n                  gtin:', 'product_group: spaceship\n                  gtin:')
    .noticedBy('lint', 'freshness'),
  mistake('public-path-without-500', 'The resolver does not document 500.')
    .replaces(
      `'500': { $ref: '#/components/responses/PublicInternalError' }
        '503': { $ref: '#/components/responses/PublicUnavailable' }

  /01/{gtin}/22/{cpv}:`,
      `'503': { $ref: '#/components/responses/PublicUnavailable' }

  /01/{gtin}/22/{cpv}:`,
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('operation-with-405', 'An operation documents an error that its handler cannot cause.')
    .replaces(
      "products_total: 9\n        '401'",
      "products_total: 9\n        '405': { $ref: '#/components/responses/NotFound' }\n        '401'",
    )
    .noticedBy('lint', 'freshness'),
  mistake('undescribed-parameter', 'A parameter has no description.')
    .replaces(" description: The tenant's slug.,", '')
    .noticedBy('lint', 'freshness'),
  mistake('undescribed-header', 'A header has no description.')
    .replaces('description: The number of seconds to wait before the next attempt.\n      required', 'required')
    .noticedBy('lint', 'freshness'),
  mistake('limit-with-maximum', 'The limit of a list has a maximum, beyond which a mock server refuses it.')
    .replaces(
      'x-clamp: { minimum: 1, maximum: 200 }',
      'x-clamp: { minimum: 1, maximum: 200 }\n            maximum: 200',
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('days-without-bounds', 'The length of a period has no bounds.')
    .replaces('            x-clamp: { minimum: 1, maximum: 365 }\n', '')
    .noticedBy('lint', 'freshness'),
  mistake('carrier-without-required', 'No field of a carrier is required.')
    .replaces(
      'type: object\n      required: [id, type, gs1_digital_link, nfc_tag_uid, status, created_at]',
      'type: object',
    )
    .noticedBy('lint', 'freshness'),
];

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
      "                    products_total: 15\n        '401': { $ref: '#/components/responses/InvalidApiKey' }\n",
      '                    products_total: 15\n',
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('wrong-example', 'An example does not fit its schema.')
    .replaces('products_total: 15\n', 'products_total: fifteen\n')
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
    .replaces(
      'description: Length of the period in days, as used.\n          type: integer',
      'description: Length of the period in days, as used.\n          type: string',
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('missing-known-value', 'A carrier cannot be an NFC tag.')
    .replaces(
      'x-extensible-enum: [qr, datamatrix, nfc, rfid, other]\n          x-origin: { datamatrix: reference, nfc: reference,',
      'x-extensible-enum: [qr, datamatrix, rfid, other]\n          x-origin: { datamatrix: reference,',
    )
    .noticedBy('lint', 'freshness'),
  mistake('optional-field', 'A field that every carrier has is optional.')
    .replaces(
      'required: [id, type, gs1_digital_link, nfc_tag_uid, status, created_at]',
      'required: [id, type, gs1_digital_link, status, created_at]',
    )
    .noticedBy('freshness'),
  mistake('another-required-field', 'A carrier needs a field that no provider sends.')
    .replaces(
      'required: [id, type, gs1_digital_link, nfc_tag_uid, status, created_at]',
      'required: [id, owner, type, gs1_digital_link, nfc_tag_uid, status, created_at]',
    )
    .noticedBy('lint'),
  mistake('another-link', 'The Digital Link of a carrier has another path.')
    .replaces('pattern: /01/(?:[0-9]{8}|[0-9]{12,14})$', 'pattern: /gtin/[0-9]{14}$')
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('another-minimum', 'A period has at least one scan.')
    .replaces(
      'description: Number of scans in the period., type: integer, minimum: 0',
      'description: Number of scans in the period., type: integer, minimum: 1',
    )
    .noticedBy('lint', 'comparison', 'freshness'),
  mistake('unknown-origin', 'x-origin marks a value that does not exist.')
    .replaces('x-origin: { datamatrix: reference, nfc:', 'x-origin: { pdf417: reference, nfc:')
    .noticedBy('lint'),
];

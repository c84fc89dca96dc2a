/** Mistakes in openapi.yaml that lint, the comparison with the pact, or the generated files must show. */
import type { Edit } from '../matrix.ts';

export type ContractSuite = 'lint' | 'comparison' | 'freshness';

export interface ContractMutant extends Edit {
  /** The suites that notice the mistake. The others do not. */
  readonly killedBy: readonly ContractSuite[];
}

const carrier = 'required: [id, type, gs1_digital_link, nfc_tag_uid, status, created_at]';
const ofTenant =
  "                    products_total: 15\n        '401': { $ref: '#/components/responses/InvalidApiKey' }\n";

export const contractMutants: readonly ContractMutant[] = [
  {
    id: 'operation-without-key',
    mistake: 'An operation under /api/v1 needs no key.',
    find: 'operationId: getMe\n',
    replace: 'operationId: getMe\n      security: []\n',
    killedBy: ['lint'],
  },
  {
    id: 'another-path',
    mistake: 'An operation has another path.',
    find: '  /api/v1/me:\n',
    replace: '  /api/v1/tenant:\n',
    killedBy: ['comparison', 'freshness'],
  },
  {
    id: 'another-method',
    mistake: 'An operation has another method.',
    find: '    put:\n      operationId: putPassport',
    replace: '    patch:\n      operationId: putPassport',
    killedBy: ['comparison', 'freshness'],
  },
  {
    id: 'another-operation-id',
    mistake: 'An operation has another name.',
    find: 'operationId: listCarriers',
    replace: 'operationId: getCarriers',
    killedBy: ['freshness'],
  },
  {
    id: 'another-parameter',
    mistake: 'A query parameter has another name.',
    find: '- name: search\n',
    replace: '- name: query\n',
    killedBy: ['comparison', 'freshness'],
  },
  {
    id: 'another-default',
    mistake: 'The default of limit is 20.',
    find: 'default: 50\n',
    replace: 'default: 20\n',
    killedBy: ['freshness'],
  },
  {
    id: 'another-bound',
    mistake: 'The maximum of limit is 100.',
    find: 'x-clamp: { minimum: 1, maximum: 200 }',
    replace: 'x-clamp: { minimum: 1, maximum: 100 }',
    killedBy: ['freshness'],
  },
  {
    id: 'missing-status-value',
    mistake: 'A product cannot be archived.',
    find: 'enum: [draft, active, archived]',
    replace: 'enum: [draft, active]',
    killedBy: ['comparison', 'freshness'],
  },
  {
    id: 'missing-401',
    mistake: 'A secured operation does not document 401.',
    find: ofTenant,
    replace: '                    products_total: 15\n',
    killedBy: ['lint', 'comparison', 'freshness'],
  },
  {
    id: 'wrong-example',
    mistake: 'An example does not fit its schema.',
    find: 'products_total: 15\n',
    replace: 'products_total: fifteen\n',
    killedBy: ['lint', 'freshness'],
  },
  {
    id: 'wrong-pattern',
    mistake: 'A country has three letters.',
    find: 'pattern: ^[A-Za-z]{2}$',
    replace: 'pattern: ^[A-Za-z]{3}$',
    killedBy: ['lint', 'freshness'],
  },
  {
    id: 'another-error-code',
    mistake: 'An error code has another name.',
    find: 'enum: [invalid_json, name_required,',
    replace: 'enum: [invalid_json, name_missing,',
    killedBy: ['lint', 'comparison', 'freshness'],
  },
  {
    id: 'undescribed-field',
    mistake: 'A field has no description.',
    find: 'total: { description: Number of scans in the period., type',
    replace: 'total: { type',
    killedBy: ['lint', 'freshness'],
  },
  {
    id: 'another-type',
    mistake: 'The days of a period are text.',
    find: 'description: Length of the period in days, as used.\n          type: integer',
    replace: 'description: Length of the period in days, as used.\n          type: string',
    killedBy: ['lint', 'comparison', 'freshness'],
  },
  {
    id: 'missing-known-value',
    mistake: 'A carrier cannot be an NFC tag.',
    find: 'x-extensible-enum: [qr, datamatrix, nfc, rfid, other]\n          x-origin: { datamatrix: reference, nfc: reference,',
    replace: 'x-extensible-enum: [qr, datamatrix, rfid, other]\n          x-origin: { datamatrix: reference,',
    killedBy: ['lint', 'freshness'],
  },
  {
    id: 'optional-field',
    mistake: 'A field that every carrier has is optional.',
    find: carrier,
    replace: carrier.replace('nfc_tag_uid, ', ''),
    killedBy: ['freshness'],
  },
  {
    id: 'another-required-field',
    mistake: 'A carrier needs a field that no provider sends.',
    find: carrier,
    replace: carrier.replace('id, ', 'id, owner, '),
    killedBy: ['lint'],
  },
  {
    id: 'another-link',
    mistake: 'The Digital Link of a carrier has another path.',
    find: 'pattern: /01/(?:[0-9]{8}|[0-9]{12,14})$',
    replace: 'pattern: /gtin/[0-9]{14}$',
    killedBy: ['lint', 'comparison', 'freshness'],
  },
  {
    id: 'another-minimum',
    mistake: 'A period has at least one scan.',
    find: 'description: Number of scans in the period., type: integer, minimum: 0',
    replace: 'description: Number of scans in the period., type: integer, minimum: 1',
    killedBy: ['lint', 'comparison', 'freshness'],
  },
  {
    id: 'unknown-origin',
    mistake: 'x-origin marks a value that does not exist.',
    find: 'x-origin: { datamatrix: reference, nfc:',
    replace: 'x-origin: { pdf417: reference, nfc:',
    killedBy: ['lint'],
  },
];

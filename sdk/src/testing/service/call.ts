import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { readJson } from '../../../../openapi/src/rules/json-body.ts';
import { pathValidation, queryValidation, type SentQuery } from '../../../../openapi/src/rules/parameters.ts';
import { atOnce } from '../../../../openapi/src/rules/slices.ts';
import type { ServedOperation } from '../../../../openapi/src/rules/types.ts';
import { bodyValidation, throwFirst, type Violation } from '../../../../openapi/src/rules/validation.ts';
import { operations } from '../../generated/samples.ts';
import type { State, StoredProduct, StoredTenant } from './state.ts';

/** A request whose path belongs to an operation. */
export interface Call {
  readonly state: State;
  readonly operation: Operation;
  readonly request: Request;
  /** The values of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly sent: SentQuery;
  /** The parameters of the contract, validated and with their defaults. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A request with a valid API key. */
export interface TenantCall extends Call {
  readonly tenant: StoredTenant;
}

/** An operation that is ready to validate requests. */
export type Operation = ServedOperation & ReturnType<typeof validationOf>;

let ready: readonly Operation[] | undefined;

/** The operations, with what validates their requests. Made at the first request. */
export function servedOperations(): readonly Operation[] {
  ready ??= operations.map((operation) => ({ ...operation, ...validationOf(operation) }));
  return ready;
}

function validationOf({ path, parameters, body }: ServedOperation) {
  return {
    form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    readQuery: queryValidation(parameters, path.startsWith('/api/')),
    checkPath: pathValidation(parameters),
    validation: body && bodyValidation(body),
  };
}

const maxBodyBytes = 1024 * 1024;

/** The bytes of the body. */
export async function bytesOf(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxBodyBytes) throw new ContractError('payload_too_large');
  return bytes;
}

/** The body of a request, and what the contract does not allow in it. */
export function judgedBody(
  { request, operation: { validation } }: Pick<Call, 'request' | 'operation'>,
  bytes: Uint8Array,
): { body: unknown; given: unknown; violations: Violation[] } {
  const { body: given, violations } = atOnce(readJson(bytes, Object.fromEntries(request.headers), validation?.shape));
  if (!validation) return { body: given, given, violations };
  const { body, violations: judged } = atOnce(validation.judge(given));
  return { body, given, violations: [...judged, ...violations] };
}

/** @throws ContractError for the first violation, in the contract's order of codes */
export function refuse(violations: Violation[], { codes }: ServedOperation): void {
  throwFirst(violations, codes);
}

/** The product that the path names, if the tenant has it. */
export function productOf({ tenant, path }: TenantCall): StoredProduct {
  const product = tenant.products.get(path.slug ?? '');
  if (!product) throw new ContractError('not_found');
  return product;
}

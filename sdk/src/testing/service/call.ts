import Joi from 'joi';
import { bodyReader } from '../../../../openapi/src/rules/body.ts';
import type { ServedOperation } from '../../../../openapi/src/rules/contract.ts';
import { ContractError } from '../../../../openapi/src/rules/errors.ts';
import { pathValidation, queryValidation, type SentQuery } from '../../../../openapi/src/rules/http.ts';
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

function validationOf({ path, parameters, body, codes }: ServedOperation) {
  return {
    form: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    readQuery: queryValidation(parameters, path.startsWith('/api/')),
    checkPath: pathValidation(parameters),
    bodyReader: body && bodyReader(Joi, body.schema, codes),
  };
}

const maxBodyBytes = 1024 * 1024;

/** Reads the body of a request as the contract describes it. */
export async function bodyOf(request: Request, { bodyReader }: Operation): Promise<unknown> {
  if (!bodyReader) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > maxBodyBytes) throw new ContractError('payload_too_large');
  return bodyReader.ofBytes(bytes, Object.fromEntries(request.headers));
}

/** The product that the path names, if the tenant has it. */
export function productOf({ tenant, path }: TenantCall): StoredProduct {
  const product = tenant.products.get(path.slug ?? '');
  if (!product) throw new ContractError('not_found');
  return product;
}

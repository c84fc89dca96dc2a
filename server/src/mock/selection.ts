/** Which of the contract's examples a request gets. */
import type { IncomingHttpHeaders } from 'node:http';
import { ContractError } from '@product-passport/openapi';
import type { Operation } from '../contract/document.ts';
import { preferredType } from '../http/representation.ts';

/** A documented response of an operation. */
export interface Selection {
  status: string;
  /** `undefined` if the response has no content. */
  mediaType: string | undefined;
  /** `undefined` means the first example. */
  example: string | undefined;
}

/**
 * The response that `Prefer: code=…, example=…` names (RFC 7240). Other preferences are ignored. Without an example,
 * `Accept` selects the media type.
 *
 * @param usual the status without a preference
 * @throws ContractError `invalid_request` if the operation has no such response
 */
export function selectionOf(
  { operationId, responses }: Operation,
  { prefer, accept }: IncomingHttpHeaders,
  usual: string,
): Selection {
  const preferences = preferencesIn(String(prefer ?? ''));
  const example = preferences.get('example');
  const status = preferences.get('code') ?? (example === undefined ? usual : '200');
  if (!Object.hasOwn(responses, status)) throw notAllowed('code', `statuses of ${operationId}`, Object.keys(responses));
  const types = Object.entries(responses[status]?.content ?? {});
  const having = types.filter(([, { examples = {} }]) => example === undefined || Object.hasOwn(examples, example));
  if (example !== undefined && having.length === 0) {
    const known = types.flatMap(([, { examples = {} }]) => Object.keys(examples));
    throw notAllowed('example', `examples of ${operationId} ${status}`, known);
  }
  const mediaTypes = having.map(([type]) => type);
  return { status, mediaType: preferredType(accept, mediaTypes), example };
}

function preferencesIn(prefer: string): Map<string, string> {
  const pairs = prefer.split(/[,;]/).map((part): [string, string] => {
    const [name = '', value = ''] = part.split('=').map((text) => text.trim().replaceAll('"', ''));
    return [name.toLowerCase(), value];
  });
  return new Map(pairs);
}

function notAllowed(preference: string, of: string, allowed: readonly string[]): ContractError {
  const known = [...new Set(allowed)].join(', ');
  return new ContractError('invalid_request', `Prefer: ${preference} must be one of the ${of}: ${known}.`);
}

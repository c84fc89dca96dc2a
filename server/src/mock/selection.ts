/** Which of the contract's examples a request gets, by its `Prefer` and `X-Mock-…` headers. */

import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode, ErrorMeaning, MediaType } from '@product-passport/openapi';
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

/** What the headers of a request ask of the mock. */
export interface Wishes {
  delayMs: number;
  /** An error code of the operation, `reset` or `truncate`. */
  fault: string | undefined;
  /** The response of a fault that is an error code. */
  error: Selection | undefined;
  /** The response that `Prefer` names. `undefined` means the usual one. */
  preferred: Selection | undefined;
}

/** A header that the mock cannot follow. The message names the values that are allowed. */
class UnknownWish extends Error {
  override readonly name = 'UnknownWish';
}

const longestDelay = 60_000;

/** Reads the headers for one operation. Returns a sentence if one of them has a value that is not allowed. */
export function wishesReader(
  operation: Operation,
  meanings: ReadonlyMap<ErrorCode, ErrorMeaning>,
): (headers: IncomingHttpHeaders) => Wishes | string {
  const errors = errorsOf(operation, meanings);
  const faults = [...[...errors.keys()].toReversed(), 'reset', 'truncate'];
  const read = (headers: IncomingHttpHeaders): Wishes => {
    const fault = headers['x-mock-fault'] === undefined ? undefined : String(headers['x-mock-fault']);
    if (fault !== undefined && !faults.includes(fault)) {
      throw new UnknownWish(`X-Mock-Fault must be one of: ${faults.join(', ')}.`);
    }
    const error = errors.get(fault ?? '');
    return {
      delayMs: delayOf(headers['x-mock-delay-ms']),
      fault,
      error: error && selectionOf(operation, error.status, headers.accept, error.example),
      preferred: preferred(operation, headers),
    };
  };
  return (headers) => {
    try {
      return read(headers);
    } catch (error) {
      if (error instanceof UnknownWish) return error.message;
      throw error;
    }
  };
}

function delayOf(header: string | string[] | undefined): number {
  if (header === undefined) return 0;
  const text = String(header);
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > longestDelay) {
    throw new UnknownWish(`X-Mock-Delay-Ms must be a whole number of milliseconds from 0 to ${longestDelay}.`);
  }
  return Number(text);
}

interface DocumentedError {
  status: string;
  example: string | undefined;
}

/** The documented errors of an operation by code. */
function errorsOf(
  { responses }: Operation,
  meanings: ReadonlyMap<ErrorCode, ErrorMeaning>,
): ReadonlyMap<string, DocumentedError> {
  const statuses = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const errors = statuses.flatMap(([status, { content }]) => {
    const { examples } = content?.['application/json'] ?? {};
    return examples ? errorsWithCode(status, examples) : errorsOfPage(status, meanings);
  });
  // The first example of a code applies.
  return new Map(errors.toReversed());
}

function errorsWithCode(status: string, examples: NonNullable<MediaType['examples']>): [string, DocumentedError][] {
  return Object.entries(examples).map(([example, { value }]) => {
    return [(value as { error: { code: string } }).error.code, { status, example }];
  });
}

/** An HTML page has no code, so its status gives it. */
function errorsOfPage(status: string, meanings: ReadonlyMap<ErrorCode, ErrorMeaning>): [string, DocumentedError][] {
  const codes = [...meanings].filter(([, meaning]) => meaning.status === Number(status));
  return codes.map(([code]) => [code, { status, example: undefined }]);
}

/** The response that `Prefer: code=…, example=…` names (RFC 7240). Other preferences are ignored. */
function preferred(operation: Operation, { prefer, accept }: IncomingHttpHeaders): Selection | undefined {
  const { operationId, responses } = operation;
  const named = new Map(
    String(prefer ?? '')
      .split(/[,;]/)
      .map((part) => {
        const [name = '', value = ''] = part.split('=').map((text) => text.trim().replaceAll('"', ''));
        return [name.toLowerCase(), value];
      }),
  );
  const code = named.get('code');
  const example = named.get('example');
  if (code === undefined && example === undefined) return undefined;
  if (code !== undefined && !Object.hasOwn(responses, code)) {
    const known = Object.keys(responses).join(', ');
    throw new UnknownWish(`Prefer: code must be one of the statuses of ${operationId}: ${known}.`);
  }
  return selectionOf(operation, code ?? '200', accept, example);
}

/** The selection of a status. Without an example, `Accept` selects the media type and its first example applies. */
export function selectionOf(
  { operationId, responses }: Operation,
  status: string,
  accept: string | undefined,
  example?: string,
): Selection {
  const types = Object.entries(responses[status]?.content ?? {});
  const having = types.filter(([, { examples = {} }]) => example === undefined || Object.hasOwn(examples, example));
  if (example !== undefined && having.length === 0) {
    const known = types.flatMap(([, { examples = {} }]) => Object.keys(examples));
    throw new UnknownWish(
      `Prefer: example must be one of the examples of ${operationId} ${status}: ${[...new Set(known)].join(', ')}.`,
    );
  }
  return {
    status,
    mediaType: preferredType(
      accept,
      having.map(([type]) => type),
    ),
    example,
  };
}

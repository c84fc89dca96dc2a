/** What the service's description requires of a response, even if the contract does not document its status. */
import { member, type Operation, type Response, type Schema } from '@product-passport/openapi';
import { describedStatus } from './described-codes.ts';
import { type Finding, failure, warning } from './finding.ts';
import type { PossibleResponses } from './possible-responses.ts';
import { isMarked } from './schema.ts';

const text: Schema = { type: 'string' };

/** Every error response of the API has this body. */
const envelope: Schema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } } },
};

const errorResponse: Response = { content: { 'application/json': { schema: envelope } } };

/**
 * An undocumented status is a failure if the description names the status of this outcome: that of a success, of a
 * redirect, and 500 for an unexpected failure. The description names some errors of a client, but not all. For unknown
 * paths it names nothing.
 */
export function statusFinding({ operation, request }: PossibleResponses, status: number): Finding {
  const what = `${status} is not documented for ${request}`;
  const isNamed = status < 400 || status >= 500 ? namesStatusLike(operation, status) : false;
  return isNamed ? failure('status', what) : warning('status', what);
}

function namesStatusLike(operation: Operation | undefined, status: number): boolean {
  const isServerError = status >= 500;
  return Object.entries(operation?.responses ?? {}).some(([named, response]) => {
    const isSameOutcome = isServerError ? named >= '500' : named < '400';
    return isSameOutcome && !isMarked(response);
  });
}

/** The response that an undocumented error of the API must fit. */
export function undocumentedError(operation: Operation | undefined, status: number): Response | undefined {
  return operation?.secured === true && status >= 400 ? errorResponse : undefined;
}

export const codePlace = 'body/error/code';

/** The description gives each of its codes one status. */
export function codeFindings(operation: Operation | undefined, status: number, body: unknown): Finding[] {
  const code = member(member(body, 'error'), 'code');
  if (operation?.secured !== true || status < 400 || typeof code !== 'string') return [];
  const expected = Object.hasOwn(describedStatus, code) ? describedStatus[code] : status;
  return expected === status ? [] : [failure(codePlace, `${code} belongs to the status ${expected}`)];
}

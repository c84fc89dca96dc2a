/** What an operation of the API accepts, for commands that do the same. */
import { ContractError, errorMeanings } from '@product-passport/openapi';
import { type BodyReader, bodyReaderOf } from '@product-passport/openapi/body';
import { type OperationId, readContract } from '../contract/document.ts';
import { OperatorError } from '../operator-error.ts';

export async function contractBody(id: OperationId): Promise<BodyReader> {
  // Imported only here: other commands of a product start quicker.
  const { default: Joi } = await import('joi');
  return bodyReaderOf(Joi, readContract(), id);
}

/**
 * Turns an error of the contract into one of the command line.
 *
 * @param source what is wrong: an option or a file
 */
export async function inContract<Result>(source: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const message = error.detail ?? errorMeanings(readContract()).get(error.code)?.message ?? error.code;
    const isSyntax = error.code === 'invalid_json';
    throw new OperatorError(isSyntax ? message.replace('The request body', source) : `${source}: ${message}`, 2);
  }
}

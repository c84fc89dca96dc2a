/** The error codes of the service's own description, each with its status. Only `/api/v1` has them. */
import { codesOf, readContract } from '@product-passport/openapi';

const { operations, describedCodes: codes } = readContract();

export const describedCodes = codes;

export const describedStatus: Readonly<Record<string, number>> = Object.fromEntries(
  operations
    .filter(({ secured }) => secured)
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, response]) => codesOf(response).map((code): [string, number] => [code, Number(status)]))
    .filter(([code]) => codes.includes(code)),
);

/** The error codes of the contract, in one table. */
import { codesOf, type Response } from '@product-passport/openapi';
import type { Contract } from '../contract/document.ts';

export interface CodeEntry {
  code: string;
  status: string;
  /** The message that the service sends unless it can say more. */
  message: string;
  /** In words, where many or no operations list the code. */
  where: string;
  /** The other operations that list the code. */
  operations: string[];
}

/** Every code once, by status. */
export function codeEntries({ operations, besideOperations }: Contract): CodeEntry[] {
  const main = operations.filter(({ variantOf }) => variantOf === undefined);
  const withKey = main.filter(({ secured }) => secured).map(({ operationId }) => operationId);
  const listed = main.flatMap(({ operationId, responses }) =>
    occurrences(responses).map((found) => ({ ...found, operationId })),
  );
  const beside = occurrences(besideOperations).map((found) => ({ ...found, operationId: undefined }));
  const entries = [...Map.groupBy([...listed, ...beside], ({ code }) => code)].flatMap(([code, found]): CodeEntry[] => {
    const [first] = found;
    if (!first) return [];
    const named = [...new Set(found.flatMap(({ operationId }) => operationId ?? []))];
    const isOfAll = withKey.every((id) => named.includes(id));
    return [
      {
        code,
        status: first.status,
        message: found.find(({ message }) => message !== '')?.message ?? '',
        where: named.length === 0 ? 'Any request' : isOfAll ? 'Every operation with a key' : '',
        operations: isOfAll ? named.filter((id) => !withKey.includes(id)) : named,
      },
    ];
  });
  return entries.toSorted((a, b) => a.status.localeCompare(b.status));
}

function occurrences(
  responses: Readonly<Record<string, Response>>,
): { code: string; status: string; message: string }[] {
  return Object.entries(responses).flatMap(([status, response]) =>
    codesOf(response).map((code) => ({ code, status, message: messageOf(response, code) })),
  );
}

/** The message in the response's example of the code. */
function messageOf({ content = {} }: Response, code: string): string {
  const examples = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  const bodies = examples.map(({ value }) => value as { error?: { code: string; message: string } });
  return bodies.find(({ error }) => error?.code === code)?.error?.message ?? '';
}

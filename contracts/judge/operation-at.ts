/** Finds the operation of a request by its method and path. */
import { mapValues, pathPattern } from '@product-passport/openapi';

/** A path of the contract: `/p/{tenant}/{product}`. */
interface Line {
  readonly method: string;
  readonly path: string;
}

/** The operation of a request, with the values of its path parameters. HEAD belongs to GET. */
export function operationAt<Operation extends Line>(
  operations: readonly Operation[],
  method: string,
  path: string,
): (Operation & { readonly pathParameters: Readonly<Record<string, string>> }) | undefined {
  for (const operation of operations) {
    if (operation.method !== (method === 'HEAD' ? 'GET' : method)) continue;
    const pathParameters = parametersOf(operation.path, path);
    if (pathParameters !== undefined) return { ...operation, pathParameters };
  }
  return undefined;
}

/**
 * The parameters of a path as it was sent, with or without a query and a trailing slash. `undefined` if it does not
 * match the template.
 */
export function parametersOf(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [sent = ''] = path.split(/[?#]/, 1);
  const found = pathPattern(template).exec(sent.replace(/(?<=.)\/$/, ''));
  return found === null ? undefined : mapValues(found.groups ?? {}, (step) => decoded(String(step)));
}

/** The text of a path segment, which stays as it is if its escapes are not UTF-8. */
export function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

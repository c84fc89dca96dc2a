/** The tables that the SDK needs at run time: the routes, the whole numbers in queries, and the status of each code. */
import { type Contract, codesOf, type Operation } from '../openapi/src/index.ts';

/** A module with the method and the path of each operation under `/api`. */
export function requestsOf({ operations }: Contract): string {
  const api = operations.filter(({ path }) => path.startsWith('/api/'));
  const requests = api.map(({ operationId, method, path }) => [operationId, [method, path]]);
  return `export const requests = ${JSON.stringify(Object.fromEntries(requests), null, 2)} as const;\n`;
}

/**
 * A module with an entry for each operation: its method and path, the operation that it repeats (or itself), the
 * default and the bounds of its whole numbers, and the status of each error code.
 */
export function routesOf({ operations }: Contract): string {
  // An HTML page names no code. It has the code that the other operations have for its status.
  const usual = Object.fromEntries(
    operations
      .flatMap((operation) => refusalsOf(operation).map(([status, response]) => [status, codesOf(response)] as const))
      .filter(([, codes]) => codes.length === 1),
  );

  const routes = operations.map((operation) => {
    const { operationId, method, path, variantOf = operationId } = operation;
    const codes = refusalsOf(operation).flatMap(([status, response]) => {
      const named = response.content?.['text/html'] ? usual[status] : codesOf(response);
      return (named ?? []).map((code) => [code, Number(status)]);
    });
    return [
      operationId,
      { method, path, variantOf, integers: integersOf(operation), codes: Object.fromEntries(codes) },
    ] as const;
  });
  return `export const routes = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const;\n`;
}

function refusalsOf({ responses }: Operation) {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

function integersOf({ parameters }: Operation) {
  const integers = parameters.filter((parameter) => parameter.in === 'query' && parameter.schema.type === 'integer');
  return Object.fromEntries(
    integers.map(({ name, schema }) => [name, { default: schema.default, ...schema['x-clamp'] }]),
  );
}

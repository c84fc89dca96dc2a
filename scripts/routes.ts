/** What the types of the contract cannot tell while a program runs: routes, whole numbers, and each code's status. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

interface Node {
  $ref?: string;
  [key: string]: unknown;
}

interface Operation {
  operationId: string;
  'x-variant-of'?: string;
  parameters?: Node[];
  responses: Record<string, Node>;
}

const methods = ['get', 'put', 'post', 'delete', 'patch'];

type Contract = Node & { paths: Record<string, Record<string, Operation>> };

const read = async (contract: URL): Promise<Contract> => parse(await readFile(contract, 'utf8'));

function operationsIn({ paths }: Contract) {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method: method.toUpperCase(), operation }] : [];
    }),
  );
}

/** A module that has, by operation of the API, the method and the path: what the client sends. */
export async function requestsOf(contract: URL): Promise<string> {
  const api = operationsIn(await read(contract)).filter(({ path }) => path.startsWith('/api/'));
  const requests = api.map(({ path, method, operation }) => [operation.operationId, [method, path]]);
  return `export const requests = ${JSON.stringify(Object.fromEntries(requests), null, 2)} as const;\n`;
}

/**
 * A module that has, by operation, its method and path, the operation that it is a variant of (or itself), its queries
 * that are whole numbers, each with its default and its bounds, and its error codes.
 */
export async function routesOf(contract: URL): Promise<string> {
  const document = await read(contract);

  /** The node at a path of keys, each reference on the way followed. */
  const at = (start: unknown, ...keys: string[]): unknown => {
    let node = start;
    for (const key of ['', ...keys]) {
      if (key !== '') node = (node as Node | undefined)?.[key];
      const ref = (node as Node | undefined)?.$ref;
      if (ref) node = at(document, ...ref.slice(2).split('/'));
    }
    return node;
  };
  const codesOf = (response: Node): string[] => {
    const code = at(response, 'content', 'application/json', 'schema', 'properties', 'error', 'properties', 'code');
    const { const: only, enum: several } = (code ?? {}) as { const?: string; enum?: string[] };
    return several ?? (only === undefined ? [] : [only]);
  };

  const all = operationsIn(document);
  const refusals = ({ responses }: Operation) => Object.entries(responses).filter(([status]) => Number(status) >= 400);
  // A page for people names no code: it is the one that the other operations have for its status.
  const usual = Object.fromEntries(
    all
      .flatMap(({ operation }) => refusals(operation).map(([status, response]) => [status, codesOf(response)] as const))
      .filter(([, codes]) => codes.length === 1),
  );

  const routes = all.map(({ path, method, operation }) => {
    const codes = refusals(operation).flatMap(([status, response]) => {
      const said = at(response, 'content', 'text/html') ? usual[status] : codesOf(response);
      return (said ?? []).map((code) => [code, Number(status)]);
    });
    const integers = (operation.parameters ?? [])
      .map((parameter) => at(parameter) as { name: string; in: string; schema: Node })
      .filter((parameter) => parameter.in === 'query' && at(parameter, 'schema', 'type') === 'integer')
      .map(({ name, schema: { default: fallback, 'x-clamp': clamp } }) => [
        name,
        { default: fallback, ...Object(clamp) },
      ]);
    const { operationId, 'x-variant-of': variantOf = operationId } = operation;
    const tables = { integers: Object.fromEntries(integers), codes: Object.fromEntries(codes) };
    return [operationId, { method, path, variantOf, ...tables }];
  });
  return `export const routes = ${JSON.stringify(Object.fromEntries(routes), null, 2)} as const;\n`;
}

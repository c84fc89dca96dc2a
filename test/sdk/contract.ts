import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Operation {
  operationId: string;
  'x-variant-of'?: string;
  responses: Node;
}
type Node = { [key: string]: unknown };

const document = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Node & {
  paths: Record<string, Record<string, Operation>>;
};

/** Read by other resolvers and their tools; who integrates has no use for it. */
const withoutMethod = ['getResolverDescription'];

/** Every operation of openapi.yaml that has a method: its id, method and path. */
export function operationsOfContract() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch'].flatMap((method) => {
      const operation = item[method];
      if (!operation || operation['x-variant-of'] || withoutMethod.includes(operation.operationId)) return [];
      return [{ operationId: operation.operationId, method: method.toUpperCase(), path }];
    }),
  );
}

/** Every error code of openapi.yaml: wherever an `error` has a `code` that is a `const` or an `enum`. */
export function codesOfContract(): string[] {
  const codes = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as {
      properties?: { error?: { properties?: { code?: { const?: string; enum?: string[] } } } };
    };
    const code = properties?.error?.properties?.code;
    for (const known of [code?.const, ...(code?.enum ?? [])]) if (known !== undefined) codes.add(known);
    for (const child of Object.values(node)) walk(child);
  };
  walk(document);
  return [...codes].sort();
}

/** The statuses of openapi.yaml that the passport page says in HTML. */
export function statusesOfPage(): string[] {
  return Object.keys(document.paths['/p/{tenant}/{product}']?.get?.responses ?? {});
}

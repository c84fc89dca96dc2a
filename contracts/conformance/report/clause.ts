/** A clause of openapi.yaml, as people read it. */

/** `openapi.yaml#/paths/~1api~1v1~1products/get` */
export function addressOfClause(pointer: string): string {
  return `openapi.yaml#${pointer}`;
}

/** `GET /api/v1/products › parameters` */
export function wordsOfClause(pointer: string): string {
  const [part = '', ...parts] = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (part !== 'paths') return (part === 'components' ? parts : [part, ...parts]).join(' › ');
  const [path = '', method, ...rest] = parts;
  return [method === undefined ? path : `${method.toUpperCase()} ${path}`, ...rest].join(' › ');
}

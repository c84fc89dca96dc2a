/** Where a clause stands in openapi.yaml, in words. */
import { isRecord, member } from '@product-passport/openapi';
import { operationAt } from '../../judge/operation-at.ts';
import { loadedSuite } from '../verify.ts';

/** `Products, create` by the operation's id. */
let names: ReadonlyMap<string, string> | undefined;

export function nameOf(operationId: string): string {
  names ??= new Map(
    [...nodesIn(member(loadedSuite().document, 'paths'))]
      .flatMap((item) => [...nodesIn(item)])
      .map((operation) => [String(member(operation, 'operationId')), wordsOf(operation)]),
  );
  return names.get(operationId) ?? operationId;
}

function nodesIn(node: unknown): Iterable<unknown> {
  return isRecord(node) ? Object.values(node) : [];
}

/** The tag, and the summary without what the tag says. */
function wordsOf(operation: unknown): string {
  const tag = String(Object(member(operation, 'tags'))[0]);
  const summary = String(member(operation, 'summary'));
  const isRepeated = summary.toLowerCase().includes(tag.toLowerCase().replace(/s$/, ''));
  const words = isRepeated ? summary.replace(/ .*/, '') : summary;
  // Only the first letter: others may belong to a name, as in GS1 and JSON-LD.
  return `${tag}, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

interface Sent {
  readonly method: string;
  readonly path: string;
}

/**
 * @param clause JSON pointer
 * @param sent a request that the clause is about, because several operations share a schema
 * @param caseId may name the operation, too
 * @returns `Products, create: slug`
 */
export function placeOf(clause: string, sent?: Sent, caseId = ''): string {
  const { operations } = loadedSuite().contract;
  const [part, path, method, ...rest] = clause
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named =
    part === 'paths' ? operations.find((one) => one.path === path && one.method === method?.toUpperCase()) : undefined;
  const ofCase = operations.find(({ operationId }) => caseId.split(/[.-]/).includes(operationId));
  const at = sent && operationAt(operations, sent.method, sent.path);
  const id = (named ?? ofCase ?? at)?.operationId;
  const index = rest[0] === 'parameters' ? Number(rest[1]) : Number.NaN;
  const name = named?.parameters[index]?.name ?? /\/properties\/(\w+)/.exec(clause)?.[1];
  const operation = id === undefined ? '' : nameOf(id);
  const words = [operation, name ?? ''].filter((text) => text !== '');
  return words.length > 0
    ? words.join(': ')
    : clause
        .split('/')
        .slice(part === 'components' ? 2 : 1)
        .join(' › ');
}

/** The nodes of a parsed document, where each one is written, and the references between them. */

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object or the element of an array, or `undefined`. */
export function member(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[Number(key)];
  return isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

export function mapValues<Out>(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** A node of the document, and where it is written. For a `$ref` it is the target, with the steps to the target. */
export interface ContractNode {
  readonly document: object;
  /** The keys and indexes from the root to the node. */
  readonly steps: readonly string[];
  readonly value: unknown;
}

export function rootOf(document: object): ContractNode {
  return { document, steps: [], value: document };
}

/** The node below another, or `undefined`. */
export function below(node: ContractNode | undefined, ...steps: readonly string[]): ContractNode | undefined {
  return steps.reduce((here, step) => here && stepInto(here, step), node);
}

/** All nodes directly below an object or array, each with its key or index. */
export function allBelow(node: ContractNode | undefined): readonly (readonly [key: string, ContractNode])[] {
  if (typeof node?.value !== 'object' || node.value === null) return [];
  return Object.keys(node.value).flatMap((key) => {
    const found = stepInto(node, key);
    return found === undefined ? [] : [[key, found] as const];
  });
}

/** The value of a key, as it is written. */
export function keyword(node: ContractNode, name: string): unknown {
  return member(node.value, name);
}

/**
 * The node that a `$ref` names. If that node is a `$ref` too, the node at the end of the chain.
 *
 * @throws if the reference leaves the file or names a missing node
 */
export function targetOf(document: object, reference: string): ContractNode {
  const target = below(rootOf(document), ...stepsOf(reference));
  if (target === undefined) throw new Error(`openapi.yaml has no ${reference}.`);
  return target;
}

/** The value of a node, with every reference inside it resolved. */
export function resolved({ document, steps }: ContractNode): unknown {
  const whole = resolvedDocuments.get(document) ?? withoutReferences(document);
  resolvedDocuments.set(document, whole);
  return steps.reduce(member, whole);
}

function stepInto({ document, steps, value }: ContractNode, step: string): ContractNode | undefined {
  const next = member(value, step);
  if (next === undefined) return undefined;
  const reference = member(next, '$ref');
  if (typeof reference === 'string') return targetOf(document, reference);
  return { document, steps: [...steps, step], value: next };
}

function stepsOf(reference: string): readonly string[] {
  if (!reference.startsWith('#/')) throw new Error(`openapi.yaml is one file, but ${reference} leads out of it.`);
  const steps = reference.slice(2).split('/');
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Resolving the document takes about as long as parsing it: once for each document is enough. */
const resolvedDocuments = new WeakMap<object, unknown>();

function withoutReferences(document: object): unknown {
  const targets = new Map<string, unknown>();

  function resolve(node: unknown, before: readonly string[]): unknown {
    if (Array.isArray(node)) return node.map((element) => resolve(element, before));
    if (!isRecord(node)) return node;
    const { $ref, ...siblings } = node;
    if (typeof $ref !== 'string') return mapValues(node, (value) => resolve(value, before));
    // A validator would apply both the sibling and the target. Merging would let the sibling replace the target's rule.
    const narrowing = Object.keys(siblings).filter((key) => key !== 'description' && key !== 'summary');
    if (narrowing.length > 0) throw new Error(`$ref ${$ref} has ${narrowing.join(', ')} next to it: use allOf.`);
    if (before.includes($ref)) throw new Error(`openapi.yaml refers in a circle: ${$ref}`);
    const target = targets.get($ref) ?? resolve(targetOf(document, $ref).value, [...before, $ref]);
    targets.set($ref, target);
    return { ...(target as object), ...siblings };
  }

  return resolve(document, []);
}

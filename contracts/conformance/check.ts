/** How a case ends early: the provider is wrong, or something is missing. */
import { shown } from '../judge/finding.ts';
import { type Need, needs } from './claims.ts';
import type { Exposure } from './exposure.ts';

/** The provider breaks the clause. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure';
  /** The request that should have succeeded, if there is one. */
  readonly ask?: { readonly method?: string | undefined; readonly path: string } | undefined;
  /** What the response shows, or what a read shows that the request did, although its caller may not. */
  readonly exposes?: Exposure | undefined;

  constructor(message: string, facts: Pick<CaseFailure, 'ask' | 'exposes'> = {}) {
    super(message);
    Object.assign(this, facts);
  }
}

/** The case cannot run: something is missing. */
export class NotTested extends Error {
  override readonly name = 'NotTested';
  readonly missing: readonly Need[];

  constructor(...missing: readonly Need[]) {
    super(missing.map((need) => needs[need]).join(' '));
    this.missing = missing;
  }
}

/** @throws CaseFailure with this sentence, unless the condition holds. */
export function check(
  condition: boolean,
  otherwise: string,
  facts?: Pick<CaseFailure, 'ask' | 'exposes'>,
): asserts condition {
  if (!condition) throw new CaseFailure(otherwise, facts);
}

/** @param what the subject of the message: `total` */
export function checkEqual(
  actual: unknown,
  expected: unknown,
  what: string,
  facts?: Pick<CaseFailure, 'exposes'>,
): void {
  check(isEqual(actual, expected), `${what} must be ${shown(expected)}, is ${shown(actual)}`, facts);
}

/** Compares the members that are expected. */
export function checkMembers(actual: object, expected: object, what: string): void {
  const names = Object.keys(expected);
  checkEqual(Object.fromEntries(names.map((name) => [name, Reflect.get(actual, name)])), expected, what);
}

/** @throws CaseFailure unless the text is a time that ECMAScript reads */
export function timeOf(text: unknown, what: string): number {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  check(!Number.isNaN(time), `${what} must be a time, is ${shown(text)}`);
  return time;
}

/** A value of a response that is missing or has the wrong type. */
export interface WrongValue {
  /** The names and indexes that lead to it. */
  readonly steps: readonly string[];
  /** What is wrong, in one sentence. */
  readonly reason: string;
}

/**
 * Makes such values of a response unreadable, because a comparison with one would blame the value on the other side.
 * Reading one throws a CaseFailure that says what is wrong with it.
 */
export function guard(json: unknown, wrong: readonly WrongValue[]): void {
  for (const { steps, reason } of wrong) {
    const name = steps.at(-1);
    const owner = steps.slice(0, -1).reduce(memberAt, json);
    if (name === undefined || typeof owner !== 'object' || owner === null) continue;
    Object.defineProperty(owner, name, {
      enumerable: name in owner,
      get() {
        throw new CaseFailure(reason);
      },
    });
  }
}

/** The member, or `undefined` if it cannot be read. */
export function memberAt(node: unknown, name: string): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  return Object.getOwnPropertyDescriptor(node, name)?.value;
}

/** Compares JSON values. The order of an object's members does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other) || one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(Reflect.get(one, name), Reflect.get(other, name)))
  );
}

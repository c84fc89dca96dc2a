/** How a case ends early: the provider is wrong, or something is missing. */
import { shown } from '../judge/finding.ts';
import { type Need, needs } from './claims.ts';

/** The provider breaks the clause. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure';
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
export function check(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CaseFailure(otherwise);
}

/** @param what the subject of the message: `total` */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  check(isEqual(actual, expected), `${what} must be ${shown(expected)}, is ${shown(actual)}`);
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

/** A row of the tables: a provider with one mistake, or an unusual one. */
import type { Change } from './change.ts';

export interface Mutant {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does wrong, in one sentence. */
  readonly mistake: string;
  /** The id of the case that must fail. Other cases may fail too. */
  readonly killedBy: string;
  /** Text in the reason of that failure, so that the case does not fail for another reason. */
  readonly because: string;
  /** The provider to change. Default: the fake service. The reference server needs `only`, because it is slower. */
  readonly of?: 'reference';
  /** Beginnings of case ids. Other cases do not run, because they would wait for a long time. */
  readonly only?: readonly string[];
  readonly change: Change;
}

/** A provider that keeps the description, and does what it leaves free in an unusual way. */
export interface Unusual {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does, in one sentence. */
  readonly freedom: string;
  readonly only?: readonly string[];
  /** Whether it has a run of its own, because others change what it needs. Default: false. */
  readonly isAlone?: boolean;
  readonly change: Change;
}

/** A provider with one mistake that real teams make. */
export function wrong(id: string, mistake: string, of?: 'reference') {
  return {
    failsIn: (killedBy: string, because: string, ...only: readonly string[]) => ({
      does: (change: Change): Mutant => ({
        ...{ id, mistake, killedBy, because, change },
        ...(only.length > 0 && { only }),
        ...(of && { of }),
      }),
    }),
  };
}

/** A correct provider that the suite must not refuse. */
export function unusual(id: string, freedom: string, conditions: Pick<Unusual, 'only' | 'isAlone'> = {}) {
  return { does: (change: Change): Unusual => ({ id, freedom, ...conditions, change }) };
}

/** Walking the contract as it is written, so that a finding can point at the line. */
import { isRecord, member, stepsOf } from '../judge/contract.ts';

/** A node of the document, behind its `$ref` if it has one, and where it truly stands. */
export interface Place {
  readonly root: unknown;
  readonly steps: readonly string[];
  readonly value: unknown;
}

export function rootOf(document: unknown): Place {
  return { root: document, steps: [], value: document };
}

/** The node below, or `undefined` where there is none. */
export function below(place: Place, ...steps: readonly string[]): Place | undefined {
  return steps.reduce<Place | undefined>((here, step) => here && stepInto(here, step), place);
}

/** All nodes below, of an object or an array, with the name or the index of each. */
export function allBelow(place: Place | undefined): readonly (readonly [string, Place])[] {
  if (place === undefined || typeof place.value !== 'object' || place.value === null) return [];
  return Object.keys(place.value).flatMap((key) => {
    const found = stepInto(place, key);
    return found === undefined ? [] : [[key, found] as const];
  });
}

export function keyword(place: Place, name: string): unknown {
  return member(place.value, name);
}

/** Where a place stands, as a text that is equal for equal places. */
export function addressOf(place: Place): string {
  return JSON.stringify(place.steps);
}

function stepInto({ root, steps, value }: Place, step: string): Place | undefined {
  const next = member(value, step);
  return next === undefined ? undefined : followed({ root, steps: [...steps, step], value: next });
}

function followed(place: Place): Place {
  const reference = isRecord(place.value) ? place.value.$ref : undefined;
  if (typeof reference !== 'string') return place;
  const target = below(rootOf(place.root), ...stepsOf(reference));
  if (target === undefined) throw new Error(`The contract has no ${reference}.`);
  return target;
}

/** A row of the tables: a provider with one mistake, or an unusual one. */
import * as kinds from './change.ts';

type Change = kinds.Change;

export interface WrongProvider {
  /** Lower case with hyphens. */
  readonly id: string;
  /** What the provider does wrong, in one sentence. */
  readonly mistake: string;
  /** The id of the case that must fail. Other cases may fail too. */
  readonly failsIn: string;
  /** Text in the reason of that failure, so that the case does not fail for another reason. */
  readonly because: string;
  /** The provider to change. Default: the fake service. The reference server needs `only`, because it is slower. */
  readonly of?: 'reference';
  /** Beginnings of case ids. Other cases do not run, because they would wait for a long time. */
  readonly only?: readonly string[];
  readonly change: Change;
}

/** A provider that keeps the description, and does what it leaves free in an unusual way. */
export interface UnusualProvider {
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
    failsIn: (failsIn: string, because: string, ...only: readonly string[]): Ending<WrongProvider> =>
      ending((change) => ({
        ...{ id, mistake, failsIn, because, change },
        ...(only.length > 0 && { only }),
        ...(of && { of }),
      })),
  };
}

/** A correct provider that the suite must not refuse. */
export function unusual(
  id: string,
  freedom: string,
  conditions: Pick<UnusualProvider, 'only' | 'isAlone'> = {},
): Ending<UnusualProvider> {
  return ending((change) => ({ id, freedom, ...conditions, change }));
}

type Kinds = typeof kinds;
type KindWithType = 'each' | 'elements' | 'json' | 'members' | 'membersWith' | 'remembers';

/** Ends a row with a kind of change, `.status(at.create, 200, 201)`, or with any other: `.does(searchBy(…))`. */
type Ending<Row> = {
  readonly [Kind in keyof Kinds as Kind extends KindWithType
    ? never
    : Kinds[Kind] extends (...about: never[]) => Change
      ? Kind
      : never]: Kinds[Kind] extends (...about: infer About) => Change ? (...about: About) => Row : never;
} & {
  readonly does: (change: Change) => Row;
  readonly json: <Body>(...about: Parameters<typeof kinds.json<Body>>) => Row;
  readonly members: <Body>(...about: Parameters<typeof kinds.members<Body>>) => Row;
  readonly membersWith: <Body, Other = Body>(...about: Parameters<typeof kinds.membersWith<Body, Other>>) => Row;
  readonly each: <Body, Name extends keyof Body>(...about: Parameters<typeof kinds.each<Body, Name>>) => Row;
  readonly elements: <Body, Name extends keyof Body>(...about: Parameters<typeof kinds.elements<Body, Name>>) => Row;
  readonly remembers: <Value, Key = unknown>(...about: Parameters<typeof kinds.remembers<Value, Key>>) => Row;
};

function ending<Row>(does: (change: Change) => Row): Ending<Row> {
  const all = Object.entries(kinds).map(([name, kind]) => [
    name,
    (...about: never[]) => does((kind as (...about: never[]) => Change)(...about)),
  ]);
  return { does, ...Object.fromEntries(all) };
}

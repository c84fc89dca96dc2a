/**
 * The contract's types for a service. A reader must expect new values of an enumeration that may grow, so its type
 * there is `'a' | 'b' | (string & {})`. A service sends only the known values.
 */
import type { Parameter, Schema } from '../elements.ts';
import type { components, operations } from '../generated/types.ts';

export type Schemas = Known<components['schemas']>;
export type Operations = Known<operations>;

type Known<Type> =
  | KnownText<Extract<Type, string>>
  | (Type extends string ? never : Type extends object ? KnownMembers<Type> : Type);

/** Without `string & {}`, if there are known values, too. */
type KnownText<Text extends string> = [Literals<Text>] extends [never] ? Text : Literals<Text>;
type Literals<Text extends string> = Text extends unknown ? (string extends Text ? never : Text) : never;

type KnownMembers<Type> = { [Name in keyof Type]: Known<Type[Name]> };

/** What a service without openapi.yaml needs of an operation of the contract. */
export interface ServedOperation {
  readonly operationId: string;
  /** The operation that it repeats at another path, or itself. */
  readonly variantOf: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema };
  /** The error codes, those of a 400 in the order of the checks. */
  readonly codes: readonly string[];
  /** The media types of the 200. */
  readonly types: readonly string[];
}

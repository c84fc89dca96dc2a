/** The elements of openapi.yaml that our code reads, with every reference resolved. */

/** A JSON Schema of the contract. The named keywords are those that our code reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly 'x-extensible-enum'?: readonly string[];
  readonly 'x-clamp'?: { readonly minimum: number; readonly maximum: number };
  readonly 'x-trim'?: boolean;
  readonly 'x-max-depth'?: number;
  readonly 'x-max-nodes'?: number;
  readonly 'x-error-codes'?: Readonly<Record<string, string>>;
  readonly 'x-demands'?: Readonly<Record<string, string>>;
  readonly 'x-origin'?: unknown;
  readonly [keyword: string]: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
  readonly 'x-origin'?: unknown;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-origin'?: unknown;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly 'x-origin'?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

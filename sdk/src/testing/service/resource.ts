import { defaults, examples, inputs } from '../../generated/samples.ts';

type Fields = Readonly<Record<string, unknown>>;
type Inputs = keyof typeof inputs;

interface Field {
  readonly isRequired: boolean;
  /** None for a field of any type. */
  readonly types: readonly string[];
  /** None for a field of any value. */
  readonly values: readonly unknown[];
}

const defaultsOf: Readonly<Partial<Record<string, Fields>>> = defaults;

/** A resource with every field of the contract: what the contract has for a field that is not set, or its example. */
export function resource<Name extends keyof typeof examples>(name: Name): (typeof examples)[Name] {
  return { ...structuredClone(examples[name]), ...defaultsOf[name] };
}

/** The fields of a request that the contract has. Those that are not set have the contract's default. */
export function fieldsOf(name: Inputs, request: object): Fields {
  const sent = (field: string): unknown => Reflect.get(request, field) ?? defaultsOf[name]?.[field];
  return Object.fromEntries(Object.keys(inputs[name]).map((field) => [field, sent(field) ?? null]));
}

/** Whether each field of a request has a type and a value that the contract allows. */
export function isAllowed(name: Inputs, request: object): boolean {
  return Object.entries<Field>(inputs[name]).every(([field, { isRequired, types, values }]) => {
    const value: unknown = Reflect.get(request, field);
    if (value === undefined) return !isRequired;
    return (
      (types.length === 0 || types.some((type) => isOfType(value, type))) &&
      (values.length === 0 || values.includes(value))
    );
  });
}

/** The fields of a value that a resource has. */
export function pick<Resource extends object>(from: Resource, form: Resource): Resource {
  return Object.fromEntries(Object.keys(form).map((field) => [field, Reflect.get(from, field)])) as Resource;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && value !== null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

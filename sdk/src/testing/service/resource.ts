import { defaults, examples } from '../../generated/samples.ts';

type Fields = Readonly<Record<string, unknown>>;

const defaultsOf: Readonly<Partial<Record<string, Fields>>> = defaults;

/** A resource with every field of the contract: what the contract has for a field that is not set, or its example. */
export function resource<Name extends keyof typeof examples>(name: Name): (typeof examples)[Name] {
  return { ...JSON.parse(JSON.stringify(examples[name])), ...defaultsOf[name] };
}

/** The fields of a value that a resource has. */
export function pick<Resource extends object>(from: Resource, form: Resource): Resource {
  return Object.fromEntries(Object.keys(form).map((field) => [field, Reflect.get(from, field)])) as Resource;
}

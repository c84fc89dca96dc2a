import type { PassportValueInput } from './contract.ts';
import type { Fields } from './generated/fields.ts';

/**
 * The fields of a product group's template and the type of their values: `FieldsOf<'textile'>`. The templates are those
 * of the reference server; a service may know more fields, and takes any.
 */
export type FieldsOf<Group extends keyof Fields> = Fields[Group];

/** A `field_key` of a group's template, which editors offer, or any other text. */
export type FieldKey<Group extends keyof Fields> = keyof Fields[Group] | (string & Record<never, never>);

/**
 * Values for `passports.put` whose keys and types are checked: `ValuesOf<'textile'>`. A value may be `null`, for one that
 * is not known. Fields that the template does not have are named: `ValuesOf<'textile', 'our_colour'>`; their values may be
 * anything.
 */
export type ValuesOf<Group extends keyof Fields, Own extends string = never> = readonly {
  [Key in keyof Fields[Group] | Own]: Omit<PassportValueInput, 'field_key' | 'value'> & {
    field_key: Key;
    value: Key extends keyof Fields[Group] ? Fields[Group][Key] | null : PassportValueInput['value'];
  };
}[keyof Fields[Group] | Own][];

import type { PassportValueInput } from './contract.ts';
import type { Fields, Levels, Units } from './generated/templates.ts';

/**
 * The fields of a product group's template and the types of their values: `FieldsOf<'textile'>`. The templates are
 * those of the reference server. A service may have more fields, and accepts any field.
 */
export type FieldsOf<Group extends keyof Fields> = Fields[Group];

/** A `field_key` of a group's template, which editors offer, or any other text. */
export type FieldKey<Group extends keyof Fields> = KeyOf<Group> | (string & Record<never, never>);

// Distributes over several groups: the result has the keys of every group, not only those that all groups share.
type KeyOf<Group extends keyof Fields> = Group extends unknown ? keyof Fields[Group] : never;

/**
 * One value for `passports.put` whose key and type are checked: `ValueOf<'textile'>`. With several groups it is a value
 * of any of them: `ValueOf<'textile' | 'battery'>`. A field that the template does not make public needs an
 * `access_level`, because a value without one is public. A `unit` must be the template's. `null` stands for an unknown
 * value. Name your own fields in the second parameter: `ValueOf<'textile', 'our_colour'>`. Their values may be anything. To
 * collect values one by one, use a `ValueOf<'textile'>[]`.
 */
export type ValueOf<Group extends keyof Fields, Own extends string = never> = Group extends unknown
  ? {
      [Key in keyof Fields[Group] | Own]: Omit<PassportValueInput, 'field_key' | 'value' | 'unit' | 'access_level'> & {
        field_key: Key;
        value: Key extends keyof Fields[Group] ? Fields[Group][Key] | null : PassportValueInput['value'];
      } & UnitOf<Group, Key, Own> &
        LevelOf<Group, Key>;
    }[keyof Fields[Group] | Own]
  : never;

type UnitOf<Group extends keyof Fields, Key, Own> = Key extends Own
  ? Pick<PassportValueInput, 'unit'>
  : { unit?: (Key extends keyof Units[Group] ? Units[Group][Key] : never) | null | undefined };

type LevelOf<Group extends keyof Fields, Key> = Key extends keyof Levels[Group]
  ? { access_level: Levels[Group][Key] }
  : Pick<PassportValueInput, 'access_level'>;

/** A read-only list of `ValueOf` for one `passports.put`: `ValuesOf<'textile'>`. */
export type ValuesOf<Group extends keyof Fields, Own extends string = never> = readonly ValueOf<Group, Own>[];

/** The key of a group's template: `textile`. */
export type TemplateKey = keyof Fields;

/** The values of `passports.put`: checked if a group is given, and otherwise any. */
export type PutValues<Group extends keyof Fields, Own extends string> = [Group] extends [never]
  ? readonly PassportValueInput[]
  : ValuesOf<Group, Own>;

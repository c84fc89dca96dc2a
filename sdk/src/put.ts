import { type Api, type RequestOptions, toJson } from './api.ts';
import type { PassportValueInput, PassportWriteResult } from './contract.ts';
import { ArgumentError, type PutError } from './errors.ts';
import type { Fields, Levels, Units } from './generated/templates.ts';
import type { ApiResponse } from './response.ts';

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

/** Options of `passports.put`. */
export interface PutOptions extends RequestOptions {
  /**
   * Compares the values with a template before anything is sent: `checkFor(cable)` of `@product-passport/sdk/templates`.
   * What it finds is the message of an `ArgumentError`. Default: no check.
   */
  readonly check?: ((values: readonly PassportValueInput[]) => readonly { readonly message: string }[]) | undefined;
}

/**
 * Writes the values in as many requests as the service's limits require, one after the other.
 */
export async function put(
  { send, prepare, deadlineOf }: Api,
  slug: string,
  values: readonly PassportValueInput[],
  options: PutOptions | undefined,
): Promise<ApiResponse<PassportWriteResult>> {
  let applied = 0;
  try {
    const deadline = deadlineOf(options);
    const chunks = await prepare('putPassport', () => chunksOf(values, options?.check));
    let updated = 0;
    let findings = 0;
    let last!: ApiResponse<PassportWriteResult>;
    for (const texts of chunks) {
      last = await send('putPassport', { path: { slug }, body: `[${texts}]` }, options, { deadline });
      updated += last.value.updated;
      const header = `${last.response.headers.get('passport-findings')}`;
      findings += /^\d{1,9}$/.test(header) ? Number(header) : NaN;
      applied += texts.length;
    }
    // NaN if a response lacks the header.
    const sums = { ...(chunks.length > 1 && { updated }), ...(findings >= 0 && { findings }) };
    return { ...last, value: { ...last.value, ...sums } };
  } catch (error) {
    throw Object.assign(error as PutError, { applied });
  }
}

// The contract's limits for one request: elements, and bytes and nodes of the body.
const maxValues = 1_000;
const maxBytes = 1_048_576;
const maxNodes = 20_000;

/**
 * Serializes values, and splits them into the fewest requests that the service accepts. A value that is too big is sent
 * alone.
 */
function chunksOf(values: readonly PassportValueInput[], check: PutOptions['check']): string[][] {
  if (!Array.isArray(values)) throw new ArgumentError('values', 'must be an array');
  const findings = check?.(values) ?? [];
  if (findings.length > 0) throw new ArgumentError('values', findings.map(({ message }) => message).join('; '));
  let group: string[] = [];
  const groups = [group];
  let bytes = 1;
  let nodes = 1;
  for (const [index, value] of values.entries()) {
    const text = toJson(value, `[${index}]`);
    // In UTF-8, with the bracket or comma before it. React Native and jsdom have no TextEncoder.
    const size = encodeURIComponent(text).replace(/%../g, ' ').length + 1;
    // Counts the arrays, objects and scalars.
    let inside = 0;
    JSON.parse(text, () => {
      inside += 1;
    });
    const isFull = group.length === maxValues || bytes + size > maxBytes || nodes + inside > maxNodes;
    if (group.length > 0 && isFull) {
      group = [];
      groups.push(group);
      bytes = 1;
      nodes = 1;
    }
    group.push(text);
    bytes += size;
    nodes += inside;
  }
  return groups;
}

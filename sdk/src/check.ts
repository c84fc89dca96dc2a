/**
 * `@product-passport/sdk/check`: finds misspelled field keys before a write. The service stores any key, and shows it to
 * the public. The keys are those of the reference server's templates. It sends no requests.
 */
import type { PassportValueInput } from './contract.ts';
import { ArgumentError } from './errors.ts';
import type { TemplateKey } from './fields.ts';
import { fieldKeys } from './generated/field-keys.ts';

export type { TemplateKey } from './fields.ts';

/** How many letters to add, remove or replace to get from one text to the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, wanted] of [...other].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[place], row[place + 1], row[place]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/**
 * Returns the values unchanged. Throws an `ArgumentError` that names the closest key if a `field_key` is not in the
 * group's template and not in `own`.
 *
 * ```ts
 * import { checkKeys } from '@product-passport/sdk/check';
 *
 * const values = checkKeys('cable', [{ field_key: 'cable_length', value: 2, unit: 'm' }]);
 * console.log(values.length);
 * ```
 */
export function checkKeys<Values extends readonly Pick<PassportValueInput, 'field_key'>[]>(
  group: TemplateKey,
  values: Values,
  own: readonly string[] = [],
): Values {
  if (!Object.hasOwn(fieldKeys, group)) throw new ArgumentError('group', 'must be a product group with a template');
  const known = [...fieldKeys[group].split(' '), ...own];
  for (const [index, { field_key: key }] of values.entries()) {
    if (known.includes(key)) continue;
    const [closest] = [...known].sort((one, other) => distance(key, one) - distance(key, other));
    throw new ArgumentError(
      `[${index}].field_key`,
      `"${key}" is not a field of ${group}. The closest is "${closest}".`,
    );
  }
  return values;
}

/** Mistakes with the members and the JSON values of a passport. */
import type { Passport, PassportValue, PassportValueInput } from '@product-passport/sdk';
import { changeBody, changeJson, type Mutant, passport, write } from '../alter.ts';

/** Changes every element of a write. */
function changeElements(change: (element: PassportValueInput) => object) {
  return changeBody(write, (body: unknown) =>
    Array.isArray(body)
      ? body.map((element) => (typeof element === 'object' && element !== null ? change(element) : element))
      : body,
  );
}

/** Changes every value that is read. */
function changeValues(change: (value: PassportValue) => object) {
  return changeJson(passport, (body: Passport) => ({ ...body, values: body.values.map(change) }));
}

/** Changes the JSON value of every element that is read. */
function changeValue(change: (value: unknown) => unknown) {
  return changeValues((element) => ({ ...element, value: change(element.value) }));
}

/** Applies the change to the value and to everything in it. */
function deeply(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((part) => deeply(part, change)));
  if (typeof value !== 'object' || value === null) return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, change)])));
}

export const values: readonly Mutant[] = [
  {
    id: 'default-source-manual',
    mistake: 'The source of a new value is manual.',
    killedBy: 'PASS-4.defaults',
    because: 'the new field must be',
    wrap: changeElements((element) => ({ source: 'manual', ...element })),
  },
  {
    id: 'default-level-restricted',
    mistake: 'The access level of a new value is restricted.',
    killedBy: 'PASS-4.defaults',
    because: 'the new field must be',
    wrap: changeElements((element) => ({ access_level: 'restricted', ...element })),
  },
  {
    id: 'owner-sees-public-only',
    mistake: 'The owner reads public values only.',
    killedBy: 'PASS-4.level-restricted',
    because: 'the number of values with the key',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.filter(({ access_level }) => access_level === 'public'),
    })),
  },
  {
    id: 'authority-is-restricted',
    mistake: 'The level authority is stored as restricted.',
    killedBy: 'PASS-4.level-authority',
    because: 'access_level must be "authority", is "restricted"',
    wrap: changeElements((element) =>
      element.access_level === 'authority' ? { ...element, access_level: 'restricted' } : element,
    ),
  },
  {
    id: 'level-never-changes',
    mistake: 'An update does not change the access level.',
    killedBy: 'PASS-4.level-changes',
    because: 'access_level must be',
    wrap: (service) => {
      const first = new Map<string, unknown>();
      return changeBody(write, (body: unknown) =>
        Array.isArray(body)
          ? body.map((element) => {
              if (element?.access_level === undefined) return element;
              const access_level = first.get(element.field_key) ?? element.access_level;
              first.set(element.field_key, access_level);
              return { ...element, access_level };
            })
          : body,
      )(service);
    },
  },
  {
    id: 'unit-lost',
    mistake: 'The unit is not stored.',
    killedBy: 'PASS-4.unit',
    because: 'unit must be',
    wrap: changeElements(({ unit: _, ...rest }) => rest),
  },
  {
    id: 'unknown-lost',
    mistake: 'is_unknown is not stored.',
    killedBy: 'PASS-4.unknown',
    because: 'is_unknown must be true',
    wrap: changeElements(({ is_unknown: _, ...rest }) => rest),
  },
  {
    id: 'values-as-text',
    mistake: 'Every value is stored as text.',
    killedBy: 'PASS-5.zero',
    because: 'the value must be 0, is "0"',
    wrap: changeValue((value) => (typeof value === 'number' ? String(value) : value)),
  },
  {
    id: 'text-as-number',
    mistake: 'Text of digits becomes a number.',
    killedBy: 'PASS-5.text-of-digits',
    because: 'the value must be "007", is 7',
    wrap: changeValue((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)),
  },
  {
    id: 'numbers-of-32-bits',
    mistake: 'Numbers are stored with 32 bits.',
    killedBy: 'PASS-5.fraction',
    because: 'the value must be 0.1',
    wrap: changeValue((value) => (typeof value === 'number' && Math.abs(value) < 1e30 ? Math.fround(value) : value)),
  },
  {
    id: 'empty-object-as-array',
    mistake: 'An empty object becomes an empty array, as in PHP.',
    killedBy: 'PASS-5.empty-object',
    because: 'the value must be {}, is []',
    wrap: changeValue((value) =>
      deeply(value, (part) =>
        typeof part === 'object' && part !== null && Object.keys(part).length === 0 ? [] : part,
      ),
    ),
  },
  {
    id: 'null-members-dropped',
    mistake: 'Members that are null are left out.',
    killedBy: 'PASS-5.null',
    because: 'the value must be null, is missing',
    wrap: changeValues((element) => Object.fromEntries(Object.entries(element).filter(([, value]) => value !== null))),
  },
  {
    id: 'empty-text-as-null',
    mistake: 'Empty text becomes null, as in Oracle.',
    killedBy: 'PASS-5.empty-text',
    because: 'the value must be "", is null',
    wrap: changeValue((value) => (value === '' ? null : value)),
  },
  {
    id: 'text-trimmed',
    mistake: 'Values are trimmed.',
    killedBy: 'PASS-5.blank-text',
    because: 'the value must be',
    wrap: changeValue((value) => (typeof value === 'string' ? value.trim() : value)),
  },
  {
    id: 'text-cut-at-255',
    mistake: 'The column of a value holds 255 characters.',
    killedBy: 'PASS-5.long-text',
    because: 'the value must be',
    wrap: changeValue((value) => (typeof value === 'string' ? value.slice(0, 255) : value)),
  },
  {
    id: 'utf8-of-three-bytes',
    mistake: 'The column has an encoding without emoji.',
    killedBy: 'PASS-5.unicode',
    because: 'the value must be',
    wrap: changeValue((value) => (typeof value === 'string' ? value.replace(/\p{Emoji_Presentation}/gu, '?') : value)),
  },
  {
    id: 'markup-escaped',
    mistake: 'Values are stored as escaped HTML.',
    killedBy: 'PASS-5.markup',
    because: 'the value must be',
    wrap: changeValue((value) => (typeof value === 'string' ? value.replaceAll('<', '&lt;') : value)),
  },
  {
    id: 'arrays-sorted',
    mistake: 'Arrays are read in sorted order.',
    killedBy: 'PASS-5.sorted-array',
    because: 'the value must be [3,1,2,3]',
    wrap: changeValue((value) =>
      Array.isArray(value) && value.every((part) => typeof part === 'number') ? value.toSorted() : value,
    ),
  },
  {
    id: 'numbers-as-texts',
    mistake: 'A value that is a number is read as text.',
    claims: ['reference'],
    killedBy: 'PASS-5.number-exponent',
    because: 'the value must be',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.map((one) => ({
        ...one,
        value: typeof one.value === 'number' ? String(one.value) : one.value,
      })),
    })),
  },
];

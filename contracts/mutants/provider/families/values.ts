/** Mistakes with the members and the JSON values of a passport. */
import { at } from '../call.ts';
import { type Change, each, eachWritten, kept } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

/** Reads another JSON value of each element. */
const eachValue = (change: (value: unknown) => unknown): Change =>
  each(at.passport, 'values', ({ value }) => ({ value: change(value) }));

/** Reads another text for each value that is one. */
const eachText = (change: (text: string) => unknown): Change =>
  eachValue((value) => (typeof value === 'string' ? change(value) : value));

/** Applies the change to the value and to everything in it. */
function deeply(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((part) => deeply(part, change)));
  if (typeof value !== 'object' || value === null) return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, change)])));
}

const isEmpty = (part: unknown): boolean => typeof part === 'object' && part !== null && Object.keys(part).length === 0;
const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((part) => typeof part === 'number');

export const values: readonly Mutant[] = [
  wrong('default-source-manual', 'The source of a new value is manual.')
    .failsIn('PASS-4.defaults', 'the new field must be')
    .eachWritten((element) => ({ source: 'manual', ...element })),
  wrong('default-level-restricted', 'The access level of a new value is restricted.')
    .failsIn('PASS-4.defaults', 'the new field must be')
    .eachWritten((element) => ({ access_level: 'restricted', ...element })),
  wrong('owner-sees-public-only', 'The owner reads public values only.')
    .failsIn('PASS-4.level-restricted', 'the number of values with the key')
    .elements(at.passport, 'values', (values) => values.filter(({ access_level }) => access_level === 'public')),
  wrong('authority-is-restricted', 'The level authority is stored as restricted.')
    .failsIn('PASS-4.level-authority', 'access_level must be "authority", is "restricted"')
    .eachWritten(({ access_level: level }) => ({ access_level: level === 'authority' ? 'restricted' : level })),
  wrong('level-never-changes', 'An update does not change the access level.')
    .failsIn('PASS-4.level-changes', 'access_level must be')
    .remembers((levels) =>
      eachWritten(({ field_key, access_level: level }) =>
        level === undefined ? {} : { access_level: kept(levels, field_key, level) },
      ),
    ),
  wrong('unit-lost', 'The unit is not stored.')
    .failsIn('PASS-4.unit', 'unit must be')
    .eachWritten(() => ({ unit: undefined })),
  wrong('unknown-lost', 'is_unknown is not stored.')
    .failsIn('PASS-4.unknown', 'is_unknown must be true')
    .eachWritten(() => ({ is_unknown: undefined })),
  wrong('values-as-text', 'Every value is stored as text.')
    .failsIn('PASS-5.zero', 'the value must be 0, is "0"')
    .does(eachValue((value) => (typeof value === 'number' ? String(value) : value))),
  wrong('text-as-number', 'Text of digits becomes a number.')
    .failsIn('PASS-5.text-of-digits', 'the value must be "007", is 7')
    .does(eachText((text) => (/^\d+$/.test(text) ? Number(text) : text))),
  wrong('numbers-of-32-bits', 'Numbers are stored with 32 bits.')
    .failsIn('PASS-5.fraction', 'the value must be 0.1')
    .does(eachValue((value) => (typeof value === 'number' && Math.abs(value) < 1e30 ? Math.fround(value) : value))),
  wrong('empty-object-as-array', 'An empty object becomes an empty array, as in PHP.')
    .failsIn('PASS-5.empty-object', 'the value must be {}, is []')
    .does(eachValue((value) => deeply(value, (part) => (isEmpty(part) ? [] : part)))),
  wrong('null-members-dropped', 'Members that are null are left out.')
    .failsIn('PASS-5.null', 'body/values/0/value is missing')
    .elements(at.passport, 'values', (values) =>
      values.map((one) => Object.fromEntries(Object.entries(one).filter(([, part]) => part !== null))),
    ),
  wrong('empty-text-as-null', 'Empty text becomes null, as in Oracle.')
    .failsIn('PASS-5.empty-text', 'the value must be "", is null')
    .does(eachText((text) => text || null)),
  wrong('text-trimmed', 'Values are trimmed.')
    .failsIn('PASS-5.blank-text', 'the value must be')
    .does(eachText((text) => text.trim())),
  wrong('text-cut-at-255', 'The column of a value holds 255 characters.')
    .failsIn('PASS-5.long-text', 'the value must be')
    .does(eachText((text) => text.slice(0, 255))),
  wrong('utf8-of-three-bytes', 'The column has an encoding without emoji.')
    .failsIn('PASS-5.unicode', 'the value must be')
    .does(eachText((text) => text.replace(/\p{Emoji_Presentation}/gu, '?'))),
  wrong('markup-escaped', 'Values are stored as escaped HTML.')
    .failsIn('PASS-5.markup', 'the value must be')
    .does(eachText((text) => text.replaceAll('<', '&lt;'))),
  wrong('arrays-sorted', 'Arrays are read in sorted order.')
    .failsIn('PASS-5.sorted-array', 'the value must be [3,1,2,3]')
    .does(eachValue((value) => (isNumbers(value) ? (value as number[]).toSorted() : value))),
  wrong('numbers-as-texts', 'A value that is a number is read as text.')
    .failsIn('PASS-5.number-exponent', 'the value must be')
    .does(eachValue((value) => (typeof value === 'number' ? String(value) : value))),
];

import { expect, test } from '@jest/globals';
import { checkKeys } from '../../sdk/src/check.ts';
import { createFakeClient } from '../../sdk/src/testing.ts';

test('a misspelled key is refused with the closest key of the template', () => {
  const values = [{ field_key: 'halogen_free' }, { field_key: 'cable_lenght' }];
  expect(() => checkKeys('cable', values)).toThrow(
    expect.objectContaining({
      name: 'ArgumentError',
      argument: '[1].field_key',
      message: '[1].field_key "cable_lenght" is not a field of cable. The closest is "cable_length".',
    }),
  );
});

test('keys of the template and keys of your own pass, and the values come back', () => {
  const values = [{ field_key: 'cable_length' }, { field_key: 'our_colour' }];
  expect(checkKeys('cable', values, ['our_colour'])).toBe(values);
  expect(() => checkKeys('cables' as 'cable', values)).toThrow('group must be a product group');
});

test('put checks keys and values at compile time if a group is given', async () => {
  const { passports } = createFakeClient({ putPassport: { updated: 1, completeness: 1 } });
  await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 2 }]);
  await passports.put<'cable', 'our_colour'>('x', [{ field_key: 'our_colour', value: 'red' }]);
  await passports.put('x', [{ field_key: 'any', value: 2 }]);
  // @ts-expect-error: the key is misspelled.
  await passports.put<'cable'>('x', [{ field_key: 'cable_lenght', value: 2 }]);
  // @ts-expect-error: the value must be a number.
  await passports.put<'cable'>('x', [{ field_key: 'cable_length', value: 'two' }]);
});

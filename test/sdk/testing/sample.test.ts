/** Samples of the contract's objects. */
import { expect, test } from '@jest/globals';
import { sample } from '../../../sdk/src/testing.ts';

test('a test names only what matters', () => {
  const product = sample.product({ slug: 'helmet', status: 'draft' });
  expect(product).toEqual({ ...sample.product(), slug: 'helmet', status: 'draft' });
  const passport = sample.passport({ values: [sample.value({ field_key: 'material', value: 'Merino wool' })] });
  expect(passport.values).toEqual([{ ...sample.value(), field_key: 'material', value: 'Merino wool' }]);
  // @ts-expect-error A field that the contract does not have.
  sample.product({ flavour: 'mint' });
  // @ts-expect-error A value that the field cannot have.
  sample.product({ completeness: 'full' });
});

test.each(Object.entries(sample))('sample.%s shares nothing between calls', (_name, make) => {
  const before = structuredClone(make());
  const empty = (node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) empty(value);
      Reflect.deleteProperty(node, key);
    }
  };
  empty(make());
  expect(make()).toEqual(before);
});

/**
 * PASS-7: completeness. A provider's templates cannot be read, so these cases find the required fields of two groups by
 * writing one field after the other. A product keeps its values, so each case first marks all fields as unknown. What a
 * battery needs is in the SDK's template.
 */
import { battery, cable, other } from '@product-passport/sdk/templates';
import { type Api, valuesOf } from '../api.ts';
import { type Case, type Context, check, checkEqual, family } from '../case.ts';
import { controlProduct } from './products.ts';

const completeness = family('PASS-7', {
  claim: 'reference',
  clause: '/components/schemas/Completeness',
});

/** Fields of two templates, required ones and others. */
const keysOf = ({ fields }: Pick<typeof battery, 'fields'>): string[] => fields.map(({ key }) => key);
const candidates = { cable: keysOf(cable), other: keysOf(other) };

const points = battery.data_points?.points ?? [];
const categories = ['ev', 'lmt', 'industrial'] as const;

/** The fields of the data points whose rules fit. */
function fieldsWith(isMeant: (rules: Readonly<Record<string, string>>) => boolean): string[] {
  const numbers = points.filter(({ rules }) => isMeant(rules)).map(({ number }) => number);
  return battery.fields.filter((field) => field.points?.some((one) => numbers.includes(one))).map(({ key }) => key);
}

/** What a category needs now or from a later day. The cases fill in both, so that they do not depend on the date. */
const needs = (category: string) => fieldsWith((rules) => ['mandatory', 'later'].includes(rules[category] ?? ''));
const mandatory = (category: string) =>
  fieldsWith((rules) => rules[category] === 'mandatory').filter((key) => key !== 'battery_category');
const everyNeeds = fieldsWith((rules) => categories.every((one) => ['mandatory', 'later'].includes(rules[one] ?? '')));
const allFields = keysOf(battery);

/** What a required field may hold, and whether the field then counts as filled in. */
const contents: Readonly<Record<string, { readonly element: object; readonly counts: boolean }>> = {
  text: { element: { value: 'x' }, counts: true },
  zero: { element: { value: 0 }, counts: true },
  false: { element: { value: false }, counts: true },
  'empty-array': { element: { value: [] }, counts: true },
  'array-of-null': { element: { value: [null] }, counts: true },
  object: { element: { value: { a: null } }, counts: true },
  restricted: { element: { value: 'x', access_level: 'restricted' }, counts: true },
  authority: { element: { value: 'x', access_level: 'authority' }, counts: true },
  'needs-review': { element: { value: 'x', needs_review: true }, counts: true },
  null: { element: { value: null }, counts: false },
  'empty-text': { element: { value: '' }, counts: false },
  'blank-text': { element: { value: ' \t\n\u00a0' }, counts: false },
  'empty-object': { element: { value: {} }, counts: false },
  unknown: { element: { value: 'x', is_unknown: true }, counts: false },
};

export const completenessCases: readonly Case[] = [
  completeness('none', 'A product without values has completeness 0.', async (context) => {
    checkEqual((await controlProduct(context)).completeness, 0, 'completeness');
  }),
  ...(['cable', 'other'] as const).map((group) =>
    completeness(
      `steps-${group}`,
      `Each required field of ${group} adds its share, rounded down, and all of them give 100.`,
      async (context) => {
        const required = await requiredFields(context, group);
        check(required.length > 1, `the template ${group} must have several required fields`);
        const { slug } = await emptied(context, `completeness-${group}`, group);
        const steps: number[] = [];
        for (const field_key of required) {
          steps.push((await context.api.put(slug, [{ field_key, value: 'x' }])).completeness);
        }
        const expected = required.map((_, index) => Math.floor((100 * (index + 1)) / required.length));
        checkEqual(steps, expected, 'completeness after each required field');
        checkEqual((await context.api.product(slug)).completeness, 100, 'completeness of the product');
      },
    ),
  ),
  completeness('no-group', 'Without a group, the template other applies.', async (context) => {
    const required = await requiredFields(context, 'other');
    const { slug } = await emptied(context, 'completeness-no-group', null);
    checkEqual((await context.api.put(slug, valuesOf(required, 'x'))).completeness, 100, 'completeness');
  }),
  completeness('optional', 'A field that is not required does not count.', async (context) => {
    const required = await requiredFields(context, 'cable');
    const optional = candidates.cable.filter((key) => !required.includes(key));
    check(optional.length > 0, 'some fields of the template cable must not be required');
    const { slug } = await emptied(context, 'completeness-optional', 'cable');
    checkEqual((await context.api.put(slug, valuesOf(optional, 'x'))).completeness, 0, 'completeness');
  }),
  completeness(
    'unknown-key',
    'A key that the template does not have is stored and does not count.',
    async (context) => {
      const { slug } = await emptied(context, 'completeness-unknown-key', 'cable');
      const { completeness: share } = await context.api.put(slug, [{ field_key: 'verify_no_such_field', value: 'x' }]);
      checkEqual(share, 0, 'completeness');
      const keys = (await context.api.passport(slug)).values.map(({ field_key }) => field_key);
      check(keys.includes('verify_no_such_field'), 'the passport must have the value');
    },
  ),
  ...categories.map((category) =>
    completeness(
      `category-${category}`,
      `A battery of the category ${category} is complete with what it needs, and with nothing less.`,
      async (context) => {
        const battery = await batteryOf(context, category, needs(category));
        checkEqual(battery.completeness, 100, 'completeness with what the category needs');
        let before = 100;
        for (const key of mandatory(category)) {
          const after = (await battery.put([unknown(key)])).completeness;
          check(after < before, `completeness without ${key} must be less than ${before}, is ${after}`);
          before = after;
        }
      },
    ),
  ),
  completeness('category-none', 'Without a category, what every category needs counts.', async (context) => {
    const battery = await batteryOf(context, undefined, everyNeeds);
    check(battery.completeness < 100, 'a battery without a category must not be complete');
    const others = allFields.filter((key) => !everyNeeds.includes(key));
    const { completeness: filled } = await battery.put(valuesOf(others, 'x'));
    checkEqual(filled, battery.completeness, 'completeness with more than every category needs');
    checkEqual((await battery.put([categoryValue('ev')])).completeness, 100, 'completeness with a category');
  }),
  completeness('category-other', 'A category that the template does not have is missing.', async (context) => {
    const { completeness: none } = await batteryOf(context, undefined, allFields);
    const { completeness: other } = await batteryOf(context, 'verify-no-such-category', allFields);
    checkEqual(other, none, 'completeness with an unknown category');
  }),
  ...['portable', 'sli'].map((category) =>
    completeness(
      `category-${category}`,
      `A battery of the category ${category} needs what every category needs.`,
      async (context) => {
        const battery = await batteryOf(context, category, everyNeeds);
        checkEqual(battery.completeness, 100, 'completeness with what every category needs');
        const { completeness: less } = await battery.put([unknown('battery_chemistry')]);
        check(less < 100, `completeness without battery_chemistry must be less than 100, is ${less}`);
      },
    ),
  ),
  completeness('category-change', 'Another category changes what counts.', async (context) => {
    const { put } = await batteryOf(context, 'lmt', needs('lmt'));
    const { completeness: ev } = await put([categoryValue('ev')]);
    check(ev < 100, `completeness of the category ev must be less than 100, is ${ev}`);
    checkEqual((await put([categoryValue('lmt')])).completeness, 100, 'completeness of the category lmt');
  }),
  ...Object.entries(contents).map(([which, { element, counts }]) =>
    completeness(
      which,
      `A required field with ${JSON.stringify(element)} ${counts ? 'counts' : 'does not count'}.`,
      async (context) => {
        const [field_key, ...rest] = await requiredFields(context, 'cable');
        const { slug } = await emptied(context, 'completeness-contents', 'cable');
        const values = [{ field_key, ...element }, ...valuesOf(rest, 'x')];
        const { completeness: share } = await context.api.put(slug, values);
        const count = rest.length + (counts ? 1 : 0);
        checkEqual(share, Math.floor((100 * count) / (rest.length + 1)), 'completeness');
      },
    ),
  ),
];

/** The fields whose value raises the completeness. */
function requiredFields({ once }: Context, group: keyof typeof candidates): Promise<string[]> {
  return once(`required fields of ${group}`, async (context) => {
    const { slug, api } = await emptied(context, `completeness-find-${group}`, group);
    const required: string[] = [];
    let before = 0;
    for (const field_key of candidates[group]) {
      const { completeness: after } = await api.put(slug, [{ field_key, value: 'x' }]);
      if (after > before) required.push(field_key);
      before = after;
    }
    checkEqual(before, 100, `completeness with all required fields of ${group}`);
    return required;
  });
}

/** A product with no field filled in. */
async function emptied(
  { api, world }: Context,
  purpose: string,
  product_group: keyof typeof candidates | null,
): Promise<{ slug: string; api: Api }> {
  const { slug } = await world.product(purpose, { product_group });
  const keys = candidates[product_group ?? 'other'];
  const unknown = keys.map((field_key) => ({ field_key, value: null, is_unknown: true, access_level: 'public' }));
  checkEqual((await api.put(slug, unknown)).completeness, 0, 'completeness of unknown values');
  return { slug, api };
}

const unknown = (field_key: string): object => ({ field_key, value: null, is_unknown: true });
const categoryValue = (value: string): object => ({ field_key: 'battery_category', value });

/** A battery with these fields filled in, and all others unknown. */
async function batteryOf({ api, world }: Context, category: string | undefined, filled: readonly string[]) {
  const { slug } = await world.product(`completeness-battery-${category}`, { product_group: 'battery' });
  const put = (values: readonly object[]) => api.put(slug, values);
  const values = allFields.map((key) => {
    if (key === 'battery_category') return category === undefined ? unknown(key) : categoryValue(category);
    return filled.includes(key) ? { field_key: key, value: 'x' } : unknown(key);
  });
  return { put, completeness: (await put(values)).completeness };
}

/** Mistakes when passport values are written and read. */
import type { PassportValue } from '@product-passport/sdk';
import {
  also,
  asks,
  type Change,
  each,
  eachWritten,
  elements,
  elementsOf,
  errors,
  instead,
  jsonOf,
  list,
  members,
  notes,
  onStatus,
  passport,
  pathOf,
  readOf,
  readsJson,
  refuses,
  type Service,
  together,
  withBody,
  withText,
  write,
  written,
} from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 400';

/** The stored values of the passport that a request writes. `undefined` if it cannot be read. */
async function storedValues(request: Request, service: Service): Promise<readonly PassportValue[] | undefined> {
  const { values } = Object(await jsonOf(await service.fetch(readOf(request, request.url))));
  return values;
}

/** A write also stores the other fields that it read before, with a change. */
export function storesOthers(change: (values: readonly PassportValue[]) => readonly object[]): Change {
  return asks(write, async (request, service) => {
    const body = await jsonOf(request);
    const before = await storedValues(request, service);
    if (!Array.isArray(body) || before === undefined) return undefined;
    const others = before.filter((one) => !body.some((element) => element?.field_key === one.field_key));
    return withText(request, JSON.stringify([...change(others), ...body]));
  });
}

export const passports: readonly Mutant[] = [
  wrong('write-replaces-all', 'A write replaces the whole passport.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .does((service) => {
      const named = new Map<string, Set<unknown>>();
      const noted = notes(write, async (request) => {
        const keys = (await elementsOf(request)).map((one) => one?.field_key);
        if (keys.length > 0) named.set(pathOf(request), new Set(keys));
      });
      const read = members(passport, ({ values }, request) => ({
        values: values.filter(({ field_key }) => named.get(pathOf(request))?.has(field_key) ?? true),
      }));
      return together([noted, read])(service);
    }),
  wrong('existing-field-kept', 'A write skips fields that exist, as INSERT … ON CONFLICT DO NOTHING does.')
    .failsIn('PASS-1.update', 'the value of')
    .does(
      asks(write, async (request, service) => {
        const known = await storedValues(request, service);
        const isNew = (key: unknown): boolean => !known?.some(({ field_key }) => field_key === key);
        const body = await jsonOf(request);
        if (known === undefined || !Array.isArray(body)) return undefined;
        return withText(request, JSON.stringify(body.filter((element) => isNew(element?.field_key))));
      }),
    ),
  wrong('existing-field-doubled', 'A write adds a row for a field that exists.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .does(elements(passport, 'values', (values) => [...values, ...values])),
  wrong('other-units-lost', 'A write removes the units of the fields that it does not name.')
    .failsIn('PASS-1.update', 'the untouched field')
    .does(storesOthers((values) => values.map((one) => ({ ...one, unit: null })))),
  wrong('new-field-dropped', 'A write updates fields only, and drops those that are new.')
    .failsIn('PASS-1.create', 'the values of the passport')
    .does(
      instead(write, async (request, service) => {
        const [element, ...more] = await elementsOf(request);
        const known = await storedValues(request, service);
        const key = element?.field_key;
        if (key === undefined || more.length > 0 || !known || known.length === 0) return undefined;
        return known.some(({ field_key }) => field_key === key)
          ? undefined
          : Response.json({ updated: 1, completeness: 0 });
      }),
    ),
  wrong('write-to-all-products', 'The update has no condition on the product.')
    .failsIn('PASS-1.own-product', 'the value of the other product')
    .does((service) => {
      const last = new Map<unknown, unknown>();
      const noted = notes(write, async (request) => {
        for (const element of await elementsOf(request)) last.set(element?.field_key, element?.value);
      });
      const read = each(passport, 'values', ({ field_key, value }) => ({ value: last.get(field_key) ?? value }));
      return together([noted, read])(service);
    }),
  wrong('updated-is-1', 'updated is the number of statements instead of the number of fields.')
    .failsIn('PASS-1.updated', 'updated must be 2, is 1')
    .does(members(write, ({ updated }) => ({ updated: Math.min(1, updated) }))),
  wrong('updated-never-0', 'updated is at least 1.')
    .failsIn('PASS-1.nothing', 'the result must be')
    .does(members(write, ({ updated }) => ({ updated: Math.max(1, updated) }))),
  wrong('last-element-only', 'A write drops the first of two elements with one key.')
    .failsIn('PASS-1.twice', 'the value, with unit and level of the first element')
    .does(written((elements) => [...new Map(elements.map((one) => [one?.field_key, one])).values()])),
  wrong('write-back-refused', 'A write refuses the members that only a read has.')
    .failsIn('PASS-1.write-back', 'the status of the write must be 200, is 400')
    .does(refuses(write, 400, 'invalid_request', async (request) => (await request.text()).includes('"updated_at"'))),
  wrong('keys-in-language-order', 'The database sorts the keys by the rules of a language.')
    .failsIn('PASS-1.order', 'the keys must be')
    .does(
      elements(passport, 'values', (values) =>
        values.toSorted((one, other) => one.field_key.localeCompare(other.field_key, 'en')),
      ),
    ),
  wrong('review-lost', 'The service does not store needs_review.')
    .failsIn('PASS-4.absent-needs-review', 'needs_review before must be true, is false')
    .does(each(passport, 'values', () => ({ needs_review: false }))),
  wrong('completeness-of-before', 'A write returns another completeness than a read.')
    .failsIn('PASS-1.completeness', 'completeness of the passport must be')
    .does(members(write, ({ completeness }) => ({ completeness: completeness + 1 }))),
  wrong(
    'list-without-completeness',
    'The list shows 0 as the completeness of every product, because its query does not read the passports.',
  )
    .failsIn('PASS-1.completeness-listed', 'in the list must be')
    .does(each(list, 'items', () => ({ completeness: 0 }))),
  wrong('passport-of-other-product', 'The passport shows the slug in place of the name.')
    .failsIn('PASS-1.product', 'product must be')
    .does(members(passport, ({ product }) => ({ product: { ...product, name: product.slug } }))),
  wrong('object-accepted', 'A single value is accepted in place of an array.')
    .failsIn('PASS-2.body-object', `${refused}, gets 200`)
    .does(readsJson(write, (body: unknown) => (Array.isArray(body) ? body : []))),
  wrong('wrapped-array-accepted', 'An object with the array in `values` is accepted in place of the array.')
    .failsIn('PASS-2.body-wrapped', `${refused}, gets 200`)
    .does(readsJson(write, (body: { values?: unknown }) => (Array.isArray(body?.values) ? body.values : body))),
  wrong('not-array-own-code', 'A body that is not an array gets a general code.')
    .failsIn('PASS-2.body-object', 'error.code must be "values_must_be_array", is "validation_failed"')
    .does(errors(write, 'values_must_be_array', 400, 'validation_failed')),
  wrong('null-body-500', 'The body null causes an exception.')
    .failsIn('PASS-2.body-null', `${refused}, gets 500`)
    .does(refuses(write, 500, 'internal_error', async (request) => (await request.text()) === 'null')),
  wrong('first-key-checked', 'Only the first element is checked for its field_key.')
    .failsIn('PASS-2.no-key-last', `${refused}, gets 200`)
    .does(
      written((elements) =>
        elements.filter((one, index) => index === 0 || typeof one !== 'object' || one?.field_key !== undefined),
      ),
    ),
  wrong('missing-key-422', 'A missing field_key gets 422.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 422`)
    .does(errors(write, 'field_key_required', 422)),
  wrong('missing-key-skipped', 'Elements without field_key are skipped.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 200`)
    .does(written((elements) => elements.filter((one) => one?.field_key !== undefined))),
  wrong('half-a-write', 'The elements before a wrong one are stored.')
    .failsIn('PASS-3.no-key-last', 'the passport after the refused write')
    .does(
      also(write, 400, async (request) => {
        const elements = await elementsOf(request);
        const wrong = elements.findIndex((one) => one?.field_key === undefined);
        return withText(request, JSON.stringify(elements.slice(0, Math.max(0, wrong))));
      }),
    ),
  wrong('absent-members-filled', 'A write fills absent members with defaults of its own.')
    .failsIn('PASS-4.absent-source', 'source after must be "import", is "manual"')
    .does(eachWritten((one) => ({ source: 'manual', access_level: 'public', unit: null, is_unknown: true, ...one }))),
  wrong('null-unit-unchanged', 'unit: null leaves the unit as it is.')
    .failsIn('PASS-4.no-unit', 'unit must be null, is "kg"')
    .does(eachWritten(({ unit }) => ({ unit: unit ?? undefined }))),
  wrong('wrong-elements-skipped', 'A write skips the elements that are wrong, and stores the others.')
    .failsIn('PASS-2.long-unit', `${refused}, gets 200`)
    .does(
      onStatus(write, 400, async (_, request, service) => {
        const body = await jsonOf(request);
        if (!Array.isArray(body)) return undefined;
        let updated = 0;
        for (const element of body) {
          const { status } = await service.fetch(withText(request, JSON.stringify([element])));
          if (status === 200) updated += 1;
        }
        return Response.json({ updated, completeness: 0 });
      }),
    ),
  wrong('updated-counts-changes', 'updated counts only the fields whose values change.')
    .failsIn('PASS-1.named-fields', 'updated must be 2, is 0')
    .does(
      instead(write, async (request, service) => {
        const before = (await storedValues(request, service)) ?? [];
        const response = await service.fetch(request.clone());
        if (response.status !== 200) return response;
        const known = new Map<unknown, string>(
          before.map(({ field_key, value }) => [field_key, JSON.stringify(value)]),
        );
        const changed = (await elementsOf(request)).filter(
          (one) => known.get(one?.field_key) !== JSON.stringify(one?.value),
        );
        return withBody(response, JSON.stringify({ ...Object(await response.json()), updated: changed.length }));
      }),
    ),
];

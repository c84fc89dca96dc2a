/** Mistakes when passport values are written and read. */
import { isDeepStrictEqual } from 'node:util';
import type { PassportValue } from '@product-passport/sdk';
import { at, type Call, type Element, jsonOf } from '../call.ts';
import { asks, type Change, each, elements, members, notes } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';

const refused = 'the faulty request must get 400';

/** The stored values of the passport that a request writes. `undefined` if it cannot be read. */
export async function storedValues(call: Call): Promise<readonly PassportValue[] | undefined> {
  return Object(await jsonOf(await call.get(call.url).send())).values;
}

const has = (values: readonly Element[], one: Element | null): boolean =>
  values.some(({ field_key }) => field_key === one?.field_key);

/** A write stores other elements, which depend on the stored values. */
function writesOver(
  change: (elements: readonly Element[], stored: readonly PassportValue[]) => readonly Element[],
): Change {
  return asks(at.write, async (call) => {
    const body = await call.json();
    const stored = await storedValues(call);
    return Array.isArray(body) && stored ? call.withJson(change(body, stored)) : undefined;
  });
}

/** A write also stores the other fields that it read before, with a change. */
export function storesOthers(change: (values: readonly PassportValue[]) => readonly Element[]): Change {
  return writesOver((body, stored) => [...change(stored.filter((one) => !has(body, one))), ...body]);
}

export const passports: readonly Mutant[] = [
  wrong('write-replaces-all', 'A write replaces the whole passport.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .remembers<Set<unknown>>((named) => [
      notes(at.write, async (call) => {
        const keys = (await call.elements()).map((one) => one?.field_key);
        if (keys.length > 0) named.set(call.path, new Set(keys));
      }),
      elements(at.passport, 'values', (values, { path }) =>
        values.filter(({ field_key }) => named.get(path)?.has(field_key) ?? true),
      ),
    ]),
  wrong('existing-field-kept', 'A write skips fields that exist, as INSERT … ON CONFLICT DO NOTHING does.')
    .failsIn('PASS-1.update', 'the value of')
    .does(writesOver((body, stored) => body.filter((one) => !has(stored, one)))),
  wrong('existing-field-doubled', 'A write adds a row for a field that exists.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .elements(at.passport, 'values', (values) => [...values, ...values]),
  wrong('other-units-lost', 'A write removes the units of the fields that it does not name.')
    .failsIn('PASS-1.update', 'the untouched field')
    .does(storesOthers((values) => values.map((one) => ({ ...one, unit: null })))),
  wrong('new-field-dropped', 'A write updates fields only, and drops those that are new.')
    .failsIn('PASS-1.create', 'the values of the passport')
    .instead(at.write, async (call) => {
      const [element, ...more] = await call.elements();
      const stored = (await storedValues(call)) ?? [];
      if (element?.field_key === undefined || more.length > 0 || stored.length === 0) return undefined;
      return has(stored, element) ? undefined : Response.json({ updated: 1, completeness: 0 });
    }),
  wrong('write-to-all-products', 'The update has no condition on the product.')
    .failsIn('PASS-1.own-product', 'the value of the other product')
    .remembers((last) => [
      notes(at.write, async (call) => {
        for (const element of await call.elements()) last.set(element?.field_key, element?.value);
      }),
      each(at.passport, 'values', ({ field_key, value }) => ({ value: last.get(field_key) ?? value })),
    ]),
  wrong('updated-is-1', 'updated is the number of statements instead of the number of fields.')
    .failsIn('PASS-1.updated', 'updated must be 2, is 1')
    .members(at.write, ({ updated }) => ({ updated: Math.min(1, updated) })),
  wrong('updated-never-0', 'updated is at least 1.')
    .failsIn('PASS-1.nothing', 'the result must be')
    .members(at.write, ({ updated }) => ({ updated: Math.max(1, updated) })),
  wrong('last-element-only', 'A write drops the first of two elements with one key.')
    .failsIn('PASS-1.twice', 'the value, with unit and level of the first element')
    .written((elements) => [...new Map(elements.map((one) => [one?.field_key, one])).values()]),
  wrong('write-back-refused', 'A write refuses the members that only a read has.')
    .failsIn('PASS-1.write-back', 'the status of the write must be 200, is 400')
    .refuses(at.write, 400, 'invalid_request', async (call) => (await call.text()).includes('"updated_at"')),
  wrong('keys-in-language-order', 'The database sorts the keys by the rules of a language.')
    .failsIn('PASS-1.order', 'the keys must be')
    .elements(at.passport, 'values', (values) =>
      values.toSorted((one, other) => one.field_key.localeCompare(other.field_key, 'en')),
    ),
  wrong('review-lost', 'The service does not store needs_review.')
    .failsIn('PASS-4.absent-needs-review', 'needs_review before must be true, is false')
    .each(at.passport, 'values', () => ({ needs_review: false })),
  wrong('completeness-of-before', 'A write returns another completeness than a read.')
    .failsIn('PASS-1.completeness', 'completeness of the passport must be')
    .members(at.write, ({ completeness }) => ({ completeness: completeness + 1 })),
  wrong('list-without-completeness', 'The list shows 0 as completeness, because its query does not read the passports.')
    .failsIn('PASS-1.completeness-listed', 'in the list must be')
    .each(at.list, 'items', () => ({ completeness: 0 })),
  wrong('passport-of-other-product', 'The passport shows the slug in place of the name.')
    .failsIn('PASS-1.product', 'product must be')
    .members(at.passport, ({ product }) => ({ product: { ...product, name: product.slug } })),
  wrong('object-accepted', 'A single value is accepted in place of an array.')
    .failsIn('PASS-2.body-object', `${refused}, gets 200`)
    .readsJson(at.write, (body: unknown) => (Array.isArray(body) ? body : [])),
  wrong('wrapped-array-accepted', 'An object with the array in `values` is accepted in place of the array.')
    .failsIn('PASS-2.body-wrapped', `${refused}, gets 200`)
    .readsJson(at.write, (body: { values?: unknown }) => (Array.isArray(body?.values) ? body.values : body)),
  wrong('not-array-own-code', 'A body that is not an array gets a general code.')
    .failsIn('PASS-2.body-object', 'error.code must be "values_must_be_array", is "validation_failed"')
    .errors(at.write, 'values_must_be_array', 400, 'validation_failed'),
  wrong('null-body-500', 'The body null causes an exception.')
    .failsIn('PASS-2.body-null', `${refused}, gets 500`)
    .refuses(at.write, 500, 'internal_error', async (call) => (await call.text()) === 'null'),
  wrong('first-key-checked', 'Only the first element is checked for its field_key.')
    .failsIn('PASS-2.no-key-last', `${refused}, gets 200`)
    .written((elements) =>
      elements.filter((one, index) => index === 0 || typeof one !== 'object' || one?.field_key !== undefined),
    ),
  wrong('missing-key-422', 'A missing field_key gets 422.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 422`)
    .errors(at.write, 'field_key_required', 422),
  wrong('missing-key-skipped', 'Elements without field_key are skipped.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 200`)
    .written((elements) => elements.filter((one) => one?.field_key !== undefined)),
  wrong('half-a-write', 'The elements before a wrong one are stored.')
    .failsIn('PASS-3.no-key-last', 'the passport after the refused write')
    .also(at.write, 400, async (call) => {
      const elements = await call.elements();
      const wrong = elements.findIndex((one) => one?.field_key === undefined);
      return call.withJson(elements.slice(0, Math.max(0, wrong)));
    }),
  wrong('absent-members-filled', 'A write fills absent members with defaults of its own.')
    .failsIn('PASS-4.absent-source', 'source after must be "import", is "manual"')
    .eachWritten((one) => ({ source: 'manual', access_level: 'public', unit: null, is_unknown: true, ...one })),
  wrong('null-unit-unchanged', 'unit: null leaves the unit as it is.')
    .failsIn('PASS-4.no-unit', 'unit must be null, is "kg"')
    .eachWritten(({ unit }) => ({ unit: unit ?? undefined })),
  wrong('wrong-elements-skipped', 'A write skips the elements that are wrong, and stores the others.')
    .failsIn('PASS-2.long-unit', `${refused}, gets 200`)
    .onStatus(at.write, 400, async (_, call) => {
      const body = await call.json();
      if (!Array.isArray(body)) return undefined;
      let updated = 0;
      for (const element of body) if ((await call.withJson([element]).send()).status === 200) updated += 1;
      return Response.json({ updated, completeness: 0 });
    }),
  wrong('updated-counts-changes', 'updated counts only the fields whose values change.')
    .failsIn('PASS-1.named-fields', 'updated must be 2, is 0')
    .instead(at.write, async (call) => {
      const stored = (await storedValues(call)) ?? [];
      const isSame = (one: Element | null) =>
        stored.some(({ field_key, value }) => field_key === one?.field_key && isDeepStrictEqual(value, one?.value));
      const updated = (await call.elements()).filter((one) => !isSame(one)).length;
      return members(at.write, { updated })(call.service)(call.request);
    }),
];

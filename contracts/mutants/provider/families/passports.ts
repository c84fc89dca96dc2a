/** Mistakes when passport values are written and read. */
import type { Passport, PassportValue, PassportWriteResult, ProductList } from '@product-passport/sdk';
import {
  changeBody,
  changeError,
  changeJson,
  changeRequest,
  changeResponse,
  error,
  jsonOf,
  list,
  type Mutant,
  passport,
  respondWith,
  type Wrap,
  withBody,
  withStatus,
  write,
} from '../alter.ts';

const refused = 'the faulty request must get 400';

/** A write also stores the other fields that it read before, with a change. */
export function storesOthers(change: (values: readonly PassportValue[]) => readonly object[]): Wrap {
  return changeRequest(write, async (request, service) => {
    const body = await jsonOf(request);
    const { url, headers } = request;
    const before = (await jsonOf(await service.fetch(new Request(url, { headers })))) as Partial<Passport>;
    if (!Array.isArray(body) || before.values === undefined) return request;
    const others = before.values.filter((one) => !body.some((element) => element?.field_key === one.field_key));
    return new Request(request.clone(), { body: JSON.stringify([...change(others), ...body]) });
  });
}

export const passports: readonly Mutant[] = [
  {
    id: 'write-replaces-all',
    mistake: 'A write replaces the whole passport.',
    killedBy: 'PASS-1.update',
    because: 'the number of values with the key',
    wrap: (service) => {
      const named = new Map<string, Set<string>>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (request.method === 'PUT' && write.path.test(pathname)) {
          const body = await jsonOf(request);
          const keys = Array.isArray(body) ? body.map((element) => element?.field_key) : [];
          if (keys.length > 0) named.set(pathname, new Set(keys));
          return service.fetch(request);
        }
        const keys = named.get(pathname);
        const response = await service.fetch(request);
        if (keys === undefined || response.status !== 200) return response;
        const body = (await jsonOf(response)) as Passport;
        const values = body.values.filter(({ field_key }) => keys.has(field_key));
        return withBody(response, JSON.stringify({ ...body, values }));
      };
    },
  },
  {
    id: 'existing-field-kept',
    mistake: 'A write skips fields that exist, as INSERT … ON CONFLICT DO NOTHING does.',
    killedBy: 'PASS-1.update',
    because: 'the value of',
    wrap: respondWith(write, async (request, service) => {
      const body = await jsonOf(request);
      if (!Array.isArray(body)) return undefined;
      const before = await service.fetch(new Request(request.url, { headers: request.headers }));
      if (before.status !== 200) return undefined;
      const { values } = (await jsonOf(before)) as Passport;
      const known = new Set(values.map(({ field_key }) => field_key));
      const added = body.filter((element) => !known.has(element?.field_key));
      return service.fetch(new Request(request, { body: JSON.stringify(added) }));
    }),
  },
  {
    id: 'existing-field-doubled',
    mistake: 'A write adds a row for a field that exists.',
    killedBy: 'PASS-1.update',
    because: 'the number of values with the key',
    wrap: changeJson(passport, (body: Passport) => ({ ...body, values: [...body.values, ...body.values] })),
  },
  {
    id: 'other-units-lost',
    mistake: 'A write removes the units of the fields that it does not name.',
    killedBy: 'PASS-1.update',
    because: 'the untouched field',
    wrap: storesOthers((values) => values.map((one) => ({ ...one, unit: null }))),
  },
  {
    id: 'new-field-dropped',
    mistake: 'A write updates fields only, and drops those that are new.',
    killedBy: 'PASS-1.create',
    because: 'the values of the passport',
    wrap: respondWith(write, async (request, service) => {
      const body = await jsonOf(request);
      if (!Array.isArray(body) || body.length !== 1) return undefined;
      const before = await service.fetch(new Request(request.url, { headers: request.headers }));
      if (before.status !== 200) return undefined;
      const { values } = (await jsonOf(before)) as Passport;
      const known = new Set(values.map(({ field_key }) => field_key));
      const isLost = known.size > 0 && body[0]?.field_key !== undefined && !known.has(body[0].field_key);
      return isLost ? Response.json({ updated: 1, completeness: 0 } satisfies PassportWriteResult) : undefined;
    }),
  },
  {
    id: 'write-to-all-products',
    mistake: 'The update has no condition on the product.',
    killedBy: 'PASS-1.own-product',
    because: 'the value of the other product',
    wrap: (service) => {
      const last = new Map<string, unknown>();
      const noting = respondWith(write, async (request) => {
        const body = await jsonOf(request);
        for (const element of Array.isArray(body) ? body : []) last.set(element?.field_key, element?.value);
        return undefined;
      })(service);
      return async (request) => {
        const response = await noting(request);
        if (request.method !== 'GET' || !passport.path.test(new URL(request.url).pathname) || response.status !== 200) {
          return response;
        }
        const body = (await jsonOf(response)) as Passport;
        const values = body.values.map((one) => ({ ...one, value: last.get(one.field_key) ?? one.value }));
        return withBody(response, JSON.stringify({ ...body, values }));
      };
    },
  },
  {
    id: 'updated-is-1',
    mistake: 'updated is the number of statements instead of the number of fields.',
    killedBy: 'PASS-1.updated',
    because: 'updated must be 2, is 1',
    wrap: changeJson(write, (body: PassportWriteResult) => ({ ...body, updated: Math.min(1, body.updated) })),
  },
  {
    id: 'updated-never-0',
    mistake: 'updated is at least 1.',
    claims: ['reference'],
    killedBy: 'PASS-1.nothing',
    because: 'the result must be',
    wrap: changeJson(write, (body: PassportWriteResult) => ({ ...body, updated: Math.max(1, body.updated) })),
  },
  {
    id: 'last-element-only',
    mistake: 'A write drops the first of two elements with one key.',
    claims: ['reference'],
    killedBy: 'PASS-1.twice',
    because: 'the value, with unit and level of the first element',
    wrap: changeBody(write, (body: unknown) =>
      Array.isArray(body) ? [...new Map(body.map((element) => [element?.field_key, element])).values()] : body,
    ),
  },
  {
    id: 'write-back-refused',
    mistake: 'A write refuses the members that only a read has.',
    claims: ['reference'],
    killedBy: 'PASS-1.write-back',
    because: 'the status of the write must be 200, is 400',
    wrap: respondWith(write, async (request) =>
      (await request.text()).includes('"updated_at"') ? error(400, 'invalid_request') : undefined,
    ),
  },
  {
    id: 'keys-in-language-order',
    mistake: 'The database sorts the keys by the rules of a language.',
    claims: ['reference'],
    killedBy: 'PASS-1.order',
    because: 'the keys must be',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.toSorted((one, other) => one.field_key.localeCompare(other.field_key, 'en')),
    })),
  },
  {
    id: 'review-lost',
    mistake: 'The service does not store needs_review.',
    claims: ['reference'],
    killedBy: 'PASS-4.absent-needs-review',
    because: 'needs_review before must be true, is false',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      values: body.values.map((one) => ({ ...one, needs_review: false })),
    })),
  },
  {
    id: 'completeness-of-before',
    mistake: 'A write returns another completeness than a read.',
    killedBy: 'PASS-1.completeness',
    because: 'completeness of the passport must be',
    wrap: changeJson(write, (body: PassportWriteResult) => ({ ...body, completeness: body.completeness + 1 })),
  },
  {
    id: 'list-without-completeness',
    mistake: 'The list shows 0 as the completeness of every product, because its query does not read the passports.',
    killedBy: 'PASS-1.completeness-listed',
    because: 'in the list must be',
    wrap: changeJson(list, (body: ProductList) => ({
      ...body,
      items: body.items.map((item) => ({ ...item, completeness: 0 })),
    })),
  },
  {
    id: 'passport-of-other-product',
    mistake: 'The passport shows the slug in place of the name.',
    killedBy: 'PASS-1.product',
    because: 'product must be',
    wrap: changeJson(passport, (body: Passport) => ({
      ...body,
      product: { ...body.product, name: body.product.slug },
    })),
  },
  {
    id: 'object-accepted',
    mistake: 'A single value is accepted in place of an array.',
    killedBy: 'PASS-2.body-object',
    because: `${refused}, gets 200`,
    wrap: changeBody(write, (body: unknown) => (Array.isArray(body) ? body : [])),
  },
  {
    id: 'wrapped-array-accepted',
    mistake: 'An object with the array in `values` is accepted in place of the array.',
    killedBy: 'PASS-2.body-wrapped',
    because: `${refused}, gets 200`,
    wrap: changeBody(write, (body: { values?: unknown }) => (Array.isArray(body?.values) ? body.values : body)),
  },
  {
    id: 'not-array-own-code',
    mistake: 'A body that is not an array gets a general code.',
    killedBy: 'PASS-2.body-object',
    because: 'error.code must be "values_must_be_array", is "validation_failed"',
    wrap: changeError(write, 'values_must_be_array', () => error(400, 'validation_failed')),
  },
  {
    id: 'null-body-500',
    mistake: 'The body null causes an exception.',
    killedBy: 'PASS-2.body-null',
    because: `${refused}, gets 500`,
    wrap: respondWith(write, async (request) =>
      (await request.clone().text()) === 'null' ? error(500, 'internal_error') : undefined,
    ),
  },
  {
    id: 'first-key-checked',
    mistake: 'Only the first element is checked for its field_key.',
    killedBy: 'PASS-2.no-key-last',
    because: `${refused}, gets 200`,
    wrap: changeBody(write, (body: unknown) =>
      Array.isArray(body)
        ? body.filter(
            (element, index) => index === 0 || typeof element !== 'object' || element?.field_key !== undefined,
          )
        : body,
    ),
  },
  {
    id: 'missing-key-422',
    mistake: 'A missing field_key gets 422.',
    killedBy: 'PASS-2.no-key-first',
    because: `${refused}, gets 422`,
    wrap: changeError(write, 'field_key_required', (response) => withStatus(response, 422)),
  },
  {
    id: 'missing-key-skipped',
    mistake: 'Elements without field_key are skipped.',
    killedBy: 'PASS-2.no-key-first',
    because: `${refused}, gets 200`,
    wrap: changeBody(write, (body: unknown) =>
      Array.isArray(body) ? body.filter((element) => element?.field_key !== undefined) : body,
    ),
  },
  {
    id: 'half-a-write',
    mistake: 'The elements before a wrong one are stored.',
    claims: ['reference'],
    killedBy: 'PASS-3.no-key-last',
    because: 'the passport after the refused write',
    wrap: changeResponse(write, async (response, request, service) => {
      const body = response.status === 400 ? await jsonOf(request) : undefined;
      if (!Array.isArray(body)) return response;
      const wrong = body.findIndex((element) => element?.field_key === undefined);
      const stored = JSON.stringify(body.slice(0, Math.max(0, wrong)));
      await service.fetch(new Request(request.clone(), { body: stored }));
      return response;
    }),
  },
  {
    id: 'absent-members-filled',
    mistake: 'A write fills absent members with defaults of its own.',
    claims: ['reference'],
    killedBy: 'PASS-4.absent-source',
    because: 'source after must be "import", is "manual"',
    wrap: changeBody(write, (body: unknown) => {
      if (!Array.isArray(body)) return body;
      return body.map((one) => ({ source: 'manual', access_level: 'public', unit: null, is_unknown: true, ...one }));
    }),
  },
  {
    id: 'null-unit-unchanged',
    mistake: 'unit: null leaves the unit as it is.',
    claims: ['reference'],
    killedBy: 'PASS-4.no-unit',
    because: 'unit must be null, is "kg"',
    wrap: changeBody(write, (body: unknown) => {
      if (!Array.isArray(body)) return body;
      return body.map((one) => (one?.unit === null ? { ...one, unit: undefined } : one));
    }),
  },
  {
    id: 'wrong-elements-skipped',
    mistake: 'A write skips the elements that are wrong, and stores the others.',
    claims: ['reference'],
    killedBy: 'PASS-2.long-unit',
    because: `${refused}, gets 200`,
    wrap: changeResponse(write, async (response, request, service) => {
      const body = response.status === 400 ? await jsonOf(request) : undefined;
      if (!Array.isArray(body)) return response;
      let updated = 0;
      for (const element of body) {
        const { status } = await service.fetch(new Request(request.clone(), { body: JSON.stringify([element]) }));
        if (status === 200) updated += 1;
      }
      return Response.json({ updated, completeness: 0 } satisfies PassportWriteResult);
    }),
  },
  {
    id: 'updated-counts-changes',
    mistake: 'updated counts only the fields whose values change.',
    claims: ['reference'],
    killedBy: 'PASS-1.named-fields',
    because: 'updated must be 2, is 0',
    wrap: respondWith(write, async (request, service) => {
      const body = await jsonOf(request);
      const { url, headers } = request;
      const before = (await jsonOf(await service.fetch(new Request(url, { headers })))) as Partial<Passport>;
      const response = await service.fetch(request);
      if (response.status !== 200 || !Array.isArray(body)) return response;
      const known = new Map(before.values?.map(({ field_key, value }) => [field_key, JSON.stringify(value)]));
      const changed = body.filter(({ field_key, value }) => known.get(field_key) !== JSON.stringify(value));
      return withBody(response, JSON.stringify({ ...Object(await response.json()), updated: changed.length }));
    }),
  },
];

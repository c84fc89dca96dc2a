import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  ContractError,
  canonical,
  closest,
  dayOf,
  fold,
  lastDays,
  Measures,
  mergeValues,
  type PassportValue,
  parameterKeywords,
  pathValidation,
  queryValidation,
  readJson,
  type Schema,
  SentQuery,
  searchedText,
  slugFromName,
  suffixedSlug,
  timeOfChange,
  withFormulae,
  withUnit,
  wordsFor,
} from '@product-passport/openapi';
import { bodyKeywords, bodyReader } from '@product-passport/openapi/body';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import Joi from 'joi';
import { connect } from '../../server/src/database/connection.ts';
import { newDatabase } from '../support/database.ts';

test.each([
  ['LMT', ['sli', 'lmt'], 'lmt'],
  ['Ltm', ['sli', 'lmt'], 'lmt'],
  [' textile', ['textile'], 'textile'],
  ['ｃａｂｌｅ', ['table', 'cable'], 'cable'],
  ['cable_lenght', ['cable_width', 'cable_length'], 'cable_length'],
  ['wran', ['debug', 'warn'], 'warn'],
  ['tire', ['tyre'], 'tyre'],
  ['stationary', ['portable', 'sli', 'lmt', 'ev', 'industrial'], undefined],
  ['colour', ['importer_name', 'other'], undefined],
  ['xy', ['ev', 'sli'], undefined],
  ['a'.repeat(300), ['a'.repeat(301)], undefined],
  ['302', ['301'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('the closest to %j among %j is %j', (text, known, expected) => {
  expect(closest(text, known)).toBe(expected);
});

describe('slugs', () => {
  test.each([
    ['ÄÖÜ äöü ẞß', 'aeoeue-aeoeue-ssss'],
    ['Wollmu\u0308tze', 'wollmuetze'],
    ['Ærø Œuvre Þór Đorđe Łódź ıI', 'aero-oeuvre-thor-dorde-lodz-ii'],
    ['Ðað', 'dad'],
    ['İstanbul', 'istanbul'],
    ['ﬁn ＡＢ① ² K', 'fin-ab1-2-k'],
    ['  --A__b..C//  ', 'a-b-c'],
    ["O'Neill & Söhne (2. Wahl)", 'o-neill-soehne-2-wahl'],
    ['', 'product'],
    ['a'.repeat(101), 'a'.repeat(100)],
    [`${'a'.repeat(99)} b`, 'a'.repeat(99)],
    ['ß'.repeat(51), 's'.repeat(100)],
  ])('derived from the name %s are %s', (name, slug) => {
    expect(slugFromName(name)).toBe(slug);
  });

  test('with a suffix keep the maximum length and the format', () => {
    expect(suffixedSlug('tasse', 1)).toBe('tasse');
    expect(suffixedSlug('tasse', 2)).toBe('tasse-2');
    const long = 'a'.repeat(100);
    expect(suffixedSlug(long, 1)).toBe(long);
    expect(suffixedSlug(long, 2)).toBe(`${'a'.repeat(98)}-2`);
    expect(suffixedSlug(long, 10)).toBe(`${'a'.repeat(97)}-10`);
    expect(suffixedSlug(`${'a'.repeat(97)}-bb`, 2)).toBe(`${'a'.repeat(97)}-2`);
    expect(suffixedSlug('a'.repeat(98), 2)).toBe(`${'a'.repeat(98)}-2`);
  });
});

test('the RFC 8785 form of a value is that of another library', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => expect(canonical(value)).toBe(canonicalize(value))));
});

test('the time of a change is after the previous change, even if the clock goes back', () => {
  const before = '2026-03-01T00:00:00.000Z';
  expect(timeOfChange(new Date('2026-03-01T00:00:05.000Z'), before)).toBe('2026-03-01T00:00:05.000Z');
  expect(timeOfChange(new Date(before), before)).toBe('2026-03-01T00:00:00.001Z');
  expect(timeOfChange(new Date('2020-01-01T00:00:00.000Z'), before)).toBe('2026-03-01T00:00:00.001Z');
});

test('values in another language are different values', () => {
  const french: PassportValue = {
    ...{ field_key: 'a', value: 'x', unit: null, source: 'import', is_unknown: false, needs_review: false },
    ...{ access_level: 'restricted', locale: 'fr', updated_at: 'early' },
  };
  const { values } = mergeValues([french], [{ field_key: 'a', value: 'y' }], 'de', 'late');
  expect(values).toEqual([{ ...french, value: 'y', access_level: 'public', locale: 'de', updated_at: 'late' }, french]);
});

describe('scans', () => {
  test('are counted by UTC days', () => {
    expect(dayOf(new Date('2026-02-28T23:59:59.999Z'))).toBe('2026-02-28');
    expect(lastDays(new Date('2024-03-01T12:00:00.000Z'), 2)).toEqual(['2024-02-29', '2024-03-01']);
    const year = lastDays(new Date('2026-10-25T01:30:00.000Z'), 365);
    expect(new Set(year).size).toBe(365);
    expect(year[0]).toBe('2025-10-26');
  });
});

/** The schema without one keyword of a type, at any depth. */
function without(schema: Schema, type: string, keyword: string): Schema {
  const { items, properties = {}, ...own } = schema;
  const isOfType = [schema.type ?? 'any'].flat().includes(type);
  const inside = Object.entries(properties).map(([name, member]) => [name, without(member, type, keyword)]);
  const whole = {
    ...own,
    ...(items && { items: without(items, type, keyword) }),
    ...(inside.length > 0 && { properties: Object.fromEntries(inside) }),
  };
  return isOfType ? Object.fromEntries(Object.entries(whole).filter(([name]) => name !== keyword)) : whole;
}

const pairsOf = (keywords: Readonly<Record<string, readonly string[]>>): [type: string, keyword: string][] =>
  Object.entries(keywords).flatMap(([type, all]) =>
    (all.length > 0 ? all : ['type']).map((keyword): [string, string] => [type, keyword]),
  );

describe('the rules of a parameter', () => {
  const read = (part: 'query' | 'path', schema: Schema, text: string): unknown => {
    try {
      const parameters = [{ name: 'a', in: part, schema }];
      if (part === 'path') return pathValidation(parameters)({ a: text });
      return queryValidation(parameters, true)(new SentQuery(`/?a=${text}`)).a;
    } catch (error) {
      return error instanceof ContractError ? error.code : undefined;
    }
  };
  const rows: ['query' | 'path', Schema, good: string, read: unknown, bad: string, outcome: unknown][] = [
    ['query', { type: 'integer', 'x-clamp': { minimum: 1, maximum: 9 }, default: 5 }, '8', 8, '10', 9],
    ['query', { type: 'integer', minimum: 1, maximum: 9, default: 5 }, '9', 9, '10', 'invalid_request'],
    ['query', { type: 'integer', minimum: 1, maximum: 9, default: 5 }, '1', 1, '0', 'invalid_request'],
    ['query', { type: 'string', enum: ['b'] }, 'b', 'b', 'c', 'invalid_request'],
    ['query', { type: 'string', pattern: '^b' }, 'b', 'b', 'c', 'invalid_request'],
    ['path', { type: 'string', pattern: '^b' }, 'b', undefined, 'c', 'not_found'],
    ['path', { type: 'string', maxLength: 2 }, 'bc', undefined, 'bcd', 'not_found'],
  ];

  test.each(rows)('in the %s, %j reads %s as %s, and %s as %s', (part, schema, good, expected, bad, outcome) => {
    expect([read(part, schema, good), read(part, schema, bad)]).toEqual([expected, outcome]);
  });

  test('of the query may require it, and may refuse it if it is given twice, also where others count as empty', () => {
    const schema = { type: 'string' };
    const parameters = [
      { name: 'a', in: 'query', required: true, 'x-given-once': true, schema },
      { name: 'b', in: 'query', schema },
    ] as const;
    const readQuery = (query: string) => queryValidation(parameters, false)(new SentQuery(`/${query}`));
    expect(readQuery('?a=1&b=2&b=3')).toEqual({ a: '1', b: '' });
    expect(() => readQuery('?a=1&a=1')).toThrow('a must be given only once.');
    expect(() => readQuery('?b=1')).toThrow('a is required.');
    expect(() => readQuery('')).toThrow('a is required.');
  });

  const all = (['query', 'path'] as const).flatMap((part) =>
    pairsOf(parameterKeywords[part]).map(([type, keyword]) => [part, type, keyword] as const),
  );
  test.each(all)('have a row in the %s for %s with %s, whose outcome depends on it', (of, type, keyword) => {
    const own = rows.filter(([part]) => part === of);
    const kept = own.map(
      ([part, schema, , , bad, outcome]) => read(part, without(schema, type, keyword), bad) === outcome,
    );
    expect(kept).toContain(false);
  });
});

describe('the rules of a body', () => {
  const messages = async (schema: Schema, body: unknown): Promise<string[]> => {
    const given: Promise<unknown> = bodyReader(Joi, schema, []).ofValue(body);
    return given.then(
      () => [],
      (error) => [error.message],
    );
  };
  const member = (schema: Schema): Schema => ({ type: 'object', required: ['a'], properties: { a: schema } });
  const listOf = (schema: Schema): Schema => ({ type: 'array', items: member(schema) });

  const rows: [Schema, good: unknown, bad: unknown, demand: string][] = [
    [{ type: 'string' }, '', undefined, 'is required'],
    [{ type: 'string' }, '', null, 'must be a string'],
    [{ type: ['string', 'null'] }, null, 7, 'must be a string'],
    [{ type: 'boolean' }, false, 'no', 'must be a boolean'],
    [{ type: 'integer' }, 1e21, 1.5, 'must be an integer'],
    [{ type: ['integer', 'null'] }, null, '1', 'must be an integer'],
    [{ type: 'number' }, -1.5, true, 'must be a number'],
    [{ type: 'number' }, Number.MAX_VALUE, Number.POSITIVE_INFINITY, 'must be a number'],
    [{ type: 'integer', minimum: 0 }, 0, -1, 'must be at least 0'],
    [{ type: 'integer', maximum: 9 }, 9, 10, 'must be at most 9'],
    [{ type: 'number', minimum: -0.5 }, -0.5, -0.6, 'must be at least -0.5'],
    [{ type: 'number', maximum: 0.5 }, 0.5, 0.6, 'must be at most 0.5'],
    [{ type: 'object' }, {}, [], 'must be an object'],
    [{ type: 'array' }, [], {}, 'must be an array'],
    [{ type: 'string', enum: ['b', 'c'] }, 'c', 'd', 'must be one of: b, c'],
    [{ type: 'string', 'x-extensible-enum': ['b', 'c'] }, 'b', 'd', 'must be one of: b, c'],
    [{ type: 'string', enum: ['bcd'] }, 'bcd', 'bcx', 'must be one of: bcd. The closest is bcd'],
    [{ type: 'string', pattern: '^b' }, 'b', 'c', 'is not valid'],
    [{ type: 'string', maxLength: 2, 'x-trim': true }, ' bc ', ' bcd ', 'must have at most 2 characters'],
    [{ type: 'string', maxLength: 2 }, '😀😀', '😀😀😀', 'must have at most 2 characters'],
    [{ type: 'array', minItems: 1 }, [1], [], 'must have at least 1 element'],
    [{ type: 'array', maxItems: 2 }, [1, 2], [1, 2, 3], 'must have at most 2 elements'],
    [{ 'x-max-depth': 2 }, [[1]], [[[]]], 'must have at most 2 levels'],
    [{ 'x-max-nodes': 3 }, [1, 2], [1, 2, 3], 'must have at most 3 nodes'],
  ];
  const elements = (good: unknown, bad: unknown) => [{ a: good }, bad === undefined ? {} : { a: bad }];

  test.each(rows)('%j accepts %j, and refuses %j', async (schema, good, bad, demand) => {
    expect(await messages(member(schema), { a: good })).toEqual([]);
    expect(await messages(member(schema), bad === undefined ? {} : { a: bad })).toEqual([`a ${demand}.`]);
    expect(await messages(listOf(schema), elements(good, bad))).toEqual([`[1].a ${demand}.`]);
  });

  test.each(pairsOf(bodyKeywords))('have a row for %s with %s, whose outcome depends on it', async (type, keyword) => {
    const outcomes = rows.map(async ([schema, good, bad, demand]) => {
      const changed = without(listOf(schema), type, keyword);
      const found = await messages(changed, elements(good, bad)).catch(() => []);
      return found[0] === `[1].a ${demand}.`;
    });
    expect(await Promise.all(outcomes)).toContain(false);
  });

  test('may allow an array and an object', async () => {
    const list: Schema = { type: 'array', minItems: 1, items: { type: 'string' } };
    const object: Schema = { ...member(list), 'x-demands': { type: 'must be a list or an object' } };
    const schema: Schema = { 'x-max-nodes': 5, oneOf: [list, object] };
    for (const body of [['b'], { a: ['b'], z: 1 }]) expect(await messages(schema, body)).toEqual([]);
    expect(await messages(schema, ['b', 1])).toEqual(['[1] must be a string.']);
    expect(await messages(schema, { a: [] })).toEqual(['a must have at least 1 element.']);
    for (const body of ['b', null])
      expect(await messages(schema, body)).toEqual(['The body must be a list or an object.']);
    const bytes = Buffer.from('["b","b","b","b","b"]');
    const read = bodyReader(Joi, schema, []).ofBytes(bytes, { 'content-type': 'application/json' });
    await expect(read).rejects.toThrow('The body must have at most 5 nodes.');
    expect(() => bodyReader(Joi, { oneOf: [list, list] }, [])).toThrow('may be an array or an object');
  });

  test('hold for the items of a list in a list', async () => {
    const schema = member({ type: 'array', items: { type: 'string', pattern: '.' } });
    expect(await messages(schema, { a: ['b'] })).toEqual([]);
    expect(await messages(schema, { a: ['b', '', 'c'] })).toEqual(['a[1] is not valid.']);
  });

  test('set the default of an absent member, also if it is 0', async () => {
    const properties = { a: { type: 'integer', default: 0 }, b: { type: ['string', 'null'], default: null } };
    expect(await bodyReader(Joi, { type: 'object', properties }, []).ofValue({})).toEqual({ a: 0, b: null });
  });

  test('let other work run after every hundred elements', async () => {
    const { ofBytes } = bodyReader(Joi, { type: 'array', items: { type: 'string' } }, []);
    const pausesOf = async (elements: number): Promise<number> => {
      let pauses = 0;
      const bytes = Buffer.from(JSON.stringify(Array(elements).fill('a')));
      await ofBytes(bytes, { 'content-type': 'application/json' }, async () => {
        pauses += 1;
      });
      return pauses;
    };
    expect([await pausesOf(100), await pausesOf(101), await pausesOf(1000)]).toEqual([0, 1, 9]);
  });
});

test('the nodes of a body are every array, object and scalar, whatever its strings contain', async () => {
  const nodesOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, part) => sum + nodesOf(part), 1)
      : 1;
  const read = (text: string, maxNodes: number) => {
    const schema = { type: text.startsWith('[') ? 'array' : 'object', 'x-max-nodes': maxNodes };
    return bodyReader(Joi, schema, []).ofBytes(Buffer.from(text), { 'content-type': 'application/json' });
  };
  const text = fc.constantFrom('[', '{', ',', '}', ']', '"', '\\', '\\"', '[,{', 'é');
  // Without `\\`: JSON.parse of V8 13.6 takes the name `"` for it, once it has seen it.
  const name = fc.constantFrom('[', '{', ',', '"', '[,{', 'é');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(null, true, 0, -1.5, [], {}),
      text,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const body = fc.oneof(fc.array(tree), fc.dictionary(name, tree));
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(undefined, 1), async (value, space) => {
      const json = JSON.stringify(value, null, space);
      expect(await read(json, nodesOf(value))).toEqual(value);
      await expect(read(json, nodesOf(value) - 1)).rejects.toThrow(/^The body must have at most \d+ nodes\.$/);
    }),
    { numRuns: 1000 },
  );
});

describe('escapes', () => {
  const messages = (json: string) => readJson(Buffer.from(json)).violations.map(({ message }) => message);

  test.each(['\\ud83d\\ude00', '\\uD800\\uDC00', '\\udbff\\udfff', '\\ud7ff\\ue000', '\\u0001', '\\\\u0000', '😀'])(
    '%s is accepted',
    (text) => {
      expect(messages(`["${text}"]`)).toEqual([]);
    },
  );

  test.each([
    '\\u0000',
    '\\ud800',
    '\\udbff',
    '\\udc00',
    '\\udfff',
    '\\ud83dx',
    '\\ud83d\\n',
    '\\ud83d\\u0041',
    '\\ud83d\\ue000',
    '\\ud83d\\ud83d\\ude00',
    '\\ud83d\\ude00\\ude00',
  ])('%s is refused, and the first place is named', (text) => {
    expect(messages(`["a","${text}","\\u0000"]`)).toEqual([
      '[1] has U+0000 or a lone surrogate in a string, which is not allowed.',
    ]);
  });
});

describe('numbers in JSON', () => {
  const messages = (literal: string) =>
    readJson(Buffer.from(`{"x":[${literal}]}`)).violations.map(({ message }) => message);

  const integers = '0 -0 9007199254740991 9007199254740992 9007199254740994 100000000000000000000'.split(' ');
  const decimals = '0.0 1.0 0.1 -0.1 1.7976931348623157e308 5e-324 1.50000000000000000000'.split(' ');
  const exponents = '1E2 1e+2 100e-2 1e21 1e-7 0e999999999'.split(' ');
  const strings = ['"9007199254740993"', '"1e400 \\" 1e400"'];
  test.each([...integers, ...decimals, ...exponents, ...strings, `1${'0'.repeat(300)}`])(
    '%s is carried by a double',
    (literal) => {
      expect(messages(literal)).toEqual([]);
    },
  );

  test.each([
    ...'9007199254740993 -9007199254740993 90071992547409930e-1 1e400 -1e400 1e-400 1e999999999999'.split(' '),
    ...'0.1000000000000000055511151231257827 3.14159265358979323846 {"tief":[9007199254740993]}'.split(' '),
  ])('%s is refused', (literal) => {
    expect(messages(literal)).toEqual(['The body has a number with too many digits: send it as a string.']);
  });
});

describe('numbers in words', () => {
  const units = {
    cycle: { one: '# cycle', other: '# cycles' },
    pH: { other: 'pH #' },
    ion: { other: '# ion' },
    bare: {},
  };
  const measures = new Measures('en', units);

  test.each([
    [0, '0'],
    [2026, '2026'],
    [10_000, '10,000'],
    [999_999_999_999_999, '999,999,999,999,999'],
    [1e15, '1E15'],
    [-1e15, '−1E15'],
    [0.000001, '0.000001'],
    [0.000_000_9, '9E−7'],
    [-5, '−5'],
  ])('%d is %s', (value, text) => {
    expect(measures.number(value)).toBe(text);
  });

  test.each([
    [1, 'cycle', 'Life', '1 cycle'],
    [2, 'cycle', 'Life', '2 cycles'],
    [800, 'cycle', 'Charge Cycles', '800'],
    [8.2, 'pH', 'pH value', '8.2'],
    [8.2, 'pH', 'Phosphorus', 'pH 8.2'],
    [3, 'ion', 'Lithium-Ion', '3'],
    [3, 'bare', 'Number', '3'],
    [1, 'day', '', '1 day'],
    [-2, 'month', '', '−2 months'],
    [5, '%', '', '5%'],
    [-5, '°C', '', '−5\u00a0°C'],
    [5, 'kg', '', '5\u00a0kg'],
    [5, 'm2', '', '5\u00a0m²'],
    [150_000, 'W', '', '150\u00a0kW'],
    [2_500_000, 'Wh', '', '2.5\u00a0MWh'],
    [999, 'V', '', '999\u00a0V'],
    [0.1, 'A', '', '0.1\u00a0A'],
    [0.0009, 'Ω', '', '0.9\u00a0mΩ'],
    [-0.000_05, 'A', '', '−50\u00a0µA'],
    [0, 'W', '', '0\u00a0W'],
    [25_000, 'mAh', '', '25,000\u00a0mAh'],
  ])('%d %s with the label "%s" is %s', (value, unit, label, text) => {
    expect(measures.measure(value, unit, label)).toBe(text);
  });

  test('a unit that a text ends with is not repeated', () => {
    expect(withUnit('-20 to 45', '°C')).toBe('−20 to 45\u00a0°C');
    expect(withUnit('3 m2', 'm2')).toBe('3 m2');
    expect(withUnit('3 m²', 'm2')).toBe('3 m²');
  });

  test.each([
    ['H2O and CO2', 'H₂O and CO₂'],
    ['SOS2', 'SOS₂'],
    ['SS2', 'SS2'],
    ['XY2', 'XY2'],
    ['LiNi0.5', 'LiNi₀.₅'],
    ['A-H2O', 'A-H2O'],
  ])('the formulae of %s are %s', (text, shown) => {
    expect(withFormulae(text)).toBe(shown);
  });

  test.each([
    ['Wool', 'Wolle'],
    ['wool (merino)', 'Wolle (Merino)'],
    ['wool (angora)', undefined],
    ['H302 + H312', 'beides'],
    ['H302+H315', 'eins drei'],
    ['H302+H999', undefined],
  ])('the words for %s are %s', (text, words) => {
    const vocabulary = { wool: 'Wolle', merino: 'Merino', 'h302+h312': 'beides', h302: 'eins', h315: 'drei' };
    expect(wordsFor(text, (part) => new Map(Object.entries(vocabulary)).get(part))).toBe(words);
  });
});

interface Row {
  character: string;
  folded: string;
}

/** Each character that Unicode has assigned, except private ones. */
let assigned: readonly Row[] = [];

beforeAll(async () => {
  const database = connect(await newDatabase('PostgreSQL'));
  ({ rows: assigned } = await database.raw(`
    SELECT chr(code) AS character,
      normalize(casefold(normalize(casefold(normalize(chr(code), NFD) COLLATE pg_unicode_fast), NFKC)), NFKC) AS folded
    FROM generate_series(1, 983039) AS code
    WHERE code NOT BETWEEN 55296 AND 63743 AND unicode_assigned(chr(code))`));
  await database.destroy();
});

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const parts = fc.constantFrom(...'aIiİıßſᾼΣ％가\u0307\u0301\u0323\u0345\u00ad\u034f\u200d\u3164\u00a0\ufdfa\u1eca');

test('a text folds to one text in each normal form, without what nobody sees, and a fold to itself', () => {
  const isFolded = (text: string) => {
    const folded = fold(text);
    const others = [folded, ...forms.map((form) => text.normalize(form))];
    return others.every((other) => fold(other) === folded) && !/\p{Default_Ignorable_Code_Point}/u.test(folded);
  };
  expect(assigned.filter(({ character }) => !isFolded(character))).toEqual([]);
  fc.assert(
    fc.property(fc.array(parts), (some) => isFolded(some.join(''))),
    { numRuns: 2000 },
  );
});

test.each([
  ['İstanbul I\u0307Z I\u0323\u0307Z', 'istanbul iz \u1ecbz'],
  ['ISPARTA ısparta', 'isparta ısparta'],
  ['USB\u00a0C\u202f2', 'usb c 2'],
  ['\uff05\uff3f\uff3c', '%_\\'],
  ['\u00ad\u200b\u3164\ufeff', ''],
])('%j folds to %j', (text, folded) => expect(fold(text)).toBe(folded));

test('a search of 1,000 characters may fold to nothing, and one of 1,001 finds nothing', () => {
  const texts = [1000, 1001].map((length) => '\u00ad'.repeat(length));
  expect([...texts, 'a\0'].map(searchedText)).toEqual(['', undefined, undefined]);
});

test('a character and its Unicode folding fold to the same text', () => {
  expect(assigned.filter(({ character, folded }) => character !== folded).length).toBeGreaterThan(1500);
  const different = assigned.filter(({ character, folded }) => fold(character) !== fold(folded));
  expect(different).toEqual([]);
});

test('two characters with different Unicode foldings fold to different texts', () => {
  const seen = new Map<string, string>();
  const alike = assigned.filter(({ character, folded }) => {
    const expected = folded.replace(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/^i\u0307$/, 'i');
    const other = seen.get(fold(character));
    seen.set(fold(character), other ?? expected);
    return other !== undefined && other !== expected;
  });
  expect(alike).toEqual([]);
});

/** The list of cases: every clause exists in openapi.yaml, and the frozen requirements keep their meaning. */
import { describe, expect, test } from '@jest/globals';
import { requirements } from '../../contracts/conformance/requirements.ts';
import { loadedSuite } from '../../contracts/conformance/verify.ts';
import { member, readDocument } from '../../openapi/src/index.ts';

const { suite } = loadedSuite();
const cases = [...suite.cases, ...suite.wholeRunCases].map(({ id, claim, clause, title }) => ({
  id,
  claim,
  clause,
  title,
}));
const byId = new Map(cases.map((one) => [one.id, one]));

/** What a JSON pointer (RFC 6901) leads to. */
function targetOf(pointer: string, document: unknown): unknown {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (node, name) => (Array.isArray(node) ? node[Number(name)] : member(node, name)),
    document,
  );
}

describe('each case', () => {
  test('has an id of its own', () => {
    expect(byId.size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(500);
  });

  test('has an id made of a family and a name', () => {
    expect(cases.map(({ id }) => id).filter((id) => !/^[A-Z][A-Z0-9]*-\d+\.[\w-]+$/.test(id))).toEqual([]);
  });

  test('names a clause that openapi.yaml has', () => {
    const document = readDocument();
    const dangling = cases.filter(({ clause }) => !clause.startsWith('/') || targetOf(clause, document) === undefined);
    expect(dangling.map(({ id, clause }) => `${id}: ${clause}`)).toEqual([]);
  });

  test('says in one sentence what the provider must do', () => {
    const wrong = cases.filter(({ title }) => !/^\S[^\n]*\.$/.test(title));
    expect(wrong.map(({ id, title }) => `${id}: ${title}`)).toEqual([]);
  });
});

describe('the frozen requirements', () => {
  test('are cases of the suite, with the same claim and clause', () => {
    const meaning = ({ id, claim, clause }: (typeof cases)[number]): string => `${id} ${claim} ${clause}`;
    const known = new Set(cases.map(meaning));
    expect(
      requirements()
        .map(meaning)
        .filter((frozen) => !known.has(frozen)),
    ).toEqual([]);
  });

  test('contain every case once, with its title: node tools/freeze-requirements.ts adds new cases', () => {
    const text = ({ id, claim, clause, title }: (typeof cases)[number]): string =>
      [id, claim, clause, title].join('\n');
    const frozen = requirements().map(text);
    expect(cases.map(text).filter((one) => !frozen.includes(one))).toEqual([]);
    expect(new Set(requirements().map(({ id }) => id)).size).toBe(frozen.length);
  });
});

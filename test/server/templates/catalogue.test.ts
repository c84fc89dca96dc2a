import { describe, expect, test } from '@jest/globals';
import { templateAt, templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';

describe('templates', () => {
  const templates = templateKeys.map((key) => templateOf(key));

  test('have unique fields', () => {
    for (const { fields } of templates) expect(new Set(fields.map(({ key }) => key)).size).toBe(fields.length);
  });

  test('have ranges from low to high, and shares up to 100', () => {
    const parts = templateKeys.flatMap((key) =>
      templateOf(key).fields.flatMap(({ items, members = [], ...field }) => [
        field,
        ...(items ? [{ ...items, key: `${field.key}[]` }] : []),
        ...members.map((member) => ({ ...member, key: `${field.key}.${member.key}` })),
      ]),
    );
    const numbers = parts.filter(({ type }) => type === 'number' || type === 'integer');
    for (const { key, minimum, maximum } of parts.filter((part) => part.minimum !== undefined || part.maximum))
      expect([key, Number(minimum) < (maximum ?? Infinity)]).toEqual([key, true]);
    const isShare = /share|efficiency(?!_fade)|recycled_content|renewable|biobased|scrap|chemical_composition/;
    for (const { key, unit, maximum } of numbers)
      if (isShare.test(key) && unit !== null) expect([key, maximum]).toEqual([key, 100]);
  });

  test('have versions: a passport follows its own, or the nearest that the package has', () => {
    const keysAt = (group: string, version: number) => templateAt(group, version).fields.map(({ key }) => key);
    expect(templateAt('textile', 1).version).toBe(1);
    expect(keysAt('textile', 1)).not.toContain('importer_contact');
    expect(templateAt('textile', 2)).toBe(templateOf('textile'));
    expect(keysAt('textile', 2)).toContain('importer_contact');
    expect(templateAt('textile', 0).version).toBe(1);
    expect(templateAt('battery', 99)).toBe(templateOf('battery'));
    expect(templateAt(null, 1).key).toBe('other');
  });

  test('add only optional fields in a newer version, so that no passport becomes less complete', () => {
    for (const { fields, version } of templates.filter((template) => template.version > 1)) {
      const added = fields.filter(({ since }) => since === version);
      expect(added.length).toBeGreaterThan(0);
      expect(added.filter(({ required }) => required)).toEqual([]);
    }
  });

  test('have the manufacturer, the importer, and their postal and electronic contacts', () => {
    const operators = ['manufacturer', 'importer'].flatMap((who) => [
      `${who}_name`,
      `${who}_address`,
      `${who}_contact`,
    ]);
    for (const { key: group, fields } of templates) {
      const found = fields.filter(({ section }) => section === 'economic_operator').map(({ key }) => key);
      expect(found).toEqual([...operators, ...(group === 'battery' ? ['operator_name', 'operator_identifier'] : [])]);
    }
  });

  test('have four key facts or more, of fields that they have', () => {
    for (const { fields, facts } of templates) {
      expect(facts.length).toBeGreaterThanOrEqual(4);
      const keys = fields.map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(facts.flatMap((fact) => fact.fields)));
    }
  });

  test('have a key fact of the end of life that everybody may see', () => {
    const without = templates.filter(({ facts, fields }) => {
      const named = facts.flatMap((fact) => fact.fields);
      const ends = fields.filter(({ section, access_level }) => section === 'end_of_life' && access_level === 'public');
      return !ends.some(({ key }) => named.includes(key));
    });
    expect(without.map(({ key }) => key)).toEqual([]);
  });

  test('include `other` for products without a group, and none for an unknown group', () => {
    expect(templateOf(null)).toBe(templateOf('other'));
    expect(() => templateOf('toString')).toThrow('There is no template');
  });
});

import { describe, expect, test } from '@jest/globals';
import { buildDigitalLink, gtin14, hasValidCheckDigit, parseDigitalLink } from '../../sdk/src/gs1.ts';
import { thrown } from '../support/thrown.ts';

describe('a GTIN', () => {
  test.each([
    ['96385074', '00000096385074'],
    ['614141000036', '00614141000036'],
    ['9520001000072', '09520001000072'],
    ['09520001000072', '09520001000072'],
  ])('%s in its 14-digit form, with its check digit', (gtin, long) => {
    expect(gtin14(gtin)).toBe(long);
    expect(hasValidCheckDigit(gtin)).toBe(true);
    const last = Number(gtin.at(-1));
    const others = Array.from({ length: 9 }, (_, index) => gtin.slice(0, -1) + ((last + index + 1) % 10));
    expect(others.filter(hasValidCheckDigit)).toEqual([]);
  });

  test.each(['', '1234567', '12345678901', '123456789012345', '1234567x', '٠١٢٣٤٥٦٧', '96385074\n', 7])(
    '%j is invalid',
    (text) => {
      for (const take of [gtin14, hasValidCheckDigit]) {
        expect(thrown(() => take(text as string))).toMatchObject({ name: 'ArgumentError', argument: 'gtin' });
      }
    },
  );
});

const plain = { siteUrl: 'https://id.example.com', gtin: '09520001000072', query: '' };

describe('a Digital Link', () => {
  test.each([
    ['https://id.example.com/01/09520001000072', plain],
    ['https://id.example.com/a/b/01/09520001000072', { ...plain, siteUrl: 'https://id.example.com/a/b' }],
    ['https://id.example.com/01/01/09520001000072', { ...plain, siteUrl: 'https://id.example.com/01' }],
    ['http://127.0.0.1:3000/01/09520001000072', { ...plain, siteUrl: 'http://127.0.0.1:3000' }],
    ['https://id.example.com/01/09520001000072/22/2A', { ...plain, cpv: '2A' }],
    ['https://id.example.com/01/09520001000072/10/01', { ...plain, batch: '01' }],
    [
      'https://id.example.com/01/09520001000072/22/2A/10/ABC1/21/SN%2F001?17=271231&zugang=a.b',
      { ...plain, cpv: '2A', batch: 'ABC1', serial: 'SN/001', query: '17=271231&zugang=a.b' },
    ],
    ['https://id.example.com/01/09520001000072/235/1%25%2B%22', { ...plain, tpx: '1%+"' }],
  ])('%s is parsed and built again', (link, parts) => {
    expect(parseDigitalLink(link)).toEqual(parts);
    expect(buildDigitalLink(parts)).toBe(link);
  });

  test.each([
    ['https://ID.example.com:443/01/9520001000072/#part', plain],
    [' https://id.example.com/01/09520001000072/ ', plain],
    ['https://id.example.com/01/96385074', { ...plain, gtin: '00000096385074' }],
  ])('%j means the same as the usual form', (link, parts) => {
    expect(parseDigitalLink(link)).toEqual(parts);
  });

  test('holds every character of set 82 in a qualifier', () => {
    const all = '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
    expect(all).toHaveLength(82);
    for (const serial of [...(all.match(/.{1,20}/g) ?? []), '...', '.a', '%2e']) {
      expect(parseDigitalLink(buildDigitalLink({ ...plain, serial })).serial).toBe(serial);
    }
  });

  const rest = 'https://id.example.com/01/09520001000072';
  const longLink = (length: number) => `${rest}?`.padEnd(length, 'a');

  test.each([2047, 2048])('may have %i characters', (length) => {
    const link = longLink(length);
    expect(link).toHaveLength(length);
    expect(parseDigitalLink(link)).toEqual({ ...plain, query: link.slice(rest.length + 1) });
  });

  const id = 'https://id.example.com';
  test.each([
    ...['hunter2', '', '/01/09520001000072', 'ftp://id.example.com/01/09520001000072', `${id}/`].map((no) => [
      'link',
      no,
    ]),
    ...['javascript:alert("/01/09520001000072")', 'https://hunter2@id.example.com/01/09520001000072'].map((no) => [
      'link',
      no,
    ]),
    ...['/p/nordlicht/hunter2', '/x01/09520001000072', '/01/hunter2'].map((path) => ['link', id + path]),
    ...['/hunter2', '/21', '/21/', '/21/a/10/b', '/10/a/10/b', '/10/a//21/b', '/99/a'].map((more) => [
      'link',
      rest + more,
    ]),
    ...['/21/%C3%B6', '/21/%zz', '/21/%00'].map((more) => ['link', rest + more]),
    ...[2049, 4096].map((length) => ['link', longLink(length)]),
    ['link', 'https://u:hunter2@id.example.com/01/09520001000072'],
    ['gtin', `${id}/01/123456789`],
    ...[`/21/${'a'.repeat(21)}`, '/21/a%20b', '/21/%7F', '/21/$'].map((more) => ['serial', rest + more]),
    ...[`/235/${'a'.repeat(29)}`, '/10/a/235/b'].map((more) => ['tpx', rest + more]),
  ])('%s rejects %j without quoting it', (argument, link) => {
    const error = thrown(() => parseDigitalLink(String(link)));
    expect(error).toMatchObject({ name: 'ArgumentError', argument });
    expect(String(error)).not.toContain('hunter2');
  });

  test.each([
    ['siteUrl', { siteUrl: 'id.example.com' }],
    ['siteUrl', { siteUrl: 'https://id.example.com/?a' }],
    ['gtin', { gtin: '123' }],
    ['cpv', { cpv: '' }],
    ['batch', { batch: '..' }],
    ['serial', { serial: '.' }],
    ['serial', { serial: 'a b' }],
    ['serial', { serial: 'ö' }],
    ['tpx', { tpx: 'a', serial: 'b' }],
  ])('%s: cannot be built from %j', (argument, parts) => {
    expect(thrown(() => buildDigitalLink({ ...plain, ...parts }))).toMatchObject({ name: 'ArgumentError', argument });
  });
});

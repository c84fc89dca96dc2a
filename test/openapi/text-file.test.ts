import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { textOfFile, utf8Of } from '../../openapi/src/index.ts';

/** Characters of one to four bytes, and marks that are not at the beginning. */
const text = 'a\nö\r\n€ 😀 \uFFFD\n\uFEFF\uFEFF\uFEFF\uFEFF';
const encodings = {
  'UTF-8': Buffer.from(text),
  'UTF-8 with a mark': Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE': Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 BE': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
};

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function streamed(bytes: Buffer, size: number): Promise<string> {
  return (await buffer(utf8Of(inChunks(bytes, size), 'some.txt'))).toString();
}

describe.each(Object.entries(encodings))('%s', (_name, bytes) => {
  test('is read whole', () => {
    expect(textOfFile(bytes, 'some.txt')).toBe(text);
  });

  test.each([1, 2, 3, 4, 5, 7, 1000])('is read in chunks of %i bytes', async (size) => {
    expect(await streamed(bytes, size)).toBe(text);
  });
});

test.each([
  ['', ''],
  ['a', 'a'],
  ['\uFEFF', ''],
  ['\uFEFF\uFEFFa', '\uFEFFa'],
])('a file with %j', async (written, read) => {
  expect(textOfFile(Buffer.from(written), 'some.txt')).toBe(read);
  for (const size of [1, 100]) expect(await streamed(Buffer.from(written), size)).toBe(read);
});

test.each([
  ['a byte of another encoding', Buffer.from('Köln\n', 'latin1'), 'is not UTF-8 in line 1'],
  [
    'a later line',
    Buffer.concat([Buffer.from('\uFFFD\nö\n'), Buffer.from('Köln\n', 'latin1')]),
    'is not UTF-8 in line 3',
  ],
  ['the last line', Buffer.concat([Buffer.from('\uFFFD\nö\n'), Buffer.from('Kö', 'latin1')]), 'is not UTF-8 in line 3'],
  ['a character that is cut', Buffer.from('a\n€').subarray(0, -1), 'is not UTF-8 in line 2'],
])('bytes that are not UTF-8: %s', (_what, bytes, fault) => {
  expect(() => textOfFile(bytes, 'some.txt')).toThrow(`some.txt ${fault}. Save it as UTF-8.`);
});

test.each([
  ['\ud800a', 'a lone surrogate'],
  ['a\ud800', 'a lone surrogate at the end'],
])('UTF-16 with %j', async (written) => {
  const bytes = Buffer.from(`\uFEFF${written}`, 'utf16le');
  const fault = 'some.txt is not valid UTF-16. Save it as UTF-8.';
  expect(() => textOfFile(bytes, 'some.txt')).toThrow(fault);
  for (const size of [1, 100]) await expect(streamed(bytes, size)).rejects.toThrow(fault);
});

/** Every file that a command reads, in the encodings that people save. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createProgram as createSuite } from '../../../contracts/conformance/cli/program.ts';
import { loadProgram } from '../../../server/src/cli/program.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { exportText, longSnapshot } from '../../../server/src/transfer/export.ts';
import { runHere } from '../../support/command.ts';
import { newFolder } from '../../support/files.ts';
import { type Outcome, run } from '../../support/program.ts';
import { typeSuite } from '../../support/suite.ts';

/** A text file that a command reads. */
interface TextInput {
  /** The first character outside of ASCII stands in line 2. */
  readonly text: () => string | Promise<string>;
  /** `{file}` is the file, `{new}` a file that does not exist. */
  readonly line: string;
  /** It reads standard input too. */
  readonly orInput?: true;
}

let tenantExport = '';
let backup = '';
const slugs = () => 'cup\nkäse\n';
const noService = '--base-url http://127.0.0.1:9/api/v1';

/** Every argument and option that names a file. */
const files: Readonly<Record<string, TextInput | 'picture' | 'output'>> = {
  'product-passport backup <file>': { text: () => backup, line: 'backup {file} --verify' },
  'product-passport carrier image --output <file>': 'output',
  'product-passport carrier sheet --file <file>': {
    text: slugs,
    line: 'carrier sheet --file {file} --output {new} --site-url https://passport.example',
    orInput: true,
  },
  'product-passport carrier sheet --output <file>': 'output',
  'product-passport export [file]': 'output',
  'product-passport import [file]': { text: () => tenantExport, line: 'import {file} --database {new}', orInput: true },
  'product-passport item add <file>': {
    text: () => 'serial_number,manufacturing_place\nA1,Köln\n',
    line: 'item add akku {file} --dry-run',
    orInput: true,
  },
  'product-passport item set [file]': {
    text: () => '[\n{ "field_key": "manufacturing_place", "value": "Köln" }]\n',
    line: 'item set akku {file} --dry-run',
    orInput: true,
  },
  'product-passport passport import <file>': {
    text: () => 'slug,manufacturing_place\nakku,Köln\n',
    line: 'passport import {file} --dry-run',
    orInput: true,
  },
  'product-passport passport set <file>': {
    text: () => '[\n{ "field_key": "manufacturing_place", "value": "Köln" }]\n',
    line: 'passport set cup {file}',
    orInput: true,
  },
  'product-passport product activate --file <file>': {
    text: slugs,
    line: 'product activate --file {file} --dry-run',
    orInput: true,
  },
  'product-passport product archive --file <file>': {
    text: slugs,
    line: 'product archive --file {file} --dry-run',
    orInput: true,
  },
  'product-passport product image set <file>': 'picture',
  'product-passport restore <file>': { text: () => backup, line: 'restore {file} --database {new}' },
  'product-passport tenant brand --logo <file>': 'picture',
  'product-passport-contracts verify --expected-failures <file>': {
    text: () => '# Known\nGRÜN-1  # later\n',
    line: `verify ${noService} --expected-failures {file}`,
  },
  'product-passport-contracts verify --flaky <file>': {
    text: () => '# Known\nGRÜN-1  # sometimes\n',
    line: `verify ${noService} --flaky {file}`,
  },
  'product-passport-contracts verify --provider <file>': {
    text: () =>
      '{\n// für Tests\n"base_url": "http://127.0.0.1:9/api/v1", "tenants": [{ "api_key": "ppk_of-tests" }] }\n',
    line: 'verify --provider {file}',
    orInput: true,
  },
  'product-passport-contracts verify --write-expected <file>': 'output',
  'product-passport-contracts verify client --equivalent <file>': {
    text: () => '# Known\nGRÜN-1  # later\n',
    line: 'verify client --mutants --command true --equivalent {file}',
  },
  'product-passport-contracts verify dpp --expected-failures <file>': {
    text: () => '# Known\nGRÜN-1  # later\n',
    line: 'verify dpp http://127.0.0.1:9/dpp/v1 --expected-failures {file}',
  },
  'product-passport-contracts verify dpp --flaky <file>': {
    text: () => '# Known\nGRÜN-1  # sometimes\n',
    line: 'verify dpp http://127.0.0.1:9/dpp/v1 --flaky {file}',
  },
  'product-passport-contracts verify dpp --provider <file>': {
    text: () => '{\n// für Tests\n"base_url": "http://127.0.0.1:9/dpp/v1" }\n',
    line: 'verify dpp --provider {file}',
  },
  'product-passport-contracts verify dpp --write-expected <file>': 'output',
  'product-passport-contracts verify har <file>': {
    text: () => '{\n"log": { "comment": "für Tests", "entries": [] } }\n',
    line: `verify har {file} ${noService}`,
  },
  'product-passport-contracts verify link --file <file>': {
    text: () => 'http://127.0.0.1:9/01/09520001000072\nhttp://127.0.0.1:9/p/k/käse\n',
    line: 'verify link --file {file}',
    orInput: true,
  },
};
const texts = Object.entries(files).flatMap(([name, input]) => (typeof input === 'string' ? [] : [{ name, ...input }]));

const fromInput = texts.filter(({ orInput }) => orInput);

/** What a command must do with a file: read it like one in UTF-8, or name the encoding. `text-file.test.ts` has all encodings. */
const encodings: Readonly<Record<string, { encode: (text: string) => Uint8Array; refusal?: RegExp }>> = {
  'UTF-16 LE, as PowerShell writes it': { encode: (text) => utf16(`\uFEFF${text.replaceAll('\n', '\r\n')}`) },
  'Windows-1252': {
    encode: (text) => Buffer.from(text, 'latin1'),
    refusal: /is not UTF-8 in line 2\. Save it as UTF-8[.,]|line 2: it is not valid UTF-8\./,
  },
};

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

const folder = newFolder();
let database = '';
let made = 0;

beforeAll(async () => {
  database = join(folder, 'shop.sqlite');
  await command("product-passport tenant create shop --name 'Lädchen' --country DE");
  await command('product-passport product create cup --name Cup --product-group battery');
  await command('product-passport product create akku --name Akku --product-group battery --gtin 4006381333931');
  await command(`product-passport export ${join(folder, 'export')}`);
  tenantExport = await readFile(join(folder, 'export'), 'utf8');
  const opened = await openDatabase(database);
  const options = { secrets: true, program: '0', now: new Date() };
  backup = await longSnapshot(opened, (transaction) => textOf(exportText(transaction, options)));
  await opened.destroy();
});

function command(line: string): Promise<Outcome> {
  const [program, ...words] = line.split(' ');
  if (program === 'product-passport') return runHere(line, { PRODUCT_PASSPORT_DATABASE: database });
  return typeSuite(...words);
}

async function written(bytes: Uint8Array): Promise<string> {
  made += 1;
  const file = join(folder, `file-${made}`);
  await writeFile(file, bytes);
  return file;
}

function lineOf(name: string, line: string, file: string): string {
  const [program] = name.split(' ');
  return `${program} ${line.replace('{file}', file).replace('{new}', `${file}.new`)}`;
}

/** What a command does, without the names of its files and its time. */
async function effect(name: string, line: string, bytes: Uint8Array) {
  const file = await written(bytes);
  return resultOf(await command(lineOf(name, line, file)), file);
}

function resultOf({ code, stdout, stderr }: Outcome, file: string) {
  return { code, output: `${stdout}${stderr}`.replaceAll(file, 'FILE').replaceAll(/[\d.]+ seconds/g, 'a time') };
}

/** The tenant, without the time of the export. */
const stored = async () =>
  (await command('product-passport export -')).stdout.replace(/^.*\n/, '').replace(/"sha256":.*/, '');

/** The names of all arguments and options, with their descriptions. */
async function inputs(): Promise<[string, string][]> {
  type Program = ReturnType<typeof createSuite>;
  const inputsOf = (program: Program, name: string): [string, string][] => [
    ...program.registeredArguments.map((argument): [string, string] => [
      `${name} ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`,
      argument.description || program.description(),
    ]),
    ...program.options.map(({ flags, description }): [string, string] => [`${name} ${flags}`, description]),
    ...program.commands.flatMap((child) => inputsOf(child, `${name} ${child.name()}`)),
  ];
  const programs = [(await loadProgram())(), createSuite([], () => undefined)];
  return programs.flatMap((program) => inputsOf(program, program.name()));
}

test('the table has every argument and option that names a file', async () => {
  const all = await inputs();
  const namesWith = (pattern: RegExp, index: 0 | 1) =>
    all.filter((input) => pattern.test(input[index])).map(([name]) => name);
  expect(namesWith(/[<[][^>\]]*(file|path)/, 0).toSorted()).toEqual(Object.keys(files));
  const orInput = namesWith(/from standard input|- reads standard input/, 1);
  expect(orInput.toSorted()).toEqual(fromInput.map(({ name }) => name));
});

test('a name that is written is not that of standard output', async () => {
  const outputs = await inputs();
  const names = outputs.filter(([name]) => files[name] === 'output' || / --\S+ <directory>$/.test(name));
  const options = names.flatMap(([name]) => (name.includes(' --') ? name : []));
  expect(options).toHaveLength(10);
  for (const name of options) {
    const { code, stderr } = await command(name.replace(/<.*/, '-'));
    expect([name, code, stderr]).toEqual([
      name,
      2,
      expect.stringMatching(/: --\S+ is "-"\. Use the name of a file or a dir/),
    ]);
  }
  const words = ['tenant list', 'tenant create x --name X --country DE', 'serve --port 0', 'restore x', 'backup x'];
  for (const word of words) {
    const { code, stderr } = await command(`product-passport ${word} --database -`);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('a file, not standard input or output. Use a file name'),
    ]);
  }
  expect(existsSync('-')).toBe(false);
});

describe.each(texts)('$name', ({ name, text, line }) => {
  let plain: Awaited<ReturnType<typeof effect>>;
  beforeAll(async () => {
    plain = await effect(name, line, Buffer.from(await text()));
  });

  test.each(Object.entries(encodings))('%s', async (_encoding, { encode, refusal }) => {
    const before = await stored();
    const found = await effect(name, line, encode(await text()));
    if (refusal === undefined) expect(found).toEqual(plain);
    else {
      expect(found.output).toMatch(refusal);
      expect([1, 2]).toContain(found.code);
      expect(await stored()).toBe(before);
    }
  });
});

test.each(fromInput)('$name reads UTF-16 from standard input', async ({ name, text, line }) => {
  const plain = await effect(name, line, Buffer.from(await text()));
  const file = await written(utf16(`\uFEFF${await text()}`));
  const [program, ...words] = lineOf(name, line.replace('{file}', '-'), file).split(' ');
  const main = program === 'product-passport' ? 'server/src/cli/main.ts' : 'contracts/conformance/cli/main.ts';
  const piped = await run(`cat ${file} | ${process.execPath} ${main} ${words.join(' ')}`, {
    PRODUCT_PASSPORT_DATABASE: database,
  });
  expect(resultOf(piped, file)).toEqual(plain);
});

test.each(texts)('$name reads no further than its limit', async ({ name, line }) => {
  const { code, stderr } = await command(lineOf(name, line, '/dev/zero'));
  expect(stderr).toMatch(
    /has more than (1|16|64) MiB\. [A-Z][^\n]+\n$|line 1: it has more than (33554432|8388608) bytes\./,
  );
  expect([1, 2]).toContain(code);
});

test.each([
  ['standard input', `${process.execPath} server/src/cli/main.ts passport set cup -`],
  ['Standard input', `${process.execPath} contracts/conformance/cli/main.ts verify link --file -`],
])('%s is read no further than the limit', async (input, line) => {
  const { code, stderr } = await run(`${line} </dev/zero`, { PRODUCT_PASSPORT_DATABASE: database });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${input} has more than 16 MiB. Use a smaller file.\n`)]);
});

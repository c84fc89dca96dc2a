/** Values of options, and the files that they name. */
import { createReadStream } from 'node:fs';
import { readTextFile, type TextLimit, UnreadableText } from '@product-passport/openapi';
import { InvalidArgumentError, Option } from 'commander';
import { claims } from '../claims.ts';
import { UsageError, unusableFile } from '../result.ts';
import { defaultClaims } from '../verify.ts';

/** The claims in a list, in the order of the known ones. */
export function claimsFrom<Name extends string>(known: readonly Name[]): (text: string) => readonly Name[] {
  return (text) => {
    const isUnknown = listOf(text).some((name) => !known.some((claim) => claim === name));
    if (isUnknown) throw new InvalidArgumentError(`Use one or more of: ${known.join(', ')}.`);
    return known.filter((claim) => listOf(text).includes(claim));
  };
}

/** Without a text of its own, --help would show the default as JSON. */
export function claimOption(): Option {
  return new Option('--claim <list>', `what the provider claims: ${claims.join(', ')}`)
    .argParser(claimsFrom(claims))
    .default([...defaultClaims], defaultClaims.join(','));
}

export function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function root(text: string): string {
  const address = text.replace(/\/$/, '');
  if (/^https?:\/\/[^/]/.test(address) && URL.canParse(address) && !address.endsWith('/api/v1')) return address;
  throw new InvalidArgumentError('Use the address without /api/v1, for example https://passport.example.com.');
}

export function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('Use a number above 0.');
  return number;
}

/** A number in a range. A longer time than a day is not given: a timer of Node fires at once after 24 days. */
export function between(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text);
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`Use a number from ${minimum} to ${maximum}.`);
  };
}

export const secondsOfDay = 86_400;

export function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Use a whole number, 0 or above.');
  return number;
}

export function port(text: string): number {
  const number = wholeNumber(text);
  if (number > 65_535) throw new InvalidArgumentError('Use a port from 0 to 65535.');
  return number;
}

/**
 * @param file `-` for standard input
 * @throws UsageError if it cannot be read, or is larger than the limit
 */
export async function textOf(file: string, limit?: TextLimit): Promise<string> {
  try {
    const isInput = file === '-';
    return await readTextFile(
      isInput ? process.stdin : createReadStream(file),
      isInput ? 'Standard input' : file,
      limit,
    );
  } catch (error) {
    if (error instanceof UnreadableText) throw new UsageError(error.message);
    throw unusableFile(`the file ${file}`, error);
  }
}

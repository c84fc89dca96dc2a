/** Arguments and options of commands. Commander refuses a text that its parser refuses, and the exit code is 2. */
import { dayOf, fieldTypes } from '@product-passport/openapi';
import { InvalidArgumentError, Option } from 'commander';
import { type Format, loadJoi } from '../config/formats.ts';
import { optionOf, type Setting, type SettingName, settings, variableOf } from '../config/settings.ts';
import { addressFault } from '../database/address.ts';
import { OperatorError } from '../operator-error.ts';
import { slugForm } from '../tenants/store.ts';
import { type OptionOf, option } from './command.ts';

/**
 * One setting as an option of a command that needs no other.
 *
 * @param meaning replaces that of the table. The option then has no default.
 */
export function settingOption<Name extends SettingName>(
  name: Name,
  meaning?: string,
): OptionOf<(typeof settings)[Name]['default']> {
  const row: Setting<unknown> = settings[name];
  const option = uncheckedOption(name, meaning).argParser(name === 'database' ? databaseAddress : parser(row.format));
  return row.default === undefined || meaning !== undefined ? option : option.default(row.default);
}

/** A setting as an option that takes any text. */
export function uncheckedOption(name: SettingName, meaning?: string): Option {
  const row: Setting<unknown> = settings[name];
  const otherwise = row.otherwise === undefined ? '' : ` (default: ${row.otherwise})`;
  const description = meaning ?? row.meaning + otherwise;
  const option = new Option(`${optionOf(name)} ${row.format.placeholder}`, description).env(variableOf(name));
  return row.format.alone === undefined ? option : option.preset(row.format.alone);
}

export function parser<Value>({ schema, hint }: Format<Value>): (text: string) => Value {
  return (text) => {
    const { value, error } = schema(loadJoi()).validate(text);
    if (error) throw new InvalidArgumentError(hint(text));
    return value;
  };
}

/** Commander's own error would print the address, which may hold a password. */
function databaseAddress(address: string): string {
  const fault = addressFault(address);
  if (fault !== undefined) throw new OperatorError(fault, 2);
  return address;
}

export function wholeNumber(maximum: number, minimum = 0): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^[0-9]+$/.test(text) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`Use a whole number from ${minimum} to ${maximum}.`);
  };
}

/** The slug of a tenant or a product. */
export function slug(text: string): string {
  if (text.length <= 100 && slugForm.test(text)) return text;
  throw new InvalidArgumentError('Use a to z, 0 to 9 and single hyphens between them, at most 100 characters.');
}

/** Several slugs. */
export function slugs(text: string, before: readonly string[] = []): string[] {
  return [...before, slug(text)];
}

/** The id of a key, a token, a carrier or an entry. */
export function id(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  throw new InvalidArgumentError('Use an id that the command list prints.');
}

/** A text for people, without blanks around it. Its length is counted in code points, like that of a product's name. */
export function text(maxLength: number): (given: string) => string {
  return (given) => {
    const trimmed = given.trim();
    if (trimmed !== '' && Array.from(trimmed).length <= maxLength) return trimmed;
    throw new InvalidArgumentError(`Use 1 to ${maxLength} characters.`);
  };
}

export function country(code: string): string {
  const upper = code.toUpperCase();
  if (fieldTypes.country_code.test(upper)) return upper;
  throw new InvalidArgumentError('Use the two letters of an ISO 3166-1 country code, for example DE.');
}

export function time(moment: string): string {
  const parsed = new Date(moment);
  if (/^\d{4}-\d\d-\d\d/.test(moment) && !Number.isNaN(parsed.getTime())) return parsed.toISOString();
  throw new InvalidArgumentError('Use a date or a time in UTC, for example 2026-01-31 or 2026-01-31T12:00:00Z.');
}

/** A day, as in `2027-02-18`. */
function day(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(text) === text) return text;
  throw new InvalidArgumentError('Use a day, for example 2027-02-18.');
}

/** The option of commands that say what is missing. */
export const dayOption = option(
  '--on <day>',
  'day in UTC whose requirements count, for example 2027-02-18 (default: today)',
  day,
);

export function millimetres(size: string): number {
  const number = Number(size);
  if (/^[0-9]+(?:\.[0-9]+)?$/.test(size) && number >= 1 && number <= 300) return number;
  throw new InvalidArgumentError('Use a number from 1 to 300, for example 25 or 12.5.');
}

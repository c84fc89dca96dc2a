import { createRequire } from 'node:module';
import { isIPv4, isIPv6 } from 'node:net';
import { didYouMean } from '@product-passport/openapi';
import type Joi from 'joi';
import { addressFault, shownAddress } from '../database/address.ts';

const require = createRequire(import.meta.url);

/** How the text of a setting becomes its value. */
export interface Format<Value> {
  /** In the help, after the option: `<number>`. */
  placeholder: string;
  /** In the documentation: `whole number from 0 to 65535`. */
  description: string;
  /** The text of an option that stands without a value. */
  alone?: string;
  /** Makes the value of a text. */
  schema(joi: Joi.Root): Joi.Schema<Value>;
  /** What to use instead of a text that does not have the format. It does not repeat the text. */
  hint(text: string): string;
  /** The value as a text of the format, without its secret parts. Default: `String`. */
  show?(value: Value): string;
}

/** Makes the value of a text. Joi is loaded here, because most commands read no setting and start faster without it. */
export function readText<Value>({ schema }: Format<Value>, text: string): Joi.ValidationResult<Value> {
  return schema(require('joi')).validate(text);
}

/** @param read returns `undefined` for a text that does not have the format */
function readBy<Value>(read: (text: string) => Value | undefined): Format<Value>['schema'] {
  return (joi) =>
    joi
      .string<Value>()
      .min(0)
      .custom((text: string, { error }) => read(text) ?? error('any.invalid'));
}

export function wholeNumber(minimum: number, maximum: number): Format<number> {
  const description = `whole number from ${minimum} to ${maximum}`;
  return {
    placeholder: '<number>',
    description,
    // Joi reads more texts as a number, such as 1e3.
    schema: (joi) =>
      joi
        .number()
        .integer()
        .min(minimum)
        .max(maximum)
        .custom((value, { original, error }) => (/^[0-9]+$/.test(original) ? value : error('any.invalid'))),
    hint: () => `Use a ${description}.`,
  };
}

export const flag: Format<boolean> = {
  placeholder: '[boolean]',
  description: '`true` or `false`; the option alone means `true`',
  alone: 'true',
  schema: (joi) => joi.boolean().sensitive(),
  hint: () => 'Use true or false.',
};

/** A part of a whole: 0 is none, 1 is all. */
export const share: Format<number> = {
  placeholder: '<share>',
  description: 'number from 0 to 1',
  schema: (joi) => joi.number().unsafe().min(0).max(1),
  hint: () => 'Use a number from 0 to 1, for example 0.01 for one in a hundred.',
};

const unitsOfTime = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds, written with a unit: `500ms`, `30s`, `5m`, `1h`. */
export function duration(minimum: string, maximum: string): Format<number> {
  const description = `duration from ${minimum} to ${maximum}`;
  const [min = 0, max = 0] = [minimum, maximum].map(milliseconds);
  return {
    placeholder: '<duration>',
    description,
    schema: readBy((text) => {
      const value = milliseconds(text);
      return value !== undefined && value >= min && value <= max ? value : undefined;
    }),
    hint: () => `Use a ${description}, with a unit: ms, s, m or h.`,
    show: shownDuration,
  };
}

function milliseconds(text: string): number | undefined {
  const [, number, unit] = /^([0-9]{1,9}(?:\.[0-9]{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * unitsOfTime[unit as keyof typeof unitsOfTime]);
}

/** A duration in milliseconds with the largest unit that needs no fraction. */
function shownDuration(value: number): string {
  if (value === 0) return '0s';
  const [unit, size] = Object.entries(unitsOfTime).find(([, each]) => value % each === 0) ?? ['ms', 1];
  return `${value / size}${unit}`;
}

export function oneOf<const Value extends string | number>(...values: Value[]): Format<Value> {
  const names = values.map(String);
  return {
    placeholder: '<choice>',
    description: names.join(', '),
    schema: readBy((text) => values.find((value) => String(value) === text)),
    hint: (text) => `Use one of: ${names.join(', ')}.${didYouMean(text, names)}`,
  };
}

export const hostAddress: Format<string> = {
  placeholder: '<address>',
  description: 'address or host name of this machine, or 0.0.0.0 for all addresses',
  schema: readBy(hostOf),
  hint: () =>
    'Use an address or a host name of this machine without a scheme or a port, for example 127.0.0.1, or 0.0.0.0 for all addresses.',
};

/** RFC 1123, section 2.1. Hapi refuses other names, and shows its options. */
const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.(?!$)|$))+$/i;

function hostOf(text: string): string | undefined {
  const host = text.trim().replace(/^\[(.*:.*)\]$/, '$1');
  if (isIPv4(host)) return host;
  // URL writes an address in one form, and refuses a zone, as Hapi does.
  if (isIPv6(host)) return URL.parse(`http://[${host}]`)?.hostname.slice(1, -1);
  const isMistyped = /^[0-9.]+$/.test(host);
  return hostName.test(host) && !isMistyped ? host : undefined;
}

export const siteUrl: Format<string> = {
  placeholder: '<url>',
  description: 'scheme and host',
  schema: readBy((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isRoot = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    return isRoot ? url.origin : undefined;
  }),
  hint: () => 'Use the scheme and host only, for example https://passport.example.com.',
};

/** RFC 8141, section 2: a namespace identifier. */
export const urnNamespace: Format<string> = {
  placeholder: '<name>',
  description: '2 to 32 characters: a to z, 0 to 9 and inner hyphens',
  schema: readBy((text) => /^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$/.exec(text)?.[0]),
  hint: () => 'Use 2 to 32 characters: a to z, 0 to 9 and hyphens, but no hyphen at the start or end.',
};

export const databaseAddress: Format<string> = {
  placeholder: '<address>',
  description: 'file name, `:memory:` or postgres:// address',
  schema: readBy((text) => (addressFault(text) === undefined ? text : undefined)),
  hint: (text) => addressFault(text) ?? '',
  show: shownAddress,
};

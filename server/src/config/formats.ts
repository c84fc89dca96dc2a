import { didYouMean } from '@product-passport/openapi';
import { addressFault, shownAddress } from '../database/address.ts';

/** How the text of a setting becomes its value. */
export interface Format<Value> {
  /** In the help, after the option: `<number>`. */
  placeholder: string;
  /** In the documentation: `whole number from 0 to 65535`. */
  description: string;
  /** The text of an option that stands without a value. */
  alone?: string;
  /** @throws InvalidText */
  parse(text: string): Value;
  /** The value as text that `parse` accepts, without its secret parts. */
  show(value: Value): string;
}

/** A text that does not have the format. The message says what to use instead, and does not repeat the text. */
export class InvalidText extends Error {
  override readonly name = 'InvalidText';
}

export function wholeNumber(minimum: number, maximum: number): Format<number> {
  const description = `whole number from ${minimum} to ${maximum}`;
  return {
    placeholder: '<number>',
    description,
    parse(text) {
      const number = Number(text);
      if (!/^[0-9]+$/.test(text) || number < minimum || number > maximum)
        throw new InvalidText(`Use a ${description}.`);
      return number;
    },
    show: String,
  };
}

export const flag: Format<boolean> = {
  placeholder: '[boolean]',
  description: '`true` or `false`; the option alone means `true`',
  alone: 'true',
  parse(text) {
    if (text !== 'true' && text !== 'false') throw new InvalidText('Use true or false.');
    return text === 'true';
  },
  show: String,
};

/** A part of a whole: 0 is none, 1 is all. */
export const share: Format<number> = {
  placeholder: '<share>',
  description: 'number from 0 to 1',
  parse(text) {
    if (!/^(?:0(?:\.[0-9]+)?|1(?:\.0+)?)$/.test(text)) {
      throw new InvalidText('Use a number from 0 to 1, for example 0.01 for one in a hundred.');
    }
    return Number(text);
  },
  show: String,
};

const unitsOfTime = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds, written with a unit: `500ms`, `30s`, `5m`, `1h`. */
export function duration(minimum: string, maximum: string): Format<number> {
  const description = `duration from ${minimum} to ${maximum}`;
  const least = milliseconds(minimum) ?? 0;
  const most = milliseconds(maximum) ?? 0;
  return {
    placeholder: '<duration>',
    description,
    parse(text) {
      const value = milliseconds(text);
      if (value === undefined || value < least || value > most) {
        throw new InvalidText(`Use a ${description}, with a unit: ms, s, m or h.`);
      }
      return value;
    },
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
  return {
    placeholder: '<choice>',
    description: values.join(', '),
    parse(text) {
      const found = values.find((value) => String(value) === text);
      if (found === undefined) {
        const names = values.map(String);
        throw new InvalidText(`Use one of: ${names.join(', ')}.${didYouMean(text, names)}`);
      }
      return found;
    },
    show: String,
  };
}

export const hostAddress: Format<string> = {
  placeholder: '<address>',
  description: 'address of this machine, or 0.0.0.0 for all addresses',
  parse(text) {
    if (text.trim() !== '') return text;
    throw new InvalidText('Use an address of this machine, for example 127.0.0.1, or 0.0.0.0 for all addresses.');
  },
  show: String,
};

export const siteUrl: Format<string> = {
  placeholder: '<url>',
  description: 'scheme and host',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isRoot = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.href === `${url.origin}/`;
    if (!isRoot) throw new InvalidText('Use the scheme and host only, for example https://passport.example.com.');
    return url.origin;
  },
  show: String,
};

/** RFC 8141, section 2: a namespace identifier. */
export const urnNamespace: Format<string> = {
  placeholder: '<name>',
  description: '2 to 32 characters: a to z, 0 to 9 and inner hyphens',
  parse(text) {
    if (/^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$/.test(text)) return text;
    throw new InvalidText('Use 2 to 32 characters: a to z, 0 to 9 and hyphens, but no hyphen at the start or end.');
  },
  show: String,
};

export const databaseAddress: Format<string> = {
  placeholder: '<address>',
  description: 'file name, `:memory:` or postgres:// address',
  parse(text) {
    const fault = addressFault(text);
    if (fault !== undefined) throw new InvalidText(fault);
    return text;
  },
  show: shownAddress,
};

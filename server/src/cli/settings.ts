/** Options of commands that follow from the table of settings. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Format, InvalidText } from '../config/formats.ts';
import { type EffectiveConfiguration, InvalidConfiguration, readConfiguration } from '../config/read.ts';
import { optionOf, type Setting, type SettingName, settingNames, settings, variableOf } from '../config/settings.ts';
import { CommandFailure } from './output.ts';

function unchecked(name: SettingName, meaning?: string): Option {
  const row: Setting<unknown> = settings[name];
  const otherwise = row.otherwise === undefined ? '' : ` (default: ${row.otherwise})`;
  const description = meaning ?? row.meaning + otherwise;
  const option = new Option(`${optionOf(name)} ${row.format.placeholder}`, description).env(variableOf(name));
  return row.format.alone === undefined ? option : option.preset(row.format.alone);
}

/**
 * One setting as an option of a command that needs no other.
 *
 * @param meaning replaces that of the table. The option then has no default.
 */
export function settingOption(name: SettingName, meaning?: string): Option {
  const row: Setting<unknown> = settings[name];
  const option = unchecked(name, meaning).argParser(row.isSecret ? secretArgument(row.format) : argument(row.format));
  return row.default === undefined || meaning !== undefined ? option : option.default(row.default);
}

/** Adds every setting to a command. `configurationOf` reads them. */
export function addSettings(command: Command): Command {
  for (const name of settingNames) {
    const row: Setting<unknown> = settings[name];
    const option = unchecked(name);
    command.addOption(row.default === undefined ? option : option.default(row.format.show(row.default)));
  }
  return command;
}

/** @throws CommandFailure that names every mistake */
export function configurationOf(command: Command): EffectiveConfiguration {
  try {
    return readConfiguration((name) => {
      const source = command.getOptionValueSource(name);
      if (source !== 'cli' && source !== 'env') return undefined;
      return { text: command.getOptionValue(name), source: source === 'cli' ? optionOf(name) : variableOf(name) };
    });
  } catch (error) {
    throw error instanceof InvalidConfiguration ? new CommandFailure(error.message, 2) : error;
  }
}

/** Parses an argument of Commander. */
export function argument<Value>(format: Format<Value>): (text: string) => Value {
  return (text) => {
    try {
      return format.parse(text);
    } catch (error) {
      throw error instanceof InvalidText ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Commander's own error would print the text with its secret. */
function secretArgument<Value>(format: Format<Value>): (text: string) => Value {
  return (text) => {
    try {
      return format.parse(text);
    } catch (error) {
      throw error instanceof InvalidText ? new CommandFailure(error.message, 2) : error;
    }
  };
}

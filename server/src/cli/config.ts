/** The settings of `serve`, and the command that prints them. */
import type { Command } from 'commander';
import {
  type EffectiveConfiguration,
  optionOf,
  readConfiguration,
  type Setting,
  settingNames,
  settings,
  shownValue,
  unknownVariables,
  variableOf,
} from '../config/settings.ts';
import { command, jsonFlag, type OptionOf, uncheckedOption } from './command.ts';
import { tableLines, warn } from './output.ts';

/** Every setting as an option. `configurationOf` reads them. */
export const settingOptions: Readonly<Record<string, OptionOf<unknown>>> = Object.fromEntries(
  settingNames.map((name) => {
    const row: Setting<unknown> = settings[name];
    const option = uncheckedOption(name);
    return [name, row.default === undefined ? option : option.default((row.format.show ?? String)(row.default))];
  }),
);

/** @throws OperatorError */
export function configurationOf(command: Command): EffectiveConfiguration {
  return readConfiguration((name) => {
    const source = command.getOptionValueSource(name);
    if (source !== 'cli' && source !== 'env') return undefined;
    return { text: command.getOptionValue(name), source: source === 'cli' ? optionOf(name) : variableOf(name) };
  });
}

export const commands = command({
  name: 'config',
  about: 'nothing',
  description: 'check the configuration of serve, and print each effective value and where it comes from',
  example: 'config --rate-limit 600',
  options: { ...settingOptions, json: jsonFlag },
  run({ command }) {
    const { values, sources } = configurationOf(command);
    for (const sentence of unknownVariables(process.env)) warn(sentence);
    return settingNames.map((name) => {
      const value = shownValue(name, values) ?? null;
      return { name, value, source: sources[name], option: optionOf(name), variable: variableOf(name) };
    });
  },
  json: (rows) => ({ settings: rows }),
  text: (rows) =>
    tableLines(
      ['Setting', 'Value', 'Source'],
      rows.map(({ name, option, value, source }) => [option, value ?? `(${settings[name].otherwise})`, source]),
      '',
    ),
});

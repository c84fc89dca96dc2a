/** The settings of `serve`, and the command that prints them. */
import type { Command } from 'commander';
import {
  type EffectiveConfiguration,
  InvalidConfiguration,
  readConfiguration,
  shownValue,
  unknownVariables,
} from '../config/read.ts';
import { optionOf, type Setting, settingNames, settings, variableOf } from '../config/settings.ts';
import { uncheckedOption } from './options.ts';
import { CommandFailure, printJson, printTable, warn } from './output.ts';

/** Adds every setting to a command. `configurationOf` reads them. */
export function addSettings(command: Command): Command {
  for (const name of settingNames) {
    const row: Setting<unknown> = settings[name];
    const option = uncheckedOption(name);
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

export function addConfigCommand(program: Command): void {
  addSettings(program.command('config'))
    .description('check the configuration of serve, and print each effective value and where it comes from')
    .option('--json', 'print one line of JSON instead of text')
    .action((options: { json?: boolean }, command: Command) => {
      const { values, sources } = configurationOf(command);
      for (const sentence of unknownVariables(process.env)) warn(sentence);
      const rows = settingNames.map((name) => {
        const value = shownValue(name, values) ?? null;
        return { name, value, source: sources[name], option: optionOf(name), variable: variableOf(name) };
      });
      if (options.json) {
        printJson({ settings: rows });
        return;
      }
      const cells = rows.map(({ name, option, value, source }) => [
        option,
        value ?? `(${settings[name].otherwise})`,
        source,
      ]);
      printTable(['Setting', 'Value', 'Source'], cells, '');
    });
}

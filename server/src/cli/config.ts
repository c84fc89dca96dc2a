import type { Command } from 'commander';
import { shownValue, unknownVariables } from '../config/read.ts';
import { optionOf, settingNames, settings, variableOf } from '../config/settings.ts';
import { printJson, printTable, warn } from './output.ts';
import { addSettings, configurationOf } from './settings.ts';

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

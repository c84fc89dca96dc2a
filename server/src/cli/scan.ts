import type { Command } from 'commander';
import { confirmClock } from '../scans/retention.ts';
import { withChange } from './change.ts';
import { type AdministrationOptions, administrationCommand } from './database.ts';
import { print, printJson } from './output.ts';

export function addScanCommands(program: Command): void {
  const scan = program.command('scan').description('let servers delete old scans again after a jump of the clock');

  administrationCommand(scan.command('confirm-clock'))
    .description(
      'confirm that the clock of this machine is right: servers that kept old scans after a jump of the clock delete them again',
    )
    .action(async (options: AdministrationOptions, command: Command) => {
      const now = new Date();
      await withChange(command, (transaction) => confirmClock(transaction, now));
      const confirmed_at = now.toISOString();
      if (options.json) printJson({ confirmed_at });
      else print(`It is ${confirmed_at}. Servers delete old scans within a day, and when they start.`);
    });
}

import type { Command } from 'commander';
import { verifyClient } from '../client/verify-client.ts';
import { addressVariable, keyVariable } from '../provider.ts';
import { makeDirectory } from '../report/write.ts';
import { finish, interruptible } from './finish.ts';
import { listOf, positive } from './options.ts';
import { progressOn } from './progress.ts';

interface Options {
  readonly command: string;
  readonly require?: readonly string[];
  readonly once?: boolean;
  readonly seed: number;
  readonly report?: string;
}

export function addClientCommand(verify: Command, onExit: (code: number) => void): void {
  verify
    .command('client')
    .description(
      `Run a program against a service on this machine, and judge its requests. ${addressVariable} and ${keyVariable} in its environment name the service.`,
    )
    .requiredOption('--command <command>', 'the shell command that runs the program')
    .option('--require <ids>', 'checks that the program must exercise, separated by commas', listOf)
    .option('--once', 'run the command once: without the redirect, and without looking for the cause of a failure')
    .option('--seed <number>', 'choose other times for the disturbances', positive, 1)
    .option('--report <directory>', 'write the reports into this directory')
    .action(async (options: Options) => onExit(await interruptible((signal) => runClient(options, signal))));
}

async function runClient(options: Options, signal: AbortSignal): Promise<number> {
  const { command, require: required = [], once: isOnce = false, seed, report } = options;
  if (report !== undefined) makeDirectory(report);
  const onRun = (purpose: string) => void process.stderr.write(`The command runs again, with ${purpose}.\n`);
  const { run, provider } = await verifyClient({ command, seed, required, isOnce, signal, onRun });
  return finish(run, { provider, progress: progressOn(process.stderr), directory: report });
}

/** The options of a program behind an npm script. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Prints `usage` for `--help`. Refuses an unknown option or a missing value. */
export function optionsOf<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Node adds how to write a positional argument that begins with a hyphen.
    return refuse((error as Error).message.split('. To specify')[0] ?? '', usage);
  }
}

/** Ends the program with the exit code of a wrong command. */
export function refuse(message: string, usage: string): never {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

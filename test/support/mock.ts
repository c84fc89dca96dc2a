/** The static mock in a process of its own, as `npm run mock` starts it, but on a free port. */
import { root, start } from './program.ts';

/** A running mock. */
export interface Mock {
  /** Its URL without a trailing slash. */
  readonly host: string;
  readonly port: number;
  /** The process. */
  readonly pid: number | undefined;
  /** What it has written to standard error so far. */
  logged(): string;
  /** Returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startMock(options = ''): Promise<Mock> {
  const { child, said, logged, stop } = await start(
    `node ${root}server/src/cli/main.ts mock --json --port 0 ${options}`,
    /\}\n/,
    { NODE_OPTIONS: '' },
  );
  const { site_url }: { site_url: string } = JSON.parse(said());
  return { host: site_url, port: Number(new URL(site_url).port), pid: child.pid, logged, stop };
}

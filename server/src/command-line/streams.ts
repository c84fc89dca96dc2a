/** Standard output and standard error that cannot be written. Both programs say so in one sentence, and exit with 1. */
import { fstatSync, writeSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { printError } from './command.ts';

let failure: NodeJS.ErrnoException | undefined;
const consequences: string[] = [];
const controller = new AbortController();

/** Fires once the output of a command is lost. A reader of a pipe may end first, as `head` does: the command then finishes. */
export const outputLost = controller.signal;

/** Whether standard output has taken everything so far. */
export function isPrinted(): boolean {
  return failure === undefined;
}

/** Makes lost output an error, also if the reader of a pipe ended, and says what the program did about it. */
export function loseOutput(consequence: string): void {
  consequences.push(consequence);
  controller.abort();
}

/** @param program its name in messages */
export function guardStreams(program: string): void {
  const isJson = process.argv.includes('--json');
  for (const stream of [process.stdout, process.stderr]) writeWhole(stream);
  // A file above the limit of the shell is an error of the write, which would end the process without a word.
  process.on('SIGXFSZ', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error;
    if (error.code !== 'EPIPE') controller.abort();
  });
  let isErrorLost = false;
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    isErrorLost ||= code !== 'EPIPE';
  });
  process.once('exit', () => {
    if (outputLost.aborted) {
      const reason = getSystemErrorMessage(failure?.errno ?? 0);
      const next =
        consequences.length > 0
          ? consequences.join(' ')
          : 'The output is incomplete; changes that the command made stay.';
      printError(program, `standard output cannot be written: ${reason}. ${next}`, isJson);
    }
    if (outputLost.aborted || isErrorLost) process.exitCode = 1;
  });
}

/** Node drops the rest of a chunk of which a file takes only a part, as on a disk that becomes full. */
function writeWhole(stream: typeof process.stdout | typeof process.stderr): void {
  const { fd } = stream;
  if (!fstatSync(fd).isFile()) return;
  stream._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let start = 0; start < chunk.length; ) start += writeSync(fd, chunk, start);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

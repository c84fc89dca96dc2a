/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EISDIR: 'is a directory',
};

/** The error for a port that the user named. */
export function unusablePort(port: number, { code, message }: NodeJS.ErrnoException): UsageError {
  const reason = code === 'EADDRINUSE' ? 'is in use. Choose another one' : `cannot be used: ${message}`;
  return new UsageError(`Port ${port} ${reason}.`);
}

/** The error for a file that the user named. */
export function unreadable(file: string, error: unknown): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UsageError(`The file ${file} ${reasons[code] ?? `cannot be read: ${message}`}.`);
}

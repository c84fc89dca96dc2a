/** The suite was called in a wrong way, or cannot begin. The message is one sentence for people. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The error for an id that chooses nothing. It names the nearest ones. */
export function unknownId(option: string, given: string, what: string, ids: Iterable<string>): UsageError {
  const names = new Set([...ids].flatMap((id) => [id, ...(given.includes('.') ? [] : [id.replace(/\..*/s, '')])]));
  const near = [...names]
    .map((name) => ({ name, far: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.far - other.far || one.name.length - other.name.length)
    .slice(0, 3);
  const words = near.map(({ name }) => name).join(', ');
  return new UsageError(`${option} has ${given}, but no ${what} begins with it. The nearest are: ${words}.`);
}

/** How many characters differ. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1];
    for (const [index, otherLetter] of [...other].entries()) {
      const [corner = 0, up = 0, left = 0] = [row[index], row[index + 1], next[index]];
      next.push(letter === otherLetter ? corner : 1 + Math.min(corner, up, left));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
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
